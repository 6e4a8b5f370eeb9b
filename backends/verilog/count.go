package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// count walks everything that will be printed, as it will be printed, and notes how each
// value is used. sizeAll then decides which values get a wire.
func (p *module) count() {
	m := p.m
	// Named values have a text of their own; so have outputs that are copies.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if p.isNet(id) {
			p.body(id)
		}
	}
	for i := range m.Ports {
		if port := &m.Ports[i]; port.Dir == ir.Out && !p.portIs[i] && port.Node != ir.None {
			p.use(port.Node, 0)
		}
	}

	// Registers, by block. Edges are of nets; a synchronous reset is an expression.
	p.eachBlock(func(b *block) {
		if b.open != ir.None {
			p.useLatches(b)
			return
		}
		p.use(p.clockNet(b.clk), wantNet|edge)
		switch {
		case b.async:
			p.use(b.rst, wantNet|edge|asyncUse)
		case b.rst != ir.None:
			p.use(b.rst, inside)
		}
		eachOperand(b.steps, p.useStep)
	})

	p.countMemories()
	for i := range m.Insts {
		for j, c := range m.Insts[i].Conns {
			if m.Insts[i].Mod.Ports[j].Dir == ir.In {
				p.use(c, inPin|p.resetUse(m.Insts[i].Mod, j))
			}
		}
	}

	p.countNets()
	p.countStatements()

	// Unnamed values that were used are on the work list: their operands follow.
	p.drain()
	p.noteResetUse()
}

func (p *module) useStep(id ir.ID, whole bool) {
	if whole {
		p.use(id, 0)
	} else {
		p.use(id, inside)
	}
}

// use notes a use of a value. The first use queues the value, so that its own operands are
// counted. how is 0 for a whole right-hand side.
func (p *module) use(id ir.ID, how mark) {
	id = p.v(id)
	if how&(asyncUse|inPin) == 0 {
		how |= otherUse
	}
	p.marks[id] |= how | read | p.context
	p.useOf(id)
}

// useBits is use for some bits of a value by part-select, which needs a name. The bits are
// recorded: those that nothing reads are listed by unused.go.
func (p *module) useBits(id ir.ID, lo, w int) {
	id = p.v(id)
	if p.isSlice(id) {
		x, at := p.part(id)
		id, lo = p.v(x), lo+at
	}

	p.marks[id] |= wantNet | otherUse
	if lo == 0 && w == p.m.Width(id) {
		p.marks[id] |= read
	}

	// Which bits are read only matters while not all are.
	if !p.is(id, read) {
		b, ok := p.bits[id]
		if !ok {
			b = bits.Zero(p.m.Width(id))
		}
		p.bits[id] = b.Or(bits.Ones(w).ZExt(b.Width()).Shl(uint64(lo)))
	}
	p.useOf(id)
}

// useOf counts a use, and queues a value without a name at its first use.
func (p *module) useOf(id ir.ID) {
	if p.isState(id) {
		return
	}
	if p.uses[id] < 255 {
		p.uses[id]++
	}
	if !p.is(id, named|seen) {
		p.marks[id] |= seen
		if !p.isConst(id) {
			p.work = append(p.work, id)
			return
		}
	}
}

// drain counts the operands of the values on the work list, until it is empty.
func (p *module) drain() {
	for len(p.work) > 0 {
		id := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		p.body(id)
	}
}

// body counts the operands in the text of a value. Inside a combinational block, unnamed
// values belong to the block (context).
func (p *module) body(id ir.ID) {
	p.context = 0
	if !p.is(id, named) {
		p.context = p.marks[id] & inBlock
	}
	switch {
	case p.is(id, folded):
	case p.isBlock(id):
		p.context = inBlock
		eachOperand(p.blockSteps(id), p.useStep)
	case p.to[id] != id:
		p.use(p.to[id], 0)
	default:
		p.operands(id)
	}
	p.context = 0
}

// isBlock reports whether a value is printed as a combinational always block.
func (p *module) isBlock(id ir.ID) bool {
	if p.isState(id) || p.is(id, folded) {
		return false
	}
	b := p.to[id]
	return p.is(b, big) && (b == id || p.inTree(b))
}

// blockSteps is the body of such a block.
func (p *module) blockSteps(id ir.ID) []step {
	p.root = p.to[id]
	s := p.build([]item{{target: id, value: p.to[id]}}, 0)
	p.root = ir.None
	return s
}

