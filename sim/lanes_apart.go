package sim

import (
	"math"
	"time"
)

// Lanes that go different ways, each at another instruction of its program, have no
// code for their control states in common. They are faster one after the other, each
// many cycles at a time, in machine code for one; and so are those whose state is too
// large to be gone through in every cycle, or of which little changes. The code is
// made once a worker: what it learns in one lane serves all.

// twin makes another simulator of the same design, that uses the machine code of s
// and must not run at the same time.
func (s *Sim) twin(c config) (*Sim, error) {
	t, err := newSim(s.p, nil, c)
	if err != nil {
		return nil, err
	}
	t.plans, t.bodies, t.room, t.shares = s.plans, s.bodies, s.room, true
	return t, nil
}

// apart gives every lane a simulator of its own, in the state that it is in.
func (l *Lanes) apart() error {
	c := configure(nil)
	c.engine, c.seeded = Native, l.seeded
	sims, err := l.singly(c)
	if err != nil {
		return err
	}
	for lane, s := range sims {
		g, at := l.group(lane)
		l.settle(l.worker[0], g)
		g.Lane(at, s.v[s.p.inputs.lo:s.p.state.hi], s.mems)
		for i := range s.covered {
			s.covered[i] = g.Word(l.coverAt(i), at)
		}
		s.fixedPorts()
		s.cycles, s.now = l.cycles, l.cycles*CycleTime
		s.touch()
	}
	l.sims, l.groups = sims, nil
	return nil
}

// together brings lanes that are apart back into groups.
func (l *Lanes) together() {
	sims := l.sims
	l.sims, l.groups = nil, l.newGroups(l.layout)
	for _, g := range l.groups {
		for at := range g.Lanes() {
			lane := g.first + at
			if lane >= l.n { // nobody wants it: it does as the first one
				lane = g.first
			}
			s := sims[lane]
			g.SetLane(at, s.v[s.p.inputs.lo:s.p.state.hi], s.mems)
			for i, k := range s.covered {
				g.SetWord(l.coverAt(i), at, k&(1<<coverBits-1))
			}
		}
	}
	for _, s := range sims {
		s.Close()
	}
}

// apartTrial is lanes that are tried one after the other.
type apartTrial struct {
	wanted, on, over bool
	before           float64       // ns of a cycle of all lanes in groups
	timings          int           // parts that says
	best             float64       // of parts
	part             time.Duration // since best was worked out
	cycles           int
	piece            int // cycles at a time
	parts, idle      int // since piece was doubled; since best last fell by a tenth
}

// How lanes are tried one after the other.
const (
	apartAfter  = 30 * time.Millisecond // of running in groups
	apartMake   = 20 * time.Microsecond // about what a simulator takes to be made
	apartWords  = 256                   // and of memory besides the state
	apartPart   = 5 * time.Millisecond
	apartLeast  = 8       // cycles at a time, at first
	apartShort  = 64      // fewer say little: state comes into the cache for them
	apartMost   = 1 << 16 // and later
	apartTries  = 32      // parts at most: the first ones are spent on learning
	apartFirst  = 4       // of which compiling takes the most
	apartIdle   = 4       // parts that learn nothing
	apartBeyond = 8       // times the time in groups that are too many to learn
	apartPlain  = 3       // and those where no control state is worth bodies
	apartPerOp  = 0.015   // ns of a node at least, there
	apartBytes  = 1 << 29 // of all simulators at most
)

// wantApart reports whether it should be found out how long lanes take in groups, to
// try them one after the other.
func (s *laneStudy) wantApart(l *Lanes) bool {
	if s.apart.over || s.eager || len(l.traced) > 0 {
		return false
	}
	after := apartAfter + 2*s.copying(l) + time.Duration(l.n)*apartMake
	if s.within {
		after = 2*after + s.compiling
	}
	return s.running > after && l.roomApart()
}

// roomApart reports whether simulators for all lanes take no more than apartBytes.
func (l *Lanes) roomApart() bool {
	words := len(l.one.block) + apartWords
	for _, r := range l.study.step.roms {
		words += len(r)
	}
	return words <= apartBytes/8/l.n
}

// mayGain reports whether lanes may be faster one after the other.
func (s *laneStudy) mayGain(l *Lanes) bool {
	ops := 0
	for i := range s.step.N {
		if !s.step.N[i].Op.IsLeaf() {
			ops++
		}
	}
	return s.maker != nil && !s.within || s.apart.before > float64(l.n*ops)*apartPerOp
}

// timeGroups makes at most n events and finds out how long they take in groups, and
// whether lanes are to be tried one after the other. It returns how many events.
func (s *laneStudy) timeGroups(l *Lanes, n int, cycle uint64) int {
	t, k := &s.apart, min(n, laneTrial)
	took := float64(s.timed(l, k, cycle)) / float64(k)
	if t.timings == 0 || took < t.before {
		t.before = took
	}
	if t.timings++; t.timings == laneTrials {
		s.stage, t.wanted = laneWatching, s.mayGain(l)
		t.over = !t.wanted
	}
	return k
}

// tryApart begins a trial.
func (s *laneStudy) tryApart(l *Lanes) {
	t := &s.apart
	t.wanted, t.over = false, true
	l.collect()
	if l.apart() == nil {
		t.on, t.best, t.piece = true, math.Inf(1), apartLeast
	}
}

// ran notes what n cycles have taken, and has the lanes stay apart or not when no
// more is learned.
func (s *laneStudy) ran(l *Lanes, n int, took time.Duration) {
	t := &s.apart
	t.part, t.cycles = t.part+took, t.cycles+n
	if grow := took < apartPart/2 || t.piece < apartShort && took < 10*apartPart; grow && n == t.piece && t.piece < apartMost {
		t.piece, t.parts = 2*t.piece, 0
	}
	if t.part < apartPart {
		return
	}
	rate := float64(t.part) / float64(t.cycles)
	t.part, t.cycles = 0, 0
	t.parts++
	if t.idle++; rate < 0.9*t.best {
		t.idle = 0
	}
	beyond := float64(apartBeyond)
	if s.maker == nil {
		beyond = apartPlain
	}
	if t.best = min(t.best, rate); t.idle < apartIdle && t.parts < apartTries && (t.parts < apartFirst || t.best < beyond*t.before) {
		return
	}
	if t.on = false; t.best >= t.before {
		l.collect()
		l.together()
	}
}
