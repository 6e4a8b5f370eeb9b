package simtest

import (
	"fmt"
	"math/rand/v2"

	"etch/ir"
	"etch/ir/bits"
)

// widths are those at which word boundaries and paths change.
var widths = []int{1, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}

// Gen makes random modules of every op, and random values.
type Gen struct {
	*rand.Rand
	src  *ir.Sources
	m    *ir.Module
	all  []ir.ID // nodes that are not clocks
	clks []ir.ID
}

// NewRand is random numbers that follow from a seed.
func NewRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5eed)) }

// RandomDesign makes a design of a few levels.
func RandomDesign(seed uint64) *ir.Design {
	g := &Gen{Rand: NewRand(seed), src: ir.NewSources()}
	d := &ir.Design{Src: g.src}
	var below []*ir.Module

	// Every module may have instances of all modules made before it.
	for i := range 1 + g.IntN(3) {
		m := g.module(fmt.Sprintf("part%d", i), below)
		below = append(below, m)
	}
	d.Top = g.module("top", below)
	d.Modules = append(below, d.Top)
	return d
}

func (g *Gen) width() int {
	if g.IntN(12) > 0 {
		return widths[g.IntN(len(widths)-1)] // 1000 is seldom
	}
	return widths[g.IntN(len(widths))]
}

// Value is a random number, often an extreme one.
func (g *Gen) Value(w int) bits.Value {
	switch g.IntN(6) {
	case 0:
		return bits.Zero(w)
	case 1:
		return bits.Ones(w)
	case 2:
		return bits.New(w, g.Uint64N(70))
	case 3:
		return bits.Zero(w).SetBit(w-1, 1)
	}

	words := make([]uint64, bits.WordCount(w))
	for i := range words {
		words[i] = g.Uint64()
	}
	return bits.FromWords(w, words)
}

func (g *Gen) add(op ir.Op, w int, args ...ir.ID) ir.ID {
	n := ir.Node{Op: op, Width: int32(w)}
	if g.IntN(4) == 0 {
		n.Type = ir.TypeID(ir.SInt)
	}
	return g.note(g.m.Add(n, args...))
}

func (g *Gen) note(id ir.ID) ir.ID {
	if g.m.NameOf(id) == "" && g.IntN(3) == 0 {
		g.m.SetName(id, fmt.Sprintf("n%d", id))
	}
	g.all = append(g.all, id)
	return id
}

// pick returns a node of w bits: one there is, or one made of one there is.
func (g *Gen) pick(w int) ir.ID {
	for range 8 {
		if id := g.all[g.IntN(len(g.all))]; g.m.Width(id) == w {
			return id
		}
	}

	// None was found by chance: one of another width is cut or extended, or a constant serves.
	id := g.all[g.IntN(len(g.all))]
	switch have := g.m.Width(id); {
	case g.IntN(6) == 0:
		return g.note(g.m.Const(g.Value(w), 0))
	case have < w && g.IntN(2) == 0:
		return g.add(ir.ZExt, w, id)
	case have < w:
		return g.add(ir.SExt, w, id)
	case have > w:
		s := g.add(ir.Slice, w, id)
		g.m.Node(s).Aux = int32(g.IntN(have - w + 1))
		return s
	default:
		return id
	}
}

