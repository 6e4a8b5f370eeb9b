package cover_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/cover"
	"etch/testbench/randcircuit"
)

// TestCounts: the counts of every line are those of a walk, in every cycle, from all that is wanted
// down the arms that are taken: by the interpreter, without a replay and without statements.
func TestCounts(t *testing.T) {
	for _, d := range catalog.Designs() {
		switch d.Name {
		case "counter", "clock", "pixel", "regfile", "arbiter", "fifo", "crossing", "uart", "i2c", "fixedmac", "divider", "systolic", "protocol", "rv32i":
			n, err := d.Build(nil)
			require.NoError(t, err)
			t.Run(d.Name, func(t *testing.T) { agree(t, n, 1) })
		}
	}
	random := 100
	if testing.Short() {
		random = 30
	}
	for seed := range uint64(random) {
		agree(t, randcircuit.Design(seed, randcircuit.Config{Nodes: 60, Modules: int(seed % 4), State: true, Control: true, Calm: true}), seed)
	}
}

// agree compares the counts of a run with random inputs.
func agree(t *testing.T, d *ir.Design, seed uint64) {
	t.Helper()
	run, err := sim.New(d, sim.WithOutput(nil), sim.WithSeed(seed))
	require.NoError(t, err)
	defer run.Close()
	run.Record(1 << 22)
	slow, err := sim.New(d, sim.WithOutput(nil), sim.WithSeed(seed), sim.WithEngine(sim.Interpreter))
	require.NoError(t, err)
	w := &walk{s: slow, count: map[string]uint64{}}

	// Every clock moves in every cycle, so that each counts alike.
	r := rand.New(rand.NewPCG(seed, 31))
	for k := range 120 {
		for i, p := range slow.Top() {
			if !p.IsInput() || p.IsClock() || k > 0 && r.IntN(3) > 0 {
				continue
			}
			v := bits.FromWords(p.Width(), words(r, p.Width()))
			if kind := p.Type().Kind; kind == ir.Reset || kind == ir.AsyncReset {
				v = bits.New(1, uint64(1-min(1, k)))
			}
			require.NoError(t, slow.SetBits(p, v))
			require.NoError(t, run.SetBits(run.Top()[i], v))
		}
		w.cycle()
		slow.Step(1)
		run.Step(1)
	}

	c, err := cover.Of(run.Recorded(), d)
	require.NoError(t, err)
	want := cover.LinesOf(d, func(mod string, mux ir.ID, arm int) uint64 { return w.count[fmt.Sprintf("%s %d %d", mod, mux, arm)] })
	require.Equal(t, want, c.Lines, "seed %d", seed)
}

// walk counts the arms taken.
type walk struct {
	s     *sim.Sim
	count map[string]uint64 // by module, multiplexer and arm
}

// cycle counts a cycle, instance by instance.
func (w *walk) cycle() {
	var visit func(c sim.Scope)
	visit = func(c sim.Scope) {
		w.instance(c)
		for _, k := range c.Children() {
			visit(k)
		}
	}
	visit(w.s.Root())
}

