package lanes_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/drive"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
	"etch/sim/native"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// TestLanesRandom runs random designs in lanes and every lane in a simulator of
// its own, with inputs, pokes, memory writes, resets and looks at random, and
// compares all state.
func TestLanesRandom(t *testing.T) {
	seeds := 60
	if testing.Short() {
		seeds = tools.Trials(12, 6)
	}
	interpreted := 0
	for seed := range uint64(seeds) {
		n := []int{1, 3, 64, 100, 3, 20}[seed%6]
		if seed == 7 {
			n = 512
		}
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 30, Modules: int(seed % 3), State: true, Stmts: true, Extern: seed%2 == 0, Falls: seed%4 == 1, Widths: []int{1, 2, 7, 16, 33, 64, 65}})
		if seed%3 == 0 {
			d = simtest.RandomDesign(seed)
		}
		var opts []sim.Option
		if seed%10 == 4 { // every lane a simulator of its own
			opts = append(opts, sim.WithEngine(sim.Interpreter))
		}
		l := compareLanes(t, d, seed, n, 8, opts...)
		if l.Engine() == "interpreter" {
			interpreted++
		}
	}
	require.Less(t, interpreted, seeds/2, "most designs have to compile")
}

// laneBench is lanes and the simulators that judge them.
type laneBench struct {
	*simtest.Gen
	d    *ir.Design
	l    *lanes.Lanes
	each []*sim.Sim
	said []*bytes.Buffer

	prints []string
	before [][]sim.Failure // of each, before it was restarted
}

func compareLanes(t *testing.T, d *ir.Design, seed uint64, n, cycles int, opts ...sim.Option) *lanes.Lanes {
	t.Helper()
	opts = append(opts, lanes.WithWorkers(1+int(seed%3)))
	if seed%2 == 1 {
		opts = append(opts, sim.WithSeed(seed))
	}
	b := &laneBench{Gen: &simtest.Gen{Rand: simtest.NewRand(seed ^ 0x1a9e5)}, d: d, before: make([][]sim.Failure, n)}
	l, err := lanes.New(d, n, append(opts[:len(opts):len(opts)], sim.WithOutput(b))...)
	require.NoError(t, err, "seed %d", seed)
	defer func() { require.NoError(t, l.Close()) }()
	b.l = l
	for lane := range n {
		out := &bytes.Buffer{}
		own := append(opts[:len(opts):len(opts)], sim.WithOutput(out), sim.WithEngine(sim.Interpreter))
		if seed%2 == 1 {
			own = append(own, sim.WithSeed(seed+uint64(lane)))
		}
		s, err := sim.New(d, own...)
		require.NoError(t, err)
		b.each, b.said = append(b.each, s), append(b.said, out)
	}
	b.compare(t, fmt.Sprintf("seed %d, %s, at the start", seed, l.Engine()))
	for cycle := range cycles {
		b.drive(t)
		b.meddle(t)
		if b.IntN(3) == 0 {
			b.compare(t, fmt.Sprintf("seed %d, %s, cycle %d, settled", seed, l.Engine(), cycle))
		}
		b.step()
		b.compare(t, fmt.Sprintf("seed %d, %s, cycle %d", seed, l.Engine(), cycle))
	}
	b.compareFailures(t, fmt.Sprintf("seed %d, %s", seed, l.Engine()))
	b.comparePrints(t, fmt.Sprintf("seed %d, %s", seed, l.Engine()))
	b.compareCopy(t)
	return l
}

// compareCopy wants a simulator into which a lane's state went to go on as the
// lane does.
func (b *laneBench) compareCopy(t *testing.T) {
	one, err := sim.New(b.d, sim.WithOutput(io.Discard))
	require.NoError(t, err)
	lane := b.IntN(len(b.each))
	require.NoError(t, b.l.Copy(one, lane))
	one.Step(2)
	b.l.Step(2)
	for i, sig := range one.Top() {
		require.True(t, one.GetBits(sig).Equal(b.l.GetBits(b.l.Top()[i], lane)), sig.Name())
	}
	other, err := sim.New(assertDesign())
	require.NoError(t, err)
	require.EqualError(t, b.l.Copy(other, lane), "sim: the simulator is of another design")
}

