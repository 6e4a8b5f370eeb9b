package lanes

import (
	"etch/sim"
	"etch/sim/internal/drive"
	"etch/sim/internal/nets"
	"etch/sim/native"
)

// Lanes in different control states, each at another instruction of its program, cannot share
// code for a state. They run faster one after the other, many cycles each, in machine code for a
// single instance. The same holds for lanes with much state that rarely changes. Each worker
// compiles once, so code specialised in one lane serves all its lanes.

// apart gives every lane a simulator of its own, in its present state, and drops the groups. all is
// the simulators of an earlier call, or nil.
func (l *grouped) apart(all *singles) (*singles, error) {
	if all == nil {
		// Running lanes one after the other pays only in machine code.
		if !drive.Supported() {
			return nil, native.ErrUnsupported
		}
		c := drive.Configure[sim.Option](nil)
		c.Engine, c.Lenient, c.Seeded, c.Policy = drive.Native, true, l.seeded, l.study.pol
		c.Pack = l.m.P.Pack // the groups have no large memories, so neither may the simulators
		sims, err := l.singly(c)
		if err != nil {
			return nil, err
		}
		all = &singles{common: l.common, sims: sims, back: l}
	}

	// Copy inputs, registers and memories lane by lane; covers count in the groups until now.
	for lane, s := range all.sims {
		g, at := l.group(lane)
		l.settle(l.worker[0], g)
		g.Lane(at, s.m.St.V[s.m.P.Inputs.Lo:s.m.P.State.Hi], s.m.St.Mems)
		for i := range s.m.Covered {
			s.m.Covered[i] = g.Word(l.coverAt(i), at)
		}
		s.m.FixedPorts()
		s.m.Cycles, s.m.Now = l.cycles, l.cycles*sim.CycleTime
		s.m.Touch()
	}

	all.kept = l.takeLog()
	l.groups, l.engine = nil, all
	return all, nil
}

// together moves lanes that are apart back into groups. The simulators stay for another turn.
func (l *singles) together() {
	back := l.back
	back.kept, back.heard = l.takeLog(), true
	back.groups = back.newGroups(back.layout)

	// Every lane of a vector gets a state, also lanes that only fill it.
	for _, g := range back.groups {
		for at := range g.Lanes() {
			lane := g.first + at
			if lane >= l.n { // a lane that fills the vector: it copies the first one
				lane = g.first
			}
			s := l.sims[lane]
			g.SetLane(at, s.m.St.V[s.m.P.Inputs.Lo:s.m.P.State.Hi], s.m.St.Mems)
			for i, k := range s.m.Covered {
				// Counters of groups have CoverBits bits and wrap around.
				g.SetWord(back.coverAt(i), at, k&(1<<nets.CoverBits-1))
			}
		}
	}
	l.engine = back
}

// closeSims frees the simulators.
func (l *singles) closeSims(keep func(error)) {
	for _, s := range l.sims {
		keep(s.Close())
	}
}
