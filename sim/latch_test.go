package sim_test

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
	"etch/testbench/randcircuit"
)

// latchDesign has three latches: one of inputs, one of what it holds and a register,
// one that a register opens; and a register that the last one resets.
func latchDesign(t *testing.T) *ir.Design {
	t.Helper()
	d := &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("top", d.Src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	open := m.AddInput("open", 1, 0, 0)
	a := m.AddInput("a", 8, 0, 0)
	never := m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, m.Const(bits.New(1, 1), 0))
	count := m.AddReg("count", 8, 0, clk, 0)
	latch := func(name string, rst, value ir.ID) ir.ID {
		id := m.AddReg(name, m.Width(value), 0, never, 0)
		m.Regs[len(m.Regs)-1].MakeLatch(never, rst, value)
		return id
	}
	x := latch("x", open, a)
	sum := m.Add(ir.Node{Op: ir.Add, Width: 8}, x, count)
	odd := m.Add(ir.Node{Op: ir.Slice, Width: 1}, count)
	y := latch("y", odd, sum)
	z := latch("z", m.Add(ir.Node{Op: ir.Slice, Width: 1}, y), m.Add(ir.Node{Op: ir.Xor, Width: 8}, y, a))
	kept := m.AddReg("kept", 8, 0, clk, 0)
	m.Regs[len(m.Regs)-1] = ir.Register{Node: kept, Next: sum, Clk: clk, Async: true,
		Rst: m.Add(ir.Node{Op: ir.Eq, Width: 1}, m.Add(ir.Node{Op: ir.Slice, Width: 2}, z), m.Const(bits.New(2, 3), 0)), Reset: m.Const(bits.New(8, 77), 0)}
	m.Regs[0].Next = m.Add(ir.Node{Op: ir.Add, Width: 8}, count, m.Const(bits.New(8, 3), 0))
	m.AddOutput("ox", 8, 0, x, 0)
	m.AddOutput("oy", 8, 0, y, 0)
	m.AddOutput("oz", 8, 0, z, 0)
	m.AddOutput("ok", 8, 0, kept, 0)
	d.Modules, d.Top = []*ir.Module{m}, m
	require.NoError(t, ir.Verify(d))
	return d
}

// latchModel is the same in Go.
type latchModel struct{ count, x, y, z, kept, a, open uint64 }

func (m *latchModel) settle() {
	if m.open == 1 {
		m.x = m.a
	}
	if m.count&1 == 1 {
		m.y = (m.x + m.count) & 255
	}
	if m.y&1 == 1 {
		m.z = m.y ^ m.a
	}
	if m.z&3 == 3 {
		m.kept = 77
	}
}

func (m *latchModel) step() {
	m.settle()
	if m.z&3 != 3 {
		m.kept = (m.x + m.count) & 255
	}
	m.count = (m.count + 3) & 255
	m.settle()
}

// TestLatches: every engine does what the model does, whether one looks or not.
func TestLatches(t *testing.T) {
	for _, engine := range []sim.Engine{sim.Interpreter, sim.Native, sim.Lockstep} {
		d := latchDesign(t)
		s, err := sim.New(d, sim.WithEngine(engine))
		require.NoError(t, err)
		l, err := lanes.New(d, 3)
		require.NoError(t, err)
		r, m := rand.New(rand.NewPCG(1, 1)), &latchModel{}
		for k := range 3000 {
			m.a, m.open = r.Uint64N(256), r.Uint64N(2)
			require.NoError(t, s.Set(simtest.Sig(t, s, "a"), m.a))
			require.NoError(t, s.Set(simtest.Sig(t, s, "open"), m.open))
			require.NoError(t, l.SetAll(l.Top()[2], m.a))
			require.NoError(t, l.SetAll(l.Top()[1], m.open))
			if r.IntN(3) == 0 {
				m.settle()
				require.Equal(t, m.x, s.Get(simtest.Sig(t, s, "ox")))
				require.Equal(t, m.x, l.Get(l.Top()[3], 1))
			}
			n := r.IntN(4)
			for range n {
				m.step()
			}
			s.Step(n)
			l.Step(n)
			if n > 0 {
				want := []uint64{m.x, m.y, m.z, m.kept}
				for i, name := range []string{"ox", "oy", "oz", "ok"} {
					require.Equal(t, want[i], s.Get(simtest.Sig(t, s, name)), "step %d: %s", k, name)
					require.Equal(t, want[i], l.Get(l.Top()[3+i], 2), "step %d: %s in a lane", k, name)
				}
			}
		}
	}
}

// TestResetBehindLatch: a reset that follows from a latch acts with the value that the latch settles
// on. With the old one, it would be high for a moment where the latch takes the value of its input.
func TestResetBehindLatch(t *testing.T) {
	d := &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("top", d.Src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	a := m.AddInput("a", 4, 0, 0)
	never := m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, m.Const(bits.New(1, 1), 0))
	follows := m.AddReg("follows", 4, 0, never, 0)
	m.Regs[0].MakeLatch(never, m.Const(bits.New(1, 1), 0), a)
	differs := m.Add(ir.Node{Op: ir.Not, Width: 1}, m.Add(ir.Node{Op: ir.Eq, Width: 1}, follows, a))
	ones := m.Const(bits.New(4, 15), 0)
	kept := m.AddReg("kept", 4, 0, clk, 0)
	m.Regs[1] = ir.Register{Node: kept, Next: kept, Clk: clk, Rst: differs, Reset: m.Const(bits.Zero(4), 0), Async: true, Init: ones}
	m.AddOutput("y", 4, 0, kept, 0)
	d.Modules, d.Top = []*ir.Module{m}, m
	require.NoError(t, ir.Verify(d))

	for _, engine := range []sim.Engine{sim.Interpreter, sim.Native, sim.Lockstep} {
		s, err := sim.New(d, sim.WithEngine(engine))
		require.NoError(t, err)
		for v := range uint64(16) {
			require.NoError(t, s.Set(simtest.Sig(t, s, "a"), v*7&15))
			s.Step(1)
			require.Equal(t, uint64(15), s.Get(simtest.Sig(t, s, "y")), "%v, a = %d", engine, v*7&15)
		}
	}
}

