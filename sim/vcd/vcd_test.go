package vcd_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/vcdtext"
	"etch/sim/vcd"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

var phase = &ir.Enum{Name: "phase", Names: []string{"idle", "on fire", "done"}, Codes: []uint64{0, 1, 3}}

// cell has a wide accumulator, an enumeration and a fixed-point register.
func cell(src *ir.Sources) *ir.Module {
	m := ir.NewModule("cell", src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	in := m.AddInput("in", 130, 0, 0)
	step := m.AddInput("step", 2, 0, 0)
	en := m.AddType(ir.Type{Kind: ir.EnumKind, Enum: phase})
	fix := m.AddType(ir.Type{Kind: ir.Fixed, Frac: 4})
	reg := func(name string, w int, t ir.TypeID, next func(q ir.ID) ir.ID) ir.ID {
		q := m.AddReg(name, w, t, clk, 0)
		n := next(q)
		m.Regs[m.Node(q).Aux].Next = n
		return q
	}
	sum := reg("sum", 130, 0, func(q ir.ID) ir.ID { return m.Add(ir.Node{Op: ir.Add, Width: 130}, q, in) })
	reg("phase", 2, en, func(q ir.ID) ir.ID { return m.Add(ir.Node{Op: ir.Add, Width: 2}, q, step) })
	reg("phase_name", 1, 0, func(q ir.ID) ir.ID { return m.Add(ir.Node{Op: ir.Not, Width: 1}, q) })
	reg("gain", 9, fix, func(ir.ID) ir.ID { return m.Add(ir.Node{Op: ir.Slice, Width: 9, Aux: 3}, in) })
	m.AddOutput("sum_out", 130, 0, sum, 0)
	return m
}

// board is two cells on two clocks.
func board() *ir.Design {
	src := ir.NewSources()
	c := cell(src)
	m := ir.NewModule("board", src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	slow := m.AddInput("slow", 1, ir.TypeID(ir.Clock), 0)
	in := m.AddInput("in", 130, 0, 0)
	step := m.AddInput("step", 2, ir.TypeID(ir.SInt), 0)
	for i, by := range []ir.ID{clk, slow} {
		inst := &m.Insts[m.AddInst(fmt.Sprintf("cell %d", i), c, 0)]
		inst.Conns[0], inst.Conns[1], inst.Conns[2] = by, in, step
		m.AddOutput(fmt.Sprintf("out%d", i), 130, 0, inst.Conns[3], 0)
	}
	par := m.Add(ir.Node{Op: ir.RedXor, Width: 1}, in)
	m.SetName(par, "parity")
	return &ir.Design{Top: m, Modules: []*ir.Module{c, m}, Src: src}
}

func start(t *testing.T) *sim.Sim {
	t.Helper()
	d := board()
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d)
	require.NoError(t, err)
	return s
}

// picture is what all signals should be at a time; a clock's level is given.
func picture(s *sim.Sim, high map[int]bool) map[string]string {
	all := map[string]string{}
	for x := range s.Signals() {
		v := strings.TrimLeft(s.GetBits(x).Bin(), "0")
		if v == "" {
			v = "0"
		}
		if x.IsClock() && high[x.Net()] {
			v = "1"
		}
		name := strings.ReplaceAll(x.Name(), " ", "_")
		all[name] = v
		if e := x.Type().Enum; e != nil {
			code := s.Get(x)
			all[name+"_name_"] = map[uint64]string{0: "idle", 1: "on_fire", 2: "2", 3: "done"}[code]
		}
	}
	return all
}

// record drives s at random, by hand and on the time line, and returns what it
// was at every time.
func record(t *testing.T, s *sim.Sim) map[uint64]map[string]string {
	at := map[uint64]map[string]string{}
	r := rand.New(rand.NewPCG(1, 2))
	top := s.Top()
	clk, slow := top[0], top[1]
	drive := func() {
		switch v := s.GetBits(top[2]); r.IntN(4) {
		case 0: // keep
		case 1: // the upper words alone
			require.NoError(t, s.SetBits(top[2], v.SetBit(64+r.IntN(66), r.Uint64())))
		default:
			require.NoError(t, s.SetBits(top[2], bits.FromWords(130, []uint64{r.Uint64(), r.Uint64(), r.Uint64()})))
		}
		require.NoError(t, s.Set(top[3], r.Uint64N(4)))
	}
	for i := range 40 {
		drive()
		now := s.Time()
		at[now] = picture(s, nil)
		high := map[int]bool{clk.Net(): i%4 != 0, slow.Net(): i%4 < 2}
		switch i % 4 {
		case 0:
			s.Tick(slow, 1)
		case 1:
			s.Step(1)
		default:
			s.Tick(clk, 1)
		}
		at[now+5] = picture(s, high)
		at[now+10] = picture(s, nil)
	}
	require.NoError(t, s.SetPeriod(clk, 7, 402)) // falls after 3
	require.NoError(t, s.SetPeriod(slow, 20, 409))
	for now := s.Time(); now < 500; now++ {
		if now%9 == 0 {
			drive()
		}
		s.Run(now)
		high := map[int]bool{clk.Net(): now >= 402 && (now-402)%7 < 3, slow.Net(): now >= 409 && (now-409)%20 < 10}
		s.Run(now + 1)
		at[now] = picture(s, high)
	}
	return at
}

func TestDump(t *testing.T) {
	s := start(t)
	var out bytes.Buffer
	w := vcd.New(&out)
	w.SetTimescale("10ps")
	require.NoError(t, s.Trace(w))
	want := record(t, s)
	require.NoError(t, w.Close())
	require.NoError(t, s.Err())
	d, err := vcdtext.Parse(out.String())
	require.NoError(t, err)
	require.Equal(t, "10ps", d.Scale)
	for time, all := range want {
		require.Len(t, d.Vars, len(all))
		for name, value := range all {
			v := d.Vars[name]
			require.NotNil(t, v, name)
			require.Equal(t, value, v.At(time), "%s at %d", name, time)
		}
	}
	for name, v := range d.Vars {
		if span := fmt.Sprintf("[%d:0]", v.Width-1); v.Width > 1 {
			require.Equal(t, span, v.Range, name)
		}
		for i := 1; i < len(v.Changes); i++ {
			require.NotEqual(t, v.Changes[i-1].Value, v.Changes[i].Value, "%s: only changes", name)
		}
	}
	require.Equal(t, d.Vars["clk"].ID, d.Vars["cell_0.clk"].ID, "one net, one identifier")
	require.Equal(t, []any{"reg", 130}, []any{d.Vars["cell_1.sum"].Kind, d.Vars["cell_1.sum"].Width})
	require.Equal(t, []any{"string", "wire"}, []any{d.Vars["cell_0.phase_name_"].Kind, d.Vars["parity"].Kind})
	require.Contains(t, out.String(), "$comment gain: fixed 4 $end")
	require.Contains(t, out.String(), "$comment step: sint $end")

	var again bytes.Buffer
	s = start(t)
	w = vcd.New(&again)
	w.SetTimescale("10ps")
	require.NoError(t, s.Trace(w))
	record(t, s)
	require.NoError(t, w.Close())
	require.Equal(t, out.String(), again.String(), "equal runs, equal files")
}

func TestRestart(t *testing.T) {
	s := start(t)
	var out bytes.Buffer
	w := vcd.New(&out)
	require.NoError(t, s.Trace(w))
	require.NoError(t, s.Set(s.Top()[3], 1))
	s.Step(3)
	require.NoError(t, s.SetPeriod(s.Top()[0], 8, 0))
	s.Run(41) // the clock is high
	s.Restart()
	s.Step(2)
	require.Equal(t, uint64(20), s.Time())
	require.NoError(t, w.Close())
	d, err := vcdtext.Parse(out.String())
	require.NoError(t, err)
	require.Equal(t, uint64(61), d.Times[len(d.Times)-1])
	clk := d.Vars["clk"].Changes
	require.Equal(t, "[{40 1} {41 0} {46 1} {51 0} {56 1} {61 0}]", fmt.Sprint(clk[len(clk)-6:]))
	require.Equal(t, "0", d.Vars["cell_0.phase"].At(61))
}

// TestEnd: what happens after End is not in the dump.
func TestEnd(t *testing.T) {
	s := start(t)
	var out bytes.Buffer
	w := vcd.New(&out)
	require.NoError(t, s.Trace(w))
	s.Step(2)
	require.NoError(t, w.End(23))
	s.Step(2)
	require.NoError(t, w.Close())
	d, err := vcdtext.Parse(out.String())
	require.NoError(t, err)
	require.Equal(t, []uint64{0, 5, 10, 15, 20, 23}, d.Times)
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestErrors(t *testing.T) {
	s := start(t)
	w := vcd.New(&full{left: 70000})
	require.NoError(t, s.Trace(w))
	for i := range 3000 {
		require.NoError(t, s.Set(s.Top()[2], uint64(i)*0x123456789))
		s.Step(1)
	}
	require.EqualError(t, s.Err(), "vcd: disk full")
	require.Error(t, w.Close())
	require.EqualError(t, start(t).Trace(w), "vcd: a Writer traces one simulator, once")
	_, err := vcd.Create(filepath.Join(t.TempDir(), "no", "such.vcd"))
	require.ErrorContains(t, err, "such.vcd")
	w = vcd.New(&full{left: 70000})
	w.SetTimescale("5ns")
	require.EqualError(t, start(t).Trace(w), `vcd: timescale "5ns" is not 1, 10 or 100 of s, ms, us, ns, ps or fs`)
	require.EqualError(t, w.Close(), "vcd: nothing was traced")

	dir := t.TempDir()
	w, err = vcd.Create(filepath.Join(dir, "a.vcd"))
	require.NoError(t, err)
	require.EqualError(t, w.Close(), "vcd: nothing was traced")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "no file of nothing")
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "waves.vcd")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	s := start(t)
	w, err := vcd.Create(path)
	require.NoError(t, err)
	require.NoError(t, s.Trace(w))
	s.Step(5)
	old, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(old), "nothing before Close")
	require.NoError(t, w.Close())
	s.Step(5) // traced no more
	require.NoError(t, s.Err())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = vcdtext.Parse(string(text))
	require.NoError(t, err)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// TestIdentifiers: many nets get identifiers of their own, one letter first.
