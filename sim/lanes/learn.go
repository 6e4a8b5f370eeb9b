package lanes

import (
	"math"
	"slices"

	"etch/sim/choose"
	"etch/sim/internal/nets"
	"etch/sim/lanes/internal/code"
)

// sample records the state of a random lane, and plans once there are enough samples.
func (s *study) sample(l *grouped) {
	s.see(l.group(s.random.IntN(l.n)))
	if s.samples++; s.samples >= s.pol.Lanes.Samples {
		s.stage = watching
		s.guarded(l, s.plan)
		s.from, s.missed = s.cycles, 0
	}
}

// see adds the state of a lane to the survey.
func (s *study) see(g *group, at int) {
	s.survey.See(s.regs(g, at), func(mem int32, addr uint64) uint64 { return g.Mem(int(mem), int(addr), at) }, s.weight)
}

// regs is the state words of a lane.
func (s *study) regs(g *group, at int) []uint64 {
	regs := make([]uint64, len(s.step.Regs))
	for r := range regs {
		regs[r] = g.Word(r, at)
	}
	return regs
}

// gather runs n events of all groups and samples states without a body, until there are enough
// to learn from.
func (s *study) gather(l *grouped, n int, cycle uint64) {
	p := l.form.events[string(l.all())].(code.Specialised)
	for _, g := range l.groups {
		s.gatherGroup(l, g, p, n, cycle)
	}

	s.count(l, n)
	most, long := s.pol.Lanes.Misses, s.pol.Lanes.Gathers

	// Enough is: as many misses as wanted, a part of them after a long time, or a very long time.
	if s.gathered += n; s.samples >= most || s.gathered >= long && s.samples >= most/s.pol.Lanes.Few || s.gathered >= s.pol.Lanes.Long*long {
		s.guarded(l, s.learn)
	}
}

// guarded calls f, which makes bodies. If it panics, the present code stays for good: it is whole,
// since code is replaced only when it is complete.
func (s *study) guarded(l *grouped, f func(l *grouped)) {
	faults := l.faults
	_ = l.guarded(func() error { // it has been noted
		f(l)
		return nil
	})
	if l.faults > faults {
		s.stage, s.again, s.patience = watching, never, choose.Effort(math.Inf(1))
	}
}

// gatherGroup runs n events of a group, stopping at misses to sample one lane of the group and
// to compare it with another.
func (s *study) gatherGroup(l *grouped, g *group, p code.Specialised, n int, cycle uint64) {
	w := l.worker[0]
	l.settle(w, g)

	// At a miss, two random lanes tell whether the group is in one control state.
	for range s.pol.Lanes.Looks {
		left, missed := p.RunToMiss(w, g.Group, n)
		cycle += uint64(n - left)
		if n = left; !missed || n == 0 {
			break
		}

		count := min(g.Lanes(), l.n-g.first)
		at, other := s.random.IntN(count), s.random.IntN(count)

		// Only a state that two random lanes share can have a body: bodies need the whole group in
		// one state.
		s.samples++
		if s.control.agree(s.regs(g, at), s.regs(g, other)) {
			s.see(g, at)
		} else {
			s.split++
		}

		// The missed event itself runs here, before the search goes on.
		l.runGroup(w, g, p, l.all(), 1, cycle)
		n, cycle = n-1, cycle+1
	}
	g.stale = true
	l.runGroup(w, g, p, l.all(), n, cycle)
}

// learn makes bodies for the gathered states. Bodies do not help if lanes diverge. If the states
// do not fit the plan, it makes a new plan.
func (s *study) learn(l *grouped) {
	s.stage = watching

	switch {
	// Lanes mostly diverge, and most cycles miss: bodies are a loss.
	case 2*s.split > s.samples && s.missed > s.since(l)/2:
		l.note("cycle %d: %d of %d samples diverge: no bodies", s.cycles, s.split, s.samples)
		s.leave(l)
	case s.add(s.survey.More()):
		s.adopt(l)
	case 2*s.split > s.samples:
		s.patience *= choose.Effort(s.pol.Lanes.Worse)
	case s.plans < s.pol.Lanes.Plans:
		s.plan(l)
	case s.missed > s.since(l)/2:
		l.note("cycle %d: %d of %d cycles have no body: no bodies", s.cycles, s.missed, s.since(l))
		s.leave(l)
		s.again = never
	default:
		s.patience *= choose.Effort(s.pol.Lanes.Worse)
	}
	s.from, s.missed = s.cycles, 0
}

