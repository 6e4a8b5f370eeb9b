package model

import (
	"fmt"
	"math"

	"etch/hw/fixed"
)

// Form is how the recurrence A_t = δ_t + C·A_{t+1}, which gives one multiplication
// and addition one cycle, is turned into a pipeline.
type Form int

// The forms.
const (
	// Direct looks k steps ahead: A_t = C^k·A_{t+k} + Σ_{i<k} C^i·δ_{t+i}.
	Direct Form = iota
	// Factored computes the same sum as (1 + C·z⁻¹)(1 + C²·z⁻²)…, k a power of two.
	Factored
	// CSlow takes the steps of k trajectories in turn and looks ahead nowhere.
	CSlow
)

var formNames = [...]string{"direct", "factored", "cslow"}

// String is the form's name.
func (f Form) String() string {
	if f < Direct || f > CSlow {
		return fmt.Sprint(int(f))
	}
	return formNames[f]
}

// UnmarshalText reads a form's name.
func (f *Form) UnmarshalText(text []byte) error {
	for i, name := range formNames {
		if name == string(text) {
			*f = Form(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not a form; want direct, factored or cslow", text)
}

// MaxLookahead is the greatest k.
const MaxLookahead = 8

// Default is the recommended format of data: Q11.16, 27 bits with the sign, the
// wide operand of a DSP48E2's multiplier.
var Default = fixed.Format{Width: 27, Frac: 16}

// Element is the parameters of a processing element.
type Element struct {
	Form   Form    `help:"how the recurrence becomes a pipeline" values:"direct|factored|cslow"`
	K      int     `help:"steps looked ahead, or trajectories in turn" range:"1..8"` // up to MaxLookahead
	Gamma  float64 `help:"the discount of a step" range:"0..1"`
	Lambda float64 `help:"the weight of later steps in an advantage" range:"0..1"`
	// Split has no effect on results.
	Split bool         `help:"products in two parts of 18 bits with a register between, for FPGAs without wider multipliers"`
	Data  fixed.Format // of rewards, values, δ, advantages and returns; the zero format is Default
}

// Format is the format of data.
func (e Element) Format() fixed.Format {
	if e.Data == (fixed.Format{}) {
		return Default
	}
	return e.Data
}

func (e Element) Validate() error {
	unit := func(v float64) bool { return v >= 0 && v <= 1 } // not NaN

	// Form and lookahead first: the other limits depend on them.
	switch f := e.Format(); {
	case e.Form < Direct || e.Form > CSlow:
		return fmt.Errorf("Form = %d, want direct, factored or cslow", int(e.Form))
	case e.K < 1 || e.K > MaxLookahead:
		return fmt.Errorf("K = %d, want 1 to %d", e.K, MaxLookahead)
	case e.Form == Factored && e.K&(e.K-1) != 0:
		return fmt.Errorf("K = %d, want a power of two for the factored form", e.K)
	case !unit(e.Gamma):
		return fmt.Errorf("Gamma = %v, want 0 to 1", e.Gamma)
	case !unit(e.Lambda):
		return fmt.Errorf("Lambda = %v, want 0 to 1", e.Lambda)
	case f.Width < 4 || f.Width > 40 || f.Frac < 0 || f.Frac >= f.Width:
		return fmt.Errorf("Data = %v, want 4 to 40 bits, of them a fraction of 0 to all but one", f)
	}
	return nil
}

// Discount is the coefficient γ.
func (e Element) Discount() Coefficient { return Power(e.Gamma, 1) }

// Carry is the coefficient (γλ)^n.
func (e Element) Carry(n int) Coefficient { return Power(e.Gamma*e.Lambda, n) }

// Step is a step of a trajectory, in raw values.
type Step struct {
	Reward, Value int64
	Boot          int64 // X: the value after the cut; read where Cut is set and Term is not
	Term, Cut     bool  // Term implies Cut
}

// Result is the output for one step, in raw values; the flags tell which numbers were saturated.
type Result struct {
	Delta, Advantage, Return                   int64
	DeltaClipped, AdvantageClipped, RetClipped bool
}

// Run computes the results of steps, each the one before in time of the next: the
// first has Cut set. For the c-slow form these are the steps of one slot.
func (e Element) Run(steps []Step) []Result {
	out := make([]Result, len(steps))
	limit := saturator(e.Format())
	gamma, ahead := e.Discount(), e.sum()
	for i := range steps {
		// The step before in the list is the next one in time: its value bootstraps this one.
		s, r := &steps[i], &out[i]
		boot := int64(0)
		switch {
		case s.Term:
		case s.Cut:
			boot = s.Boot
		case i > 0:
			boot = steps[i-1].Value
		}
		r.Delta, r.DeltaClipped = limit(s.Reward - s.Value + gamma.Times(boot))
		r.Advantage, r.AdvantageClipped = limit(ahead(steps, out, i))
		r.Return, r.RetClipped = limit(r.Advantage + s.Value)
	}
	return out
}

// sum is the exact sum that gives the advantage of step i, from the steps before.
func (e Element) sum() func(steps []Step, out []Result, i int) int64 {
	k := e.K
	if e.Form == CSlow {
		k = 1
	}

	carry := make([]Coefficient, k+1)
	for i := 1; i <= k; i++ {
		carry[i] = e.Carry(i)
	}

	// open counts the steps after i that belong to its trajectory, up to n.
	open := func(steps []Step, i, n int) int {
		for j := range n {
			if i-j < 0 || steps[i-j].Cut {
				return j
			}
		}
		return n
	}

	// The factored form multiplies halves: u(2n) = u(n) + C^n·u(n) of n steps on. Only a half
	// without a cut goes on to the next.
	var factor func(steps []Step, out []Result, i, span int) int64
	factor = func(steps []Step, out []Result, i, span int) int64 { // Σ over span steps, in factors
		if span == 1 {
			return out[i].Delta
		}
		half := span / 2
		u := factor(steps, out, i, half)
		if open(steps, i, half) == half {
			u += carry[half].Times(factor(steps, out, i-half, half))
		}
		return u
	}

	return func(steps []Step, out []Result, i int) (u int64) {
		reach := open(steps, i, k)
		if e.Form == Factored {
			u = factor(steps, out, i, k)
		} else {
			u = out[i].Delta
			for j := 1; j <= reach && j < k; j++ {
				u += carry[j].Times(out[i-j].Delta)
			}
		}
		// The loop proper: the advantage k steps ahead, if no cut lies between.
		if reach == k {
			u += carry[k].Times(out[i-k].Advantage)
		}
		return u
	}
}

// saturator brings a sum into a format's range and tells whether it had to.
func saturator(f fixed.Format) func(x int64) (int64, bool) {
	greatest := int64(math.MaxInt64 >> (64 - f.Width))
	return func(x int64) (int64, bool) {
		y := min(max(x, -greatest-1), greatest)
		return y, y != x
	}
}
