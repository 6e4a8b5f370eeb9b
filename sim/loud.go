package sim

import (
	"etch/ir/bits"
	"etch/sim/native"
)

// An event before which machine code leaves, since an assertion fails or a stop
// comes, takes three steps: what its statements look at is computed by code of its
// own, they say what they have to say, and machine code does the event, muted.

// loud is what a body has for such events.
type loud struct {
	code   *native.Code // computes what the statements look at
	events int          // that were interpreted
	failed bool
}

// loudFrom is how many such events are interpreted before there is code.
const loudFrom = 64

// slowEdge is an event of plan p that machine code does not do by itself.
func (s *Sim) slowEdge(p *plan) {
	if !s.loudEdge(p) {
		s.settle()
		s.edge(p)
	}
}

// loudEdge does an event with code; false when the interpreter must. Asynchronous
// resets that have come are done.
func (s *Sim) loudEdge(p *plan) bool {
	b := s.bodies[p]
	if s.refuse != nil || s.kind == Lockstep || s.p.mute == 0 || b == nil || b.run == nil || !s.loudCode(b, p) {
		return false
	}
	b.loud.code.Run(s.baseOf(), 1)
	s.statements(p)
	if s.bodies[p] != b { // who was told has closed the simulator
		s.settle()
		s.move(p)
		return true
	}
	covered := append([]uint64(nil), s.covered...) // the code would count once more
	s.v[s.p.mute] = 1
	left := s.callAlone(b.run)
	s.v[s.p.mute] = 0
	copy(s.covered, covered)
	if left > 0 {
		panic("sim: muted code does not run")
	}
	s.passed(p, 1)
	return true
}

// callAlone runs one cycle, of which nothing is printed.
func (s *Sim) callAlone(run native.Runner) (left uint64) {
	if s.p.journal.state != 0 {
		s.emptyJournal()
		defer s.emptyJournal()
	}
	return run.Run(s.baseOf(), 1)
}

// loudCode makes the code for what the statements of p look at, when it has been
// wanted for some time.
func (s *Sim) loudCode(b *body, p *plan) bool {
	l := &b.loud
	if l.code != nil || l.failed {
		return l.code != nil
	}
	if l.events++; l.events < loudFrom {
		return false
	}
	known := map[uint32]bool{}
	var slots []uint32
	add := func(slot uint32, width int) {
		for range bits.WordCount(width) {
			if slot >= s.p.leaves && !known[slot] {
				known[slot] = true
				slots = append(slots, slot)
			}
			slot++
		}
	}
	for _, i := range p.stmts {
		st := &s.p.stmts[i]
		add(st.en, 1)
		add(st.cond, 1)
		for _, a := range st.args {
			add(a.slot, a.width)
		}
	}
	code, n, err := s.viewCode(slots)
	if l.failed = err != nil; l.failed {
		return false
	}
	l.code = code
	s.fit(code.Scratch(), n.roms)
	return true
}
