package program

import "slices"

// Falling edges. A register whose clock is the ir.Not of a clock takes its value when that clock
// falls: half a cycle later in Tick, half a period later on the time line. Such an edge is an
// event of its own between two rising edges, and no counter of cycles or edges includes it.
// Edges are numbered: rising ones like their clocks, then the falling ones that change
// something, in the order of falls.

// domain is the number of an edge of a clock. It adds falling edges as they occur.
func (p *Program) domain(clock int32, falling bool) int32 {
	// Edges are numbered: first the rising ones by clock, then the falling ones that occur.
	if !falling {
		return clock
	}
	k := slices.Index(p.Falls, clock)
	if k < 0 {
		k = len(p.Falls)
		p.Falls = append(p.Falls, clock)
	}
	return int32(len(p.Clocks) + k)
}

// EdgeCount is the number of edges.
func (p *Program) EdgeCount() int { return len(p.Clocks) + len(p.Falls) }

// Falling replaces the rising edges in set by the falling edges of the same clocks. It returns
// false if nothing falls.
func (p *Program) Falling(set []byte) (any bool) {
	for k, clock := range p.Falls {
		set[len(p.Clocks)+k] = set[clock]
		any = any || set[clock] != 0
	}
	clear(set[:len(p.Clocks)])
	return any
}

// ClockAt returns the number of the clock at a slot, or -1.
func (p *Program) ClockAt(slot uint32) int {
	if !p.Inputs.Has(slot) {
		return -1
	}
	return int(p.clockOf[slot-p.Inputs.Lo])
}
