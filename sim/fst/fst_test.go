package fst_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/fst"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// drive sets inputs at random, often none.
func drive(t *testing.T, s *sim.Sim, r *rand.Rand) {
	for _, p := range s.Top() {
		if !p.IsInput() || r.IntN(3) > 0 {
			continue
		}
		v := make([]uint64, bits.WordCount(p.Width()))
		for i := range v {
			v[i] = r.Uint64() & r.Uint64()
		}
		require.NoError(t, s.SetBits(p, bits.FromWords(p.Width(), v)))
	}
}

// run drives s by hand and on the time line, and goes back in time.
func run(t *testing.T, s *sim.Sim, r *rand.Rand, events int) {
	var clocks []sim.Signal
	for _, p := range s.Top() {
		if p.IsClock() {
			clocks = append(clocks, p)
		}
	}
	snap, err := s.Snapshot()
	require.NoError(t, err)
	for i := range events {
		drive(t, s, r)
		switch x := r.IntN(20); {
		case x == 0 && i > events/2:
			require.NoError(t, s.Restore(snap))
		case x == 1 && i > events/2:
			s.Restart()
		case x < 5 && len(clocks) > 0:
			require.NoError(t, s.SetPeriod(clocks[r.IntN(len(clocks))], 1+r.Uint64N(9), r.Uint64N(50)))
		case x < 10:
			s.Advance(r.Uint64N(20))
		case x < 12 && len(clocks) > 0:
			s.Tick(clocks[r.IntN(len(clocks))], 2)
		default:
			s.Step(1)
		}
	}
}

// TestRandom traces random designs in both formats.
func TestRandom(t *testing.T) {
	limits := []int{1, 300, 5000, 0}
	for seed := range uint64(26) { // in the last one a constant has two widths
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 50, Modules: 2, State: true})
		s, err := sim.New(d, sim.WithSeed(seed), sim.WithOutput(&bytes.Buffer{}))
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(seed, 1))
		s.Advance(r.Uint64N(2) * 333) // the trace begins later
		p := tracePair(t, s, limits[seed%4], seed%3 == 0)
		run(t, s, r, 60)
		p.compare(t, s)
	}
}

// TestWindow traces a part of random runs in both formats.
func TestWindow(t *testing.T) {
	for seed := range uint64(8) {
		s, err := sim.New(randcircuit.Design(seed, randcircuit.Config{Nodes: 50, Modules: 2, State: true}))
		require.NoError(t, err)
		p := newPair(t, 2000, seed%2 == 0)
		for _, w := range []sim.Tracer{p.fst, p.vcd} {
			require.NoError(t, s.Trace(&sim.Window{Tracer: w, Trigger: sim.AtCycle(20), Before: 7, After: 12}))
		}
		r := rand.New(rand.NewPCG(seed, 1))
		for range 50 {
			drive(t, s, r)
			s.Step(1)
		}
		d := p.compare(t, s)
		require.Equal(t, []uint64{130, 330}, []uint64{d.Times[0], d.Times[len(d.Times)-1]})
	}
}

// showcase has a signal of every type, and an instance.
func showcase(t *testing.T) *sim.Sim {
	phase := &ir.Enum{Name: "a phase", Names: []string{"idle", "on fire", "?"}, Codes: []uint64{0, 1, 3}}
	src := ir.NewSources()
	sub, b := ir.NewModule("stage", src), ir.NewModule("top", src)
	enum := func(m *ir.Module) ir.TypeID { return m.AddType(ir.Type{Kind: ir.EnumKind, Enum: phase}) }
	q := sub.AddInput("in", 2, enum(sub), 0)
	sub.AddOutput("out", 2, enum(sub), q, 0)

	clk := b.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	step := b.AddInput("step", 12, ir.TypeID(ir.SInt), 0)
	acc := b.AddReg("acc", 12, ir.TypeID(ir.SInt), clk, 0)
	b.Regs[b.Node(acc).Aux].Next = b.Add(ir.Node{Op: ir.Add, Width: 12}, acc, step)
	gain := b.Add(ir.Node{Op: ir.Slice, Width: 9, Type: b.AddType(ir.Type{Kind: ir.Fixed, Frac: 4}), Aux: 3}, acc)
	b.SetName(gain, "gain")
	ph := b.AddReg("phase", 2, enum(b), clk, 0)
	b.Regs[b.Node(ph).Aux].Next = b.Add(ir.Node{Op: ir.Slice, Width: 2}, step)
	inst := &b.Insts[b.AddInst("first stage", sub, 0)]
	inst.Conns[0] = ph
	b.AddOutput("result", 2, enum(b), inst.Conns[1], 0)
	d := &ir.Design{Top: b, Modules: []*ir.Module{sub, b}, Src: src}
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d)
	require.NoError(t, err)
	return s
}

