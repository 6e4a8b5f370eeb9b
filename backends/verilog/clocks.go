package verilog

import "etch/ir"

// edgeOf is the canonical node for an edge of a clock: the clock's own net for a rising one,
// the first inverter of each clock for all its inverters.
//
// Inverters are looked for behind wires and names. A net for the inverse would rise as the
// simulation starts, when its clock is first seen low: Verilator takes that for an edge, and
// registers without reset would be one event ahead.
func (p *view) edgeOf(clk ir.ID) ir.ID {
	// Inverters in pairs cancel each other.
	inverter := p.unpaired(clk)
	base := p.inverse(inverter)
	if base == ir.None {
		return p.v(clk)
	}

	if first, ok := p.falling[base]; ok {
		return first
	}
	p.falling[base] = inverter
	return inverter
}

// inverse is the clock whose falling edge stands for an edge of clk, if clk inverts one, else
// None.
func (p *view) inverse(clk ir.ID) ir.ID {
	if p.m.Op(clk) != ir.Not || p.is(clk, folded) {
		return ir.None
	}
	return p.v(p.m.Args(clk)[0])
}

// clockNet is the net on whose edge a block with this clock acts.
func (p *view) clockNet(edge ir.ID) ir.ID {
	if base := p.inverse(edge); base != ir.None {
		return base
	}
	return edge
}

// clock is the canonical node for an edge of the source of a clock in the module. Ports of a
// memory are on one clock if theirs are equal.
func (p *view) clock(id ir.ID) ir.ID { return p.edgeOf(p.unpaired(id)) }

// unpaired follows a clock through wires and pairs of inverters.
func (p *view) unpaired(id ir.ID) ir.ID {
	id = p.source(id)

	// Two inverters in a row cancel each other.
	for p.m.Op(id) == ir.Not {
		once := p.source(p.m.Args(id)[0])
		if p.m.Op(once) != ir.Not {
			break
		}
		id = p.source(p.m.Args(once)[0])
	}
	return id
}

// source follows a clock through wires.
func (p *view) source(id ir.ID) ir.ID {
	for id = p.v(id); p.to[id] != id; {
		id = p.v(p.to[id])
	}
	return id
}

// atEdge is the edge of a clock in a sensitivity list.
func (p *module) atEdge(edge ir.ID) string {
	if base := p.inverse(edge); base != ir.None {
		return "negedge " + p.nameOf(base)
	}
	return "posedge " + p.nameOf(edge)
}
