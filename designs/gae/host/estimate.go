package host

import (
	"fmt"
	"math"
	"slices"

	"etch/designs/gae/model"
	"etch/designs/gae/ppo"
	"etch/designs/gae/reference"
)

// Machine is an accelerator: a [Driver]'s, or a [model.Machine].
type Machine interface {
	Load(l model.Loading) error
	Set(s model.Settings) error
	Settings() (model.Loading, model.Settings, error)
	Measure(steps []model.Sample) error
	Settle() error
	Clear(bits int64) error
	Push(vector []model.Sample) (at model.Place, ok bool, err error)
	Drain() (cycles int, err error)
	Fetch(at model.Place, n int) ([]model.Stored, error)
	Counters() (model.LoadClips, model.Clips, error)
}

// Estimator computes advantages and returns with an accelerator: it measures and
// loads a rollout, drains the rows as often as they fill up, and fetches the
// results. It is a [ppo.Estimator].
//
// Data is shifted right as far as the largest advantage asks for that rewards and
// values of these magnitudes can give; where something saturates all the same, a
// rounded value perhaps, the rollout is computed again with one bit more. The units
// in which results are stored follow the largest results of the rollout before, with
// room for twice as much; the first rollout, and one that needs more, is computed
// again. All runs count in Counters.Cycles.
type Estimator struct {
	Convention reference.Convention
	// Transfer, if set, tells the cycles that the host port has taken so far.
	Transfer func() uint64
	// Clips and LoadClips count the saturated numbers of the last run over the last
	// rollout. Numbers beyond 4 deviations in a standardised quantity are clipped by
	// design; for all else see Saturated.
	LoadClips model.LoadClips
	Clips     model.Clips
	// Runs is how often the last rollout was computed.
	Runs int

	machine  Machine
	system   model.System
	known    bool           // the largest results of the rollout before are
	greatest [2]float64     // advantage, return
	used     model.Settings // of the last run
	ever     float64        // largest reward of all rollouts
	pieces   []piece        // of the last rollout
}

// NewEstimator is an estimator with an accelerator just reset.
func NewEstimator(m Machine, s model.System) *Estimator {
	return &Estimator{machine: m, system: s}
}

// piece is a vector of a trajectory's steps.
type piece struct {
	trajectory, from int
	samples          []model.Sample
}

// Estimate implements [ppo.Estimator].
func (e *Estimator) Estimate(rollout []reference.Trajectory, out []reference.Estimate) (c ppo.Counters, err error) {
	before := e.transfer()

	var most magnitudes
	e.pieces, e.Runs = nil, 0
	grain := e.grain(rollout)
	for i := range rollout {
		ps, clipped, m, err := e.cut(&rollout[i], i, grain)
		if err != nil {
			return c, err
		}
		e.pieces = append(e.pieces, ps...)
		most.include(m)
		c.Elements += rollout[i].Len()
		c.Clipped += clipped
	}

	// The longest vectors first: the short vectors then even out the stacks.
	slices.SortStableFunc(e.pieces, func(a, b piece) int { return len(b.samples) - len(a.samples) })
	if err := e.prepare(most); err != nil {
		return c, err
	}

	// The shift is right by the bound; rounding to codes may still exceed it.
	for again := true; again; {
		n, err := e.compute(e.bound(most), out)
		c.Cycles += n
		if err != nil {
			return c, err
		}
		if again = e.saturates(); again {
			if again, err = e.widen(); err != nil {
				return c, err
			}
		}
	}

	l := e.LoadClips
	c.Clipped += l.Reward + l.Value + l.Boot
	c.Saturated = e.Clips.Total()

	// The port is busy polling while a drain runs: these cycles count once, as the drain's.
	c.Transfer = int(e.transfer()-before) - c.Cycles
	return c, nil
}

// compute runs the rollout, in units that suit its results, and reads the counters.
// No result is larger than bound.
func (e *Estimator) compute(bound float64, out []reference.Estimate) (cycles int, err error) {
	for known := e.known; ; known = false {
		// Unknown results are first stored in units that hold any, and measured so.
		runs := 1
		if !known {
			e.greatest, runs = [2]float64{bound, bound}, 2
		}
		for ; runs > 0; runs-- {
			n, err := e.run(e.pieces, out)
			if cycles += n; err != nil {
				return cycles, err
			}
			if e.Runs++; e.suited() {
				break
			}
		}
		if e.LoadClips, e.Clips, err = e.machine.Counters(); err != nil {
			return cycles, err
		}
		if !known || e.Clips.StoredAdvantage+e.Clips.StoredReturn == 0 { // no larger than twice the last units
			return cycles, nil
		}
	}
}