// instance goes from the nodes that something reads down the arms taken.
func (w *walk) instance(c sim.Scope) {
	m := c.Module()
	n := m.Len()
	reached := make([]bool, n)
	var todo []ir.ID
	reach := func(id ir.ID) {
		if id > 0 && int(id) < n && !reached[id] {
			reached[id] = true
			todo = append(todo, id)
		}
	}
	for id := ir.ID(1); int(id) < n; id++ {
		args := m.Args(id)
		if op := m.Op(id); op == ir.Mux || op == ir.Case {
			reach(args[0])
			continue
		}
		for _, x := range args {
			reach(x)
		}
	}
	ir.EachRef(m, func(id *ir.ID) { reach(*id) })
	used := map[ir.ID]bool{}
	for id := ir.ID(1); int(id) < n; id++ {
		if op := m.Op(id); op == ir.Mux || op == ir.Case {
			for _, x := range m.Args(id)[1:] {
				used[x] = true
			}
		}
	}
	for id := ir.ID(1); int(id) < n; id++ {
		if !used[id] {
			reach(id) // nothing reads it: it is computed all the same
		}
	}

	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		op := m.Op(id)
		if op != ir.Mux && op != ir.Case {
			continue
		}
		sig, err := w.s.NodeOf(c.Path(), m.Args(id)[0])
		if err != nil {
			continue
		}
		v, arm := w.s.GetBits(sig), 0
		switch {
		case op == ir.Mux && v.IsZero():
			arm = 1
		case op == ir.Case:
			for i, k := range m.KeysOf(id) {
				if k.Equal(v) {
					arm = 1 + i
				}
			}
		}
		w.count[fmt.Sprintf("%s %d %d", m.Name, id, arm)]++
		reach(m.Args(id)[1+arm])
	}
}

func words(r *rand.Rand, width int) []uint64 {
	w := make([]uint64, bits.WordCount(width))
	for i := range w {
		w[i] = r.Uint64() & r.Uint64()
	}
	bits.MaskWords(w, width)
	return w
}

// TestFiles: files of a folder are added up; a profile has columns, waived lines are left out, a file
// that has changed has a warning.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "led.go")
	require.NoError(t, os.WriteFile(src, []byte("package led\n\nfunc f() {\n\tm.When(a, func() { led.Set(b) })\n\tled.Set(c) //hwcover:ignore for the test\n}\n"), 0o666))
	c := &cover.Counts{Version: cover.Version, Design: "led", Cycles: 10, Lines: []cover.Line{
		{File: "x/led.go", Path: src, Line: 4, Kind: cover.Set, Count: 3}, {File: "x/led.go", Path: src, Line: 5, Kind: cover.Set}}}
	require.NoError(t, c.WriteFile(dir, "TestLed"))
	require.NoError(t, c.WriteFile(dir, "TestLed"))
	all, err := cover.Read(dir)
	require.NoError(t, err)
	require.Equal(t, uint64(20), all.Cycles)

	var text bytes.Buffer
	warnings, err := all.Profile(&text)
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Equal(t, "mode: count\nx/led.go:4.21,4.31 1 6\n", text.String())
	require.Equal(t, []cover.File{{Name: "x/led.go", Sets: 1, Hit: 1, Waived: 1}}, all.Files())

	require.Equal(t, "TestLed", all.Lines[0].First)
	all.Lines = append(all.Lines, cover.Line{File: "x/led.go", Path: src, Line: 4, Kind: cover.True, Count: 3}, cover.Line{File: "x/led.go", Path: src, Line: 4, Kind: cover.False})
	text.Reset()
	require.NoError(t, all.LCOV(&text))
	require.Equal(t, "TN:\nSF:"+src+"\nDA:4,6\nBRDA:4,0,0,3\nBRDA:4,0,1,0\nend_of_record\n", text.String())

	require.NoError(t, os.WriteFile(src, []byte("package led\n"), 0o666))
	text.Reset()
	warnings, err = all.Profile(&text)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0], "led.go has changed since the run")
	require.True(t, strings.HasPrefix(text.String(), "mode: count\nx/led.go:4.1,4.200 1 6\n"))
}

// TestBadFiles: each is one error that names it.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	_, err := cover.Read(dir)
	require.ErrorContains(t, err, "has no files *.hwcover.json: run tests with ETCH_COVER=")
	file := filepath.Join(dir, "a"+cover.Ending)
	require.NoError(t, os.WriteFile(file, []byte("{"), 0o666))
	_, err = cover.Read(dir)
	require.ErrorContains(t, err, file)
	require.NoError(t, os.WriteFile(file, []byte(`{"version": 9}`), 0o666))
	_, err = cover.Read(dir)
	require.ErrorContains(t, err, "is of version 9, and this etch reads version 1")
}