// operands counts the operands of an operation, each with the requirements of its text: an
// operand of a part-select or guard needs a name.
func (p *module) operands(id ir.ID) {
	m, args := p.m, p.m.Args(id)
	// The cases mirror operation in expr.go and must change with it.
	switch op := m.Op(id); op {
	case ir.Const, ir.Input, ir.Reg, ir.MemOut, ir.InstOut, ir.NetOut:
	case ir.Mul, ir.MulS:
		p.mulOperands(id, args)
	case ir.Add, ir.Sub:
		if is, _ := p.sumOfProduct(id); is {
			p.sumOperands(id)
			break
		}
		p.use(args[0], inside)
		p.use(args[1], inside)
	case ir.Div, ir.DivS, ir.Rem, ir.RemS:
		p.divOperands(id, args)
	case ir.Shl, ir.Shr, ir.ShrS:
		p.shiftOperands(args)
	case ir.Mux:
		p.use(args[0], inside)
		p.use(args[1], inside)
		p.use(args[2], inElse)
	case ir.Case:
		if len(args) > 3 {
			p.use(args[0], wantNet)
		} else {
			p.use(args[0], inside)
		}
		for _, a := range args[1:] {
			p.use(a, inside)
		}
	case ir.Slice:
		x, lo := p.part(id)
		p.useBits(x, lo, m.Width(id))
	case ir.SExt:
		if m.Width(args[0]) > 1 {
			p.use(args[0], wantNet)
		} else {
			p.use(args[0], inside)
		}
	case ir.MemRead:
		p.isReadAsync[m.Node(id).Aux] = true
		p.useAddress(args[0], &m.Mems[m.Node(id).Aux])
	default:
		for _, a := range args {
			p.use(a, inside)
		}
	}
}

func (p *module) shiftOperands(args []ir.ID) {
	if p.isWord(args[0]) {
		p.use(args[0], wantNet)
	} else {
		p.use(args[0], inside)
	}
	switch {
	case p.isConst(args[1]):
	case p.m.Width(args[1]) > maxAmount, p.isWord(args[1]):
		p.use(args[1], wantNet)
	default:
		p.use(args[1], inside)
	}
}

// isWord reports whether a value is a word of a memory at a constant address. Icarus
// Verilog 11 compiles m[2] >> x to a model that it cannot load.
func (p *module) isWord(id ir.ID) bool {
	id = p.v(id)
	return p.m.Op(id) == ir.MemRead && !p.is(id, named|folded) && p.isConst(p.m.Args(id)[0])
}

// isSlice reports whether a value is a part-select without a name.
func (p *module) isSlice(id ir.ID) bool {
	id = p.v(id)
	return p.m.Op(id) == ir.Slice && !p.is(id, named|folded)
}

// maxAmount is the width of the widest shift amount that every tool takes, in bits.
const maxAmount = 31

// mulOperands counts the operands of a product: wider ones are cut by a part-select,
// narrower ones are extended by the context.
func (p *module) mulOperands(id ir.ID, args []ir.ID) {
	w := p.m.Width(id)
	for _, a := range args {
		switch aw := p.m.Width(a); {
		case p.extendsProduct(id) && aw < w && aw > 1 && !p.isConst(a):
			p.use(a, wantNet)
		case aw > w:
			if !p.isConst(a) {
				p.useBits(a, 0, w)
			}
		case aw < w && p.m.Op(id) == ir.Mul:
			p.use(a, inside|wider)
		default:
			p.use(a, inside)
		}
	}
}

// extendsProduct reports whether the operands of a signed product are sign-extended first,
// which makes it an unsigned product. Verilator limits signed products to 512 bits.
func (p *module) extendsProduct(id ir.ID) bool {
	return p.m.Op(id) == ir.MulS && p.m.Width(id) > 512
}

// divOperands counts the operands of a division. The guard repeats the divisor, and the
// dividend if it is a result of the guard: both then need names.
func (p *module) divOperands(id ir.ID, args []ir.ID) {
	op := p.m.Op(id)
	how := [2]mark{inside, inside}
	if !p.isConst(args[1]) {
		how[1] = wantNet
		if (op != ir.Div || p.m.Width(id) > 64) && !p.isConst(args[0]) {
			how[0] = wantNet
		}
	}
	p.use(args[0], how[0])
	p.use(args[1], how[1])
}

// indexWidth is the number of bits that address a memory.
func indexWidth(mem *ir.Memory) int { return ir.CountWidth(mem.Depth - 1) }

// pastEnd reports whether an address of w bits can exceed the depth.
func pastEnd(mem *ir.Memory, w int) bool { return w >= 31 || 1<<w > mem.Depth }

// useAddress counts an address; a comparison with the depth repeats it, so it then needs a
// name.
func (p *module) useAddress(addr ir.ID, mem *ir.Memory) {
	switch {
	case p.isConst(addr):
	case pastEnd(mem, p.m.Width(addr)):
		p.use(addr, wantNet)
	default:
		p.use(addr, inside)
	}
}