// add compiles bodies and accounts for the effort. It reports whether any was added.
func (s *study) add(bodies []choose.Body) (added bool) {
	before := s.maker.Instrs()
	added = s.maker.Add(bodies)
	s.spent(choose.Effort(s.pol.Lanes.Body*float64(s.maker.Instrs()-before) + s.pol.Lanes.Emit*float64(s.maker.Instrs())))
	return added
}

// spent accounts for the effort of learning. Missed cycles must lose as much before the next.
func (s *study) spent(e choose.Effort) {
	s.compiling += e
	s.patience = max(choose.Effort(s.pol.Lanes.Waste), e)
}

// plan makes a plan and its bodies. Lanes already in the bodies' form adopt them; others compare
// first.
func (s *study) plan(l *grouped) {
	// The next plan waits until the run is Lanes.Again times as long.
	s.plans++
	s.again = s.pol.Lanes.Again * s.cycles
	s.spent(choose.Effort(s.pol.Lanes.Plan * float64(len(s.step.N)*s.survey.States())))
	deciding, bodies := s.survey.Plan()
	s.control = newControl(bodies)
	l.note("cycle %d: plan %d of %d states: %d deciding registers, %d bodies", s.cycles, s.plans, s.survey.States(), len(deciding), len(bodies))

	switch {
	case !s.compile(l, deciding, bodies):
		s.leave(l)
	case s.within:
		s.adopt(l)
	default:
		event, err := s.maker.Program()
		if err != nil {
			s.leave(l)
			return
		}
		s.bodies.events = map[string]code.Program{string(l.all()): event}
		s.stage = comparing
	}
}

// adopt lets lanes in the bodies' form use the present set of bodies, in a program of its own.
func (s *study) adopt(l *grouped) {
	event, err := s.maker.Program()
	if err != nil {
		s.leave(l)
		return
	}

	all := string(l.all())
	old := s.bodies.events[all]
	s.bodies.events[all] = event
	l.form = s.bodies

	// Workers keep memory for each program, which the old one needs no more.
	s.forget(l, old)
	old.Close()
}

// compile makes the code of bodies, and the outputs' program of their form if it is missing. It
// reports whether that succeeded.
func (s *study) compile(l *grouped, deciding []int32, bodies []choose.Body) bool {
	if len(bodies) == 0 {
		return false
	}

	// Bodies keep the layout of the bodies before them; the first take the home's if that is in
	// words.
	layout := s.bodies.layout
	switch {
	case layout != nil:
	case s.home.layout.Form == code.Words:
		layout = s.home.layout
	default:
		layout = code.NewLayout(s.step.Net, s.step.Roms, code.Words, &s.pol.LaneCode)
	}
	if !l.holds(layout) {
		return false
	}

	var err error
	s.maker, err = code.NewBodies(s.step.Net, layout, l.target, deciding)
	if err != nil || !s.add(bodies) {
		return false
	}

	// The program of the outputs does not depend on the bodies, so it is made once.
	if s.bodies.look == nil {
		if s.bodies.look, err = l.lookProgram(layout); err != nil {
			return false
		}
	}
	s.bodies.layout = layout
	return true
}

// forget frees the working memory of programs in all workers.
func (s *study) forget(l *grouped, programs ...code.Program) {
	for _, w := range l.worker {
		for _, p := range programs {
			w.Forget(p)
		}
	}
}

// lookProgram is the program of the outputs for a layout.
func (l *grouped) lookProgram(layout *code.Layout) (code.Program, error) {
	n, err := nets.ForLanes(l.m.P, nil, l.outs)
	if err != nil {
		return nil, err
	}
	return code.Compile(n.Net, layout, l.target)
}

// control is the registers whose values bodies assume.
type control []int

// newControl returns the registers that the first body assumes, as all bodies of a plan do.
func newControl(bodies []choose.Body) (k control) {
	if len(bodies) == 0 {
		return nil
	}
	for r, v := range bodies[0].Values {
		if v >= 0 {
			k = append(k, r)
		}
	}
	return k
}

// agree reports whether two lanes could run in one body.
func (k control) agree(x, y []uint64) bool {
	return !slices.ContainsFunc(k, func(r int) bool { return x[r] != y[r] })
}
