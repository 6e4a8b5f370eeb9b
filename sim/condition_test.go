package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// A select that is the or of the bits of x & zext(y).
func TestWideCondition(t *testing.T) {
	src := ir.NewSources()
	p := ir.NewModule("top", src)
	clk := p.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	k := func(w int, v uint64) ir.ID { return p.Const(bits.New(w, v), 0) }
	lfsr := p.AddReg("lfsr", 32, 0, clk, 0)
	acc := p.AddReg("acc", 32, 0, clk, 0)
	st := p.AddReg("st", 3, 0, clk, 0)
	n2 := func(o ir.Op, a, b ir.ID) ir.ID { return p.Add(ir.Node{Op: o, Width: 32}, a, b) }
	mux := func(w int32, s, a, b ir.ID) ir.ID { return p.Add(ir.Node{Op: ir.Mux, Width: w}, s, a, b) }
	eq := func(a, b ir.ID) ir.ID { return p.Add(ir.Node{Op: ir.Eq, Width: 1}, a, b) }
	slice := func(x ir.ID, lo, w int32) ir.ID { return p.Add(ir.Node{Op: ir.Slice, Width: w, Aux: lo}, x) }
	p.Regs[0].Next = n2(ir.Add, n2(ir.Mul, lfsr, k(32, 1664525)), k(32, 1013904223))
	x := slice(lfsr, 20, 3)
	y := slice(lfsr, 27, 1)
	go1 := p.Add(ir.Node{Op: ir.RedOr, Width: 1}, p.Add(ir.Node{Op: ir.And, Width: 3}, x, p.Add(ir.Node{Op: ir.ZExt, Width: 3}, y)))
	ns := st
	next := acc
	x32 := p.Add(ir.Node{Op: ir.ZExt, Width: 32}, x)
	v, w := n2(ir.Add, acc, x32), acc
	for j := range 20 {
		v = n2(ir.Mul, n2(ir.Xor, v, k(32, uint64(j*31+5))), n2(ir.Add, acc, k(32, uint64(2*j+1))))
		w = n2(ir.Mul, n2(ir.Xor, w, k(32, uint64(j*37+9))), n2(ir.Add, acc, k(32, uint64(2*j+77))))
	}
	u := n2(ir.Xor, acc, k(32, 99))
	_ = eq
	next = mux(32, go1, v, mux(32, p.Add(ir.Node{Op: ir.Eq, Width: 1}, st, k(3, 2)), w, u))
	ns = mux(3, go1, p.Add(ir.Node{Op: ir.Add, Width: 3}, st, k(3, 1)), k(3, 2))
	p.Regs[1].Next = next
	p.Regs[2].Next = ns
	p.AddOutput("o", 32, 0, acc, 0)
	d := &ir.Design{Top: p, Src: src, Modules: []*ir.Module{p}}
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d, sim.WithEngine(sim.Lockstep))
	require.NoError(t, err)
	s.Step(30000)
	require.NoError(t, s.Err())
}
