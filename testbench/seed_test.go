package testbench

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/sim"
)

type statePorts struct {
	Clk              hw.Domain
	Addr             hw.UInt
	Count, Kept      hw.UInt // without and with a reset
	Word, Fetched    hw.UInt // of a memory
	Blank, Preloaded hw.UInt
}

// stateful has one of each kind of state; more of it where extra is set.
func stateful(extra bool) hw.Component[statePorts] {
	w := func() hw.UInt { return hw.Out(hw.Unsigned(70)) }
	shape := statePorts{hw.In(hw.Domain{}), hw.In(hw.Unsigned(3)), w(), w(), w(), w(), w(), w()}
	return hw.Func(fmt.Sprintf("stateful_%v", extra), shape, func(m *hw.Module, p statePorts) {
		m = m.On(p.Clk)
		if extra {
			another := hw.Reg(m, "another", hw.Unsigned(9))
			another.Set(another.Inc())
		}
		count := hw.Reg(m, "count_r", hw.Unsigned(70))
		count.Set(count.Inc())
		p.Count.Set(count)
		kept := hw.Reg(m, "kept_r", hw.Unsigned(70), hw.U(3))
		kept.Set(kept.Inc())
		p.Kept.Set(kept)
		ram := hw.Mem(m, "ram", 5, hw.Unsigned(70))
		ram.Write(p.Addr, count)
		p.Word.Set(ram.Read(p.Addr))
		p.Fetched.Set(ram.SyncRead("fetched_r", p.Addr, hw.Old))
		blank := hw.Mem(m, "blank_m", 5, hw.Unsigned(70), hw.Cleared())
		blank.Write(p.Addr, count)
		p.Blank.Set(blank.Read(p.Addr))
		preloaded := hw.RegInit(m, "preloaded_r", hw.Unsigned(70), hw.U(11))
		preloaded.Set(preloaded.Inc())
		p.Preloaded.Set(preloaded)
	})
}

// values is the state at power-up.
func (p statePorts) values(s *Bench) (all []string) {
	for _, sig := range []hw.Signal{p.Count, p.Kept, p.Word, p.Fetched, p.Blank, p.Preloaded} {
		all = append(all, s.GetBits(sig).String())
	}
	return all
}

// State starts at random, but for what the design gives a value, by its name and the
// seed alone.
func TestStart(t *testing.T) {
	t.Setenv("ETCH_SEED", "")
	at := func(extra bool, opts ...Option) []string {
		s, p := New(t, stateful(extra), append(opts, WithoutReset())...)
		return p.values(s)
	}
	zero, eleven := "70'h0", "70'hb"
	own := at(false)
	for _, v := range own[:4] {
		require.NotEqual(t, zero, v)
	}
	require.Equal(t, []string{zero, eleven}, own[4:])
	require.Equal(t, own, at(false))
	require.Equal(t, own, at(true), "another register has moved it")
	require.Equal(t, []string{zero, zero, zero, zero, zero, eleven}, at(false, FromZero()))
	one := at(false, WithSeed(1))
	require.NotEqual(t, own[0], one[0])
	require.Equal(t, one, at(false, WithSim(sim.WithSeed(1))))
	t.Run("sub", func(t *testing.T) {
		s, p := New(t, stateful(false), WithoutReset())
		require.NotEqual(t, own[0], p.values(s)[0], "each test has a start of its own")
	})

	t.Setenv("ETCH_SEED", "1")
	require.Equal(t, one, at(false))
	require.NotEqual(t, one, at(false, WithSeed(2)))
	t.Setenv("ETCH_SEED", "off")
	require.Equal(t, zero, at(false)[0])
	t.Setenv("ETCH_SEED", "random")
	fresh := at(false)
	require.Equal(t, fresh, at(false), "a test has one seed")
	t.Run("fresh", func(t *testing.T) {
		s, p := New(t, stateful(false), WithoutReset())
		require.NotEqual(t, fresh, p.values(s))
	})
	t.Setenv("ETCH_SEED", "much")
	fails(t, func(t testing.TB) { New(t, stateful(false)) }, "ETCH_SEED=much: want a number of 64 bits, random or off")
}

// The bench of a design with a forgotten reset fails, and says from which start; that
// it can be had again by ETCH_SEED.
func TestForgottenReset(t *testing.T) {
	t.Setenv("ETCH_WHY", "0")
	t.Setenv("ETCH_SEED", "")
	body := func(t testing.TB) {
		for range 2 {
			s, p := New(t, stateful(false))
			s.Step(3)
			s.ExpectBits(p.Count, s.GetBits(p.Addr).ZExt(70)) // 0: wrong on purpose
		}
	}
	f := attempt(t, body)
	require.True(t, f.Failed())
	require.Len(t, f.withoutRuns(), 1, "the seed is told once")
	var seed uint64
	_, err := fmt.Sscanf(f.withoutRuns()[0], "state without initial value started at random: ETCH_SEED=%d starts it so again, ETCH_SEED=off at 0", &seed)
	require.NoError(t, err)
	t.Setenv("ETCH_SEED", fmt.Sprint(seed))
	require.Equal(t, f.errors, attempt(t, body).errors)

	fails(t, func(t testing.TB) {
		s, p := New(t, stateful(false), WithSeed(5))
		s.Expect(p.Addr, 1)
	}, "addr = 0, want 1")
	f = attempt(t, func(t testing.TB) { s, p := New(t, stateful(false), WithSeed(5)); s.Expect(p.Addr, 1) })
	require.Contains(t, f.logs, "state without initial value started at random, from the test's WithSeed(5)")
	require.Empty(t, passes(t, func(t testing.TB) { New(t, stateful(false)) }).logs)
	require.Empty(t, attempt(t, func(t testing.TB) { s, p := New(t, stateful(false), FromZero()); s.Expect(p.Addr, 1) }).withoutRuns())
}

// The emitted Verilog starts where the simulator does, before any reset.
func TestCoSimStart(t *testing.T) {
	judged(t, "iverilog", "verilator")
	for _, seed := range []uint64{1, 2} { // one model serves both
		agrees(t, func(t testing.TB) {
			s, p := New(t, stateful(false), WithoutReset(), WithSeed(seed))
			for i := range 8 {
				s.Set(p.Addr, i)
				s.High(p.Word)
			}
			s.Step(1)
			s.Set(p.Clk.Rst, 1)
			s.Step(3)
		})
	}
}

// A reset that is derived from state may be high at power-up, a latch open: both sides
// begin with them settled.
func TestCoSimStartSettled(t *testing.T) {
	judged(t, "iverilog", "verilator")
	type ports struct {
		Clk   hw.Clock
		Count hw.UInt
	}
	c := hw.Func("selfreset", ports{hw.In(hw.Clock{}), hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p ports) {
		own := m.On(hw.Domain{Clk: p.Clk})
		age := hw.Reg(own, "age", hw.Unsigned(2))
		age.Set(age.Inc())
		rst := age.Eq(hw.U(2)).AsAsyncReset()
		inner := m.On(hw.Domain{Clk: p.Clk, Rst: rst})
		count := hw.Reg(inner, "count_r", hw.Unsigned(4), hw.U(9))
		count.Set(count.Inc())
		p.Count.Set(count)
	})
	for seed := range uint64(6) {
		agrees(t, func(t testing.TB) {
			s, p := New(t, c, WithSeed(seed))
			if s.Peek("age") == 2 {
				s.Expect(p.Count, 9)
			}
			s.Step(9)
		})
	}
}
