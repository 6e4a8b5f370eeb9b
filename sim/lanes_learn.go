package sim

import (
	"time"

	"etch/sim/lanes"
	"etch/sim/native"
)

// sample looks at the state of some lane, and makes a plan when it has seen enough.
func (s *laneStudy) sample(l *Lanes) {
	s.see(l.group(s.random.IntN(l.n)))
	if s.samples++; s.samples >= laneSamples {
		s.plan(l)
	}
}

// see adds the state of a lane to the survey.
func (s *laneStudy) see(g *laneGroup, at int) {
	s.survey.See(s.regs(g, at), func(mem int32, addr uint64) uint64 { return g.Mem(int(mem), int(addr), at) }, s.weight)
}

// regs is the state words of a lane.
func (s *laneStudy) regs(g *laneGroup, at int) []uint64 {
	regs := make([]uint64, len(s.step.Regs))
	for r := range regs {
		regs[r] = g.Word(r, at)
	}
	return regs
}

// gather makes n events of all groups and looks at states that no body is for. A
// plan follows when it has seen enough of them; where most are such that bodies
// exist, lanes have gone different ways, and more bodies would not help.
func (s *laneStudy) gather(l *Lanes, n int, cycle uint64) {
	start := time.Now()
	p := l.laneForm.events[string(l.all())]
	for _, g := range l.groups {
		s.gatherGroup(l, g, p, n, cycle)
	}
	s.running += time.Since(start)
	s.count(l, n)
	switch {
	case s.samples < laneMisses && s.cycles-s.from < 1<<17:
	case s.samples-s.strange < laneMisses/8:
		s.stage = laneWatching
		s.from, s.missed = s.cycles, 0
		s.compiling += s.running / laneShare // not again too soon
	default:
		s.plan(l)
	}
}

func (s *laneStudy) gatherGroup(l *Lanes, g *laneGroup, p *lanes.Program, n int, cycle uint64) {
	w := l.worker[0]
	l.settle(w, g)
	for range laneLooks {
		left, missed := p.RunToMiss(w, g.Group, n)
		cycle += uint64(n - left)
		if n = left; !missed || n == 0 {
			break
		}
		at := s.random.IntN(min(g.Lanes(), l.n-g.first))
		s.samples++
		if s.known.has(s.regs(g, at)) {
			s.strange++
		} else {
			s.see(g, at)
		}
		l.runGroup(w, g, p, l.all(), 1, cycle)
		n, cycle = n-1, cycle+1
	}
	g.stale = true
	l.runGroup(w, g, p, l.all(), n, cycle)
}

// plan makes bodies. Lanes that are in their form already go on with the new ones;
// others try them first.
func (s *laneStudy) plan(l *Lanes) {
	start := time.Now()
	s.stage = laneWatching
	s.plans++
	s.from, s.missed = s.cycles, 0
	s.again = laneAgain * s.cycles
	deciding, bodies := s.survey.Plan()
	event := s.compile(l, deciding, bodies)
	switch all := string(l.all()); {
	case event == nil:
		s.leave(l)
	case s.within:
		old := s.bodies.events[all]
		s.bodies.events[all], s.known = event, newLaneStates(bodies)
		l.laneForm = s.bodies
		s.forget(l, old)
		old.Close()
	default:
		s.bodies.events, s.known = map[string]*lanes.Program{all: event}, newLaneStates(bodies)
		s.stage = laneComparing
	}
	s.compiling += time.Since(start)
}

// compile makes the program of an event with bodies, and the rest of their form if
// it is not there yet; nil when there is none.
func (s *laneStudy) compile(l *Lanes, deciding []int32, bodies []native.Body) *lanes.Program {
	if len(bodies) == 0 {
		return nil
	}
	layout := s.bodies.layout
	switch {
	case layout != nil:
	case s.home.layout.Form == lanes.Words:
		layout = s.home.layout
	default:
		layout = lanes.NewLayout(s.step.Net, s.step.roms, lanes.Words)
	}
	if !l.holds(layout) {
		return nil
	}
	event, err := lanes.CompileBodies(s.step.Net, layout, l.target, deciding, bodies)
	if err != nil || event == nil {
		return nil
	}
	if s.bodies.look == nil {
		look, err := l.lookProgram(layout)
		if err != nil {
			event.Close()
			return nil
		}
		s.bodies.look = look
	}
	s.bodies.layout = layout
	return event
}

// forget frees what running programs took.
func (s *laneStudy) forget(l *Lanes, programs ...*lanes.Program) {
	for _, w := range l.worker {
		for _, p := range programs {
			w.Forget(p)
		}
	}
}

// lookProgram is the program of outputs for a layout.
func (l *Lanes) lookProgram(layout *lanes.Layout) (*lanes.Program, error) {
	n, err := l.one.p.laneNet(nil, l.outs)
	if err != nil {
		return nil, err
	}
	return lanes.Compile(n.Net, layout, l.target)
}

// laneStates is the states that bodies are for: by the registers that they assume.
type laneStates struct {
	regs []int
	set  map[string]bool
}

func newLaneStates(bodies []native.Body) laneStates {
	k := laneStates{set: map[string]bool{}}
	for r, v := range bodies[0].Values {
		if v >= 0 {
			k.regs = append(k.regs, r)
		}
	}
	for _, b := range bodies {
		k.set[k.key(func(r int) uint64 { return uint64(b.Values[r]) })] = true
	}
	return k
}

func (k laneStates) has(regs []uint64) bool {
	return k.set[k.key(func(r int) uint64 { return regs[r] })]
}

func (k laneStates) key(value func(r int) uint64) string {
	var b []byte
	for _, r := range k.regs {
		v := value(r)
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
	}
	return string(b)
}
