package testbench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/stream"
)

type gatedPorts struct {
	En    hw.Bit
	Count hw.UInt
	Out   stream.Stream[hw.UInt]
}

// gatedCounter counts while En is high, and offers the count.
func gatedCounter() hw.Component[gatedPorts] {
	return hw.Func("gated", gatedPorts{En: hw.In(hw.Bit{}), Count: hw.Out(hw.Unsigned(4)), Out: hw.Out(stream.Of(hw.Unsigned(4)))},
		func(m *hw.Module, p gatedPorts) {
			count := hw.Reg(m, "count", hw.Unsigned(4), hw.U(0))
			m.When(p.En, func() { count.Set(count.Inc()) })
			p.Count.Set(count)
			p.Out.Send(hw.High, count)
			m.Assert(count.Lt(hw.U(9)), "too far: %d", count)
		})
}

// TestWhy: below a failed check stand the reasons, with the lines of the design.
func TestWhy(t *testing.T) {
	f := attempt(t, func(t testing.TB) {
		s, p := New(t, gatedCounter())
		s.Set(p.En, 1)
		s.Step(3)
		s.Set(p.En, 0)
		s.Step(2)
		s.Expect(p.Count, 5)
	})
	require.True(t, f.Failed())
	text := reasonsIn(f)
	require.Contains(t, text, "why is count 3 in cycle 6?")
	require.Contains(t, text, "count.Set(count.Inc())")
	require.Contains(t, text, "kept while en = 0")
	require.Contains(t, text, "why_test.go:24: m.When(p.En,")
	require.LessOrEqual(t, strings.Count(text, "\n"), 1+whyMoreRows)
}

// TestWhyOthers: streams and assertions have reasons too.
func TestWhyOthers(t *testing.T) {
	f := attempt(t, func(t testing.TB) {
		s, p := New(t, gatedCounter())
		out := NewSink(s, p.Out)
		s.Set(p.En, 1)
		s.Step(2)
		out.Expect(hw.U(0), hw.U(7))
	})
	require.Contains(t, reasonsIn(f), "why is out_data 1 in cycle 2?")

	f = attempt(t, func(t testing.TB) {
		s, p := New(t, gatedCounter())
		s.Set(p.En, 1)
		Take(s, p.Out, hw.U(0), hw.U(9))
	})
	require.Contains(t, reasonsIn(f), "why is out_data 1 in cycle 2?")

	f = attempt(t, func(t testing.TB) {
		s, p := New(t, gatedCounter())
		s.Set(p.En, 1)
		s.Step(12)
	})
	require.Contains(t, reasonsIn(f), "why is the condition 0 in cycle 10?")
}

// TestWhyNot: ETCH_WHY is the number of rows, 0 none; later failures of a bench have none.
func TestWhyNot(t *testing.T) {
	body := func(t testing.TB) {
		s, p := New(t, gatedCounter())
		for range 5 {
			s.Expect(p.Count, 15)
		}
	}
	require.Equal(t, mostWhys, strings.Count(reasonsIn(attempt(t, body)), "why is"))
	t.Setenv("ETCH_WHY", "0")
	require.Empty(t, reasonsIn(attempt(t, body)))
}

// reasonsIn is the explanations that a test has logged.
func reasonsIn(f *fake) string {
	var all []string
	for _, l := range f.logs {
		if strings.HasPrefix(l, "why is") {
			all = append(all, l)
		}
	}
	return strings.Join(all, "\n")
}
