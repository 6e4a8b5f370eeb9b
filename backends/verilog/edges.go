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
	if p.falling == nil {
		p.falling = map[ir.ID]ir.ID{}
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

// atEdge prints the beginning of a block's sensitivity list.
func (p *module) atEdge(edge ir.ID) {
	if base := p.inverse(edge); base != ir.None {
		p.Str("  always @(negedge ")
		p.ident(base)
		return
	}
	p.Str("  always @(posedge ")
	p.ident(edge)
}
