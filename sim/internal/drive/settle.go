package drive

import "etch/ir/bits"

// Settle brings all values up to date. A register held by an asynchronous reset may change
// another one's reset, so it repeats until nothing changes. Each register changes at most once,
// to its reset value. Latches settle level by level and never depend on themselves, so this ends
// too.
func (s *Stepper) Settle() {
	for s.dirty {
		s.dirty = false
		s.St.Eval()
		if s.St.AsyncResets() {
			s.Touch()
		}
	}
	s.boxed = true
	if s.Recorder != nil {
		s.Recorder.Settled(s.pending)
	}
	s.pending = false
}

// Touch records that inputs or state have changed.
func (s *Stepper) Touch() {
	s.TouchInputs()
	s.moved++
}

// TouchInputs is Touch if only inputs have changed, or state by an event of machine code.
func (s *Stepper) TouchInputs() {
	s.dirty, s.looked, s.boxed, s.pending = true, false, false, true
	s.Version++
}

// Dirty reports whether combinational values are out of date.
func (s *Stepper) Dirty() bool { return s.dirty }

// Refresh settles the values that the one at a place depends on, if they are out of date.
func (s *Stepper) Refresh(at Place) {
	if s.dirty && (at.Slot >= s.P.Leaves || s.pending && len(s.P.Async) > 0) && !s.look(at) {
		s.Settle()
	}
}

// Store writes a value to its place, which code may rely on if it is state.
func (s *Stepper) Store(at Place, v bits.Value) {
	v.CopyTo(s.St.V[at.Slot:])
	if s.TouchInputs(); !s.P.Inputs.Has(at.Slot) {
		s.moved++
	}
}
