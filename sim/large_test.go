package sim_test

import (
	"bytes"
	"fmt"
	mathbits "math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/fst"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// store is a memory with a write port and a synchronous and an asynchronous read port.
func store(depth, width int) *ir.Design {
	b := simtest.NewBuild("store")
	in := func(name string, w int) ir.ID { return b.AddInput(name, w, 0, 0) }
	addr := mathbits.Len(uint(depth - 1))
	a, d, en := in("a", addr), in("d", width), in("en", 1)
	r := in("r", addr)
	id := b.Add(ir.Node{Op: ir.MemOut, Width: int32(width)})
	b.SetName(id, "later")
	b.Mems = []ir.Memory{{Name: "words", Depth: depth, Width: width, Pos: b.Src.Line("store.go", 7),
		Reads:  []ir.ReadPort{{Name: "r", Node: id, Clk: b.Clk, Addr: r, Under: ir.Old}},
		Writes: []ir.WritePort{{Name: "w", Clk: b.Clk, Addr: a, Data: d, En: en}}}}
	b.AddOutput("now", width, 0, b.Put(ir.MemRead, width, r), 0)
	b.AddOutput("was", width, 0, id, 0)
	return simtest.Design(b)
}

// resident is the memory of this process, in bytes; the test is skipped where the
// system does not say.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("this system has no /proc/self/statm: ", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	require.NoError(t, err)
	return pages * os.Getpagesize()
}

// needMapped skips a test of memories that only a table of pages permits (sim/pages).
func needMapped(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("blocks are not mapped here")
	}
}

// TestTwoGiB writes and reads a memory of 2^31 bytes all over.
func TestTwoGiB(t *testing.T) {
	needMapped(t)
	for _, e := range []sim.Engine{sim.Interpreter, sim.Native, sim.Lockstep} {
		t.Run(e.String(), func(t *testing.T) {
			runtime.GC()
			before := resident(t)
			s := start(t, store(1<<31, 8), sim.WithEngine(e), sim.WithSeed(3))
			mem, err := s.Mem("words")
			require.NoError(t, err)
			places := []uint64{0, 1, 4095, 4096, 1 << 20, 1<<30 + 5, 1<<31 - 2, 1<<31 - 1}
			for k, a := range places {
				setAll(t, s, access{"a": a, "d": uint64(10 + k), "en": 1, "r": a})
				require.Zero(t, get(t, s, "now"))
				s.Step(1)
				require.EqualValues(t, 10+k, get(t, s, "now"))
				require.Zero(t, get(t, s, "was"))
			}
			require.NoError(t, mem.Write(1<<29, bits.New(8, 99)))
			snap, err := s.Snapshot()
			require.NoError(t, err)
			setAll(t, s, access{"a": 7, "d": 1, "en": 1, "r": 1 << 29})
			s.Step(1000)
			require.EqualValues(t, 99, get(t, s, "was"))
			require.NoError(t, s.Restore(snap))
			require.Zero(t, mem.Read(7).Uint64())
			for k, a := range places {
				require.EqualValues(t, 10+k, mem.Read(int(a)).Uint64())
			}
			require.NoError(t, s.Err())
			require.Less(t, resident(t)-before, 64<<20)
			s.Restart()
			for _, a := range places {
				require.Zero(t, mem.Read(int(a)).Uint64())
			}
		})
	}
}

// TestTouchedLimit writes a word of each page until that is too much.
func TestTouchedLimit(t *testing.T) {
	needMapped(t)
	b := simtest.NewBuild("spill")
	at := b.Register("at", 31, 0)
	b.Feed(at, b.Put(ir.Add, 31, at, b.Number(31, 4096)))
	b.Mems = []ir.Memory{{Name: "words", Depth: 1 << 31, Width: 8, Pos: b.Src.Line("spill.go", 7),
		Writes: []ir.WritePort{{Name: "w", Clk: b.Clk, Addr: at, Data: b.Number(8, 1)}}}}
	b.AddOutput("now", 8, 0, b.Put(ir.MemRead, 8, at), 0)
	d := simtest.Design(b)
	// The event of the end depends neither on the engine nor on the calls.
	for _, c := range []struct {
		engine sim.Engine
		pieces int
	}{{sim.Interpreter, 1 << 19}, {sim.Native, 1 << 19}, {sim.Native, 1 << 11}} {
		e, pieces := c.engine, c.pieces
		t.Run(fmt.Sprint(e, pieces), func(t *testing.T) {
			const limit = 8 << 20
			s := start(t, d, sim.WithEngine(e), sim.WithMemoryLimit(limit))
			for range 1 << 19 / pieces {
				s.Step(pieces)
			}
			err := s.Err()
			require.Error(t, err)
			require.Regexp(t, `^sim: memory words \(spill\.go:7\) of 2147483648 words of 8 bits holds \d+ bytes in pages that were touched, all large memories \d+: the limit is 8388608 \(WithMemoryLimit\)$`, err.Error())
			made := s.Cycles()
			require.EqualValues(t, 1<<14, made)
			s.Step(100)
			require.Equal(t, made, s.Cycles(), "cycles are made past the limit")
			s.Restart()
			require.NoError(t, s.Err())
			s.Step(10)
			require.EqualValues(t, 10, s.Cycles())
		})
	}
}

