package cover_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/cover"
	"etch/sim/lanes"
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
	random := 60
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
	w := &walk{s: slow, lines: map[cover.Line]uint64{}, bits: map[string]*watched{}}
	used := map[string]bool{}
	w.each(func(c sim.Scope) { used[c.Module().Name] = true })
	for _, m := range d.Modules {
		if used[m.Name] && (m.Extern == nil || m.Extern.Model) {
			w.structure(m)
		}
	}

	// Every clock moves in every cycle, so that each counts alike.
	r := rand.New(rand.NewPCG(seed, 31))
	cycles := 120
	if seed%32 == 1 {
		cycles = 700 // more than the sample has
	}
	for k := range cycles {
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
		w.each(w.instance)
		slow.Step(1)
		run.Step(1)
	}
	w.each(w.watch)

	c, err := cover.Of(run.Recorded(), d)
	require.NoError(t, err)
	if len(c.Lines) == 0 {
		return // a design without a clock
	}

	// A run of few cycles has no sample of conditions; with one, other edges are counted and the counts
	// are the same.
	early, err := cover.Count(run.Recorded(), d, cover.Early)
	require.NoError(t, err)
	require.Equal(t, c, early)

	// Of a transition never taken the count is 0; one that was taken must be among the possible ones.
	// The simulator's form of a module with pads has assertions and choices more.
	padded := map[string]bool{}
	for _, m := range d.Modules {
		padded[m.Name] = len(m.Nets) > 0
	}
	machines := map[string]bool{}
	for _, l := range c.Lines {
		if l.Kind == cover.State {
			register, _, _ := strings.Cut(l.Name, ".")
			machines[l.Module+"."+register] = true
		}
		n := l.Count
		l.Count = 0
		want, ok := w.lines[l]
		require.True(t, ok || l.Kind == cover.Transition, "seed %d: %+v", seed, l)
		require.Equal(t, want, n, "seed %d: %+v", seed, l)
		delete(w.lines, l)
	}
	for l := range w.lines {
		if l.Kind == cover.State || l.Kind == cover.Transition {
			register, _, _ := strings.Cut(l.Name, ".")
			require.False(t, machines[l.Module+"."+register], "seed %d: %+v is not counted", seed, l)
			continue // a register that follows another's state is no machine
		}
		require.True(t, padded[l.Module], "seed %d: %+v is not counted", seed, l)
	}

	for _, g := range c.Toggles {
		x := w.bits[g.Module+" "+g.Name]
		require.NotNil(t, x, "%s.%s", g.Module, g.Name)
		if !x.falling {
			require.Equal(t, x.rose.String()+" "+x.fell.String(), g.Rose+" "+g.Fell, "seed %d, %s.%s", seed, g.Module, g.Name)
		}
	}
}

// walk counts in the interpreter, cycle by cycle, without statements of its own.
type walk struct {
	s     *sim.Sim
	lines map[cover.Line]uint64 // without their count
	bits  map[string]*watched   // by module and name
}

// watched is the bits of a register or port that rose and fell.
type watched struct {
	rose, fell bits.Value
	last       map[string]bits.Value // by instance
	falling    bool                  // a register at the falling edge, which is not seen between cycles
}

// each calls f for all instances.
func (w *walk) each(f func(c sim.Scope)) {
	var visit func(c sim.Scope)
	visit = func(c sim.Scope) {
		f(c)
		for _, k := range c.Children() {
			visit(k)
		}
	}
	visit(w.s.Root())
}

// add adds to the lines of a position.
func (w *walk) add(m *ir.Module, pos ir.Pos, kind cover.Kind, name string, n uint64) {
	files := m.Src.AllPortable(pos)
	for i, path := range m.Src.All(pos) {
		w.lines[cover.Line{File: files[i].File, Path: path.File, Line: path.Line, Kind: kind, Module: m.Name, Name: name}] += n
	}
}

// structure makes the lines of a module, with nothing counted.
func (w *walk) structure(m *ir.Module) {
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if op := m.Op(id); op == ir.Mux || op == ir.Case {
			for arm := range m.Arms(id) {
				w.arm(m, id, arm, 0)
			}
		}
	}
	for _, r := range m.Regs {
		if t := m.TypeOf(m.Node(r.Node).Type); t.Kind == ir.EnumKind && r.Kind != ir.Latch {
			for _, name := range t.Enum.Names {
				w.add(m, m.Node(r.Node).Pos, cover.State, m.NameOf(r.Node)+"."+name, 0)
			}
		}
	}
	w.statements(m, nil)
}

