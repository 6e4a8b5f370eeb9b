package sim

import "slices"

// Falling edges. A register whose clock is the ir.Not of a clock takes its value when that clock
// falls: half a cycle later in Tick, half a period later on the time line. Such an edge is an
// event of its own between two rising edges, and no counter of cycles or edges includes it.
// Edges are numbered: rising ones like their clocks, then the falling ones that change
// something, in the order of falls.

// domain is the number of an edge of a clock. It adds falling edges as they occur.
func (p *program) domain(clock int32, falling bool) int32 {
	if !falling {
		return clock
	}
	k := slices.Index(p.falls, clock)
	if k < 0 {
		k = len(p.falls)
		p.falls = append(p.falls, clock)
	}
	return int32(len(p.clocks) + k)
}

// edgeCount is the number of edges.
func (p *program) edgeCount() int { return len(p.clocks) + len(p.falls) }

// Falls reports whether anything happens when a clock falls. It panics if clk is no clock.
func (s *Sim) Falls(clk Signal) bool {
	return slices.Contains(s.p.falls, int32(s.clockIndex(clk)))
}

// falling replaces the rising edges in set by the falling edges of the same clocks. It returns
// false if nothing falls.
func (p *program) falling(set []byte) (any bool) {
	for k, clock := range p.falls {
		set[len(p.clocks)+k] = set[clock]
		any = any || set[clock] != 0
	}
	clear(set[:len(p.clocks)])
	return any
}

// fallsOf reports whether any clock of p has a falling edge.
func (s *Sim) fallsOf(p *plan) bool {
	for _, k := range p.clocks {
		if slices.Contains(s.p.falls, k) {
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
	if !s.p.falling(s.set) {
		return
	}

	s.now = t
	s.resetNow()
	s.oneEdge(s.planFor())
	s.resetNow()
}

// oneEdge runs one event, by native code if possible.
func (s *Sim) oneEdge(p *plan) {
	if len(s.tracers) > 0 {
		if s.fastEdge(p) {
			return
		}
	} else if s.fast(p, 1, times{first: s.now}) == 1 {
		return
	}
	s.slowEdge(p)
}
