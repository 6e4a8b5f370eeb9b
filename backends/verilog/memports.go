package verilog

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// memories prints the ports of memories: one always block per memory and clock.
func (p *module) memories() {
	for i := range p.m.Mems {
		mem := &p.m.Mems[i]
		// The values first, so that they are declared before the block. Writes come before
		// reads.
		for _, clk := range p.clocksOf(mem) {
			p.settle(p.clockNet(clk))
			p.settlePorts(mem, clk)
			p.blank()
			p.atEdge(clk)
			p.str(") begin")
			p.nl()

			for _, w := range p.writes(mem) {
				if p.clock(w.Clk) == clk {
					p.writePort(i, w)
				}
			}
			for j := range mem.Reads {
				if r := &mem.Reads[j]; p.clock(r.Clk) == clk {
					p.readPort(i, r)
				}
			}

			p.line(2, "end")
			p.blank()
		}
	}
}

// clocksOf lists the clocks of a memory's synchronous ports.
func (p *module) clocksOf(mem *ir.Memory) []ir.ID {
	var clks []ir.ID
	add := func(clk ir.ID) {
		if clk = p.clock(clk); !slices.Contains(clks, clk) {
			clks = append(clks, clk)
		}
	}
	for _, w := range p.writes(mem) {
		add(w.Clk)
	}
	for j := range mem.Reads {
		add(mem.Reads[j].Clk)
	}
	return clks
}

func (p *module) settlePorts(mem *ir.Memory, clk ir.ID) {
	settle := func(on ir.ID, ids ...ir.ID) {
		for _, id := range ids {
			if p.clock(on) == clk && id != ir.None {
				p.settle(id)
			}
		}
	}
	for _, w := range p.writes(mem) {
		settle(w.Clk, w.Addr, w.Data, w.En, w.Mask)
	}
	for j := range mem.Reads {
		r := &mem.Reads[j]
		settle(r.Clk, r.Addr, r.En)
	}
}

// lane is a group of bits of a word that one mask bit enables.
type lane struct{ lo, width int }

func (p *module) lanesOf(mem *ir.Memory, w *ir.WritePort) []lane {
	n := 1
	if w.Mask != ir.None {
		n = p.m.Width(w.Mask)
	}
	var lanes []lane
	for i := range n {
		lanes = append(lanes, lane{i * (mem.Width / n), mem.Width / n})
	}
	return lanes
}

// writePort prints a write: mem[addr] <= data, lane by lane if it has a mask.
func (p *module) writePort(at int, w *ir.WritePort) {
	mem := &p.m.Mems[at]
	lanes := p.lanesOf(mem, w)
	// A port with one lane is one statement.
	if len(lanes) == 1 {
		p.indent(4)
		if p.openIf(p.writeConds(mem, w, -1, ir.None)) {
			p.ch(' ')
		}
		p.word(at, w.Addr, 4)
		p.str(" <= ")
		p.rhs(w.Data, mem.Type, 4)
		p.ch(';')
		p.end(w.Pos)
		return
	}

	// Lanes share the enable; each has its mask bit.
	indent := 4
	conds := p.writeConds(mem, w, -1, ir.None)
	if len(conds) > 0 {
		p.indent(4)
		p.openIf(conds)
		p.str(" begin")
		p.nl()
		indent = 6
	}

	for i, l := range lanes {
		p.indent(indent)
		p.str("if (")
		p.piece(w.Mask, i, 1)
		p.str(") ")
		p.word(at, w.Addr, indent)
		p.rangeOf(l, mem.Width)
		p.str(" <= ")
		p.piece(w.Data, l.lo, l.width)
		p.ch(';')
		p.end(w.Pos)
	}

	if len(conds) > 0 {
		p.line(4, "end")
	}
}

// openIf prints the head of an if with the given conditions. Without any it prints nothing
// and returns false.
func (p *module) openIf(conds []func()) bool {
	for i, c := range conds {
		if i == 0 {
			p.str("if (")
		} else {
			p.str(" && ")
		}
		c()
	}
	if len(conds) > 0 {
		p.ch(')')
	}
	return len(conds) > 0
}

// writeConds lists the conditions of a write: its enable, a mask of one bit or the bit of
// lane laneAt (-1 for none), and an address in range. With read, the address of a read
// port, equal addresses take the place of the range: the write is seen by that read.
func (p *module) writeConds(mem *ir.Memory, w *ir.WritePort, laneAt int, read ir.ID) []func() {
	var conds []func()
	if w.En != ir.None {
		prec := precAndAnd
		conds = append(conds, func() { p.condition(w.En, prec, 8) })
	}

	switch {
	case w.Mask == ir.None:
	case p.m.Width(w.Mask) == 1:
		conds = append(conds, func() { p.condition(w.Mask, precAndAnd, 8) })
	case laneAt >= 0:
		conds = append(conds, func() { p.piece(w.Mask, laneAt, 1) })
	}

	if read != ir.None {
		return append(conds, func() { p.sameAddress(w.Addr, read) })
	}
	if aw := p.m.Width(w.Addr); aw > indexWidth(mem) || mem.Depth == 1 {
		if !p.isConst(w.Addr) {
			conds = append(conds, func() { p.inRange(mem, w.Addr) })
		}
	}

	// A condition alone needs no brackets.
	if len(conds) == 1 && w.En != ir.None {
		conds[0] = func() { p.condition(w.En, 0, 8) }
	}
	return conds
}