// drive sets inputs: by lane, in all lanes, as slices.
func (b *laneBench) drive(t *testing.T) {
	for i, p := range b.d.Top.Ports {
		sig := b.l.Top()[i]
		if !sig.IsInput() || b.IntN(3) == 0 {
			continue
		}
		switch k := b.IntN(3); {
		case k == 0 && p.Width <= 64:
			v := b.Value(p.Width).Uint64()
			require.NoError(t, b.l.SetAll(sig, v))
			for _, s := range b.each {
				require.NoError(t, s.Set(s.Top()[i], v))
			}
		case k == 1 && p.Width <= 64:
			all := make([]uint64, len(b.each))
			for lane, s := range b.each {
				all[lane] = b.Value(p.Width).Uint64()
				require.NoError(t, s.Set(s.Top()[i], all[lane]))
			}
			require.NoError(t, b.l.SetSlice(sig, all))
		default:
			for lane, s := range b.each {
				v := b.Value(p.Width)
				require.NoError(t, s.SetBits(s.Top()[i], v))
				require.NoError(t, b.l.SetBits(sig, lane, v))
			}
		}
	}
}

// meddle pokes registers, writes memories and resets lanes.
func (b *laneBench) meddle(t *testing.T) {
	var states []sim.Signal
	for sig := range b.each[0].Signals() {
		if sig.IsState() {
			states = append(states, sig)
		}
	}
	for range b.IntN(3) {
		lane := b.IntN(len(b.each))
		s := b.each[lane]
		if len(states) > 0 {
			name := states[b.IntN(len(states))].Name()
			sig, err := s.Signal(name)
			require.NoError(t, err)
			mine, err := b.l.Signal(name)
			require.NoError(t, err)
			if sig.IsState() {
				v := b.Value(sig.Width())
				require.NoError(t, s.Poke(sig, v))
				require.NoError(t, b.l.Poke(mine, lane, v))
			}
		}
		for _, m := range s.Root().Mems() {
			mine, err := b.l.Mem(m.Name())
			require.NoError(t, err)
			at, v := b.IntN(m.Depth()), b.Value(m.Width())
			require.NoError(t, m.Write(at, v))
			require.NoError(t, mine.Write(lane, at, v))
		}
		if b.IntN(6) == 0 {
			s.Reset()
			b.l.ResetLane(lane)
		}
		if b.IntN(8) == 0 {
			b.before[lane] = append(b.before[lane], s.Failures()...)
			s.Restart()
			b.l.RestartLane(lane)
		}
	}
}

// step makes an event of some clocks.
func (b *laneBench) step() {
	switch b.IntN(4) {
	case 0:
		var mine []sim.Signal
		var on []int
		for i, sig := range b.l.Top() {
			if sig.IsClock() && b.IntN(2) == 0 {
				mine, on = append(mine, sig), append(on, i)
			}
		}
		b.l.TickAll(mine...)
		for _, s := range b.each {
			var clks []sim.Signal
			for _, i := range on {
				clks = append(clks, s.Top()[i])
			}
			s.TickAll(clks...)
		}
	case 1:
		b.l.Reset()
		for _, s := range b.each {
			s.Reset()
		}
	default:
		k := 1 + b.IntN(4)
		b.l.Step(k)
		for _, s := range b.each {
			s.Step(k)
		}
	}
}

