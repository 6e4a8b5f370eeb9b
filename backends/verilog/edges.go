package verilog

import "etch/ir"

// edgeOf is the canonical node for an edge of a clock. Falling edges are unnamed inverters,
// of which a module may have several: the first one of each clock stands for all.
func (p *module) edgeOf(clk ir.ID) ir.ID {
	clk = p.v(clk)
	base := p.negated(clk)
	if base == ir.None {
		return clk
	}

	if first, ok := p.falling[base]; ok {
		return first
	}
	if p.falling == nil {
		p.falling = map[ir.ID]ir.ID{}
	}
	p.falling[base] = clk
	return clk
}

// clockNet is the net on whose edge a block with this clock acts.
func (p *module) clockNet(edge ir.ID) ir.ID {
	if base := p.negated(edge); base != ir.None {
		return base
	}
	return edge
}

// atEdge prints the beginning of a block's sensitivity list.
func (p *module) atEdge(edge ir.ID) {
	if base := p.negated(edge); base != ir.None {
		p.str("  always @(negedge ")
		p.name(base)
		return
	}
	p.str("  always @(posedge ")
	p.name(edge)
}
