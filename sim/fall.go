package sim

import "slices"

// Falls reports whether anything happens when a clock falls. It panics if clk is no clock.
func (s *Sim) Falls(clk Signal) bool {
	return slices.Contains(s.p.Falls, int32(s.clockIndex(clk)))
}

// fallsOf reports whether any clock of p has a falling edge.
func (s *Sim) fallsOf(p *plan) bool {
	for _, k := range p.clocks {
		if slices.Contains(s.p.Falls, k) {
			return true
		}
	}
	return false
}

// fall runs the falling edges of clocks at time t, if there are any.
func (s *Sim) fall(clocks []Signal, t uint64) {
	clear(s.set)
	for _, clk := range clocks {
		s.set[s.clockIndex(clk)] = 1
	}
	if !s.p.Falling(s.set) {
		return
	}

	s.now = t
	if s.beforeFall != nil {
		s.beforeFall()
	}
	s.resetNow()
	s.oneEdge(s.planFor())
	s.resetNow()
}

// oneEdge runs one event, by native code if possible.
func (s *Sim) oneEdge(p *plan) {
	if len(s.tracers) > 0 {
		// Tracers sample between events, so each event is a call of its own.
		if s.fastEdge(p) {
			return
		}
	} else if s.fast(p, 1, times{first: s.now}) == 1 {
		return
	}
	s.slowEdge(p)
}