// TestShowcase spells out what a reader sees: types, tables, directions aside.
func TestShowcase(t *testing.T) {
	s := showcase(t)
	path := filepath.Join(t.TempDir(), "top.fst")
	w, err := fst.Create(path)
	require.NoError(t, err)
	w.SetTimescale("10 ps")
	require.NoError(t, s.Trace(w))
	require.NoError(t, s.SetInt(s.Top()[1], -3))
	s.Step(2)
	require.NoError(t, w.Close())
	require.Equal(t, lines(`
		$date
		$end
		$version
		etch
		$end
		$timescale
		10ps
		$end
		$scope module top $end
		$var wire 1 ! clk $end
		$attrbegin misc 02 signed 9 $end
		$var integer 12 " step [11:0] $end
		$attrbegin misc 02 a_phase 0 $end
		$attrbegin misc 07 a_phase 3 idle on\040fire \? 00 01 11 1 $end
		$attrbegin misc 07 "" 1 $end
		$var reg 2 # result [1:0] $end
		$attrbegin misc 02 signed 9 $end
		$var integer 12 $ acc [11:0] $end
		$attrbegin misc 02 sfixed 0 $end
		$var wire 9 % gain [4:-4] $end
		$attrbegin misc 02 a_phase 0 $end
		$attrbegin misc 07 "" 1 $end
		$var reg 2 # phase [1:0] $end
		$scope module first_stage $end
		$attrbegin misc 02 a_phase 0 $end
		$attrbegin misc 07 "" 1 $end
		$var reg 2 # in [1:0] $end
		$attrbegin misc 02 a_phase 0 $end
		$attrbegin misc 07 "" 1 $end
		$var reg 2 # out [1:0] $end
		$upscope $end
		$upscope $end
		$enddefinitions $end
		#0
		$dumpvars
		b000000000 %
		b000000000000 $
		b00 #
		b000000000000 "
		b111111111101 "
		0!
		$end
		#5
		1!
		b01 #
		b111111111101 $
		b111111111 %
		#10
		0!
		#15
		1!
		b111111111010 $
		#20
		0!`), lines(read(t, path)))
}

// number is a number of a file's header.
func number(t *testing.T, path string, at int) uint64 {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return binary.BigEndian.Uint64(b[at:])
}