// op adds one node of a random op.
func (g *Gen) op() {
	op := ir.Wire + ir.Op(g.IntN(int(ir.NumOps-ir.Wire)))
	w := g.width()

	// Operands have the widths that the op asks for.
	switch op {
	case ir.And, ir.Or, ir.Xor:
		args := []ir.ID{g.pick(w), g.pick(w)}
		for g.IntN(3) == 0 {
			args = append(args, g.pick(w))
		}
		g.add(op, w, args...)
	case ir.Mul, ir.MulS:
		x, y := g.width(), g.width()
		g.add(op, 1+g.IntN(x+y), g.pick(x), g.pick(y))
	case ir.Eq, ir.Lt, ir.LtS:
		x := g.pick(w)
		g.add(op, 1, x, g.pick(w))
	case ir.Shl, ir.Shr, ir.ShrS:
		g.add(op, w, g.pick(w), g.amount())
	case ir.Mux:
		g.add(op, w, g.pick(1), g.pick(w), g.pick(w))
	case ir.Case:
		g.caseNode(w)
	case ir.Slice:
		g.note(g.pick(w))
	case ir.Cat:
		var args []ir.ID
		sum := 0
		for range 1 + g.IntN(5) {
			args = append(args, g.pick(g.width()))
			sum += g.m.Width(args[len(args)-1])
		}
		g.add(op, sum, args...)
	case ir.ZExt, ir.SExt:
		id := g.pick(g.width())
		g.add(op, g.m.Width(id)+g.IntN(70), id)
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		g.add(op, 1, g.pick(w))
	case ir.PopCount:
		g.add(op, ir.CountWidth(w), g.pick(w))
	case ir.Lut:
		var in []ir.ID
		for range 1 + g.IntN(9) {
			in = append(in, g.pick(1))
		}
		g.note(g.m.AddLut(g.Value(1<<len(in)), 0, in...))
	case ir.Wire, ir.Not:
		g.add(op, w, g.pick(w))
	default: // two operands of the result's width
		g.add(op, w, g.pick(w), g.pick(w))
	}
}

// amount is a shift amount: small, around a word, or huge.
func (g *Gen) amount() ir.ID {
	switch g.IntN(3) {
	case 0:
		return g.note(g.m.Const(bits.New(11, g.Uint64N(140)), 0))
	case 1:
		return g.pick([]int{1, 7, 8}[g.IntN(3)])
	}
	return g.pick(g.width())
}

// caseNode adds a case of up to twelve keys in rising order, some with gaps.
func (g *Gen) caseNode(w int) {
	sw := []int{1, 3, 8, 64, 65, 129}[g.IntN(6)]
	sel := g.pick(sw)
	var keys []bits.Value
	next := g.Value(sw)

	// Half of the lists begin at 0, so that keys follow each other from there.
	if g.IntN(2) == 0 {
		next = bits.Zero(sw)
	}

	// The last key that fits in the selector's width ends the list.
	args := []ir.ID{sel, g.pick(w)}
	for range g.IntN(12) {
		keys = append(keys, next)
		args = append(args, g.pick(w))
		step := bits.New(sw, 1+g.Uint64N(3))
		if up := next.Add(step); up.Cmp(next) > 0 {
			next = up
		} else {
			break
		}
	}
	g.note(g.m.AddCase(w, 0, keys, args...))
}

// memory adds a memory with all kinds of ports.
func (g *Gen) memory(i int) {
	width := g.width()
	if g.IntN(2) == 0 {
		width = []int{8, 32, 64, 128, 129, 130}[g.IntN(6)]
	}
	mem := ir.Memory{Name: fmt.Sprintf("mem%d", i), Depth: []int{1, 2, 3, 5, 8, 100}[g.IntN(6)], Width: width}
	if g.IntN(2) == 0 {
		for range g.IntN(mem.Depth + 1) {
			mem.Init = append(mem.Init, g.Value(width))
		}
	}

	// Addresses are of fewer bits than the depth needs, of as many, or of several words.
	addr := func() ir.ID { return g.pick([]int{1, 1, 7, 8, 64, 65}[g.IntN(6)]) }
	for k := range g.IntN(4) {
		id := g.note(g.m.Add(ir.Node{Op: ir.MemOut, Width: int32(width), Aux: int32(i), Aux2: int32(k)}))
		mem.Reads = append(mem.Reads, ir.ReadPort{Node: id, Clk: g.clock(), Addr: addr(), En: g.enable(), Under: ir.Under(g.IntN(3))})
	}

	// Masks enable lanes of equal width, at most one for each bit.
	for range g.IntN(4) {
		w := ir.WritePort{Clk: g.clock(), Addr: addr(), Data: g.pick(width), En: g.enable()}
		if lanes := []int{1, 2, 8, 3, width}[g.IntN(5)]; g.IntN(2) == 0 && width%lanes == 0 {
			w.Mask = g.pick(lanes)
		}
		mem.Writes = append(mem.Writes, w)
	}
	g.m.Mems = append(g.m.Mems, mem)

	// Ports that read at once belong to a memory that the module has.
	for range g.IntN(3) {
		id := g.note(g.m.Add(ir.Node{Op: ir.MemRead, Width: int32(width), Aux: int32(i)}, addr()))
		g.m.Node(id).Aux = int32(i)
	}
}

