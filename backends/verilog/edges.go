package verilog

import "etch/ir"

// edgeOf is the node that stands for an edge of a clock: for the inverse of a
// clock that has no name, the first such of the module, so that equal edges are
// equal nodes.
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

// clockNet is the net whose edge it is.
func (p *module) clockNet(edge ir.ID) ir.ID {
	if base := p.negated(edge); base != ir.None {
		return base
	}
	return edge
}

// atEdge prints the begin of a block's sensitivity.
func (p *module) atEdge(edge ir.ID) {
	if base := p.negated(edge); base != ir.None {
		p.str("  always @(negedge ")
		p.name(base)
		return
	}
	p.str("  always @(posedge ")
	p.name(edge)
}
