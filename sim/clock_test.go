package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
)

// start makes a simulator of a design that must be sound.
func start(t testing.TB, d *ir.Design, opts ...sim.Option) *sim.Sim {
	t.Helper()
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d, opts...)
	require.NoError(t, err)
	return s
}

func set(t testing.TB, s *sim.Sim, path string, v uint64) {
	t.Helper()
	require.NoError(t, s.Set(simtest.Sig(t, s, path), v))
}

func get(t testing.TB, s *sim.Sim, path string) uint64 {
	t.Helper()
	return s.Get(simtest.Sig(t, s, path))
}

func TestCounter(t *testing.T) {
	s := start(t, simtest.Alone(simtest.Counter(4, false)))
	require.Zero(t, get(t, s, "count"))
	s.Reset()
	require.EqualValues(t, 3, get(t, s, "count"))
	s.Step(5)
	require.EqualValues(t, 3, get(t, s, "count"))
	set(t, s, "en", 1)
	s.Step(12)
	require.EqualValues(t, 15, get(t, s, "count"))
	s.Step(1)
	require.EqualValues(t, 0, get(t, s, "count"))
	require.EqualValues(t, 19, s.Cycles())
	set(t, s, "rst", 1)
	require.EqualValues(t, 0, get(t, s, "count"), "a synchronous reset waits for the edge")
	s.Step(1)
	require.EqualValues(t, 3, get(t, s, "count"))
}

func TestAsyncReset(t *testing.T) {
	s := start(t, simtest.Alone(simtest.Counter(8, true)))
	set(t, s, "en", 1)
	s.Step(9)
	set(t, s, "rst", 1)
	require.EqualValues(t, 3, get(t, s, "count"), "at once")
	s.Step(2)
	require.EqualValues(t, 3, get(t, s, "count"))
	require.NoError(t, s.Poke(simtest.Sig(t, s, "count"), bits.New(8, 77)))
	require.EqualValues(t, 3, get(t, s, "count"), "held")
	set(t, s, "rst", 0)
	require.EqualValues(t, 3, get(t, s, "count"))
	s.Step(1)
	require.EqualValues(t, 4, get(t, s, "count"))
}

// TestAsyncChain: each register's fall to 0 resets the next one.
func TestAsyncChain(t *testing.T) {
	b := simtest.NewBuild("chain")
	held := b.AddInput("rst", 1, ir.TypeID(ir.AsyncReset), 0)
	for _, name := range []string{"a", "b", "c"} {
		q := b.Register(name, 1, 1)
		r := &b.Regs[len(b.Regs)-1]
		r.Next, r.Rst, r.Reset, r.Async = b.Number(1, 1), held, b.Number(1, 0), true
		held = b.Put(ir.Not, 1, q)
	}
	b.AddOutput("all", 3, 0, b.Put(ir.Cat, 3, b.Regs[0].Node, b.Regs[1].Node, b.Regs[2].Node), 0)
	s := start(t, simtest.Design(b))
	require.EqualValues(t, 0b111, get(t, s, "all"))
	set(t, s, "rst", 1)
	require.EqualValues(t, 0, get(t, s, "all"))
	set(t, s, "rst", 0)
	require.EqualValues(t, 0, get(t, s, "all"))
	for _, want := range []uint64{0b100, 0b110, 0b111} { // each is let go by the one before
		s.Step(1)
		require.EqualValues(t, want, get(t, s, "all"))
	}
}

// TestAsyncTogether: registers that are reset at one moment do not save each
// other, and what an edge resets stays reset.
func TestAsyncTogether(t *testing.T) {
	b := simtest.NewBuild("together")
	ext := b.AddInput("ext", 1, ir.TypeID(ir.AsyncReset), 0)
	gate := b.AddInput("gate", 1, 0, 0)
	one, zero := b.Number(1, 1), b.Number(1, 0)
	first, second := b.Register("first", 1, 1), b.Register("second", 1, 1)
	pulse, third := b.Register("pulse", 1, 0), b.Register("third", 1, 1)
	b.Feed(first, one)
	b.Feed(second, one)
	b.Feed(pulse, one)
	b.Feed(third, one)
	b.Regs[0].Rst, b.Regs[0].Reset, b.Regs[0].Async = ext, zero, true
	b.Regs[1].Rst, b.Regs[1].Reset, b.Regs[1].Async = first, zero, true
	b.Regs[3].Rst, b.Regs[3].Reset, b.Regs[3].Async = b.Put(ir.And, 1, pulse, gate), zero, true
	s := start(t, simtest.Design(b))
	set(t, s, "ext", 1)
	require.EqualValues(t, 0, get(t, s, "first"))
	require.EqualValues(t, 0, get(t, s, "second"), "first was high at that moment")

	set(t, s, "gate", 1)
	s.Step(1)            // pulse rises and resets third
	set(t, s, "gate", 0) // nobody has looked
	require.EqualValues(t, 0, get(t, s, "third"))
	set(t, s, "gate", 1)
	set(t, s, "gate", 0) // no time has passed
	s.Step(1)
	require.EqualValues(t, 1, get(t, s, "third"))
}