func (g *Gen) clock() ir.ID { return g.clks[g.IntN(len(g.clks))] }

func (g *Gen) enable() ir.ID {
	if g.IntN(2) == 0 {
		return ir.None
	}
	return g.pick(1)
}

// instance uses a module below.
func (g *Gen) instance(name string, child *ir.Module) {
	at := g.m.AddInst(name, child, 0)
	inst := &g.m.Insts[at]

	for i, p := range child.Ports {
		switch {
		case p.Dir == ir.Out:
			g.note(inst.Conns[i])
		case p.Type == ir.TypeID(ir.Clock):
			inst.Conns[i] = g.clock()
		default:
			inst.Conns[i] = g.pick(p.Width)
		}
	}
}

// register completes register i.
func (g *Gen) register(i int) {
	r := &g.m.Regs[i]
	w := g.m.Width(r.Node)
	r.Next = g.pick(w)
	konst := func() ir.ID { return g.m.Const(g.Value(w), 0) }

	// Half of them have a reset, synchronous or not.
	switch g.IntN(4) {
	case 0:
		r.Rst, r.Reset = g.pick(1), konst()
	case 1:
		r.Rst, r.Reset, r.Async = g.pick(1), konst(), true
	}

	// Without an initial value it starts at 0, or at random.
	if g.IntN(3) == 0 {
		r.Init = konst()
	}
}

// module makes a module with instances of those below.
func (g *Gen) module(name string, below []*ir.Module) *ir.Module {
	g.m, g.all, g.clks = ir.NewModule(name, g.src), nil, nil
	m := g.m

	// Clocks and other names of them, then the other inputs.
	for i := range 1 + g.IntN(3) {
		clk := m.AddInput(fmt.Sprintf("clk%d", i), 1, ir.TypeID(ir.Clock), 0)
		g.clks = append(g.clks, clk)
		if g.IntN(2) == 0 {
			g.clks = append(g.clks, m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, clk))
		}
	}
	for i := range 4 + g.IntN(4) {
		g.note(m.AddInput(fmt.Sprintf("in%d", i), g.width(), 0, 0))
	}
	g.note(m.AddInput("rst", 1, ir.TypeID(ir.Reset), 0))

	// Leaves come first: wires that are driven at the end, registers, memories.
	var forward []ir.ID
	for range g.IntN(3) {
		forward = append(forward, g.add(ir.Wire, g.width(), ir.None))
	}
	for i := range 3 + g.IntN(5) {
		g.note(m.AddReg(fmt.Sprintf("r%d", i), g.width(), 0, g.clock(), 0))
	}
	for i := range g.IntN(3) {
		g.memory(i)
	}

	// Operands are nodes that exist already, so no loop arises; registers close the loops.
	for i := range 10 + g.IntN(40) {
		if len(below) > 0 && g.IntN(15) == 0 {
			g.instance(fmt.Sprintf("u%d", i), below[g.IntN(len(below))])
		}
		g.op()
	}
	for i := range m.Regs {
		g.register(i)
	}

	// A wire is driven by a register of its own, which depends on nothing within the cycle.
	for _, id := range forward {
		w := m.Width(id)
		m.Args(id)[0] = g.note(m.AddReg(fmt.Sprintf("late%d", id), w, 0, g.clock(), 0))
		m.Regs[len(m.Regs)-1].Next = g.pick(w)
	}

	for i := range 1 + g.IntN(4) {
		id := g.all[g.IntN(len(g.all))]
		m.AddOutput(fmt.Sprintf("out%d", i), m.Width(id), 0, id, 0)
	}
	for i := range g.IntN(3) {
		m.Stmts = append(m.Stmts, ir.Stmt{Kind: []ir.StmtKind{ir.Assert, ir.Cover}[g.IntN(2)], Name: fmt.Sprintf("s%d", i), Clk: g.clock(), En: g.enable(), Cond: g.pick(1)})
	}
	return m
}
