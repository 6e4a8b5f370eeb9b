package verilog_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/randcircuit"
)

// trees makes modules of deep expressions in which nearly nothing has a name or
// a second use: all of it is inlined where it may be. Registers are driven by
// trees of choices with shared conditions, as state machines are.
type trees struct {
	*rand.Rand
	m     *ir.Module
	phase ir.TypeID
	clk   ir.ID
	rst   ir.ID
	in    []ir.ID // data inputs and registers
	conds []ir.ID
}

var treeWidths = []int{1, 1, 2, 3, 4, 7, 8, 9, 16, 31, 32, 33, 63, 64, 65, 70}

func newTrees(seed uint64) *ir.Design {
	src := ir.NewSources()
	g := &trees{Rand: rand.New(rand.NewPCG(seed, 77)), m: ir.NewModule("trees", src)}
	m := g.m
	g.clk = m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	g.rst = m.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	enum := &ir.Enum{Name: "lib.stepKind", Names: []string{"first", "next", "last", "off"}, Codes: []uint64{0, 1, 2, 5}}
	g.phase = m.AddType(ir.Type{Kind: ir.EnumKind, Enum: enum})
	for i := range 6 {
		g.in = append(g.in, m.AddInput(fmt.Sprintf("in%d", i), treeWidths[g.IntN(len(treeWidths))], 0, src.Line("trees.go", i+1)))
	}
	state := m.AddReg("state", 3, g.phase, g.clk, 0)
	for i := range 5 {
		w := treeWidths[g.IntN(len(treeWidths))]
		g.in = append(g.in, m.AddReg(fmt.Sprintf("r%d", i), w, 0, g.clk, src.Line("trees.go", 20+i)))
	}
	for range 4 {
		g.conds = append(g.conds, g.expr(1, 2))
	}
	for i := range m.Regs {
		r := &m.Regs[i]
		w := m.Width(r.Node)
		next := g.choice(r.Node, state, 3)
		r = &m.Regs[i]
		r.Next = next
		if g.IntN(2) == 0 {
			r.Rst, r.Reset = g.rst, m.Const(g.value(w), 0)
		}
	}
	m.AddOutput("at", 3, g.phase, state, 0)
	for i := range 8 {
		w := treeWidths[g.IntN(len(treeWidths))]
		x := g.expr(w, 4)
		if i < 3 {
			x = g.choice(x, state, 3)
		}
		m.AddOutput(fmt.Sprintf("out%d", i), w, 0, x, src.Line("trees.go", 40+i))
	}
	for i, r := range g.in[6:] {
		m.AddOutput(fmt.Sprintf("reg%d", i), m.Width(r), 0, r, 0)
	}
	return &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: src}
}

func (g *trees) add(o ir.Op, w int, args ...ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: o, Width: int32(w)}, args...)
}

func (g *trees) value(w int) bits.Value { return randcircuit.Value(g.Rand, w) }

// choice is a tree of choices for a target that keeps hold elsewhere.
func (g *trees) choice(hold, state ir.ID, depth int) ir.ID {
	w := g.m.Width(hold)
	if depth == 0 || g.IntN(6) == 0 {
		switch g.IntN(3) {
		case 0:
			return hold
		case 1:
			return g.m.Const(g.value(w), 0)
		}
		return g.expr(w, 2)
	}
	sub := func() ir.ID { return g.choice(hold, state, depth-1) }
	switch g.IntN(4) {
	case 0:
		keys := []bits.Value{bits.New(3, 0), bits.New(3, 1), bits.New(3, 2), bits.New(3, 4), bits.New(3, 5)}
		first := g.IntN(3)
		keys = keys[first : first+1+g.IntN(len(keys)-first)]
		args := []ir.ID{state}
		for range len(keys) + 1 {
			args = append(args, sub())
		}
		return g.m.AddCase(w, 0, keys, args...)
	case 1:
		is := g.add(ir.Eq, 1, state, g.m.Const(bits.New(3, uint64(g.IntN(6))), 0))
		return g.add(ir.Mux, w, is, sub(), sub())
	case 2:
		c := g.add(ir.Not, 1, g.conds[g.IntN(len(g.conds))])
		return g.add(ir.Mux, w, c, sub(), sub())
	}
	return g.add(ir.Mux, w, g.conds[g.IntN(len(g.conds))], sub(), sub())
}

