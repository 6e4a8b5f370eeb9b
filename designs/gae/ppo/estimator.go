package ppo

import (
	"etch/designs/gae/model"
	"etch/designs/gae/reference"
)

// Estimator computes advantages and returns: in float, in the circuit, or in the
// circuit's model. A run calls it once an iteration, and an estimator may keep
// statistics between calls; so every run needs its own.
type Estimator interface {
	// Estimate fills the slices of out, which are as long as those of rollout, one
	// trajectory an environment. It must not change the rollout. The critic learns the returns, so
	// they are in the units of the values.
	Estimate(rollout []reference.Trajectory, out []reference.Estimate) (Counters, error)
}

// Counters are the figures of an estimator's work; a figure that does not concern it is 0.
type Counters struct {
	Elements  int `json:"elements"`  // steps estimated
	Cycles    int `json:"cycles"`    // of the circuit, from start to done
	Transfer  int `json:"transfer"`  // cycles of its host port before and after
	Clipped   int `json:"clipped"`   // inputs out of their format's or quantiser's range
	Saturated int `json:"saturated"` // numbers within the circuit that were
}

// Add adds the counts of another call.
func (c *Counters) Add(o Counters) {
	c.Elements += o.Elements
	c.Cycles += o.Cycles
	c.Transfer += o.Transfer
	c.Clipped += o.Clipped
	c.Saturated += o.Saturated
}

// Float estimates in float64.
type Float struct {
	Convention    reference.Convention
	Gamma, Lambda float64
}

// Estimate implements [Estimator].
func (f Float) Estimate(rollout []reference.Trajectory, out []reference.Estimate) (c Counters, err error) {
	for i := range rollout {
		e, err := f.Convention.Estimate(&rollout[i], f.Gamma, f.Lambda)
		if err != nil {
			return c, err
		}
		copy(out[i].Advantage, e.Advantage)
		copy(out[i].Return, e.Return)
		c.Elements += rollout[i].Len()
	}
	return c, nil
}

// Element estimates in the arithmetic of the circuit's processing element, bit for
// bit, without its memories' quantisation.
type Element struct {
	Convention reference.Convention
	Model      model.Element
}

// Estimate implements [Estimator].
func (m Element) Estimate(rollout []reference.Trajectory, out []reference.Estimate) (c Counters, err error) {
	if err := m.Model.Validate(); err != nil {
		return c, err
	}

	f := m.Model.Format()
	for i := range rollout {
		if err := rollout[i].Check(); err != nil {
			return c, err
		}

		// The way to the circuit and back: raw numbers in reverse order, the bit-exact model,
		// numbers again.
		steps, clipped := m.Convention.Steps(&rollout[i], f)
		results := m.Model.Run(steps)
		for _, r := range results {
			for _, over := range []bool{r.DeltaClipped, r.AdvantageClipped, r.RetClipped} {
				if over {
					c.Saturated++
				}
			}
		}

		e := reference.FromResults(results, f)
		copy(out[i].Advantage, e.Advantage)
		copy(out[i].Return, e.Return)
		c.Elements += len(steps)
		c.Clipped += clipped
	}
	return c, nil
}
