package sim

import (
	"math"
	"time"

	"etch/sim/choose"
	"etch/sim/internal/nets"
)

// Lanes in different control states, each at another instruction of its program, cannot share
// code for a state. They run faster one after the other, many cycles each, in machine code for a
// single instance. The same holds for lanes with much state that rarely changes. Each worker
// compiles once, so code specialised in one lane serves all its lanes.

// twin makes another simulator of the same design that uses the machine code of s, also once s is
// closed. The two must not run at the same time.
func (s *Sim) twin(c config) (*Sim, error) {
	t, err := newSim(s.p, nil, c)
	if err != nil {
		return nil, err
	}
	t.shared = s.shared
	t.users++
	return t, nil
}

// apart gives every lane a simulator of its own, in its present state, and drops the groups.
func (l *groupedLanes) apart() (*singleLanes, error) {
	// Running lanes one after the other pays only in machine code.
	c := configure(nil)
	c.engine, c.seeded = Native, l.seeded
	sims, err := l.singly(c)
	if err != nil {
		return nil, err
	}

	// Copy inputs, registers and memories lane by lane; covers count in the groups until now.
	for lane, s := range sims {
		g, at := l.group(lane)
		l.settle(l.worker[0], g)
		g.Lane(at, s.st.V[s.p.Inputs.Lo:s.p.State.Hi], s.st.Mems)
		for i := range s.covered {
			s.covered[i] = g.Word(l.coverAt(i), at)
		}
		s.fixedPorts()
		s.cycles, s.now = l.cycles, l.cycles*CycleTime
		s.touch()
	}

	all := &singleLanes{laneSet: l.laneSet, sims: sims, back: l, kept: l.takeLog()}
	l.groups, l.engine = nil, all
	return all, nil
}

// together moves lanes that are apart back into groups.
func (l *singleLanes) together() {
	back := l.back
	back.kept, back.heard = l.takeLog(), true
	back.groups = back.newGroups(back.layout)
	for _, g := range back.groups {
		for at := range g.Lanes() {
			lane := g.first + at
			if lane >= l.n { // a lane that fills the vector: it copies the first one
				lane = g.first
			}
			s := l.sims[lane]
			g.SetLane(at, s.st.V[s.p.Inputs.Lo:s.p.State.Hi], s.st.Mems)
			for i, k := range s.covered {
				// Counters of groups have CoverBits bits and wrap around.
				g.SetWord(back.coverAt(i), at, k&(1<<nets.CoverBits-1))
			}
		}
	}

	for _, s := range l.sims {
		s.Close()
	}
	l.engine = back
}

// apartTrial is the trial of running lanes one after the other.
type apartTrial struct {
	wanted, over bool
	before       float64       // ns per cycle of all lanes in groups
	timings      int           // measurements behind before
	best         float64       // least ns per cycle of any part
	part         time.Duration // time since the present part began
	cycles       int
	piece        int // cycles at a time
	parts, idle  int // parts since piece was doubled; parts since best last fell by a tenth
}

// wantApart reports whether a trial is due: groups must be timed first.
func (s *laneStudy) wantApart(l *groupedLanes) bool {
	if s.apart.over || len(l.traced) > 0 {
		return false
	}

	// Wait as long as the switch there and back takes, twice that if bodies exist.
	after := choose.Effort(s.pol.ApartAfter+s.pol.ApartMake*float64(l.n)) + 2*s.copying(l)
	if s.within {
		after = 2*after + s.compiling
	}
	return s.running > after && l.roomApart()
}

// roomApart reports whether simulators for all lanes fit in the memory allowed to them.
func (l *groupedLanes) roomApart() bool {
	words := len(l.one.block) + l.study.pol.ApartWords
	for _, r := range l.study.step.Roms {
		words += len(r)
	}
	return words <= l.study.pol.ApartBytes/8/l.n
}

// mayGain reports whether lanes may be faster one after the other: they diverge, or groups are
// slow per node.
func (s *laneStudy) mayGain(l *groupedLanes) bool {
	// Only operations cost time.
	ops := 0
	for i := range s.step.N {
		if !s.step.N[i].Op.IsLeaf() {
			ops++
		}
	}
	return s.maker != nil && !s.within || s.apart.before > float64(l.n*ops)*s.pol.ApartPerOp
}

// timeGroups runs at most n events and measures their time in groups, to decide on a trial. It
// returns the number of events run.
func (s *laneStudy) timeGroups(l *groupedLanes, n int, cycle uint64) int {
	t, k := &s.apart, min(n, s.pol.LaneTrial)
	took := float64(s.timed(l, k, cycle)) / float64(k)

	// The least of several times is the one that the system disturbed least.
	if t.timings == 0 || took < t.before {
		t.before = took
	}

	if t.timings++; t.timings == s.pol.LaneTrials {
		s.stage, t.wanted = laneWatching, s.mayGain(l)
		t.over = !t.wanted
	}
	return k
}

// tryApart begins a trial.
func (s *laneStudy) tryApart(l *groupedLanes) {
	t := &s.apart
	t.wanted, t.over = false, true
	if all, err := l.apart(); err == nil {
		all.trial = true
		t.best, t.piece = math.Inf(1), s.pol.ApartLeast
	}
}

// ran accounts for n cycles of a trial. When no more is learned, the trial ends: lanes stay
// apart if their best rate beats groups.
func (s *laneStudy) ran(l *singleLanes, n int, took time.Duration) {
	t, pol := &s.apart, s.pol
	t.part, t.cycles = t.part+took, t.cycles+n
	// Calls grow while they are short, or while they are too short to judge by.
	if grow := took < pol.ApartPart/2 || t.piece < pol.ApartShort && took < 10*pol.ApartPart; grow && n == t.piece && t.piece < pol.ApartMost {
		t.piece, t.parts = 2*t.piece, 0
	}
	if t.part < pol.ApartPart {
		return
	}

	// A part is over: compare its rate with the best so far.
	rate := float64(t.part) / float64(t.cycles)
	t.part, t.cycles = 0, 0
	t.parts++
	if t.idle++; rate < 0.9*t.best {
		t.idle = 0
	}

	beyond := pol.ApartBeyond
	if s.maker == nil {
		beyond = pol.ApartPlain
	}

	// A trial ends when rates no longer improve, after ApartTries parts, or when the first parts do
	// not come near the groups.
	if t.best = min(t.best, rate); t.idle < pol.ApartIdle && t.parts < pol.ApartTries && (t.parts < pol.ApartFirst || t.best < beyond*t.before) {
		return
	}

	if l.trial = false; t.best >= t.before {
		l.together()
	}
}
