package sim

import (
	"etch/sim/internal/nets"
	"etch/sim/native"
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

// apart gives every lane a simulator of its own, in its present state, and drops the groups. all is
// the simulators of an earlier call, or nil.
func (l *groupedLanes) apart(all *singleLanes) (*singleLanes, error) {
	if all == nil {
		// Running lanes one after the other pays only in machine code.
		if !l.one.native() {
			return nil, native.ErrUnsupported
		}
		c := configure(nil)
		c.engine, c.lenient, c.seeded, c.policy = Native, true, l.seeded, l.study.pol
		sims, err := l.singly(c)
		if err != nil {
			return nil, err
		}
		all = &singleLanes{laneSet: l.laneSet, sims: sims, back: l}
	}

	// Copy inputs, registers and memories lane by lane; covers count in the groups until now.
	for lane, s := range all.sims {
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

	all.kept = l.takeLog()
	l.groups, l.engine = nil, all
	return all, nil
}

// together moves lanes that are apart back into groups. The simulators stay for another turn.
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
	l.engine = back
}

// closeSims frees the simulators.
func (l *singleLanes) closeSims(keep func(error)) {
	for _, s := range l.sims {
		keep(s.Close())
	}
}