// compare looks at all state and all ports of every lane, and at any signal of
// one.
func (b *laneBench) compare(t *testing.T, when string) {
	t.Helper()
	one := b.IntN(len(b.each))
	for sig := range b.each[0].Signals() {
		mine, err := b.l.Signal(sig.Name())
		require.NoError(t, err)
		for lane, s := range b.each {
			if !sig.IsState() && lane != one && b.IntN(20) > 0 {
				continue
			}
			theirs, err := s.Signal(sig.Name())
			require.NoError(t, err)
			if got, want := b.l.GetBits(mine, lane), s.GetBits(theirs); !got.Equal(want) {
				t.Fatalf("%s, lane %d, %s: %v, want %v", when, lane, sig.Name(), got, want)
			}
		}
	}
	for i, sig := range b.l.Top() {
		if sig.Width() > 64 {
			continue
		}
		all := make([]uint64, len(b.each))
		require.NoError(t, b.l.GetSlice(sig, all))
		for lane, s := range b.each {
			if want := s.Get(s.Top()[i]); all[lane] != want {
				t.Fatalf("%s, lane %d, %s: %#x, want %#x", when, lane, sig.Name(), all[lane], want)
			}
		}
	}
	for lane, s := range b.each {
		for _, m := range s.Root().Mems() {
			mine, err := b.l.Mem(m.Name())
			require.NoError(t, err)
			for at := range m.Depth() {
				if got, want := mine.Read(lane, at), m.Read(at); !got.Equal(want) {
					t.Fatalf("%s, lane %d, %s[%d]: %v, want %v", when, lane, m.Name(), at, got, want)
				}
			}
		}
	}
}

// compareFailures wants every lane to have failed as its simulator did; only the
// number of the cycle may differ, which a reset of one lane moves.
func (b *laneBench) compareFailures(t *testing.T, when string) {
	got := make([][]string, len(b.each))
	for _, f := range b.l.Failures() {
		got[f.Lane] = append(got[f.Lane], f.Instance+"."+f.Name+": "+f.Message)
	}
	total := uint64(0)
	for lane, s := range b.each {
		var want []string
		for _, f := range append(b.before[lane], s.Failures()...) {
			want = append(want, f.Instance+"."+f.Name+": "+f.Message)
		}
		if b.l.FailureCount() <= sim.MaxFailures { // else some were dropped
			require.Equal(t, want, got[lane], "%s, lane %d", when, lane)
		}
		total += uint64(len(want))
	}
	require.Equal(t, total, b.l.FailureCount(), when)
}

// comparePrints wants what every lane printed to be what its simulator printed.
func (b *laneBench) comparePrints(t *testing.T, when string) {
	got := make([]string, len(b.each))
	for _, p := range b.prints {
		var lane int
		_, err := fmt.Sscanf(p, "lane %d: ", &lane)
		require.NoError(t, err)
		got[lane] += strings.TrimPrefix(p, fmt.Sprintf("lane %d: ", lane))
	}
	for lane, out := range b.said {
		require.Equal(t, out.String(), got[lane], "%s, lane %d", when, lane)
	}
}

// Write notes a print.
func (b *laneBench) Write(p []byte) (int, error) {
	b.prints = append(b.prints, string(p))
	return len(p), nil
}

