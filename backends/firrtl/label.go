package firrtl

import (
	"etch/ir"
)

// label names the values that need a name and have none from the user, after their use and,
// further below, their operation: _sum_next, _sum_next_mul, _sum_next_mul_2. A name that
// begins with an underscore may be dropped by FIRRTL compilers.
func (p *module) label() {
	// The first sink that uses a value owns it; else its first user, in reverse topological
	// order, so that owners come first.
	for i := range p.sinks {
		if n := p.sinks[i].node; p.owner[n] == 0 {
			p.owner[n] = int32(-1 - i)
		}
	}

	for k := len(p.order) - 1; k >= 0; k-- {
		n := p.order[k]
		if p.isState(n) {
			continue
		}

		// A node with a name owns its operands; any other passes its own owner on.
		by := p.owner[n]
		if p.names[n] != "" {
			by = int32(n)
		}
		for _, a := range p.m.Args(n) {
			if p.owner[a] == 0 {
				p.owner[a] = by
			}
		}
	}

	for _, n := range p.order {
		if p.is(n, net) && p.names[n] == "" {
			p.names[n] = p.table.claim(p.stem(n))
		}
	}

	// An early wire repeats state.
	for _, n := range p.first {
		if p.isState(n) {
			p.wires[n] = p.table.claim("_" + p.plainName(n) + "_wire")
		}
	}
}

// stem is the stem of the name of an unnamed value.
func (p *module) stem(n ir.ID) string {
	op := "_" + p.m.Op(n).String()
	if by := p.owner[n]; by > 0 {
		return "_" + p.names[by] + op
	} else if s := &p.sinks[-1-by]; p.root(s.node) != n {
		return "_" + p.sinkName(s) + op
	} else {
		return "_" + p.sinkName(s)
	}
}

// plainName is the name of a leaf without dots.
func (p *module) plainName(n ir.ID) string {
	if node := p.m.Node(n); node.Op == ir.InstOut {
		return p.insts[node.Aux] + "_" + legal(p.m.Insts[node.Aux].Mod.Ports[node.Aux2].Name)
	}
	return p.names[n]
}

// sinkName is the port of an output. A register's sinks have its name and _next, _clk or _rst.
func (p *module) sinkName(s *sink) string {
	m := p.m
	switch s.kind {
	case outputSink:
		return p.ports[s.i]
	case nextSink, clockSink, resetSink:
		return p.names[m.Regs[s.i].Node] + [...]string{nextSink: "_next", clockSink: "_clk", resetSink: "_rst"}[s.kind]
	case readAddress, readEnable, readClock:
		return p.names[m.Mems[s.i].Reads[s.j].Node] + [...]string{readAddress: "_addr", readEnable: "_en", readClock: "_clk"}[s.kind]
	case writeAddress, writeData, writeEnable, writeMask, writeClock:
		return p.mems[s.i].name + "_" + p.mems[s.i].writers[s.j] +
			[...]string{writeAddress: "_addr", writeData: "_data", writeEnable: "_en", writeMask: "_mask", writeClock: "_clk"}[s.kind]
	case pinSink:
		return p.insts[s.i] + "_" + p.portNames(m.Insts[s.i].Mod)[s.j]
	case netValue, netEnable:
		return p.nets[s.i].drivers[s.j] + [...]string{netValue: "_value", netEnable: "_enable"}[s.kind]
	}
	return p.stmts[s.i] + [...]string{stmtClock: "_clk", stmtEnable: "_en", stmtCondition: "_cond", stmtArgument: "_arg"}[s.kind]
}
