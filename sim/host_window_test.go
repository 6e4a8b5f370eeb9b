package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

func sameState(a, b *sim.Sim) error {
	n := 0
	for sig := range a.Signals() {
		x := a.GetBits(sig)
		other, err := b.Signal(sig.Name())
		if err != nil {
			continue
		}
		n++
		if y := b.GetBits(other); !x.Equal(y) {
			return fmt.Errorf("%s: %v, interpreter %v", sig.Name(), x, y)
		}
	}
	if n == 0 {
		return fmt.Errorf("nothing compared")
	}
	if a.Cycles() != b.Cycles() || a.Time() != b.Time() {
		return fmt.Errorf("time %d %d cycles %d %d", a.Time(), b.Time(), a.Cycles(), b.Cycles())
	}
	if a.FailureCount() != b.FailureCount() {
		return fmt.Errorf("failures %d %d", a.FailureCount(), b.FailureCount())
	}
	return nil
}

// TestReplayLeavesTheState: while a window shows the past, the state of the present
// is not to be touched, not even by code that is compiled for what is shown.
func TestReplayLeavesTheState(t *testing.T) {
	// chain of many named comb nodes all live at once so that the watch's code needs scratch
	src := ir.NewSources()
	m := ir.NewModule("top", src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	r := m.AddReg("r", 32, 0, clk, 0)
	one := m.Const(bits.New(32, 1), 0)
	m.Regs[0].Next = m.Add(ir.Node{Op: ir.Add, Width: 32}, r, one)
	// 60 values, live at once: x_i = r*c_i ; sum in reverse order with xor chains
	var xs []ir.ID
	for i := range 60 {
		x := m.Add(ir.Node{Op: ir.Mul, Width: 32}, r, m.Const(bits.New(32, uint64(2*i+1001)), 0))
		m.SetName(x, fmt.Sprintf("x%d", i))
		xs = append(xs, x)
	}
	y := xs[0]
	for round := range 8 {
		for i := range xs {
			y = m.Add(ir.Node{Op: ir.Mul, Width: 32}, m.Add(ir.Node{Op: ir.Add, Width: 32}, y, xs[(i*(2*round+7))%60]), xs[(i*11+round)%60])
			m.SetName(y, fmt.Sprintf("y%d_%d", round, i))
		}
	}
	m.AddOutput("o", 32, 0, y, 0)
	d := &ir.Design{Top: m, Src: src, Modules: []*ir.Module{m}}
	require.NoError(t, ir.Verify(d))
	var ss [2]*sim.Sim
	for i, e := range []sim.Engine{sim.Native, sim.Interpreter} {
		s, err := sim.New(d, sim.WithEngine(e))
		require.NoError(t, err)
		s.Step(10)
		require.NoError(t, s.Trace(&sim.Window{Tracer: &watcher{}, Trigger: sim.AtCycle(40), Before: 10}))
		s.Step(60)
		ss[i] = s
	}
	require.NoError(t, sameState(ss[0], ss[1]))
}

type watcher struct {
	w *sim.Watch
}

func (w *watcher) Start(s *sim.Sim) error {
	var all []sim.Signal
	for sig := range s.Signals() {
		all = append(all, sig)
	}
	w.w = s.Watch(all...)
	return nil
}
func (w *watcher) Sample(m sim.Moment) error {
	w.w.Changed(nil)
	return nil
}