// expr is a new expression of width w.
func (g *trees) expr(w, depth int) ir.ID {
	if depth == 0 || g.IntN(12) == 0 {
		return g.leaf(w)
	}
	sub := func(w int) ir.ID { return g.expr(w, depth-1) }
	any := func() int { return treeWidths[g.IntN(len(treeWidths))] }
	if w == 1 && g.IntN(2) == 0 {
		v := any()
		switch o := []ir.Op{ir.Eq, ir.Lt, ir.LtS, ir.RedAnd, ir.RedOr, ir.RedXor, ir.Lut}[g.IntN(7)]; o {
		case ir.Eq, ir.Lt, ir.LtS:
			return g.add(o, 1, sub(v), sub(v))
		case ir.Lut:
			args := []ir.ID{sub(1), sub(1), sub(1), sub(1)}[:1+g.IntN(4)]
			return g.m.AddLut(g.value(1<<len(args)), 0, args...)
		default:
			return g.add(o, 1, sub(v))
		}
	}
	switch o := []ir.Op{ir.Not, ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Mul, ir.MulS, ir.Div, ir.DivS, ir.Rem, ir.RemS, ir.Shl,
		ir.Shr, ir.ShrS, ir.Mux, ir.Slice, ir.Cat, ir.ZExt, ir.SExt, ir.Add, ir.Sub, ir.Wire}[g.IntN(23)]; o {
	case ir.Not, ir.Wire:
		return g.add(o, w, sub(w))
	case ir.Mul, ir.MulS:
		x := max(1, w-g.IntN(w+1))
		return g.add(o, w, sub(x), sub(max(1, w-x+g.IntN(3))))
	case ir.Shl, ir.Shr, ir.ShrS:
		return g.add(o, w, sub(w), sub(any()))
	case ir.Mux:
		return g.add(o, w, sub(1), sub(w), sub(w))
	case ir.Slice:
		lo := g.IntN(5)
		return g.m.Add(ir.Node{Op: ir.Slice, Width: int32(w), Aux: int32(lo)}, sub(w+lo+g.IntN(3)))
	case ir.Cat:
		if w == 1 {
			return g.add(ir.Cat, 1, sub(1))
		}
		x := 1 + g.IntN(w-1)
		return g.add(ir.Cat, w, sub(x), sub(w-x))
	case ir.ZExt, ir.SExt:
		return g.add(o, w, sub(max(1, w-g.IntN(w))))
	case ir.Add, ir.Sub:
		if g.IntN(2) == 0 {
			return g.mac(o, w, sub)
		}
		return g.add(o, w, sub(w), sub(w))
	default:
		return g.add(o, w, sub(w), sub(w))
	}
}

// mac is a sum with one or two products in it.
func (g *trees) mac(o ir.Op, w int, sub func(int) ir.ID) ir.ID {
	term := func() ir.ID {
		mul, ext := ir.MulS, ir.SExt
		if g.IntN(2) == 0 {
			mul, ext = ir.Mul, ir.ZExt
		}
		x := max(1, w/2-g.IntN(w))
		y := max(1, w-x-g.IntN(3))
		p := g.add(mul, min(x+y, w), sub(x), sub(y))
		if g.m.Width(p) < w {
			return g.add(ext, w, p)
		}
		return p
	}
	if g.IntN(3) == 0 {
		return g.add(o, w, term(), term())
	}
	return g.add(o, w, sub(w), term())
}

func (g *trees) leaf(w int) ir.ID {
	if g.IntN(6) == 0 {
		return g.m.Const(g.value(w), 0)
	}
	x := g.in[g.IntN(len(g.in))]
	switch have := g.m.Width(x); {
	case have > w:
		return g.m.Add(ir.Node{Op: ir.Slice, Width: int32(w), Aux: int32(g.IntN(have - w + 1))}, x)
	case have < w && g.IntN(2) == 0:
		return g.add(ir.SExt, w, x)
	case have < w:
		return g.add(ir.ZExt, w, x)
	}
	return x
}

// TestTrees compares deep expressions and state machines with the simulator, and
// has the linters read some.
func TestTrees(t *testing.T) {
	n := *circuits * 3
	if testing.Short() {
		n = min(n, 10)
	}
	agree(t, n, newTrees)
}

// TestTreesLint has the linters read deep expressions.
func TestTreesLint(t *testing.T) {
	n := (*circuits + 1) / 2
	if testing.Short() {
		n = min(n, 4)
	}
	for seed := *from; seed < *from+uint64(n); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { lint(t, newTrees(seed), verilog.Options{}) })
	}
}