// TestHeader compares the numbers of the header with those that GTKWave's vcd2fst
// writes for the same run.
func TestHeader(t *testing.T) {
	src := ir.NewSources()
	sub, top := ir.NewModule("sub", src), ir.NewModule("top", src)
	sub.AddOutput("y", 8, 0, sub.Add(ir.Node{Op: ir.Not, Width: 8}, sub.AddInput("x", 8, 0, 0)), 0)
	in := top.AddInput("in", 8, 0, 0)
	for i := range 3 {
		inst := &top.Insts[top.AddInst(fmt.Sprintf("sub%d", i), sub, 0)]
		inst.Conns[0] = in
		in = inst.Conns[1]
	}
	s, err := sim.New(&ir.Design{Top: top, Modules: []*ir.Module{sub, top}, Src: src})
	require.NoError(t, err)
	s.Advance(70)
	p := newPair(t, 0, false)
	p.fst.SetTimescale("100us")
	p.vcd.SetTimescale("100us")
	require.NoError(t, s.Trace(p.fst))
	require.NoError(t, s.Trace(p.vcd))
	for i := range uint64(20) {
		require.NoError(t, s.Set(s.Top()[0], i*i%256))
		s.Advance(3)
	}
	p.compare(t, s)
	dump, ref := filepath.Join(t.TempDir(), "a.vcd"), filepath.Join(t.TempDir(), "ref.fst")
	require.NoError(t, os.WriteFile(dump, p.text.Bytes(), 0o644))
	vcd2fst := filepath.Join(filepath.Dir(tools.Need(t, "fst2vcd")[0].Path), "vcd2fst") // of the same package
	out, err := exec.Command(vcd2fst, dump, ref).CombinedOutput()
	require.NoError(t, err, string(out))
	for at, what := range map[int]string{1: "length", 9: "first time", 17: "last time", 25: "e", 41: "scopes", 49: "variables", 57: "nets", 65: "blocks"} {
		require.Equal(t, number(t, ref, at), number(t, p.path, at), what)
	}
	require.Equal(t, byte(number(t, ref, 66)), byte(number(t, p.path, 66)), "timescale")
}

// TestSizes: many nets, wide ones, few, and nothing to say.
func TestSizes(t *testing.T) {
	for _, c := range []struct{ nets, width, steps int }{
		{2500, 1, 30}, {300, 64, 30}, {20, 1000, 200}, {3, 65, 0}, {1, 1, 0}, {1, 33, 1},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%+v %v", c, stream), func(t *testing.T) {
				s := inputs(t, c.nets, c.width)
				p := tracePair(t, s, 1<<16, stream)
				r := rand.New(rand.NewPCG(uint64(c.nets), 3))
				for range c.steps {
					drive(t, s, r)
					s.Advance(10)
				}
				require.Len(t, p.compare(t, s).Order, c.nets)
			})
		}
	}
}

// TestBlocks runs over many blocks; a net that is quiet for some of them stays
// what it is, and a far time is no problem.
func TestBlocks(t *testing.T) {
	s := inputs(t, 4, 40)
	p := tracePair(t, s, 2000, false)
	in := s.Top()
	for i := range uint64(20000) {
		require.NoError(t, s.Set(in[0], i))
		require.NoError(t, s.Set(in[1], i/3000))
		require.NoError(t, s.Set(in[2], i)) // shares a chain
		s.Advance(1 + i%7*1e9)
	}
	d := p.compare(t, s)
	require.Greater(t, number(t, p.path, 65), uint64(20), "blocks")
	require.Equal(t, "1", d.Vars["in1"].At(d.Vars["in0"].Settled()[3001].Time))
	require.Len(t, d.Vars["in1"].Settled(), 7)
	info, err := os.Stat(p.path)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(200_000))
}

// TestFullBlock fills blocks of the usual size.
func TestFullBlock(t *testing.T) {
	s := inputs(t, 2, 1000)
	path := filepath.Join(t.TempDir(), "a.fst")
	w, err := fst.Create(path)
	require.NoError(t, err)
	require.NoError(t, s.Trace(w))
	r := rand.New(rand.NewPCG(5, 5))
	v := make([]uint64, 16)
	want := bits.Value{}
	const steps = 20000 // 2.5 MB
	for range steps {
		for i := range v {
			v[i] = r.Uint64()
		}
		want = bits.FromWords(1000, v)
		require.NoError(t, s.SetBits(s.Top()[0], want))
		s.Advance(2)
	}
	require.NoError(t, w.Close())
	require.Greater(t, number(t, path, 65), uint64(1), "blocks")
	d := parse(t, path)
	changes := d.Vars["in0"].Settled()
	require.Equal(t, steps, len(changes))
	require.Equal(t, want.Bin(), fmt.Sprintf("%01000s", changes[steps-1].Value))
}