// sameAddress prints a comparison of two addresses, the narrower one zero-extended.
func (p *module) sameAddress(x, y ir.ID) {
	w := max(p.m.Width(x), p.m.Width(y))
	p.extended(x, w)
	p.str(" == ")
	p.extended(y, w)
}

func (p *module) extended(x ir.ID, w int) {
	if v, ok := p.konst(x); ok {
		p.literal(v.ZExt(w))
		return
	}
	if n := w - p.m.Width(x); n > 0 {
		p.ch('{')
		p.literal(bits.Zero(n))
		p.str(", ")
		p.name(x)
		p.ch('}')
		return
	}
	p.name(x)
}

// piece prints bits of a name or of a constant.
func (p *module) piece(x ir.ID, lo, w int) {
	if v, ok := p.konst(x); ok {
		p.literal(v.Slice(lo, w))
		return
	}
	p.bitsOf(p.v(x), lo, w)
}

func (p *module) rangeOf(l lane, width int) {
	switch {
	case l.width == width:
	case l.width == 1:
		p.ch('[')
		p.num(l.lo)
		p.ch(']')
	default:
		p.ch('[')
		p.num(l.lo + l.width - 1)
		p.ch(':')
		p.num(l.lo)
		p.ch(']')
	}
}

// readPort prints a synchronous read: the word, the in-range flag if it needs one, and the
// word written at the same edge if it sees writes.
func (p *module) readPort(at int, r *ir.ReadPort) {
	mem := &p.m.Mems[at]
	flag, data := p.rangeFlag(r.Node), p.names[r.Node]
	if flag != 0 {
		data = p.words[r.Node]
	}
	sees := r.Under != ir.Old && p.writesOn(mem, r.Clk) > 0 && !p.isOneWord(mem, r)

	// An enable makes it a block if there is more than one statement.
	indent := 4
	p.indent(4)
	if r.En != ir.None {
		p.str("if (")
		p.condition(r.En, 0, 4)
		p.ch(')')
		if flag != 0 || sees {
			p.str(" begin")
			p.nl()
			p.indent(6)
			indent = 6
		} else {
			p.ch(' ')
		}
	}

	// A constant address past the end reads 0.
	p.raw(p.table.get(data))
	p.str(" <= ")
	if a, ok := p.konst(r.Addr); ok && (!a.IsUint64() || a.Uint64() >= uint64(mem.Depth)) {
		p.literal(bits.Zero(mem.Width))
		sees = false
	} else if p.isOneWord(mem, r) {
		p.inRange(mem, r.Addr)
		p.str(" ? ")
		p.word(at, r.Addr, indent)
		p.str(" : ")
		p.literal(bits.Zero(mem.Width))
	} else {
		p.word(at, r.Addr, indent)
	}
	p.ch(';')
	p.end(r.Pos)

	if flag != 0 {
		p.indent(indent)
		p.raw(p.table.get(flag))
		p.str(" <= ")
		p.inRange(mem, r.Addr)
		p.ch(';')
		p.nl()
	}

	if sees {
		p.bypass(mem, r, data, indent)
	}
	if indent == 6 {
		p.line(4, "end")
	}
}

// bypass prints the value that a read gets if the word is written at the same edge: the new
// data; or, for Undefined in yosys, x, so that it need not keep the old word.
func (p *module) bypass(mem *ir.Memory, r *ir.ReadPort, data nameID, indent int) {
	if r.Under == ir.Undefined {
		p.line(0, "`ifdef YOSYS")
	}
	for _, w := range p.writes(mem) {
		if p.clock(w.Clk) != p.clock(r.Clk) {
			continue
		}
		// Lane by lane, under the conditions of the write and of equal addresses.
		for i, l := range p.lanesOf(mem, w) {
			p.indent(indent)
			p.openIf(p.writeConds(mem, w, i, r.Addr))
			p.ch(' ')
			p.raw(p.table.get(data))
			p.rangeOf(l, mem.Width)
			p.str(" <= ")
			if r.Under == ir.New {
				p.piece(w.Data, l.lo, l.width)
			} else {
				p.ch('{')
				p.num(l.width)
				p.str("{1'bx}}")
			}
			p.ch(';')
			p.nl()
		}
	}
	if r.Under == ir.Undefined {
		p.line(0, "`endif")
	}
}