// arm counts an arm that was taken.
func (w *walk) arm(m *ir.Module, mux ir.ID, arm int, n uint64) {
	switch pos := m.ArmPos(mux); {
	case pos == nil || pos[arm] == 0:
	case m.Op(mux) == ir.Case && !slices.ContainsFunc(pos, func(p ir.Pos) bool { return p != m.Node(mux).Pos }):
		keys, name := m.KeysOf(mux), "default"
		if arm > 0 {
			name = keys[arm-1].Dec()
			if t := m.TypeOf(m.Node(m.Args(mux)[0]).Type); t.Kind == ir.EnumKind {
				name = t.Enum.NameOf(keys[arm-1].Uint64())
			}
		} else if len(keys) == 1<<m.Width(m.Args(mux)[0]) {
			return
		}
		w.add(m, pos[arm], cover.Arm, name, n)
	default:
		w.add(m, pos[arm], cover.Set, "", n)
	}
	switch {
	case m.Op(mux) == ir.Mux && arm == 0:
		w.add(m, m.Node(mux).Pos, cover.True, "", n)
	case m.Op(mux) == ir.Mux:
		w.add(m, m.Node(mux).Pos, cover.False, "", n)
	}
}

// value is a node's; ok is false if the simulator does not have it.
func (w *walk) value(c sim.Scope, id ir.ID) (v bits.Value, ok bool) {
	sig, err := w.s.NodeOf(c.Path(), id)
	if err != nil {
		return v, false
	}
	return w.s.GetBits(sig), true
}

// high reports whether an optional condition holds.
func (w *walk) high(c sim.Scope, id ir.ID) bool {
	if id == ir.None {
		return true
	}
	v, _ := w.value(c, id)
	return !v.IsZero()
}

// instance counts a cycle of an instance: the arms taken, from the nodes that something reads on.
func (w *walk) instance(c sim.Scope) {
	w.statements(c.Module(), &c)
	w.watch(c)
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
		v, ok := w.value(c, m.Args(id)[0])
		arm := 0
		switch {
		case !ok:
			continue
		case op == ir.Mux && v.IsZero():
			arm = 1
		case op == ir.Case:
			arm = 1 + slices.IndexFunc(m.KeysOf(id), v.Equal)
		}
		w.arm(m, id, arm, 1)
		reach(m.Args(id)[1+arm])
	}
}

// statements counts all but the arms: assignments without a condition, writes, statements, states and
// transitions. Without an instance it only makes the lines.
func (w *walk) statements(m *ir.Module, c *sim.Scope) {
	counted := c != nil
	add := func(pos ir.Pos, kind cover.Kind, name string, holds bool) {
		n := uint64(0)
		if counted && holds {
			n = 1
		}
		if pos != 0 {
			w.add(m, pos, kind, name, n)
		}
	}
	high := func(id ir.ID) bool { return counted && w.high(*c, id) }

	for _, p := range m.Ports {
		if p.Dir == ir.Out {
			add(p.SetAt, cover.Set, "", true)
		}
	}
	for _, inst := range m.Insts {
		for _, pos := range inst.SetAt {
			if pos != inst.Pos {
				add(pos, cover.Set, "", true)
			}
		}
	}
	for _, mem := range m.Mems {
		for _, p := range mem.Writes {
			add(p.Pos, cover.Set, "", high(p.En))
		}
	}
	for _, s := range m.Stmts {
		switch s.Kind {
		case ir.Cover:
			add(s.Pos, cover.Cover, s.Name, high(s.En) && high(s.Cond))
		case ir.Assert, ir.Assume:
			premise := ir.None
			if s.Cond != ir.None && m.Op(s.Cond) == ir.Or && m.Op(m.Args(s.Cond)[0]) == ir.Not && m.Width(s.Cond) == 1 {
				premise = m.Args(m.Args(s.Cond)[0])[0]
			}
			add(s.Pos, cover.Assert, s.Format, high(s.En) && high(premise))
		default:
			add(s.Pos, cover.Set, "", high(s.En))
		}
	}

	for _, r := range m.Regs {
		if r.Kind == ir.Latch {
			continue
		}
		add(r.SetAt, cover.Set, "", true)
		t := m.TypeOf(m.Node(r.Node).Type)
		if t.Kind != ir.EnumKind || !counted {
			continue
		}
		now, _ := w.value(*c, r.Node)
		next, _ := w.value(*c, r.Next)
		from, to := t.Enum.NameOf(now.Uint64()), t.Enum.NameOf(next.Uint64())
		name, pos := m.NameOf(r.Node), m.Node(r.Node).Pos
		if from != "" {
			add(pos, cover.State, name+"."+from, true)
		}
		if from != "" && to != "" && from != to && (r.Rst == ir.None || !w.high(*c, r.Rst)) {
			add(pos, cover.Transition, name+"."+from+" → "+to, true)
		}
	}
}

