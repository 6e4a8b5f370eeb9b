package drive

import "slices"

// fallsOf reports whether any clock of p has a falling edge.
func (s *Stepper) fallsOf(c *ClockSet) bool {
	for _, k := range c.Clocks {
		if slices.Contains(s.P.Falls, k) {
			return true
		}
	}
	return false
}

// fall runs the falling edges of clocks at time t, if there are any.
func (s *Stepper) fall(clocks []int32, t uint64) {
	clear(s.On)
	for _, k := range clocks {
		s.On[k] = 1
	}
	if !s.P.Falling(s.On) {
		return
	}

	s.Now = t
	if s.BeforeFall != nil {
		s.BeforeFall()
	}
	s.ResetNow()
	s.oneEdge(s.ClockSet())
	s.ResetNow()
}

// oneEdge runs one event, by native code if possible.
func (s *Stepper) oneEdge(c *ClockSet) {
	if s.Observer != nil {
		// Observers sample between events, so each event is a call of its own.
		if s.fastEdge(c) {
			return
		}
	} else if s.fast(c, 1, times{first: s.Now}) == 1 {
		return
	}
	s.slowEdge(c)
}

// rise records when the clocks of p, which have just risen, will fall: after half their period,
// or half a cycle without a period; with period 1 at once.
func (s *Stepper) rise(c *ClockSet) {
	for _, k := range c.Clocks {
		half := uint64(CycleTime / 2)

		// An edge of EventsUntil falls after half its period. An edge by hand falls after half a
		// cycle, though the clock may have a period.
		if c := &s.Clocks[k]; c.Period > 0 && c.Next == s.Now {
			half = c.Period / 2
		}
		s.High = append(s.High, HighClock{k, s.Now + half})
	}
}

// fallUntil runs the falling edges due by time t, in order of time.
func (s *Stepper) fallUntil(t uint64) {
	for len(s.High) > 0 && (s.Observer != nil || len(s.P.Falls) > 0) {
		// The earliest time at which a clock falls.
		first, found := t, false
		for _, h := range s.High {
			if h.Falls <= first {
				first, found = h.Falls, true
			}
		}

		if !found {
			return
		}

		// All clocks that fall then.
		clocks, kept := s.fallen[:0], s.High[:0]
		for _, h := range s.High {
			if h.Falls == first {
				clocks = append(clocks, h.Clock)
			} else {
				kept = append(kept, h)
			}
		}

		s.High, s.fallen = kept, clocks
		s.fall(clocks, first)
		if s.Observer != nil {
			s.Observer.Sample(Fall, first, clocks)
		}
	}
}

// FallNow tells the observer that all clocks fall, because the time of their falling edges never
// comes. Nothing else happens.
func (s *Stepper) FallNow() {
	clocks := s.fallen[:0]
	for _, h := range s.High {
		clocks = append(clocks, h.Clock)
	}

	// The list is emptied first, since an observer may look at the Stepper.
	s.High, s.fallen = s.High[:0], clocks
	if len(clocks) > 0 && s.Observer != nil {
		s.Observer.Sample(Fall, s.Now, clocks)
	}
}
