package train

import (
	"fmt"
	"sync"

	"etch/designs/dwc/model"
	"etch/designs/mountaincar"
	"etch/designs/pendulum"
)

// testSeed is the seed of the starts that controllers are judged on.
const testSeed = 1

// TestStarts are the n starts that finished controllers are judged on. No
// training run sees them, whatever its seed: its starts are drawn from other
// random streams.
func TestStarts(n int) []pendulum.State { return pendulum.Starts(n, testSeed) }

// Result is the mean return of three controllers over the same starts.
type Result struct {
	Starts    int
	Reference float64 // value iteration on the true state
	Circuit   float64 // the exported controller, with its sensor and its DAC
	Float     float64 // the same network on exact observations, exact actions
}

// Gap returns how far the circuit falls short of the reference.
func (r Result) Gap() float64 { return r.Reference - r.Circuit }

// Evaluate judges a pendulum controller from the given starts. The circuit's
// return is that of the bit-exact Go model.
func Evaluate(m *model.Model, ref *pendulum.Reference, starts []pendulum.State) (Result, error) {
	if len(m.Obs) != swingDims || len(m.Head.Actions) != actionDims {
		return Result{}, fmt.Errorf("train: the model has %d observations and %d actions, the pendulum %d and %d",
			len(m.Obs), len(m.Head.Actions), swingDims, actionDims)
	}

	folded, err := m.Fold()
	if err != nil {
		return Result{}, err
	}
	float, err := model.NewFloatPolicy(m)
	if err != nil {
		return Result{}, err
	}

	// The circuit's model and the float network run side by side.
	r := Result{Starts: len(starts), Reference: ref.Score(starts).Mean}
	var wg sync.WaitGroup
	wg.Go(func() { r.Circuit = pendulum.Evaluate(starts, circuitPolicy(folded)).Mean })
	r.Float = pendulum.Evaluate(starts, func(s pendulum.State) float64 {
		obs := s.Observe()
		return float.Act(obs[:])[0]
	}).Mean
	wg.Wait()
	return r, nil
}

// circuitPolicy returns the controller as deployed: sensor, circuit, DAC.
func circuitPolicy(f *model.Folded) pendulum.Policy {
	e := model.NewEval(f)
	codes, word := make([]int, swingDims), make([]int, actionDims)
	return func(s pendulum.State) float64 {
		obs := s.Observe()
		for d, x := range obs {
			codes[d] = f.Model.Quantise(d, x)
		}
		e.Act(codes, word)
		return f.Model.Decode(0, word[0])
	}
}

// Judge judges a controller of a task from the first starts of n that no training sees,
// beside value iteration.
func Judge(t Task, m *model.Model, n int) (Result, error) {
	if t != MountainCar {
		return Evaluate(m, pendulum.Solve(), TestStarts(n))
	}

	// Evaluate for the car.
	if len(m.Obs) != 2 || len(m.Head.Actions) != actionDims {
		return Result{}, fmt.Errorf("train: the model has %d observations and %d actions, the car 2 and %d", len(m.Obs), len(m.Head.Actions), actionDims)
	}
	folded, err := m.Fold()
	if err != nil {
		return Result{}, err
	}
	float, err := model.NewFloatPolicy(m)
	if err != nil {
		return Result{}, err
	}

	// The reference sees the true state, the circuit sensor codes, the float policy exact observations.
	starts := mountaincar.Starts(n, testSeed)
	eval, codes, word := model.NewEval(folded), make([]int, 2), make([]int, 1)
	return Result{
		Starts:    n,
		Reference: mountaincar.Solve().Score(starts).Mean,
		Circuit: mountaincar.Evaluate(starts, func(s mountaincar.State) float64 {
			codes[0], codes[1] = m.Quantise(0, s.Position), m.Quantise(1, s.Speed)
			eval.Act(codes, word)
			return m.Decode(0, word[0])
		}).Mean,
		Float: mountaincar.Evaluate(starts, func(s mountaincar.State) float64 {
			return float.Act([]float64{s.Position, s.Speed})[0]
		}).Mean,
	}, nil
}
