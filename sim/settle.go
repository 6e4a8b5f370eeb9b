package sim

// settle brings all values up to date. A register held by an asynchronous reset may change
// another one's reset, so it repeats until nothing changes. Each register changes at most once,
// to its reset value. Latches settle level by level and never depend on themselves, so this ends
// too.
func (s *Sim) settle() {
	for s.dirty {
		s.dirty = false
		s.st.Eval()
		if s.st.AsyncResets() {
			s.touch()
		}
	}
	s.boxed = true
	if s.recording != nil {
		s.recording.settled()
	}
	s.pending = false
}

// touch records that inputs or state have changed.
func (s *Sim) touch() {
	s.touchOutside()
	s.moved++
}

// touchOutside is touch if only inputs have changed, or state by an event of machine code.
func (s *Sim) touchOutside() {
	s.dirty, s.looked, s.boxed, s.pending = true, false, false, true
	s.version++
}
