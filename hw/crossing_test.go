package hw_test

import (
	"strings"
	"testing"

	"etch/hw"
	"etch/sim"
)

type synchroPorts struct {
	Clk   hw.Clock
	Rst   hw.Reset
	N     hw.UInt
	Valid hw.Bit
	Held  hw.UInt
	Count hw.UInt
}

// A reset synchroniser lets go two edges after its reset, a held register takes its
// value at the edges at which it is valid, and synchronisers carry ASYNC_REG.
func TestSynchronisers(t *testing.T) {
	shapes := synchroPorts{hw.In(hw.Clock{}), hw.In(hw.AsyncReset()), hw.In(hw.Unsigned(8)), hw.In(hw.Bit{}), hw.Out(hw.Unsigned(8)), hw.Out(hw.Unsigned(4))}
	d, p, err := hw.Build(hw.Func("dut", shapes, func(m *hw.Module, p synchroPorts) {
		bare := m.On(hw.Domain{Clk: p.Clk})
		m = m.On(hw.Domain{Clk: p.Clk, Rst: hw.SyncReset(bare, "rst_sync", p.Rst)})
		valid := hw.Sync(m, "valid_here", p.Valid)
		held := p.N
		m.When(valid.Not(), func() { // the conditions around it make no difference
			held = hw.SyncHeld(m, "held", p.N, valid, hw.U(7))
		})
		count := hw.Reg(m, "count", hw.Unsigned(4), hw.U(0))
		count.Set(count.Inc())
		p.Held.Set(held)
		p.Count.Set(count)
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rst_sync_meta", "rst_sync", "valid_here_meta", "valid_here"} {
		if got := attrsOf(d.Top); !strings.Contains(got, name+` [{ASYNC_REG "TRUE"}]`) {
			t.Errorf("%s has no ASYNC_REG: %s", name, got)
		}
	}

	s := start(t, d)
	clk, rst := s.port(p.Clk), s.port(p.Rst)
	set := func(port sim.Signal, v uint64) {
		if err := s.Set(port, v); err != nil {
			t.Fatal(err)
		}
	}
	s.Tick(clk, 5)
	set(rst, 1)
	s.expect(p.Held, 7, "reset without an edge")
	s.expect(p.Count, 0, "reset without an edge")
	s.Tick(clk, 2)
	s.expect(p.Count, 0, "in reset")
	set(rst, 0)
	s.put(p.N, 42)
	for i, want := range []uint64{0, 0, 1, 2} { // the second edge lets go, the third counts
		s.Tick(clk, 1)
		s.expect(p.Count, want, hw.Name("edge", i+1))
	}
	s.expect(p.Held, 7, "not valid yet")
	s.put(p.Valid, 1)
	s.Tick(clk, 2)
	s.expect(p.Held, 7, "two edges after")
	s.Tick(clk, 1)
	s.expect(p.Held, 42, "three edges after")
	s.put(p.Valid, 0)
	s.Tick(clk, 2)
	s.put(p.N, 43)
	s.Tick(clk, 5)
	s.expect(p.Held, 42, "held")
}