func TestTick(t *testing.T) {
	s := start(t, simtest.Design(simtest.TwoClocks()))
	clk, slow := simtest.Sig(t, s, "clk"), simtest.Sig(t, s, "slow")
	s.Tick(clk, 5)
	require.EqualValues(t, 5, get(t, s, "a"))
	require.EqualValues(t, 0, get(t, s, "seen"))
	s.Tick(slow, 1)
	require.EqualValues(t, 5, get(t, s, "seen"))
	s.TickAll(slow, clk)
	require.EqualValues(t, 6, get(t, s, "a"))
	require.EqualValues(t, 5, get(t, s, "seen"), "the old value")
	s.Step(1)
	require.EqualValues(t, 7, get(t, s, "a"))
	require.EqualValues(t, 6, get(t, s, "seen"))
	require.EqualValues(t, []uint64{7, 3, 8}, []uint64{s.Edges(clk), s.Edges(slow), s.Cycles()})
	require.EqualValues(t, 8*sim.CycleTime, s.Time())
	require.Panics(t, func() { s.Tick(simtest.Sig(t, s, "a"), 1) })
	require.Panics(t, func() { s.Tick(sim.Signal{}, 1) })
	require.Panics(t, func() { s.Get(simtest.Sig(t, start(t, simtest.Design(simtest.TwoClocks())), "a")) })
}

func TestRun(t *testing.T) {
	s := start(t, simtest.Design(simtest.TwoClocks()))
	clk, slow := simtest.Sig(t, s, "clk"), simtest.Sig(t, s, "slow")
	require.NoError(t, s.SetPeriod(clk, 4, 2))   // 2 6 10 14 18 22 …
	require.NoError(t, s.SetPeriod(slow, 10, 0)) // 0 10 20 …
	s.Run(10)
	require.EqualValues(t, 10, s.Time())
	require.EqualValues(t, []uint64{2, 1}, []uint64{s.Edges(clk), s.Edges(slow)})
	s.Run(11) // both at 10, together
	require.EqualValues(t, 3, get(t, s, "a"))
	require.EqualValues(t, 2, get(t, s, "seen"))
	require.EqualValues(t, 4, s.Cycles())
	s.Advance(1000)
	require.EqualValues(t, 1011, s.Time())
	require.EqualValues(t, []uint64{253, 102}, []uint64{s.Edges(clk), s.Edges(slow)}, "2…1010 and 0…1010")
	s.Run(5)
	require.EqualValues(t, 1011, s.Time())
	s.Step(1) // to 1021, over an edge of each at 1014, 1018 and 1020
	s.Run(1023)
	require.EqualValues(t, []uint64{255, 103}, []uint64{s.Edges(clk), s.Edges(slow)}, "by hand, and at 1022")
	require.ErrorContains(t, s.SetPeriod(clk, 0, 0), "period is 0")
	require.ErrorContains(t, s.SetPeriod(simtest.Sig(t, s, "a"), 1, 0), "a is not a clock")

	require.NoError(t, s.SetPeriod(clk, 1<<63, 5))
	require.NoError(t, s.SetPeriod(slow, 1<<62, 0))
	before := []uint64{s.Edges(clk), s.Edges(slow)}
	s.Advance(^uint64(0)) // to the end of time: clk at 2^63+5, slow at 1·2^62, 2·2^62, 3·2^62
	require.EqualValues(t, ^uint64(0), s.Time())
	require.EqualValues(t, []uint64{before[0] + 1, before[1] + 3}, []uint64{s.Edges(clk), s.Edges(slow)})
}

// TestClockThroughHierarchy: the clock of a register two levels down comes by
// wires and ports of other names.
func TestClockThroughHierarchy(t *testing.T) {
	leaf := simtest.Counter(8, false)
	mid := simtest.NewBuild("mid")
	w := mid.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, mid.Clk)
	one, zero := mid.Number(1, 1), mid.Number(1, 0)
	out := mid.Child("leaf", leaf, w, zero, one)
	mid.AddOutput("n", 8, 0, out[0], 0)
	mid.AddOutput("clk_out", 1, ir.TypeID(ir.Clock), w, 0)
	top := simtest.NewBuild("top")
	outs := top.Child("mid", mid.Module, top.Clk)
	again := top.Child("again", leaf, outs[1], top.Number(1, 0), top.Number(1, 1)) // a clock out of an instance
	top.AddOutput("sum", 8, 0, top.Put(ir.Add, 8, outs[0], again[0]), 0)
	s := start(t, simtest.Design(top, leaf, mid.Module))
	s.Step(4)
	require.EqualValues(t, 8, get(t, s, "sum"))
	require.EqualValues(t, 4, get(t, s, "mid.leaf.count"))
	require.True(t, simtest.Sig(t, s, "mid.leaf.clk").IsClock())
	s.Tick(simtest.Sig(t, s, "mid.clk_out"), 2)
	require.EqualValues(t, 12, get(t, s, "sum"))
}

func TestDerivedClock(t *testing.T) {
	leaf := simtest.Counter(8, false)
	b := simtest.NewBuild("top")
	div := b.Add(ir.Node{Op: ir.Reg, Width: 1, Type: ir.TypeID(ir.Clock), Pos: b.Src.Line("top.go", 12)})
	b.SetName(div, "halved")
	b.Regs = append(b.Regs, ir.Register{Node: div, Next: b.Put(ir.Not, 1, div), Clk: b.Clk})
	wire := b.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, div)
	out := b.Child("u", leaf, wire, b.Number(1, 0), b.Number(1, 1))
	b.AddOutput("out", 8, 0, out[0], 0)
	leaf.Src = b.Src
	leaf.Node(leaf.Regs[0].Node).Pos = b.Src.Line("counter.go", 7)
	d := simtest.Design(b, leaf)
	require.NoError(t, ir.Verify(d))
	_, err := sim.New(d)
	require.EqualError(t, err, "sim: register u.count (counter.go:7): its clock is not a clock input of the top top but halved (top.go:12); clocks made in the design are not simulated")
	for range 30 {
		b.AddReg("more", 1, 0, wire, 0)
		b.Feed(b.Regs[len(b.Regs)-1].Node, b.Number(1, 0))
	}
	_, err = sim.New(d)
	require.Len(t, strings.Split(err.Error(), "\n"), 21, "20 errors and a count of the rest")
	require.ErrorContains(t, err, "and 11 more errors")
}
