package verilog

import (
	"slices"

	"etch/backends/verilog/internal/names"
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// memories prints the ports of memories: one always block per memory and clock.
func (p *module) memories() {
	for i := range p.m.Mems {
		mem := &p.m.Mems[i]
		// The values first, so that they are declared before the block. Writes come before
		// reads.
		for k, clk := range p.clocksOf(mem) {
			p.settle(p.clockNet(clk))
			p.settlePorts(mem, clk)
			p.Blank()
			p.always("("+p.atEdge(clk)+")", p.linkStmts(p.memPorts[i][k]))
			p.Blank()
		}
	}
}

// clocksOf lists the clocks of a memory's synchronous ports.
func (p *view) clocksOf(mem *ir.Memory) []ir.ID {
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

// readsOn is the synchronous read ports on a clock.
func (p *view) readsOn(mem *ir.Memory, clk ir.ID) (list []*ir.ReadPort) {
	for j := range mem.Reads {
		if r := &mem.Reads[j]; p.clock(r.Clk) == p.clock(clk) {
			list = append(list, r)
		}
	}
	return list
}

// settlePorts prints the values that the ports of a memory on a clock need.
func (p *module) settlePorts(mem *ir.Memory, clk ir.ID) {
	for _, w := range p.writesOn(mem, clk) {
		p.settle(w.Addr, w.Data, w.En, w.Mask)
	}
	for _, r := range p.readsOn(mem, clk) {
		p.settle(r.Addr, r.En)
	}
}

// lane is a group of bits of a word that one mask bit enables.
type lane struct{ lo, width int }

// portStmts is the ports of a memory on a clock: writes come before reads.
func (p *bodies) portStmts(at int, clk ir.ID) (list []syntax.Stmt) {
	mem := &p.m.Mems[at]
	for _, w := range p.writesOn(mem, clk) {
		list = append(list, p.writeStmts(at, w)...)
	}
	for _, r := range p.readsOn(mem, clk) {
		list = append(list, p.readStmts(at, r)...)
	}
	return list
}

// writePort is a write port whose text is being built. If it has several lanes, or reads see
// it, the text repeats its operands and they need names.
type writePort struct {
	*bodies
	mem   *ir.Memory
	w     *ir.WritePort
	lanes []lane
	as    use // of the operands
}

func (p *bodies) writePort(at int, w *ir.WritePort) writePort {
	x := writePort{bodies: p, mem: &p.m.Mems[at], w: w, as: inside}

	// Without a mask, the word is one lane.
	n := 1
	if w.Mask != ir.None {
		n = p.m.Width(w.Mask)
	}
	for i := range n {
		x.lanes = append(x.lanes, lane{i * (x.mem.Width / n), x.mem.Width / n})
	}

	// A read on the same clock that may see the write repeats its operands.
	seen := slices.ContainsFunc(p.readsOn(x.mem, w.Clk), func(r *ir.ReadPort) bool { return r.Under != ir.Old })
	if seen || len(x.lanes) > 1 {
		x.as = wantNet
	}
	return x
}

// writeStmts is a write: mem[addr] <= data, lane by lane if it has a mask.
func (p *bodies) writeStmts(at int, w *ir.WritePort) []syntax.Stmt {
	x := p.writePort(at, w)
	var list []syntax.Stmt
	if len(x.lanes) == 1 {
		// Data that is written once is a whole right-hand side, not a part of one.
		data := p.operand(w.Data, x.as&^inside, context{typ: x.mem.Type})
		list = []syntax.Stmt{{Target: p.word(at, x.address()), Value: data, Note: p.lineNote(w.Pos)}}
	} else {
		// Lanes share the enable; each has its mask bit.
		for i, l := range x.lanes {
			set := syntax.Stmt{Target: p.trees.Select(p.word(at, x.address()), l.lo, l.width), Value: p.piece(w.Data, l), Note: p.lineNote(w.Pos)}
			list = append(list, syntax.NewIf(p.piece(w.Mask, lane{i, 1}), set))
		}
	}
	if on := p.trees.All(append(x.enable(-1), x.inRange()...)...); on != nil {
		return []syntax.Stmt{syntax.NewIf(on, list...)}
	}
	return list
}

// address is the address of the port. It has a name if the text repeats it, or may.
func (x *writePort) address() ir.ID {
	if x.as == wantNet || pastEnd(x.mem, x.m.Width(x.w.Addr)) {
		x.note(x.w.Addr, wantNet)
	}
	return x.w.Addr
}

// enable lists the conditions of a write: its enable, and a mask of one bit or the bit of
// lane i (-1 for none).
func (x *writePort) enable(i int) (conds []*syntax.Expr) {
	if x.w.En != ir.None {
		conds = append(conds, x.operand(x.w.En, x.as, context{truth: true}))
	}
	switch {
	case x.w.Mask == ir.None:
	case len(x.lanes) == 1:
		conds = append(conds, x.operand(x.w.Mask, wantNet, context{truth: true}))
	case i >= 0:
		conds = append(conds, x.piece(x.w.Mask, lane{i, 1}))
	}
	return conds
}

// inRange is the condition that the address is in range, if it may be past the end.
func (x *writePort) inRange() []*syntax.Expr {
	if w := x.m.Width(x.w.Addr); (w > indexWidth(x.mem) || x.mem.Depth == 1) && !x.isConst(x.w.Addr) {
		return []*syntax.Expr{x.bodies.inRange(x.mem, x.w.Addr)}
	}
	return nil
}

// sameAddress compares two addresses, the narrower one zero-extended.
func (p *bodies) sameAddress(x, y ir.ID) *syntax.Expr {
	w := max(p.m.Width(x), p.m.Width(y))
	return p.trees.Binary(syntax.Eq, p.extended(x, w), p.extended(y, w))
}

func (p *bodies) extended(x ir.ID, w int) *syntax.Expr {
	if v, ok := p.konst(x); ok {
		return p.trees.Literal(v.ZExt(w))
	}
	e := p.operand(x, wantNet, context{})
	if n := w - p.m.Width(x); n > 0 {
		return p.trees.Extend(p.zeros(n), e)
	}
	return e
}

// piece is bits of a name or of a constant.
func (p *bodies) piece(x ir.ID, bits lane) *syntax.Expr {
	if v, ok := p.konst(x); ok {
		return p.trees.Literal(v.Slice(bits.lo, bits.width))
	}
	p.note(x, wantNet) // as one piece of several, which read all of it
	return p.bitsRef(x, bits.lo, bits.width)
}

// readStmts is a synchronous read: the word, the in-range flag if it needs one, and the word
// written at the same edge if it sees writes.
func (p *bodies) readStmts(at int, r *ir.ReadPort) []syntax.Stmt {
	mem := &p.m.Mems[at]
	flag, data := p.flags[r.Node], p.names[r.Node]

	// Beside a flag, the data goes to the word register.
	if flag != 0 {
		data = p.words[r.Node]
	}

	sees := r.Under != ir.Old && len(p.writesOn(mem, r.Clk)) > 0 && !p.isOneWord(mem, r)

	// A constant address past the end reads 0.
	word := syntax.Stmt{Target: p.trees.Name(data, mem.Width), Note: p.lineNote(r.Pos)}
	isPast, _ := p.isPastEnd(mem, r.Addr)
	switch {
	case isPast:
		word.Value = p.zeros(mem.Width)
	case p.isOneWord(mem, r):
		word.Value = p.trees.Choose(p.inRange(mem, r.Addr), p.word(at, r.Addr), p.zeros(mem.Width), syntax.BreakNever)
	default:
		word.Value = p.word(at, r.Addr)
	}

	list := []syntax.Stmt{word}
	if flag != 0 {
		list = append(list, syntax.Stmt{Target: p.trees.Name(flag, 1), Value: p.inRange(mem, r.Addr)})
	}

	if sees && !isPast {
		list = append(list, p.bypass(at, r, data)...)
	}

	// The enable holds for the flag and the bypass too.
	if r.En == ir.None {
		return list
	}
	return []syntax.Stmt{syntax.NewIf(p.condition(r.En), list...)}
}

// bypass is the value that a read gets if the word is written at the same edge: the new
// data; or, for Undefined in yosys, x, so that it need not keep the old word.
func (p *bodies) bypass(at int, r *ir.ReadPort, data names.ID) (list []syntax.Stmt) {
	mem := &p.m.Mems[at]
	if r.Under == ir.Undefined {
		list = append(list, syntax.NewDirective("`ifdef YOSYS"))
	}
	for _, w := range p.writesOn(mem, r.Clk) {
		// Lane by lane, under the conditions of the write and of equal addresses.
		x := p.writePort(at, w)
		for i, l := range x.lanes {
			on := p.trees.All(append(x.enable(i), p.sameAddress(w.Addr, r.Addr))...)
			set := syntax.Stmt{Target: p.trees.Select(p.trees.Name(data, mem.Width), l.lo, l.width)}
			if r.Under == ir.New {
				set.Value = p.piece(w.Data, l)
			} else {
				set.Value = p.trees.Repeat(l.width, p.trees.Text("1'bx"))
			}
			list = append(list, syntax.NewIf(on, set))
		}
	}
	if r.Under == ir.Undefined {
		list = append(list, syntax.NewDirective("`endif"))
	}
	return list
}
