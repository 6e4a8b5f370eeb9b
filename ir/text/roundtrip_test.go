package text

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/randcircuit"
)

var update = flag.Bool("update", false, "write what the tests see to testdata")

func configs(seed uint64) randcircuit.Config {
	return randcircuit.Config{Modules: int(seed % 4), State: seed%3 != 0, Stmts: seed%2 == 0, Extern: true}
}

// TestRoundTrip: print, parse, print gives the same bytes, and the design read
// back has the same tables and the same results.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(60) {
		d := randcircuit.Design(seed, configs(seed))
		first := String(d)
		back, err := Parse(strings.NewReader(first), "first")
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, first, String(back), "seed %d", seed)
		require.Len(t, back.Modules, len(d.Modules))
		for i, m := range d.Modules {
			same(t, m, back.Modules[i])
		}
	}
}

// same compares two modules field by field, without the printer.
func same(t *testing.T, a, b *ir.Module) {
	t.Helper()
	at := func(m *ir.Module, p ir.Pos) ir.Location { return m.Src.At(p) }
	require.Equal(t, []any{a.Name, a.Origin, at(a, a.Pos), a.Len(), a.Extern, a.Attrs}, []any{b.Name, b.Origin, at(b, b.Pos), b.Len(), b.Extern, b.Attrs})
	for id := ir.ID(1); int(id) < a.Len(); id++ {
		x, y := a.Node(id), b.Node(id)
		require.Equal(t, []any{x.Op, x.Width, a.NameOf(id), a.TypeOf(x.Type).String(), at(a, x.Pos), a.AttrsOf(id)},
			[]any{y.Op, y.Width, b.NameOf(id), b.TypeOf(y.Type).String(), at(b, y.Pos), b.AttrsOf(id)})
		require.True(t, sameIDs(a.Args(id), b.Args(id)))
		switch x.Op {
		case ir.Const:
			require.Equal(t, a.ConstOf(id), b.ConstOf(id))
		case ir.Lut:
			require.Equal(t, a.TableOf(id), b.TableOf(id))
		case ir.Case:
			require.Equal(t, len(a.KeysOf(id)), len(b.KeysOf(id)))
			for i, k := range a.KeysOf(id) {
				require.Equal(t, k, b.KeysOf(id)[i])
			}
		default:
			require.Equal(t, [2]int32{x.Aux, x.Aux2}, [2]int32{y.Aux, y.Aux2}, "%s", x.Op)
		}
	}
	require.Equal(t, a.Regs, b.Regs)
	require.Equal(t, strip(a), strip(b))
	require.Equal(t, len(a.Insts), len(b.Insts))
	for i := range a.Insts {
		require.Equal(t, []any{a.Insts[i].Name, a.Insts[i].Mod.Name, a.Insts[i].Conns, a.Insts[i].Attrs}, []any{b.Insts[i].Name, b.Insts[i].Mod.Name, b.Insts[i].Conns, b.Insts[i].Attrs})
	}
}

// strip copies ports, memories and statements with types as text and positions
// resolved.
func strip(m *ir.Module) []any {
	var out []any
	for _, p := range m.Ports {
		out = append(out, m.TypeOf(p.Type).String(), m.Src.At(p.Pos), p.Name, p.Dir, p.Width, p.Node, p.Attrs)
	}
	for _, mem := range m.Mems {
		out = append(out, mem.Name, mem.Depth, mem.Width, m.TypeOf(mem.Type).String(), mem.Init == nil, len(mem.Init), mem.Style, mem.Attrs, m.Src.At(mem.Pos))
		for _, w := range mem.Init {
			out = append(out, w)
		}
		for _, r := range mem.Reads {
			out = append(out, m.Src.At(r.Pos))
			r.Pos = 0
			out = append(out, r)
		}
		for _, w := range mem.Writes {
			out = append(out, m.Src.At(w.Pos))
			w.Pos = 0
			out = append(out, w)
		}
	}
	for _, s := range m.Stmts {
		out = append(out, m.Src.At(s.Pos))
		s.Pos = 0
		out = append(out, s)
	}
	return out
}