// TestReadsAreFree reads a word of each page: pages of zeros do not count.
func TestReadsAreFree(t *testing.T) {
	needMapped(t)
	b := simtest.NewBuild("scan")
	at := b.Register("at", 31, 0)
	b.Feed(at, b.Put(ir.Add, 31, at, b.Number(31, 4096)))
	b.Mems = []ir.Memory{{Name: "words", Depth: 1 << 31, Width: 8}}
	b.AddOutput("now", 8, 0, b.Put(ir.MemRead, 8, at), 0)
	sum := b.Register("sum", 8, 0)
	b.Feed(sum, b.Put(ir.Add, 8, sum, b.Put(ir.MemRead, 8, at)))
	s := start(t, simtest.Design(b), sim.WithMemoryLimit(1<<20))
	s.Step(1 << 17)
	require.NoError(t, s.Err())
	require.EqualValues(t, 1<<17, s.Cycles())
}

// TestPackedMemories runs random designs whose memories are all packed against the naive
// simulator, and with each engine against the interpreter without packing, with waves.
func TestPackedMemories(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 30
	}
	packed := 0
	for seed := range uint64(tools.Trials(n, 12)) {
		d := simtest.RandomDesign(seed)
		if seed%2 == 0 {
			d = randcircuit.Design(seed, randcircuit.Config{Nodes: 60, Modules: int(seed % 3), State: true, Stmts: true, Falls: seed%3 == 0})
		}
		for _, m := range d.Modules {
			packed += len(m.Mems)
		}
		require.NoError(t, lockStep(d, seed, 8, sim.WithPacking(1)), "seed %d", seed)
		var want []byte
		for k, opts := range [][]sim.Option{
			{sim.WithEngine(sim.Interpreter)},
			{sim.WithEngine(sim.Interpreter), sim.WithPacking(1)},
			{sim.WithEngine(sim.Lockstep), sim.WithPacking(1), policyOf(seed)},
			{sim.WithPacking(1)},
		} {
			got := wavesOf(t, d, seed, opts...)
			if k == 0 {
				want = got
			}
			require.True(t, bytes.Equal(want, got), "seed %d: waves of run %d are others", seed, k)
		}
	}
	require.NotZero(t, packed)
}

// wavesOf runs d for some hundred cycles, and returns its waves and its memories.
func wavesOf(t *testing.T, d *ir.Design, seed uint64, opts ...sim.Option) []byte {
	t.Helper()
	var text bytes.Buffer
	s := start(t, d, append(opts, sim.WithSeed(seed), sim.WithOutput(&text))...)
	defer s.Close()
	file := filepath.Join(t.TempDir(), "waves.fst")
	f, err := os.Create(file)
	require.NoError(t, err)
	w := fst.New(f)
	require.NoError(t, s.Trace(w))
	r := rand.New(rand.NewPCG(seed, 1))
	for range 8 {
		for _, p := range s.Top() {
			if p.IsInput() {
				v := bits.Zero(p.Width())
				for k := range p.Width() {
					v = v.SetBit(k, r.Uint64()&1)
				}
				require.NoError(t, s.SetBits(p, v))
			}
		}
		s.Step(1 + r.IntN(60))
	}
	require.NoError(t, s.Err())
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	all, err := os.ReadFile(file)
	require.NoError(t, err)
	var visit func(c sim.Scope)
	visit = func(c sim.Scope) {
		for _, m := range c.Mems() {
			for a := range m.Depth() {
				fmt.Fprintln(&text, m.Name(), a, m.Read(a))
			}
		}
		for _, below := range c.Children() {
			visit(below)
		}
	}
	visit(s.Root())
	return append(all, text.Bytes()...)
}

// TestPackedLanes runs lanes of a design with a packed memory: they agree with
// simulators, and a lane can be copied.
func TestPackedLanes(t *testing.T) {
	const n = 5
	d := store(1<<21, 8)
	l, err := lanes.New(d, n, sim.WithSeed(1))
	require.NoError(t, err)
	defer l.Close()
	mem, err := l.Mem("words")
	require.NoError(t, err)
	for lane := range n {
		require.NoError(t, mem.Write(lane, 1<<20+lane, bits.New(8, uint64(100+lane))))
	}
	sig := func(name string) sim.Signal {
		s, err := l.Signal(name)
		require.NoError(t, err)
		return s
	}
	for lane := range n {
		require.NoError(t, l.Set(sig("a"), lane, uint64(77*lane)))
		require.NoError(t, l.Set(sig("d"), lane, uint64(lane+1)))
		require.NoError(t, l.Set(sig("en"), lane, 1))
		require.NoError(t, l.Set(sig("r"), lane, uint64(1<<20+lane)))
	}
	l.Step(400)
	to := start(t, d)
	for lane := range n {
		require.EqualValues(t, 100+lane, l.Get(sig("was"), lane))
		require.EqualValues(t, lane+1, mem.Read(lane, 77*lane).Uint64())
		s := start(t, d, sim.WithSeed(1+uint64(lane)))
		one, err := s.Mem("words")
		require.NoError(t, err)
		require.Equal(t, one.Read(12345), mem.Read(lane, 12345), "random start")
		require.NoError(t, l.Copy(to, lane))
		copied, err := to.Mem("words")
		require.NoError(t, err)
		require.EqualValues(t, lane+1, copied.Read(77*lane).Uint64())
	}
	require.NoError(t, l.Err())
}