// watch notes the changes of registers and ports since the last cycle.
func (w *walk) watch(c sim.Scope) {
	m := c.Module()
	look := func(name string, id ir.ID, falling bool) {
		v, ok := w.value(c, id)
		if !ok {
			return
		}
		x := w.bits[m.Name+" "+name]
		if x == nil {
			x = &watched{rose: bits.Zero(v.Width()), fell: bits.Zero(v.Width()), last: map[string]bits.Value{}}
			w.bits[m.Name+" "+name] = x
		}
		x.falling = x.falling || falling
		if last, ok := x.last[c.Path()]; ok {
			x.rose, x.fell = x.rose.Or(v.And(last.Not())), x.fell.Or(last.And(v.Not()))
		}
		x.last[c.Path()] = v
	}
	falling := map[ir.ID]bool{}
	for _, r := range m.Regs {
		falling[r.Node] = m.Op(r.Clk) == ir.Not
		look(m.NameOf(r.Node), r.Node, falling[r.Node])
	}
	for _, p := range m.Ports {
		if p.Dir != ir.InOut {
			look(p.Name, p.Node, falling[p.Node])
		}
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

// TestLanes: a lane counts as a simulator of its own does.
func TestLanes(t *testing.T) {
	d := randcircuit.Design(9, randcircuit.Config{Nodes: 60, Modules: 2, State: true, Control: true, Calm: true})
	instrumented := cover.New(d, cover.All)
	l, err := lanes.New(instrumented.Design, 3, sim.WithSeed(5))
	require.NoError(t, err)
	defer l.Close()
	one, err := sim.New(instrumented.Design, sim.WithSeed(5))
	require.NoError(t, err)
	defer one.Close()
	require.NoError(t, l.Copy(one, 1))

	l.Step(200)
	one.Step(200)
	want, err := instrumented.Total(one).Counts()
	require.NoError(t, err)
	got, err := instrumented.Total(cover.Lane{Lanes: l, At: 1}).Counts()
	require.NoError(t, err)
	require.NotEmpty(t, got.Lines)
	require.NotEmpty(t, got.Toggles)
	require.Equal(t, want, got)
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

	// A longer file of other lines is another one too.
	require.NoError(t, os.WriteFile(src, []byte("// led\n\n\npackage led\n\nfunc f() {\n\tm.When(a, func() { led.Set(b) })\n}\n"), 0o666))
	text.Reset()
	warnings, err = all.Profile(&text)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
	require.True(t, strings.HasPrefix(text.String(), "mode: count\nx/led.go:4.1,4.200 1 6\n"))
}

// TestFirst: the first test of a line is the one that ended first, whatever the names of the files, and
// one line of two folders is one line.
func TestFirst(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) []cover.Line {
		return []cover.Line{{File: "x/led.go", Path: path, Line: 4, Kind: cover.Set, Count: 1}}
	}
	require.NoError(t, (&cover.Counts{Lines: at("/a/led.go")}).WriteFile(dir, "TestZ/one of two"))
	require.NoError(t, (&cover.Counts{Lines: at("/b/led.go"), Uncounted: []string{"why"}}).WriteFile(dir, "TestA"))
	files, err := filepath.Glob(filepath.Join(dir, "TestZ_one_of_two-*"+cover.Ending))
	require.NoError(t, err)
	require.Len(t, files, 1)

	all, err := cover.Read(dir)
	require.NoError(t, err)
	require.Len(t, all.Lines, 1)
	require.Equal(t, "TestZ/one of two", all.Lines[0].First)
	require.Equal(t, uint64(2), all.Lines[0].Count)
	require.Equal(t, []string{"why"}, all.Uncounted)
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
	require.ErrorContains(t, err, "is of version 9, and this etch reads version 3")
	_, err = cover.Read(filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "none: no such file")
}
