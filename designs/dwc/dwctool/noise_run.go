package dwctool

import (
	"fmt"
	"math/rand/v2"
	"time"

	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/designs/pendulum"
	"etch/hw"
	"etch/sim"
	"etch/sim/lanes"
)

// noiseRun is all rollouts of all levels at once, each in a lane of the circuit:
// lane level·rollouts + rollout.
type noiseRun struct {
	e       *noiseExperiment
	lanes   *lanes.Lanes
	engine  string
	latency int
	valid   sim.Signal
	obs     []sim.Signal
	done    sim.Signal
	act     sim.Signal
	eval    *model.Eval
	cycles  int
	checked int           // actions that were held against the Go model
	spent   time.Duration // in the circuit
}

func newNoiseRun(e *noiseExperiment) (*noiseRun, error) {
	c := dwc.Controller{Net: dwc.Reduced(e.model), Pipeline: dwc.Registered}
	d, p, err := hw.Build(c)
	if err != nil {
		return nil, err
	}

	f, err := e.model.Fold()
	if err != nil {
		return nil, err
	}

	// A lane is one rollout at one level; lanes of a level are neighbours.
	l, err := lanes.New(d, len(e.levels)*len(e.starts), lanes.WithWorkers(0))
	if err != nil {
		return nil, err
	}

	top := l.Top()
	port := func(sig hw.Signal) sim.Signal {
		_, i, _ := hw.PortOf(sig)
		return top[i]
	}

	r := &noiseRun{e: e, lanes: l, engine: l.Engine(), latency: c.Latency(), eval: model.NewEval(f),
		valid: port(p.Valid), done: port(p.ActValid), act: port(p.Act[0])}
	for _, o := range p.Obs {
		r.obs = append(r.obs, port(o))
	}

	l.Reset()
	return r, l.SetAll(r.valid, 1)
}

// everyChecked is one of how many rollouts is held against the Go model.
const everyChecked = 16

// returns runs the closed loop and gives the return of every lane.
func (r *noiseRun) returns() ([]float64, error) {
	n := r.lanes.Len()

	// Rollout i has the same start and the same noise at every level.
	states, noise, returns := make([]pendulum.State, n), make([]*rand.Rand, n), make([]float64, n)
	for i := range states {
		rollout := i % len(r.e.starts)
		states[i], noise[i] = r.e.starts[rollout], r.e.deviates(rollout)
	}

	codes := make([][]uint64, len(r.obs))
	for d := range codes {
		codes[d] = make([]uint64, n)
	}
	acts := make([]uint64, n)

	// All lanes in lock step: observe, one action, one step of the pendulum.
	for range pendulum.Steps {
		for i, s := range states {
			o := r.e.observe(s, r.e.levels[i/len(r.e.starts)], noise[i])
			for d, x := range o {
				// The circuit takes the low W bits of the two's complement.
				codes[d][i] = uint64(r.e.model.Quantise(d, x)) & (1<<r.e.model.SensorBits - 1)
			}
		}
		if err := r.step(codes, acts); err != nil {
			return nil, err
		}
		for i, s := range states {
			next, reward := s.Step(r.e.model.Decode(0, r.code(acts[i])))
			states[i] = next
			returns[i] += reward
		}
	}
	return returns, nil
}

// code is an action word as a number.
func (r *noiseRun) code(word uint64) int {
	// Up and down again: the sign bit fills the upper bits.
	sh := 64 - r.act.Width()
	return int(int64(word<<sh) >> sh)
}

// step runs the circuit for one observation a lane.
func (r *noiseRun) step(codes [][]uint64, acts []uint64) error {
	began := time.Now()
	for d, sig := range r.obs {
		if err := r.lanes.SetSlice(sig, codes[d]); err != nil {
			return err
		}
	}

	// The observation holds for the whole latency, so the pipeline is full of it.
	r.lanes.Step(r.latency)
	if err := r.lanes.GetSlice(r.act, acts); err != nil {
		return err
	}
	r.spent += time.Since(began)
	r.cycles += r.latency
	return r.check(codes, acts)
}

// check holds some lanes' actions against the Go model.
func (r *noiseRun) check(codes [][]uint64, acts []uint64) error {
	in, want := make([]int, len(codes)), make([]int, 1)
	for i := 0; i < len(acts); i += everyChecked {
		for d := range in {
			sh := 64 - r.e.model.SensorBits
			in[d] = int(int64(codes[d][i]<<sh) >> sh)
		}
		r.eval.Act(in, want)
		if got := r.code(acts[i]); got != want[0] || r.lanes.Get(r.done, i) != 1 {
			return fmt.Errorf("lane %d, observation %v: the circuit says %d, the Go model %d", i, in, got, want[0])
		}
		r.checked++
	}
	return nil
}

// speed is the cycles of all lanes together per second.
func (r *noiseRun) speed() float64 {
	return float64(r.cycles) * float64(r.lanes.Len()) / r.spent.Seconds()
}
