package sim_test

import (
	"fmt"
	"testing"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"

	"github.com/stretchr/testify/require"
)

// manyOf makes a design of several instances of a random module whose inputs are
// registers that take what other instances put out, mixed with a counter: the
// instances go ways of their own.
func manyOf(seed uint64, count int) *ir.Design {
	d := randcircuit.Design(seed, randcircuit.Config{Nodes: 120, Modules: int(seed % 2), State: true, Stmts: seed%3 == 0})
	part := d.Top
	part.Name = "part"
	g := newRand(seed ^ 0xc1a55)
	m := ir.NewModule("many", d.Src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	rst := m.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	tick := m.AddReg("tick", 64, 0, clk, 0)
	m.Regs[0].Next = m.Add(ir.Node{Op: ir.Add, Width: 64}, m.Add(ir.Node{Op: ir.Mul, Width: 64}, tick, m.Const(bits.New(64, 0x9e3779b97f4a7c15), 0)), m.Const(bits.New(64, 12345), 0))
	var insts []int
	for i := range count {
		insts = append(insts, m.AddInst(fmt.Sprintf("u%d", i), part, 0))
	}
	for i, at := range insts {
		for k, p := range part.Ports {
			if p.Dir == ir.Out {
				continue
			}
			switch part.TypeOf(p.Type).Kind {
			case ir.Clock:
				m.Insts[at].Conns[k] = clk
				continue
			case ir.Reset, ir.AsyncReset:
				m.Insts[at].Conns[k] = rst
				continue
			}
			if g.IntN(5) == 0 {
				m.Insts[at].Conns[k] = m.Const(bits.New(min(p.Width, 60), uint64(i+1)*77).Slice(0, min(p.Width, 60)).ZExt(p.Width), 0)
				continue
			}
			r := m.AddReg(fmt.Sprintf("in%d_%d", i, k), p.Width, 0, clk, 0)
			m.Insts[at].Conns[k] = r
			m.Regs[len(m.Regs)-1].Next = mixed(m, g.IntN(64), tick, other(m, insts[g.IntN(count)], p.Width), p.Width)
		}
	}
	for k, p := range part.Ports {
		if p.Dir == ir.Out {
			m.AddOutput(p.Name, p.Width, 0, m.Insts[insts[count-1]].Conns[k], 0)
		}
	}
	out := &ir.Design{Top: m, Src: d.Src}
	out.Modules = append(append(out.Modules, d.Modules...), m)
	return out
}

// other is an output of an instance, as wide as asked for.
func other(m *ir.Module, inst, w int) ir.ID {
	for k, p := range m.Insts[inst].Mod.Ports {
		if p.Dir == ir.Out {
			x := m.Insts[inst].Conns[k]
			if p.Width >= w {
				return m.Add(ir.Node{Op: ir.Slice, Width: int32(w)}, x)
			}
			return m.Add(ir.Node{Op: ir.ZExt, Width: int32(w)}, x)
		}
	}
	return m.Const(bits.Zero(w), 0)
}

func mixed(m *ir.Module, at int, tick, x ir.ID, w int) ir.ID {
	bit := m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(at)}, tick)
	return m.Add(ir.Node{Op: ir.Xor, Width: int32(w)}, x, m.Add(ir.Node{Op: ir.SExt, Width: int32(w)}, bit))
}

func TestClassesInLockstep(t *testing.T) {
	n, cycles := uint64(60), 2500
	if testing.Short() {
		n, cycles = 8, 1500
	}
	for seed := range n {
		d := manyOf(seed, 2+int(seed%4))
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		s, err := sim.New(d, sim.WithEngine(sim.Lockstep), sim.WithSeed(seed))
		require.NoError(t, err, "seed %d", seed)
		s.Reset()
		for range 5 {
			s.Step(cycles / 5)
			for sig := range s.Signals() { // a poke of anything is only a missed guard
				if sig.IsState() && newRand(seed+s.Cycles()).IntN(20) == 0 {
					require.NoError(t, s.Poke(sig, bits.Ones(sig.Width())))
				}
			}
		}
		require.NoError(t, s.Err(), "seed %d", seed)
		require.NoError(t, s.Close())
	}
}
