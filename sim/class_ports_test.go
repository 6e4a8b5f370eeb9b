package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// classDesign: parts with an op input (volatile or not), an id input (constant).
func classDesign(count int, reads bool) *ir.Design {
	src := ir.NewSources()
	p := ir.NewModule("part", src)
	clk := p.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	op := p.AddInput("op", 3, 0, 0)
	id := p.AddInput("id", 16, 0, 0)
	k := func(w int, v uint64) ir.ID { return p.Const(bits.New(w, v), 0) }
	acc := p.AddReg("acc", 32, 0, clk, 0)
	st := p.AddReg("st", 3, 0, clk, 0)
	n2 := func(o ir.Op, a, b ir.ID) ir.ID { return p.Add(ir.Node{Op: o, Width: 32}, a, b) }
	mux := func(w int32, s, a, b ir.ID) ir.ID { return p.Add(ir.Node{Op: ir.Mux, Width: w}, s, a, b) }
	eq := func(a, b ir.ID) ir.ID { return p.Add(ir.Node{Op: ir.Eq, Width: 1}, a, b) }
	id32 := p.Add(ir.Node{Op: ir.ZExt, Width: 32}, id)
	next := acc
	for i := range 8 {
		x := n2(ir.Add, acc, id32)
		for j := range 6 {
			x = n2(ir.Mul, n2(ir.Xor, x, k(32, uint64(i*977+j*31+5))), n2(ir.Add, acc, k(32, uint64(2*j+i*7+1))))
		}
		next = mux(32, eq(op, k(3, uint64(i))), x, next)
	}
	p.Regs[0].Next = next
	ns := st
	for i := range 8 {
		ns = mux(3, eq(st, k(3, uint64(i))), k(3, uint64((i*3+1)%8)), ns)
	}
	p.Regs[1].Next = ns
	p.AddOutput("o", 32, 0, acc, 0)
	m := ir.NewModule("top", src)
	tclk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	cnt := m.AddReg("cnt", 3, 0, tclk, 0)
	m.Regs[0].Next = m.Add(ir.Node{Op: ir.Add, Width: 3}, cnt, m.Const(bits.New(3, 3), 0))
	for i := range count {
		at := m.AddInst(fmt.Sprintf("u%d", i), p, 0)
		m.Insts[at].Conns[0] = tclk
		m.Insts[at].Conns[1] = cnt
		m.Insts[at].Conns[2] = m.Const(bits.New(16, uint64(100+i)), 0)
		m.AddOutput(fmt.Sprintf("o%d", i), 32, 0, m.Insts[at].Conns[3], 0)
	}
	return &ir.Design{Top: m, Src: src, Modules: []*ir.Module{p, m}}
}

func TestPortsOfClasses(t *testing.T) {
	d := classDesign(4, false)
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d, sim.WithEngine(sim.Lockstep))
	require.NoError(t, err)
	s.Step(20000)
	require.NoError(t, s.Err())
}

func TestConstantPortsOfClasses(t *testing.T) {
	d := classDesign(4, false)
	var ss [2]*sim.Sim
	for i, e := range []sim.Engine{sim.Auto, sim.Interpreter} {
		s, err := sim.New(d, sim.WithEngine(e))
		require.NoError(t, err)
		snap, err := s.Snapshot()
		require.NoError(t, err)
		s.Step(2000)
		require.NoError(t, s.Restore(snap))
		s.Step(2000)
		ss[i] = s
	}
	require.NoError(t, sameState(ss[0], ss[1]))
}
