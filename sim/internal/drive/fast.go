package drive

// fast lets native code run up to n events of clock set c, at times t. It returns the number run, 0
// if the interpreter must run the next event.
func (s *Stepper) fast(c *ClockSet, n int, t times) int {
	if s.refuse != nil || s.Observer != nil || n == 0 {
		return 0
	}

	b := s.compiledFor(c, n)
	if b == nil {
		return 0
	}

	// Asynchronous resets that are pending act before the first event.
	s.ResetNow()
	b.running++
	defer func() { b.running-- }()
	switch {
	case s.kind == Lockstep:
		return s.lockstep(c, b.run, n, t)
	case len(s.P.Boxes) > 0:
		return s.boxedEvents(c, b, n, t)
	}
	done := s.call(b, n, t)
	s.passed(c, done)
	return done
}

// fastEdge runs one event of clock set c by native code, with an observer. It returns false if the
// interpreter must run it. Values before the event need not be settled.
func (s *Stepper) fastEdge(c *ClockSet) bool {
	if s.refuse != nil || s.kind == Lockstep {
		return false
	}
	b := s.compiledFor(c, 1)
	if b == nil {
		return false
	}
	b.running++
	defer func() { b.running-- }()
	if len(s.P.Boxes) > 0 {
		return s.boxedEvent(c, b, times{first: s.Now})
	}
	if s.call(b, 1, times{first: s.Now}) == 0 {
		return false
	}
	s.passed(c, 1)
	return true
}

// passed records that native code has run events of clock set c.
func (s *Stepper) passed(c *ClockSet, done int) {
	if done == 0 {
		return
	}
	s.count(c, done)
	s.TouchInputs()
	s.pending = false // the code has applied the asynchronous resets of its edges
}