// assertDesign counts and fails when the count is its input.
func assertDesign() *ir.Design {
	src := ir.NewSources()
	m := ir.NewModule("watched", src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	bad := m.AddInput("bad", 8, 0, 0)
	q := m.AddReg("q", 8, 0, clk, 0)
	one := m.Const(bits.New(8, 1), 0)
	m.Regs[0].Next = m.Add(ir.Node{Op: ir.Add, Width: 8}, q, one)
	m.AddOutput("count", 8, 0, q, 0)
	eq := m.Add(ir.Node{Op: ir.Eq, Width: 1}, q, bad)
	ok := m.Add(ir.Node{Op: ir.Not, Width: 1}, eq)
	m.Stmts = append(m.Stmts, ir.Stmt{Kind: ir.Assert, Name: "never", Clk: clk, Cond: ok, Format: "count is %d", Args: []ir.ID{q}},
		ir.Stmt{Kind: ir.Print, Name: "say", Clk: clk, En: eq, Format: "q=%d\n", Args: []ir.ID{q}})
	return &ir.Design{Src: src, Modules: []*ir.Module{m}, Top: m}
}

// An assertion names its lane and cycle, and the lane goes on; order does not
// depend on the number of workers.
func TestLanesAssert(t *testing.T) {
	const n = 700
	for _, workers := range []int{1, 3} {
		var said strings.Builder
		l, err := lanes.New(assertDesign(), n, lanes.WithWorkers(workers), sim.WithOutput(&said))
		require.NoError(t, err)
		bad, err := l.Signal("bad")
		require.NoError(t, err)
		for lane := range n {
			require.NoError(t, l.Set(bad, lane, 255))
		}
		want, print := []string{}, ""
		for _, f := range []struct{ lane, at int }{{5, 9}, {600, 9}, {400, 17}, {699, 30}} {
			require.NoError(t, l.Set(bad, f.lane, uint64(f.at)))
			want = append(want, fmt.Sprintf("lane %d: ?: assert never failed in cycle %d: count is %d", f.lane, f.at, f.at))
			print += fmt.Sprintf("lane %d: q=%d\n", f.lane, f.at)
		}
		l.Step(50)
		var got []string
		for _, f := range l.Failures() {
			text := f.Error()
			got = append(got, text[:strings.Index(text, ":")+2]+"?"+text[strings.Index(text, ": assert"):])
		}
		require.Equal(t, want, got)
		require.Equal(t, uint64(4), l.FailureCount())
		require.Equal(t, print, said.String())
		count := make([]uint64, n)
		require.NoError(t, l.GetSlice(l.Top()[2], count))
		for lane := range count {
			require.Equal(t, uint64(50), count[lane], "lane %d", lane)
		}
		l.Restart()
		require.Empty(t, l.Failures())
		require.Zero(t, l.Get(l.Top()[2], 0))
		require.NoError(t, l.Close())
	}
}

// A memory that is large for one lane is too large for a group of them: the lane is
// interpreted. For many lanes it is an error.
func TestLanesLargeMemory(t *testing.T) {
	src := ir.NewSources()
	m := ir.NewModule("large", src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	addr := m.AddInput("addr", 24, 0, 0)
	data := m.AddInput("data", 32, 0, 0)
	m.Mems = append(m.Mems, ir.Memory{Name: "ram", Depth: 1 << 24, Width: 32, Writes: []ir.WritePort{{Clk: clk, Addr: addr, Data: data}}})
	m.AddOutput("out", 32, 0, m.Add(ir.Node{Op: ir.MemRead, Width: 32}, addr), 0)
	d := &ir.Design{Src: src, Modules: []*ir.Module{m}, Top: m}
	l, err := lanes.New(d, 1)
	require.NoError(t, err)
	defer l.Close()
	require.Equal(t, engineOfOne(), l.Engine())
	require.NoError(t, l.Set(l.Top()[1], 0, 1<<24-1))
	require.NoError(t, l.Set(l.Top()[2], 0, 77))
	l.Step(1)
	require.Equal(t, uint64(77), l.Get(l.Top()[3], 0))
	_, err = lanes.New(d, 100, sim.WithPacking(1<<24+1))
	require.EqualError(t, err, "sim: 100 lanes of large would take more than 134217728 words of state")
}

// engineOfOne is the engine of lanes that each have a simulator of their own.
func engineOfOne() string {
	if native.Supported(drive.Features) {
		return "native"
	}
	return "interpreter"
}

// What lanes refuse.
func TestLanesErrors(t *testing.T) {
	_, err := lanes.New(assertDesign(), 0)
	require.EqualError(t, err, "sim: 0 lanes: 1 to 1048576 can be made")
	l, err := lanes.New(assertDesign(), 4, sim.WithOutput(io.Discard))
	require.NoError(t, err)
	defer l.Close()
	top := l.Top()
	require.EqualError(t, l.Set(top[1], 0, 256), "sim: 256 does not fit in bad of 8 bits")
	require.EqualError(t, l.Set(top[0], 0, 1), "sim: clk is a clock: Step and Tick make its edges")
	require.EqualError(t, l.SetSlice(top[1], make([]uint64, 3)), "sim: 3 values for 4 lanes")
	require.EqualError(t, l.SetSlice(top[1], []uint64{1, 2, 3, 256}), "sim: 256 does not fit in bad of 8 bits")
	require.Zero(t, l.Get(top[1], 0))
	require.EqualError(t, l.Poke(top[1], 0, bits.New(8, 1)), "sim: bad is not a register: Poke changes registers, Set drives inputs, Mem(…).Write changes memories")
	require.Panics(t, func() { l.Get(top[1], 4) })
	_, err = l.Signal("nothing")
	require.ErrorContains(t, err, "no signal")
}
