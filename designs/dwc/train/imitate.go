package train

import (
	"fmt"
	"math"
	"math/rand/v2"

	"etch/designs/dwc/model"
	"etch/designs/pendulum"
)

// Perceptron is a controller of the pendulum that is no weightless network: two
// hidden layers of ReLU on the normalised observation, torque = 2·tanh. It is there
// to be held beside one.
type Perceptron struct {
	net  *dense
	tape *tape
	// bits is the width of weights and activations, 0 for float32; step is the
	// activations' unit at the input of each layer.
	bits int
	step []float64
}

// swingDims are the dimensions of an observation of the pendulum.
const swingDims = len(pendulum.Observation{})

// Rounds of imitation, with the samples that each adds and the updates after it.
const (
	imitateRounds  = 12
	imitateStarts  = 64
	imitateUpdates = 2000
	imitateBatch   = 64
)

// Imitate trains a perceptron of two layers of hidden units by DAgger (Ross,
// Gordon and Bagnell, 2011): least squares on the teacher's torques in states that
// the perceptron itself comes to. It depends on its arguments alone.
func Imitate(teacher pendulum.Policy, hidden int, seed uint64) (*Perceptron, error) {
	if hidden < 1 || hidden > 1024 {
		return nil, fmt.Errorf("train: imitate: %d hidden units, not 1..1024", hidden)
	}

	r := rand.New(rand.NewPCG(seed, 0x696d6974))
	p := &Perceptron{net: newDense(r, swingDims, hidden, hidden, actionDims)}
	p.tape = newTape(p.net, 1)

	batch, opt := newTape(p.net, imitateBatch), newAdam(len(p.net.params))
	var inputs [][swingDims]float32
	var goals []float64 // in −1..1
	errs := make([]float32, imitateBatch)

	// The teacher labels every state; after the first round the perceptron steers, so that its own
	// mistakes are among the data.
	for round := range imitateRounds {
		for range imitateStarts {
			state := pendulum.RandomState(r)
			for range pendulum.Steps {
				want := teacher(state)
				inputs, goals = append(inputs, normalised(state.Observe())), append(goals, want/pendulum.MaxTorque)
				if u := p.Act(state.Observe()); round > 0 {
					want = u
				}
				state, _ = state.Step(want)
			}
		}

		// Then a number of updates over all data so far, at a rate that falls from round to round.
		rate := 3e-3 * float64(imitateRounds-round) / imitateRounds
		for range imitateUpdates {
			for row := range imitateBatch {
				i := r.IntN(len(goals))
				copy(batch.input()[row*swingDims:], inputs[i][:])
				errs[row] = float32(goals[i])
			}

			p.net.forward(batch)
			for row, y := range batch.output() {
				a := model.Tanh(float64(y))
				slope, _ := preSlopes(a)
				errs[row] = float32(2 * (a - float64(errs[row])) * slope / imitateBatch)
			}
			p.net.backward(batch, errs)
			opt.step(rate, p.net.params, batch.grads)
		}
	}
	return p, nil
}

func normalised(o pendulum.Observation) (z [swingDims]float32) {
	for d, x := range o {
		z[d] = float32(x / tasks[Pendulum].dims[d].deviation)
	}
	return z
}

// Act is the torque for an observation. It is for one goroutine at a time.
func (p *Perceptron) Act(o pendulum.Observation) float64 {
	z := normalised(o)
	copy(p.tape.input(), z[:])
	if p.bits > 0 {
		p.quantisedForward()
	} else {
		p.net.forward(p.tape)
	}
	return float64(pendulum.MaxTorque * model.Tanh(float64(p.tape.output()[0])))
}

// Copy is p for another goroutine.
func (p *Perceptron) Copy() *Perceptron {
	c := *p
	c.tape = newTape(p.net, 1)
	return &c
}

// Quantised is p with weights and activations of some bits, 2 to 16: signed
// weights with one scale a layer, the largest weight its end; activations with one
// scale a layer, set so that the largest among the observations is its end. Sums
// and biases are exact, as in an accelerator whose accumulators are wide enough.
func (p *Perceptron) Quantised(bits int, observations []pendulum.Observation) (*Perceptron, error) {
	if bits < 2 || bits > 16 || len(observations) == 0 {
		return nil, fmt.Errorf("train: quantised: %d bits, %d observations; want 2..16 bits and some observations", bits, len(observations))
	}

	q := &Perceptron{net: p.net.clone(), bits: bits, step: make([]float64, len(p.net.sizes)-1)}
	q.tape = newTape(q.net, 1)
	top := float64(int(1)<<(bits-1) - 1)

	// The largest activation seen sets a layer's step.
	for _, o := range observations {
		p.Act(o)
		for i := range q.step {
			for _, v := range p.tape.acts[i] {
				q.step[i] = max(q.step[i], math.Abs(float64(v))/top)
			}
		}
	}

	for i := range q.step {
		weights, _ := q.net.layer(q.net.params, i)
		largest := 0.0
		for _, w := range weights {
			largest = max(largest, math.Abs(float64(w)))
		}
		roundTo(weights, largest/top, top)
	}
	return q, nil
}

// roundTo rounds values to multiples of step, at most top of them.
func roundTo(values []float32, step, top float64) {
	if step == 0 {
		return
	}
	for i, v := range values {
		n := math.Round(float64(v) / step)
		values[i] = float32(max(-top, min(top, n)) * step)
	}
}

// quantisedForward is dense.forward for one row with the activations rounded
// before each layer.
func (p *Perceptron) quantisedForward() {
	top := float64(int(1)<<(p.bits-1) - 1)
	last := len(p.net.sizes) - 2

	for i := 0; i <= last; i++ {
		in, out := p.net.sizes[i], p.net.sizes[i+1]
		weights, biases := p.net.layer(p.net.params, i)
		x, y := p.tape.acts[i], p.tape.acts[i+1]
		roundTo(x, p.step[i], top)
		mulABt(y, x, weights, 1, out, in)
		for j, b := range biases {
			y[j] += b
		}
		if i < last {
			applyReLU(y)
		}
	}
}
