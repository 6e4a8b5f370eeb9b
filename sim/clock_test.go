package sim_test

import (
	"strings"
	"testing"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"

	"github.com/stretchr/testify/require"
)

// start makes a simulator of a design that must be sound.
func start(t testing.TB, d *ir.Design, opts ...sim.Option) *sim.Sim {
	t.Helper()
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d, opts...)
	require.NoError(t, err)
	return s
}

func sig(t testing.TB, s *sim.Sim, path string) sim.Signal {
	t.Helper()
	x, err := s.Signal(path)
	require.NoError(t, err)
	return x
}

func set(t testing.TB, s *sim.Sim, path string, v uint64) {
	t.Helper()
	require.NoError(t, s.Set(sig(t, s, path), v))
}

func get(t testing.TB, s *sim.Sim, path string) uint64 {
	t.Helper()
	return s.Get(sig(t, s, path))
}

// counter counts to 2^width while en is high; rst sets it to 3.
func counter(width int, async bool) *ir.Module {
	b := newBuild("counter")
	kind := ir.Reset
	if async {
		kind = ir.AsyncReset
	}
	rst := b.AddInput("rst", 1, ir.TypeID(kind), 0)
	en := b.AddInput("en", 1, 0, 0)
	count := b.AddReg("count", width, 0, b.clk, b.Src.Line("counter.go", 7))
	r := &b.Regs[0]
	r.Rst, r.Reset, r.Async = rst, b.konst(width, 3), async
	r.Next = b.node(ir.Mux, width, en, b.node(ir.Add, width, count, b.konst(width, 1)), count)
	b.AddOutput("count", width, 0, count, 0)
	return b.Module
}

func alone(m *ir.Module) *ir.Design {
	return &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
}

func TestCounter(t *testing.T) {
	s := start(t, alone(counter(4, false)))
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
	s := start(t, alone(counter(8, true)))
	set(t, s, "en", 1)
	s.Step(9)
	set(t, s, "rst", 1)
	require.EqualValues(t, 3, get(t, s, "count"), "at once")
	s.Step(2)
	require.EqualValues(t, 3, get(t, s, "count"))
	require.NoError(t, s.Poke(sig(t, s, "count"), bits.New(8, 77)))
	require.EqualValues(t, 3, get(t, s, "count"), "held")
	set(t, s, "rst", 0)
	require.EqualValues(t, 3, get(t, s, "count"))
	s.Step(1)
	require.EqualValues(t, 4, get(t, s, "count"))
}