// suited reports whether the last run had the units that its results ask for.
func (e *Estimator) suited() bool {
	return e.used == e.inUnits(e.used)
}

func (e *Estimator) transfer() uint64 {
	if e.Transfer == nil {
		return 0
	}
	return e.Transfer()
}

// cut cuts a trajectory into vectors of whole episodes. Each episode is a vector of its
// own, so that the schedule has something to balance; short ones are joined as long
// as they have no more than grain steps together, since each vector costs the host
// some accesses.
func (e *Estimator) cut(t *reference.Trajectory, at, grain int) (ps []piece, clipped int, most magnitudes, err error) {
	steps, clipped := e.Convention.Steps(t, model.Input)
	n := len(steps)
	room := e.system.Depth / e.system.Stacks()
	boots := e.system.Stack / e.system.Stacks()
	from, last, kept := 0, 0, 0 // of the vector: its first step, the step after its last cut so far, its bootstrap values

	// A vector may be closed at any cut: close it at the last cut before it would be too long, or
	// have too many bootstrap values.
	for i := range n {
		s := &steps[n-1-i] // the first in time is the last
		most.see(s)
		if !s.Cut {
			continue
		}

		boot, end := 0, i+1
		if !s.Term {
			boot = 1
		}
		most.include(magnitudes{longest: end - last})
		if end-last > room {
			return nil, 0, most, fmt.Errorf("the episode that ends at step %d has %d steps, and a stack holds %d", end, end-last, room)
		}

		if last > from && (end-from > min(room, grain) || kept+boot > boots) {
			ps = append(ps, slice(steps, at, from, last))
			from, kept = last, 0
		}
		last, kept = end, kept+boot
	}

	if n > 0 {
		ps = append(ps, slice(steps, at, from, n))
	}
	return ps, clipped, most, nil
}

// grain is the length up to which short episodes are joined: a sixteenth of the steps that each
// stack gets of the rollout.
func (e *Estimator) grain(rollout []reference.Trajectory) int {
	steps := 0
	for i := range rollout {
		steps += rollout[i].Len()
	}
	return steps / (16 * e.system.Rows * e.system.Stacks())
}

// slice is the vector of steps from to to, of steps whose last in time is first.
func slice(steps []model.Step, at, from, to int) piece {
	p := piece{trajectory: at, from: from}
	for i := from; i < to; i++ {
		s := steps[len(steps)-1-i]
		p.samples = append(p.samples, model.Sample{Reward: s.Reward, Value: s.Value, Boot: s.Boot, Term: s.Term, Cut: s.Cut})
	}
	return p
}

// prepare sets the shift and has the statistics settle.
func (e *Estimator) prepare(most magnitudes) error {
	l, s, err := e.machine.Settings()
	if err != nil {
		return err
	}

	// Shift data right until the bound on every number fits the format.
	e.ever = max(e.ever, most.reward)
	f := e.system.Format()
	limit := math.Ldexp(1, f.Width-1-f.Frac)
	l.Shift = 0
	for bound := e.bound(most); bound >= limit && l.Shift < model.MaxShift; bound /= 2 {
		l.Shift++
	}
	s.Shift = l.Shift

	if err := e.machine.Load(l); err != nil {
		return err
	}

	// Statistics see every step before the first one is loaded.
	if !e.system.HasStatistics() {
		return nil // nothing is standardised
	}
	for _, p := range e.pieces {
		if err := e.machine.Measure(p.samples); err != nil {
			return err
		}
	}
	return e.machine.Settle()
}

// bound is an upper bound on the magnitude of every advantage, return and intermediate number, but
// for rounding, if no reward or value is larger than m says.
//
// An advantage is Σ C^i·r_i − v_0 + γ(1−λ)·Σ C^i·v_{i+1} and perhaps a bootstrap
// value, C = γλ, over the steps of an episode: the value that one step's δ subtracts has been
// added by the step before.
func (e *Estimator) bound(m magnitudes) float64 {
	gamma, lambda := e.system.Gamma, e.system.Lambda

	// Σ C^i over n steps is at most n, and below 1/(1−C).
	sum := float64(max(m.longest, 1)) // of C^i
	if c := gamma * lambda; c < 1 {
		sum = min(sum, 1/(1-c))
	}

	// The largest reward that the element sees.
	reward := m.reward
	switch {
	case e.system.Rewards == model.Raw:
	case !e.system.RestoreRewards:
		reward = 4 // standardised
	case e.system.Rewards == model.Dynamic:
		reward = e.ever // mean and deviation over all rollouts
	}
	return reward*sum + m.value*(1+gamma+gamma*(1-lambda)*sum)
}

