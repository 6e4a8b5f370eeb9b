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

// clockAt returns the number of the clock at a slot, or -1.
func (p *program) clockAt(slot uint32) int {
	if !p.inputs.has(slot) {
		return -1
	}
	return int(p.clockOf[slot-p.inputs.lo])
}