// TestLatchOfConstant: a latch of a constant runs like the latch of an input that has the same value,
// before and after it is optimised, in every engine.
func TestLatchOfConstant(t *testing.T) {
	design := func(constant bool) *ir.Design {
		d := &ir.Design{Src: ir.NewSources()}
		m := ir.NewModule("top", d.Src)
		m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
		open, data := m.AddInput("open", 1, 0, 0), m.AddInput("data", 8, 0, 0)
		if constant { // in a way that passes have to find
			data = m.Add(ir.Node{Op: ir.Or, Width: 8}, m.Add(ir.Node{Op: ir.And, Width: 8}, data, m.Const(bits.Zero(8), 0)), m.Const(bits.New(8, 200), 0))
		}
		never := m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, m.Const(bits.New(1, 1), 0))
		q := m.AddReg("q", 8, 0, never, 0)
		m.Regs[0].MakeLatch(never, open, data)
		m.Regs[0].Init = m.Const(bits.New(8, 3), 0)
		m.AddOutput("y", 8, 0, q, 0)
		d.Modules, d.Top = []*ir.Module{m}, m
		require.NoError(t, ir.Verify(d))
		return d
	}
	optimized := passes.Optimize(design(true), passes.Options{})
	require.NoError(t, ir.Verify(optimized))
	require.Equal(t, ir.Latch, optimized.Top.Regs[0].Kind)
	require.Equal(t, ir.Const, optimized.Top.Op(optimized.Top.Regs[0].Reset))

	for _, engine := range []sim.Engine{sim.Interpreter, sim.Native, sim.Lockstep} {
		var all []*sim.Sim
		for _, d := range []*ir.Design{design(false), design(true), optimized} {
			s, err := sim.New(d, sim.WithEngine(engine))
			require.NoError(t, err)
			require.NoError(t, s.Set(simtest.Sig(t, s, "data"), 200))
			all = append(all, s)
		}
		for step, open := range []uint64{0, 0, 1, 1, 0} {
			for _, s := range all {
				require.NoError(t, s.Set(simtest.Sig(t, s, "open"), open))
				want := uint64(3)
				if step >= 2 {
					want = 200
				}
				require.Equal(t, want, s.Get(simtest.Sig(t, s, "y")), "%v, step %d", engine, step)
				s.Step(1)
				require.Equal(t, want, s.Get(simtest.Sig(t, s, "y")), "%v, after step %d", engine, step)
			}
		}
	}
}

// TestRandomLatches: random designs with latches are the same in the interpreter, in
// native code and in lanes.
func TestRandomLatches(t *testing.T) {
	n := uint64(60)
	if testing.Short() {
		n = 12
	}
	native := 0
	for seed := range n {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 3), State: true, Latches: true, Falls: seed%4 == 3, Widths: []int{1, 2, 8, 33, 64, 65}})
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		a, err := sim.New(d, sim.WithEngine(sim.Interpreter), sim.WithOutput(io.Discard))
		require.NoError(t, err)
		b, err := sim.New(d, sim.WithEngine(sim.Lockstep), policyOf(seed), sim.WithOutput(io.Discard))
		if err != nil { // what resets follows from memories
			require.ErrorContains(t, err, "asynchronous reset", "seed %d", seed)
			continue
		}
		native++
		l, err := lanes.New(d, 2, sim.WithOutput(io.Discard))
		require.NoError(t, err, "seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 9))
		for k := range 120 {
			var clks []int
			for i, p := range d.Top.Ports {
				switch x := a.Top()[i]; {
				case x.IsClock():
					clks = append(clks, i)
				case x.IsInput():
					v := bits.Zero(p.Width)
					for w := 0; w < p.Width; w += 64 {
						v = v.Or(bits.New(min(64, p.Width-w), r.Uint64()>>(64-min(64, p.Width-w))).ZExt(p.Width).Shl(uint64(w)))
					}
					require.NoError(t, a.SetBits(x, v))
					require.NoError(t, b.SetBits(b.Top()[i], v))
					for lane := range 2 {
						require.NoError(t, l.SetBits(l.Top()[i], lane, v))
					}
				}
			}
			same := func(when string) {
				for i, p := range d.Top.Ports {
					if p.Dir == ir.Out && !a.Top()[i].IsClock() {
						want := a.GetBits(a.Top()[i]).Hex()
						require.Equal(t, want, b.GetBits(b.Top()[i]).Hex(), "seed %d, %s %d: %s", seed, when, k, p.Name)
						require.Equal(t, want, l.GetBits(l.Top()[i], 1).Hex(), "seed %d, %s %d: %s in a lane", seed, when, k, p.Name)
					}
				}
			}
			same("before")
			c := clks[r.IntN(len(clks))]
			a.Tick(a.Top()[c], 1)
			b.Tick(b.Top()[c], 1)
			l.Tick(l.Top()[c], 1)
			same("after")
		}
	}
	require.Greater(t, native, int(n)/3)
	t.Log(native, "of", n, "in native code")
}
