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
	"etch/sim/vcd"

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
	d, err := parse(out.String())
	require.NoError(t, err)
	require.Equal(t, "10ps", d.scale)
	for time, all := range want {
		require.Len(t, d.vars, len(all))
		for name, value := range all {
			v := d.vars[name]
			require.NotNil(t, v, name)
			require.Equal(t, value, v.at(time), "%s at %d", name, time)
		}
	}
	for name, v := range d.vars {
		for i := 1; i < len(v.changes); i++ {
			require.NotEqual(t, v.changes[i-1].value, v.changes[i].value, "%s: only changes", name)
		}
	}
	require.Equal(t, d.vars["clk"].id, d.vars["cell_0.clk"].id, "one net, one identifier")
	require.Equal(t, []any{"reg", 130}, []any{d.vars["cell_1.sum"].kind, d.vars["cell_1.sum"].width})
	require.Equal(t, []any{"string", "wire"}, []any{d.vars["cell_0.phase_name_"].kind, d.vars["parity"].kind})
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
	d, err := parse(out.String())
	require.NoError(t, err)
	require.Equal(t, uint64(61), d.times[len(d.times)-1])
	clk := d.vars["clk"].changes
	require.Equal(t, []change{{40, "1"}, {41, "0"}, {46, "1"}, {51, "0"}, {56, "1"}, {61, "0"}}, clk[len(clk)-6:])
	require.Equal(t, "0", d.vars["cell_0.phase"].at(61))
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
	require.Error(t, err)
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
	_, err = parse(string(text))
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
	d, err := parse(out.String())
	require.NoError(t, err)
	seen := map[string]bool{}
	length := map[int]int{}
	for _, name := range d.order {
		id := d.vars[name].id
		require.False(t, seen[id], id)
		seen[id] = true
		length[len(id)]++
	}
	require.Equal(t, map[int]int{1: 94, 2: 94 * 94, 3: 10}, length)
}

// TestConverter has GTKWave's vcd2fst and fst2vcd read the dump and compares.
func TestConverter(t *testing.T) {
	for _, tool := range []string{"vcd2fst", "fst2vcd"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("ETCH_STRICT") == "1" {
				t.Fatalf("%s is missing", tool)
			}
			t.Skipf("%s is missing", tool)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.vcd")
	s := start(t)
	w, err := vcd.Create(path)
	require.NoError(t, err)
	require.NoError(t, s.Trace(w))
	want := record(t, s)
	require.NoError(t, w.Close())
	out, err := exec.Command("vcd2fst", path, filepath.Join(dir, "a.fst")).CombinedOutput()
	require.NoError(t, err, string(out))
	back, err := exec.Command("fst2vcd", filepath.Join(dir, "a.fst")).Output()
	require.NoError(t, err)
	d, err := parse(string(back))
	require.NoError(t, err)
	for time, all := range want {
		require.Len(t, d.vars, len(all))
		for name, value := range all {
			got := d.vars[name].at(time)
			if strings.Trim(got, "01") == "" { // fst2vcd writes leading zeros
				if got = strings.TrimLeft(got, "0"); got == "" {
					got = "0"
				}
			}
			require.Equal(t, value, got, "%s at %d", name, time)
		}
	}
}
