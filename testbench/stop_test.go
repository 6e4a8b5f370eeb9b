package testbench

import (
	"testing"

	"etch/hw"
)

type stopPorts struct {
	Bad   hw.Bit
	Count hw.UInt
}

// stopper counts and stops: well at 3, with code 5 when it is told to.
func stopper() hw.Component[stopPorts] {
	return hw.Func("stopper", stopPorts{hw.In(hw.Bit{}), hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p stopPorts) {
		n := hw.Reg(m, "n", hw.Unsigned(4), hw.U(0))
		n.Set(n.Inc())
		m.When(n.Is(3), func() { m.Stop(0) })
		m.When(p.Bad, func() { m.Stop(5) })
		p.Count.Set(n)
	})
}

// TestStops: a test goes on behind a stop, its co-simulation too; only a stop with a
// code fails it.
func TestStops(t *testing.T) {
	judged(t, "iverilog", "verilator")
	agrees(t, func(t testing.TB) {
		s, p := New(t, stopper())
		for i := range 10 {
			s.Expect(p.Count, i)
			s.Step(1)
		}
	})
	t.Setenv("ETCH_COSIM", "")
	fails(t, func(t testing.TB) {
		s, p := New(t, stopper())
		s.Set(p.Bad, 1)
		s.Step(1)
	}, "stop", "code 5")
}