// TestAsyncChain: each register's fall to 0 resets the next one.
func TestAsyncChain(t *testing.T) {
	b := newBuild("chain")
	held := b.AddInput("rst", 1, ir.TypeID(ir.AsyncReset), 0)
	for _, name := range []string{"a", "b", "c"} {
		q := b.reg(name, 1, 1)
		r := &b.Regs[len(b.Regs)-1]
		r.Next, r.Rst, r.Reset, r.Async = b.konst(1, 1), held, b.konst(1, 0), true
		held = b.node(ir.Not, 1, q)
	}
	b.AddOutput("all", 3, 0, b.node(ir.Cat, 3, b.Regs[0].Node, b.Regs[1].Node, b.Regs[2].Node), 0)
	s := start(t, design(b))
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
	b := newBuild("together")
	ext := b.AddInput("ext", 1, ir.TypeID(ir.AsyncReset), 0)
	gate := b.AddInput("gate", 1, 0, 0)
	one, zero := b.konst(1, 1), b.konst(1, 0)
	first, second := b.reg("first", 1, 1), b.reg("second", 1, 1)
	pulse, third := b.reg("pulse", 1, 0), b.reg("third", 1, 1)
	b.next(first, one)
	b.next(second, one)
	b.next(pulse, one)
	b.next(third, one)
	b.Regs[0].Rst, b.Regs[0].Reset, b.Regs[0].Async = ext, zero, true
	b.Regs[1].Rst, b.Regs[1].Reset, b.Regs[1].Async = first, zero, true
	b.Regs[3].Rst, b.Regs[3].Reset, b.Regs[3].Async = b.node(ir.And, 1, pulse, gate), zero, true
	s := start(t, design(b))
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

// twoClocks is two counters with an input clock each; b counts what a had.
func twoClocks() *build {
	b := newBuild("two")
	fast := b.clk
	slow := b.AddInput("slow", 1, ir.TypeID(ir.Clock), 0)
	a := b.reg("a", 8, 0)
	b.next(a, b.node(ir.Add, 8, a, b.konst(8, 1)))
	b.clk = slow
	seen := b.reg("seen", 8, 0)
	b.next(seen, a)
	b.clk = fast
	b.AddOutput("out", 8, 0, seen, 0)
	return b
}

func TestTick(t *testing.T) {
	s := start(t, design(twoClocks()))
	clk, slow := sig(t, s, "clk"), sig(t, s, "slow")
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
	require.Panics(t, func() { s.Tick(sig(t, s, "a"), 1) })
	require.Panics(t, func() { s.Tick(sim.Signal{}, 1) })
	require.Panics(t, func() { s.Get(sig(t, start(t, design(twoClocks())), "a")) })
}

func TestRun(t *testing.T) {
	s := start(t, design(twoClocks()))
	clk, slow := sig(t, s, "clk"), sig(t, s, "slow")
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
	require.ErrorContains(t, s.SetPeriod(sig(t, s, "a"), 1, 0), "a is not a clock")

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
	leaf := counter(8, false)
	mid := newBuild("mid")
	w := mid.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, mid.clk)
	one, zero := mid.konst(1, 1), mid.konst(1, 0)
	out := mid.instance("leaf", leaf, w, zero, one)
	mid.AddOutput("n", 8, 0, out[0], 0)
	mid.AddOutput("clk_out", 1, ir.TypeID(ir.Clock), w, 0)
	top := newBuild("top")
	outs := top.instance("mid", mid.Module, top.clk)
	again := top.instance("again", leaf, outs[1], top.konst(1, 0), top.konst(1, 1)) // a clock out of an instance
	top.AddOutput("sum", 8, 0, top.node(ir.Add, 8, outs[0], again[0]), 0)
	s := start(t, design(top, leaf, mid.Module))
	s.Step(4)
	require.EqualValues(t, 8, get(t, s, "sum"))
	require.EqualValues(t, 4, get(t, s, "mid.leaf.count"))
	require.True(t, sig(t, s, "mid.leaf.clk").IsClock())
	s.Tick(sig(t, s, "mid.clk_out"), 2)
	require.EqualValues(t, 12, get(t, s, "sum"))
}

func TestDerivedClock(t *testing.T) {
	leaf := counter(8, false)
	b := newBuild("top")
	div := b.Add(ir.Node{Op: ir.Reg, Width: 1, Type: ir.TypeID(ir.Clock), Pos: b.Src.Line("top.go", 12)})
	b.SetName(div, "halved")
	b.Regs = append(b.Regs, ir.Register{Node: div, Next: b.node(ir.Not, 1, div), Clk: b.clk})
	wire := b.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, div)
	out := b.instance("u", leaf, wire, b.konst(1, 0), b.konst(1, 1))
	b.AddOutput("out", 8, 0, out[0], 0)
	leaf.Src = b.Src
	leaf.Node(leaf.Regs[0].Node).Pos = b.Src.Line("counter.go", 7)
	d := design(b, leaf)
	require.NoError(t, ir.Verify(d))
	_, err := sim.New(d)
	require.EqualError(t, err, "sim: register u.count (counter.go:7): its clock is not a clock input of the top top but halved (top.go:12); clocks made in the design are not simulated")
	for range 30 {
		b.AddReg("more", 1, 0, wire, 0)
		b.next(b.Regs[len(b.Regs)-1].Node, b.konst(1, 0))
	}
	_, err = sim.New(d)
	require.Len(t, strings.Split(err.Error(), "\n"), 21, "20 errors and a count of the rest")
	require.ErrorContains(t, err, "and 11 more errors")
}