// TestPrefix: before Close the temporary file holds all whole blocks, and a block
// that a crash cut is left out.
func TestPrefix(t *testing.T) {
	s := inputs(t, 3, 32)
	dir := t.TempDir()
	w, err := fst.Create(filepath.Join(dir, "a.fst"))
	require.NoError(t, err)
	w.SetLimit(300)
	require.NoError(t, s.Trace(w))
	for i := range uint64(1000) {
		require.NoError(t, s.Set(s.Top()[0], i))
		s.Advance(1)
	}
	found, err := filepath.Glob(filepath.Join(dir, ".a.fst.*"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	d := parse(t, found[0])
	changes := d.Vars["in0"].Settled()
	require.Greater(t, len(changes), 800)
	for i, c := range changes {
		require.Equal(t, fmt.Sprintf("{%d %b}", i, i), fmt.Sprint(c))
	}

	b, err := os.ReadFile(found[0])
	require.NoError(t, err)
	cut := filepath.Join(dir, "cut.fst")
	rest := append([]byte{255}, b[len(b)-200:]...) // as Create leaves it while it writes
	require.NoError(t, os.WriteFile(cut, append(b, rest...), 0o644))
	require.Equal(t, changes, parse(t, cut).Vars["in0"].Settled())
	require.NoError(t, w.Close())
}

// TestEqual: equal runs give equal files.
func TestEqual(t *testing.T) {
	var files [2]bytes.Buffer
	for i := range files {
		d := randcircuit.Design(7, randcircuit.Config{Nodes: 50, Modules: 2, State: true})
		s, err := sim.New(d)
		require.NoError(t, err)
		w := fst.New(&files[i])
		w.SetLimit(1000)
		require.NoError(t, s.Trace(w))
		run(t, s, rand.New(rand.NewPCG(1, 1)), 100)
		require.NoError(t, w.Close())
	}
	require.True(t, bytes.Equal(files[0].Bytes(), files[1].Bytes()))
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestErrors(t *testing.T) {
	s := inputs(t, 2, 64)
	w := fst.New(&full{left: 3000})
	w.SetLimit(1000)
	require.NoError(t, s.Trace(w))
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		require.NoError(t, s.Set(s.Top()[0], r.Uint64()))
		s.Advance(1)
	}
	require.EqualError(t, s.Err(), "fst: disk full")
	require.EqualError(t, w.Close(), "fst: disk full")
	require.EqualError(t, s.Trace(w), "fst: a Writer traces one simulator, once")

	require.EqualError(t, inputs(t, 1, 1).Trace(fst.New(&full{})), "fst: disk full")
	require.EqualError(t, inputs(t, 0, 1).Trace(fst.New(&full{1 << 20})), "fst: there are no signals, and readers refuse a file without")
	w = fst.New(&full{1 << 20})
	w.SetTimescale("5ns")
	require.EqualError(t, s.Trace(w), `fst: timescale "5ns" is not 1, 10 or 100 of s, ms, us, ns, ps or fs`)
	_, err := fst.Create(filepath.Join(t.TempDir(), "no", "such.fst"))
	require.ErrorContains(t, err, "such.fst")

	dir := t.TempDir()
	w, err = fst.Create(filepath.Join(dir, "a.fst"))
	require.NoError(t, err)
	require.EqualError(t, w.Close(), "fst: nothing was traced")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestCreate: the file appears at Close, and nothing else stays.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.fst")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	s := showcase(t)
	w, err := fst.Create(path)
	require.NoError(t, err)
	require.NoError(t, s.Trace(w))
	s.Step(3)
	old, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(old))
	require.NoError(t, w.Close())
	require.NoError(t, w.Close())
	s.Step(3) // traced no more
	require.NoError(t, s.Err())
	d := parse(t, path)
	require.Equal(t, uint64(30), d.Times[len(d.Times)-1])
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}