// saturates reports whether the last run came to results that a larger shift would
// make right.
func (e *Estimator) saturates() bool {
	l := e.LoadClips

	// Standardised rewards and quantised values are clipped by design; all other clips are wrong.
	wrong := e.Clips.Total() + l.Boot
	if e.system.Rewards == model.Raw {
		wrong += l.Reward
	}
	if e.system.CodeBits == 0 {
		wrong += l.Value
	}
	return wrong > 0
}

// widen shifts data right by a bit more; more is false where that cannot be.
func (e *Estimator) widen() (more bool, err error) {
	l, s, err := e.machine.Settings()
	if err != nil || l.Shift == model.MaxShift {
		return false, err
	}
	l, s = e.system.Reshift(l, s, l.Shift+1)
	if err := e.machine.Load(l); err != nil {
		return false, err
	}
	return true, e.machine.Set(s)
}

// run loads, drains and fetches everything, with units that suit the largest
// results known, and notes the largest that there are.
func (e *Estimator) run(pieces []piece, out []reference.Estimate) (cycles int, err error) {
	_, s, err := e.machine.Settings()
	if err != nil {
		return 0, err
	}

	s = e.inUnits(s)
	if err := e.machine.Set(s); err != nil {
		return 0, err
	}
	if err := e.machine.Clear(model.ClearCounters); err != nil {
		return 0, err
	}

	// As many vectors as fit, drain, fetch, and again, until none is left.
	e.greatest, e.known, e.used = [2]float64{}, false, s
	for len(pieces) > 0 {
		places, err := e.fill(pieces)
		if err != nil {
			return 0, err
		}
		if len(places) == 0 {
			return 0, fmt.Errorf("no row has room for a vector of %d steps", len(pieces[0].samples))
		}
		n, err := e.machine.Drain()
		if err != nil {
			return 0, err
		}
		cycles += n
		for i, at := range places {
			if err := e.fetch(pieces[i], at, s, out); err != nil {
				return 0, err
			}
		}
		pieces = pieces[len(places):]
	}

	e.known = e.greatest[0] > 0 && e.greatest[1] > 0
	return cycles, nil
}

// fill loads as many of the pieces, in order, as rows and their stacks of bootstrap
// values have room for. It foresees where each goes.
func (e *Estimator) fill(pieces []piece) (places []model.Place, err error) {
	// The model's schedule foretells the circuit's choice, so that a vector that would overflow a
	// stack of bootstrap values is held back.
	schedule := e.system.NewSchedule()
	boots := map[model.Place]int{}
	for _, p := range pieces {
		at, room := schedule.Place(len(p.samples))
		for _, x := range p.samples {
			if x.Cut && !x.Term {
				boots[model.Place{Row: at.Row, Stack: at.Stack}]++
			}
		}

		if !room || boots[model.Place{Row: at.Row, Stack: at.Stack}] > e.system.Stack/e.system.Stacks() {
			break
		}
		at, ok, err := e.machine.Push(p.samples)
		if err != nil || !ok {
			return places, err
		}
		places = append(places, at)
	}
	return places, nil
}

// inUnits is s with units that hold results of twice the largest known.
func (e *Estimator) inUnits(s model.Settings) model.Settings {
	s.AdvantageStep, s.ReturnStep = e.unit(2*e.greatest[0], s.Shift), e.unit(2*e.greatest[1], s.Shift)
	return s
}

// unit is the step whose stored results reach to a magnitude.
func (e *Estimator) unit(most float64, shift int) int {
	f := e.system.Format()

	// A step of 0 reaches to 2^(bits−1) raw units, and each further one twice as far.
	step := 0
	for step < 15 && math.Ldexp(most, f.Frac-shift) >= math.Ldexp(1, e.system.ResultBits()-1+step) {
		step++
	}
	return step
}

// fetch brings the results of a vector back.
func (e *Estimator) fetch(p piece, at model.Place, s model.Settings, out []reference.Estimate) error {
	stored, err := e.machine.Fetch(at, len(p.samples))
	if err != nil {
		return err
	}

	// One unit of a stored result is 2^(step + shift − frac).
	frac := e.system.Format().Frac
	to := &out[p.trajectory]
	for i, r := range stored {
		a := math.Ldexp(float64(r.Advantage), s.AdvantageStep+s.Shift-frac)
		b := math.Ldexp(float64(r.Return), s.ReturnStep+s.Shift-frac)
		to.Advantage[p.from+i], to.Return[p.from+i] = a, b
		e.greatest[0], e.greatest[1] = max(e.greatest[0], math.Abs(a)), max(e.greatest[1], math.Abs(b))
	}
	return nil
}
