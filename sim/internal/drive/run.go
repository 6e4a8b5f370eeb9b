package drive

// CyclesByHand runs n cycles of the clocks in On: by native code or in bulk where possible, else
// singly.
func (s *Stepper) CyclesByHand(n int) {
	c := s.ClockSet()
	falls := s.fallsOf(c)
	s.Halted = false
	for n > 0 && !s.Halted && !s.PassedLimit(0) {
		// Falling edges alternate with rising ones, so such cycles run singly.
		if !falls {
			done := s.fast(c, n, times{s.Now + CycleTime/2, CycleTime})
			s.Now += uint64(done) * CycleTime
			if n -= done; s.Observer != nil {
				n -= s.Observer.Bulk(c, n)
			}
		}

		if n == 0 || s.PassedLimit(0) {
			return
		}
		n--
		s.coming = n
		s.event(c, s.Now+CycleTime/2)
		end := s.Now + CycleTime/2
		s.fallUntil(end)
		s.Now, s.coming = end, 0
	}
}

// EventsUntil runs every edge of the clocks with a period, from now up to but not including until.
func (s *Stepper) EventsUntil(until uint64) {
	s.CatchUp()
	for first := true; !s.PassedLimit(0); first = false {
		t, ok := s.NextEdges(s.On)
		if !ok || t >= until {
			if first && until > s.Now && s.Observer != nil {
				s.Settle()
				s.Observer.Sample(Idle, s.Now, nil)
			}
			break
		}

		// A single clock may run many events in native code.
		c, done := s.ClockSet(), uint64(0)
		if len(s.P.Falls) == 0 {
			n, step := s.alike(t, until)
			done = uint64(s.fast(c, n, times{t, step}))
		}

		if done == 0 {
			done = 1
			s.event(c, t)
			copy(s.On, c.on) // falling edges in between have used it
		}

		for k := range s.Clocks {
			if c := &s.Clocks[k]; s.On[k] != 0 {
				s.Now = t + (done-1)*c.Period
				c.Next += done * c.Period
				c.Over = c.Next < t
			}
		}
	}

	// Without further edges time still passes.
	if until > s.Now {
		s.fallUntil(until)
		s.Now = until
	}
}

// event runs a rising edge of p's clocks at time t.
func (s *Stepper) event(c *ClockSet, t uint64) {
	// Order: falls before t, the sample Before, the edge, asynchronous resets, the sample After. In
	// designs without falling edges, Before may come first, since falls change nothing.
	s.ResetNow()
	switch falls := len(s.P.Falls) > 0; {
	case falls:
		s.fallUntil(t)
		if s.Observer != nil {
			s.Settle()
			s.Observer.Sample(Before, s.Now, c.Clocks)
		}
		s.Now = t
		s.oneEdge(c)
	case s.Observer != nil:
		s.Observer.Sample(Before, s.Now, c.Clocks)
		s.fallUntil(t)
		fallthrough
	default:
		s.Now = t
		if s.Observer == nil || !s.fastEdge(c) {
			s.slowEdge(c)
		}
	}
	s.ResetNow() // so that inputs that change before the next reading cannot undo them

	if s.Observer != nil {
		s.Observer.Sample(After, s.Now, c.Clocks)
	}
	if s.Observer != nil || len(s.P.Falls) > 0 {
		s.rise(c)
	}
}

// ResetNow applies asynchronous resets that have come.
func (s *Stepper) ResetNow() {
	if s.pending && len(s.P.Async) > 0 {
		s.Settle()
	}
}

// Resets gives every reset input of the top the value v.
func (s *Stepper) Resets(v uint64) {
	for _, port := range s.P.Resets {
		s.St.V[s.top[port].Slot] = v
	}
	s.TouchInputs()
}