func sameIDs(a, b []ir.ID) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// small is a design with one of everything, whose text is kept in testdata.
func small() *ir.Design {
	d := &ir.Design{Src: ir.NewSources()}
	pos := func(line int) ir.Pos { return d.Src.Line("small.go", line) }
	box := ir.NewModule("box_8", d.Src)
	box.Extern = &ir.Extern{Module: "box", Files: []string{"box.v"}, Params: []ir.Param{{Name: "W", Value: "8"}}}
	box.AddInput("a", 8, 0, pos(3))
	box.AddOutput("q", 8, ir.TypeID(ir.SInt), ir.None, pos(4))

	m := ir.NewModule("top", d.Src)
	m.Origin, m.Pos = "Small", pos(10)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), pos(11))
	rst := m.AddInput("rst", 1, ir.TypeID(ir.Reset), pos(11))
	phase := m.AddType(ir.Type{Kind: ir.EnumKind, Enum: &ir.Enum{Name: "phase", Names: []string{"idle", "run"}, Codes: []uint64{0, 3}}})
	zero := m.Const(bits.New(2, 0), pos(12))
	state := m.AddReg("state", 2, phase, clk, pos(12))
	three := m.Const(bits.New(2, 3), pos(13))
	next := m.AddCase(2, pos(13), []bits.Value{bits.New(2, 0), bits.New(2, 3)}, state, zero, three, state)
	m.Regs[0] = ir.Register{Node: state, Next: next, Clk: clk, Rst: rst, Reset: zero, Async: true, Init: zero}
	byteOf := m.Add(ir.Node{Op: ir.ZExt, Width: 8, Pos: pos(14)}, state)
	inst := m.AddInst("lane[0]", box, pos(15))
	m.Insts[inst].Conns[0] = byteOf
	q := m.Insts[inst].Conns[1]
	out := m.Add(ir.Node{Op: ir.MemOut, Width: 8, Type: m.AddType(ir.Type{Kind: ir.Fixed, Frac: 4}), Aux: 0, Aux2: 0, Pos: pos(16)})
	now := m.Add(ir.Node{Op: ir.MemRead, Width: 8, Aux: 0, Pos: pos(17)}, state)
	low := m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: 7, Pos: pos(18)}, now)
	lut := m.AddLut(bits.New(4, 6), pos(18), low, rst)
	m.SetName(lut, "either")
	m.Mems = []ir.Memory{{
		Name: "ram", Depth: 16, Width: 8, Init: []bits.Value{bits.New(8, 1), bits.New(8, 255)}, Style: "block", Pos: pos(20),
		Reads:  []ir.ReadPort{{Name: "r", Node: out, Clk: clk, Addr: state, En: low, Under: ir.New, Pos: pos(21)}},
		Writes: []ir.WritePort{{Name: "w", Clk: clk, Addr: state, Data: q, En: lut, Mask: state, Pos: pos(22)}},
	}}
	m.AddOutput("y", 8, 0, out, pos(23))
	m.Stmts = []ir.Stmt{{Kind: ir.Assert, Name: "odd \"name\"", Clk: clk, En: rst, Cond: lut, Format: "%d\n", Args: []ir.ID{q}, Pos: pos(24)},
		{Kind: ir.Stop, Name: "done", Clk: clk, En: rst, Code: 3, Pos: pos(24)}, {Kind: ir.Stop, Name: "well", Clk: clk}}
	m.Attrs = []ir.Attr{{Name: "keep_hierarchy", Value: `"yes"`}}
	m.Ports[2].Attrs = []ir.Attr{{Name: "mark_debug", Value: "1"}}
	m.SetAttrs(state, []ir.Attr{{Name: "keep", Value: "1"}, {Name: "note", Value: `"a \"b\" c"`}})
	m.SetAttrs(lut, []ir.Attr{{Name: "dont_touch", Value: `"TRUE"`}})
	m.Mems[0].Attrs = []ir.Attr{{Name: "ram_extract", Value: "0"}}
	m.Insts[0].Attrs = []ir.Attr{{Name: "area", Value: "-12"}}
	d.Modules, d.Top = []*ir.Module{box, m}, m
	return d
}

func TestGolden(t *testing.T) {
	d := small()
	require.NoError(t, ir.Verify(d))
	got := String(d)
	path := filepath.Join("testdata", "small.etch")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
	back, err := Parse(strings.NewReader(got), path)
	require.NoError(t, err)
	same(t, d.Top, back.Top)
}

// TestSameNames: memories, instances, read ports and enumerations of one name
// are told apart.
func TestSameNames(t *testing.T) {
	d := small()
	m := d.Top
	m.Mems = append(m.Mems, m.Mems[0])
	mem := &m.Mems[1]
	mem.Writes = nil
	mem.Reads = nil
	for j := range 2 {
		id := m.Add(ir.Node{Op: ir.MemOut, Width: 8, Aux: 1, Aux2: int32(j), Type: m.AddType(ir.Type{Kind: ir.EnumKind, Enum: &ir.Enum{Name: "phase"}})})
		mem.Reads = append(mem.Reads, ir.ReadPort{Name: "r", Node: id, Clk: 1, Addr: 2})
	}
	at := m.AddInst("lane[0]", d.Modules[0], 0)
	m.Insts[at].Conns[0] = m.Insts[0].Conns[0]
	require.NoError(t, ir.Verify(d))
	text := String(d)
	for _, want := range []string{`memout ram#2 r`, `memout ram#2 r#2`, `out "lane[0]"#2 q`, "enum phase#3"} {
		require.Contains(t, text, want)
	}
	back, err := Parse(strings.NewReader(text), "")
	require.NoError(t, err)
	require.Equal(t, text, String(back))
	same(t, m, back.Top)
}

// TestByHand: labels may be words, lines may come in any order, comments and
// blanks are skipped.
func TestByHand(t *testing.T) {
	d, err := Parse(strings.NewReader(`etch 1 // version
		top t
		module t {
			output y: 4 = %sum
			%sum: 4 = add %a %one   // forward

			%one: 4 = const 4'd1
			%a in: 4 = input a
			input a: 4 = %a
		}`), "hand")
	require.NoError(t, err)
	require.Equal(t, "in", d.Top.NameOf(3))
	require.Equal(t, []ir.ID{3, 2}, d.Top.Args(1))
	require.Equal(t, int32(1), d.Top.Node(3).Aux)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
func (failing) Read([]byte) (int, error)  { return 0, errors.New("disk gone") }

func TestReaderAndWriterErrors(t *testing.T) {
	require.ErrorContains(t, Print(failing{}, small()), "disk full")
	_, err := Parse(failing{}, "x")
	require.ErrorContains(t, err, "disk gone")
}

// TestUnverified: a broken design still prints.
func TestUnverified(t *testing.T) {
	d := small()
	m := d.Top
	m.Ports[0].Node = 99
	m.Add(ir.Node{Op: ir.MemOut, Width: 1, Aux: 7, Type: 200})
	m.Add(ir.Node{Op: ir.InstOut, Width: 1, Aux: 0, Aux2: 9})
	m.Add(ir.Node{Op: ir.Invalid})
	m.Insts[0].Conns = append(m.Insts[0].Conns, 3)
	require.Error(t, ir.Verify(d))
	var b bytes.Buffer
	require.NoError(t, Print(&b, d))
	require.Contains(t, b.String(), "memout ?")
}
