package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/why"
)

type timerPorts struct {
	Go   hw.Bit `dir:"in"`
	Done hw.Bit `dir:"out"`
}

// timer runs a phase of four cycles again and again while it may go.
func timer() hw.Component[timerPorts] {
	return hw.Func("timer", timerPorts{Go: hw.In(hw.Bit{}), Done: hw.Out(hw.Bit{})}, func(m *hw.Module, p timerPorts) {
		left := hw.Reg(m, "left", hw.Unsigned(2), hw.U(3))
		phase := hw.Reg(m, "phase", hw.Unsigned(4), hw.U(0))
		wrap := left.Eq(hw.U(0)).Named("wrap")
		left.Set(hw.Mux(wrap, hw.U(3), left.Dec()))
		phase.SetIf(wrap, phase.Inc())
		p.Done.Set(phase.Is(3))
	})
}

// explained is the text for a signal at a cycle of a run without changes of inputs.
func explained(t *testing.T, d *ir.Design, name string, cycle uint64) string {
	t.Helper()
	s, err := sim.New(d)
	require.NoError(t, err)
	defer s.Close()
	s.Record(1 << 20)
	s.Reset()
	s.Step(int(cycle) + 1)
	run, err := replay.Of(s.Recorded())
	require.NoError(t, err)
	sig, err := run.Sim().Signal(name)
	require.NoError(t, err)
	e := why.New(run)
	_, err = e.Explain(sig, cycle, 30)
	require.NoError(t, err)
	return e.Text()
}

// TestAgain: conditions that stand above for a later cycle are not repeated but named.
func TestAgain(t *testing.T) {
	d, _, err := hw.Build(timer())
	require.NoError(t, err)
	require.Contains(t, explained(t, d, "done", 14), ", as at cycle 12 above")
}

// TestNoLines: nodes without positions, as those of a file may be, are explained without source.
func TestNoLines(t *testing.T) {
	d, _, err := hw.Build(timer())
	require.NoError(t, err)
	d = d.Clone()
	for id := ir.ID(1); int(id) < d.Top.Len(); id++ {
		d.Top.Node(id).Pos = 0
	}
	text := explained(t, d, "done", 14)
	require.Regexp(t, `done = 1 \(phase = 3\) *\n`, text)
	require.NotContains(t, text, "?")
}

// TestShowFixed: a fixed-point number stands with its code.
func TestShowFixed(t *testing.T) {
	require.Equal(t, "-1.5 (-6144)", why.Show(ir.Type{Kind: ir.Fixed, Frac: 12}, bits.FromInt(16, -6144)))
	require.Equal(t, "96 (12)", why.Show(ir.Type{Kind: ir.Fixed, Frac: -3}, bits.FromInt(16, 12)))
}