func TestIdentifiers(t *testing.T) {
	m := ir.NewModule("many", ir.NewSources())
	const n = 94 + 94*94 + 10
	for i := range n {
		m.AddInput(fmt.Sprintf("in%d", i), 1, 0, 0)
	}
	s, err := sim.New(&ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src})
	require.NoError(t, err)
	var out bytes.Buffer
	w := vcd.New(&out)
	require.NoError(t, s.Trace(w))
	require.NoError(t, w.Close())
	d, err := vcdtext.Parse(out.String())
	require.NoError(t, err)
	seen := map[string]bool{}
	length := map[int]int{}
	for _, name := range d.Order {
		id := d.Vars[name].ID
		require.False(t, seen[id], id)
		seen[id] = true
		length[len(id)]++
	}
	require.Equal(t, map[int]int{1: 94, 2: 94 * 94, 3: 10}, length)
}

// TestConverter has GTKWave's vcd2fst and fst2vcd read the dump and compares.
func TestConverter(t *testing.T) {
	fst2vcd := tools.Need(t, "fst2vcd")[0]
	vcd2fst := filepath.Join(filepath.Dir(fst2vcd.Path), "vcd2fst") // of the same package
	dir := t.TempDir()
	path := filepath.Join(dir, "a.vcd")
	s := start(t)
	w, err := vcd.Create(path)
	require.NoError(t, err)
	require.NoError(t, s.Trace(w))
	want := record(t, s)
	require.NoError(t, w.Close())
	out, err := exec.Command(vcd2fst, path, filepath.Join(dir, "a.fst")).CombinedOutput()
	require.NoError(t, err, string(out))
	back, err := exec.Command(fst2vcd.Path, filepath.Join(dir, "a.fst")).Output()
	require.NoError(t, err)
	d, err := vcdtext.Parse(string(back))
	require.NoError(t, err)
	for time, all := range want {
		require.Len(t, d.Vars, len(all))
		for name, value := range all {
			require.Equal(t, value, d.Vars[name].At(time), "%s at %d", name, time)
		}
	}
}
