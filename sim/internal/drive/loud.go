package drive

import (
	"etch/ir/bits"
	"etch/sim/native"
)

// Before an event in which an assertion fails or a stop comes, machine code stops. The event
// then takes three steps: code of its own computes the values that the statements need; the
// statements act; machine code runs the event with statements muted.

// loud is the code of a clock set for such events.
type loud struct {
	code   *native.Code // computes the values that statements need
	events int          // such events interpreted so far
	failed bool
}

// slowEdge runs an event of clock set c that machine code does not run by itself.
func (s *Stepper) slowEdge(c *ClockSet) {
	if !s.loudEdge(c) {
		s.Settle()
		s.edge(c)
	}
}

// loudEdge runs such an event with code; false if the interpreter must. Asynchronous resets have
// been applied.
func (s *Stepper) loudEdge(c *ClockSet) bool {
	b := s.compiled[c.key]
	if s.refuse != nil || s.kind == Lockstep || s.P.Mute == 0 || b == nil || b.run == nil || !s.loudCode(b, c) {
		return false
	}

	if !s.SettleBoxes() {
		return false
	}

	// The statements run here, from values that code has computed. The muted code then does the
	// rest of the event.
	b.loud.code.Run(s.Base(), 1)
	s.statements(c)
	if s.compiled[c.key] != b { // a callback has closed the simulator
		s.Settle()
		s.move(c)
		return true
	}

	// The muted code would count covers a second time.
	covered := append([]uint64(nil), s.Covered...)
	s.St.V[s.P.Mute] = 1
	w := s.workOf(c)
	s.St.Look(w)
	left := s.callAlone(b.run)
	s.St.V[s.P.Mute] = 0
	copy(s.Covered, covered)

	if left > 0 {
		panic("sim: muted code does not run")
	}
	s.passed(c, 1)
	s.St.Tick(w)
	return true
}

// callAlone runs one cycle without printing.
func (s *Stepper) callAlone(run native.Runner) (left uint64) {
	if s.P.Journal.State != 0 {
		s.emptyJournal()
		defer s.emptyJournal()
	}
	return run.Run(s.Base(), 1)
}

// loudCode compiles the code for the statements of p, once it has been wanted often enough.
func (s *Stepper) loudCode(b *compiled, c *ClockSet) bool {
	l := &b.loud
	if l.code != nil || l.failed {
		return l.code != nil
	}
	if l.events++; l.events < s.Tunables().Warm.Loud {
		return false
	}

	// Collect the combinational words of enables, conditions and arguments.
	known := map[uint32]bool{}
	var slots []uint32
	add := func(slot uint32, width int) {
		for range bits.WordCount(width) {
			if slot >= s.P.Leaves && !known[slot] {
				known[slot] = true
				slots = append(slots, slot)
			}
			slot++
		}
	}

	for _, i := range c.stmts {
		st := &s.P.Stmts[i]
		add(st.En, 1)
		add(st.Cond, 1)
		for _, a := range st.Args {
			add(a.Slot, a.Width)
		}
	}

	code, n, err := s.viewCode(slots)
	if l.failed = err != nil; l.failed {
		return false
	}
	l.code = code
	s.fit(code.Scratch(), n.Roms)
	return true
}
