package firrtl_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// TestSameText: equal designs give equal bytes, whatever was written before.
func TestSameText(t *testing.T) {
	for seed := range uint64(40) {
		c := randcircuit.Config{Nodes: 60, Modules: 3, State: true, Stmts: true, Extern: true}
		one, err := firrtl.Text(randcircuit.Design(seed, c), firrtl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		two, _ := firrtl.Text(randcircuit.Design(seed, c), firrtl.Options{})
		if !bytes.Equal(one, two) {
			t.Fatalf("seed %d: %s", seed, difference(string(one), string(two)))
		}
		bare, _ := firrtl.Text(randcircuit.Design(seed, c), firrtl.Options{NoPositions: true})
		if got := regexp.MustCompile(` @\[[^\]]*\]`).ReplaceAll(one, nil); !bytes.Equal(got, bare) {
			t.Fatalf("seed %d: %s", seed, difference(string(got), string(bare)))
		}
	}
}

type broken struct{ left int }

var errFull = errors.New("full")

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestErrors(t *testing.T) {
	if err := firrtl.Write(io.Discard, nil, firrtl.Options{}); err == nil || err.Error() != "firrtl: no design" {
		t.Error(err)
	}
	d := grid(4)
	if err := firrtl.Write(&broken{100}, d, firrtl.Options{}); !errors.Is(err, errFull) {
		t.Error(err)
	}
	d.Top.Extern = &ir.Extern{Module: "box"}
	if err := firrtl.Write(io.Discard, d, firrtl.Options{}); err == nil || err.Error() != "firrtl: the top grid is a black box" {
		t.Error(err)
	}
}

// words are names that FIRRTL or Verilog may trip over.
var words = strings.Fields(`
	circuit module extmodule input output wire reg regreset node inst of mem mux when else connect
	invalidate is attach printf assert assume cover stop skip type layer public option const
	UInt SInt Clock AsyncReset Reset Analog add asUInt bits cat validif probe define cmem smem
	mport read write rdwr infer old new undefined depth reader writer flip with reset version
	FIRRTL begin end always logic initial string x y _x __ 1st 0 9_9 a.b a[3] a_3 é $ a$b -
	"q" a-b lane[0].data if for class Memory Inst Wire`)

// TestNames has every word as the name of a port, a register, a memory with its
// ports, an instance, a value, a statement and a module. firtool must take them
// all, and call the ports what PortNames says.
func TestNames(t *testing.T) {
	tools.Need(t, "firtool")
	d := &ir.Design{Src: ir.NewSources()}
	clock := ir.TypeID(ir.Clock)
	top := ir.NewModule("top", d.Src)
	clk := top.AddInput("clk_for_all", 1, clock, 0)
	for _, word := range words {
		m := ir.NewModule(word, d.Src)
		c := m.AddInput("c_lock", 1, clock, 0)
		for _, w := range words {
			in := m.AddInput(w, 4, 0, 0)
			if word != words[0] {
				m.AddOutput("out of "+w, 4, 0, in, 0)
				break
			}
			m.AddOutput("out of "+w, 4, 0, in, 0)
		}
		x := m.Ports[1].Node
		reg := m.AddReg(word, 4, 0, c, 0)
		m.Regs[0].Next = x
		value := m.Add(ir.Node{Op: ir.Not, Width: 4}, reg)
		m.SetName(value, word)
		q := m.Add(ir.Node{Op: ir.MemOut, Width: 4})
		m.SetName(q, word)
		m.Mems = []ir.Memory{{Name: word, Depth: 16, Width: 4,
			Reads:  []ir.ReadPort{{Name: word, Node: q, Clk: c, Addr: x}},
			Writes: []ir.WritePort{{Name: word, Clk: c, Addr: value, Data: x}}}}
		m.AddOutput("result", 4, 0, q, 0)
		m.Stmts = []ir.Stmt{{Kind: ir.Print, Name: word, Clk: c, Format: "%x", Args: []ir.ID{value}}}
		d.Modules = append(d.Modules, m)
		at := top.AddInst(word, m, 0)
		for i, p := range m.Ports {
			switch {
			case p.Type == clock:
				top.Insts[at].Conns[i] = clk
			case p.Dir == ir.In:
				top.Insts[at].Conns[i] = top.AddInput(fmt.Sprint("in ", word, i), 4, 0, 0)
			default:
				top.AddOutput(fmt.Sprint("out ", word, i), 4, 0, top.Insts[at].Conns[i], 0)
			}
		}
	}
	d.Top, d.Modules = top, append(d.Modules, top)
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	text, err := firrtl.Text(d, firrtl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	verilog := firtoolText(t, text, folder(t), "--strip-debug-info")
	checkPorts(t, verilog, "top", firrtl.PortNames(top))
	d.Top, d.Modules = d.Modules[0], d.Modules[:1]
	if text, err = firrtl.Text(d, firrtl.Options{}); err != nil {
		t.Fatal(err)
	}
	checkPorts(t, firtoolText(t, text, folder(t), "--strip-debug-info"), firrtl.TopName(d), firrtl.PortNames(d.Top))
}

// checkPorts compares the ports of a module of Verilog, in their order.
func checkPorts(t *testing.T, verilog []byte, module string, want []string) {
	t.Helper()
	_, rest, ok := bytes.Cut(verilog, []byte("\nmodule "+module+"("))
	if !ok {
		t.Fatalf("no module %s", module)
	}
	header, _, _ := bytes.Cut(rest, []byte(");"))
	var got []string
	for _, f := range strings.FieldsFunc(string(header), func(r rune) bool { return r == ',' }) {
		words := strings.Fields(f)
		got = append(got, words[len(words)-1])
	}
	if len(got) != len(want) {
		t.Fatalf("%d ports, want %d:\n%s", len(got), len(want), header)
	}
	for i := range want {
		if want[i][0] >= '0' && want[i][0] <= '9' {
			want[i] = "_" + want[i]
		}
		if got[i] != want[i] {
			t.Errorf("port %s is %s in Verilog", want[i], got[i])
		}
	}
}

// TestStatements compares what firtool's Verilog prints with what the simulator
// does: prints to the letter, failed assertions by their number.
func TestStatements(t *testing.T) {
	tools.Need(t, "firtool", "iverilog", "vvp")
	d := parse(t, "../verilog/testdata/statements.etch")
	// Icarus reads no assume and no cover
	d.Top.Stmts[1].Kind = ir.Assert
	d.Top.Stmts = append(d.Top.Stmts[:2:2], d.Top.Stmts[3:]...)
	for id := ir.ID(1); int(id) < d.Top.Len(); id++ { // firtool's options for Icarus make prints unsigned
		if n := d.Top.Node(id); n.Width == 8 {
			n.Type = ir.TypeID(ir.UInt)
		}
	}
	for i := range d.Top.Ports {
		if d.Top.Ports[i].Width == 8 {
			d.Top.Ports[i].Type = ir.TypeID(ir.UInt)
		}
	}
	var want bytes.Buffer
	s, err := sim.New(d, sim.WithOutput(&want))
	if err != nil {
		t.Fatal(err)
	}
	var stim strings.Builder
	for k := range uint64(40) {
		for i, v := range []bits.Value{bits.New(1, k/20), bits.New(1, k%5/2), bits.New(8, 33+k*7%90), bits.New(8, 64-k*3%30)} {
			if err := s.SetBits(s.Top()[1+i], v); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&stim, "    %s = %d;\n", d.Top.Ports[1+i].Name, v.Uint64())
		}
		s.Step(1)
		stim.WriteString("    #1 clk = 1; #1 clk = 0;\n")
	}
	dir := folder(t)
	_, verilog := firtool(t, d, dir, plainVerilog...)
	tb := "`define STOP_COND 0\n" + string(verilog) + "\nmodule tb;\n  reg clk = 0, rst, valid;\n  reg [7:0] data, limit;\n  wire high;\n" +
		"  checked dut(clk, rst, valid, data, limit, high);\n  initial begin\n" + stim.String() + "  end\nendmodule\n"
	var prints strings.Builder
	failed := 0
	for line := range strings.Lines(iverilog(t, dir, []byte(tb))) {
		if strings.HasPrefix(line, "sum ") {
			prints.WriteString(line)
		}
		if strings.HasPrefix(line, "ERROR:") {
			failed++
		}
	}
	var lines strings.Builder
	for line := range strings.Lines(want.String()) {
		if strings.HasPrefix(line, "sum ") {
			lines.WriteString(line)
		}
	}
	if prints.String() != lines.String() || lines.Len() < 100 {
		t.Errorf("got\n%s\nwant\n%s", prints.String(), lines.String())
	}
	if uint64(failed) != s.FailureCount() || failed < 10 {
		t.Errorf("%d failed assertions, want %d", failed, s.FailureCount())
	}
}

// TestBlackBox: a black box keeps its Verilog name and its parameters, written as
// they were given.
func TestBlackBox(t *testing.T) {
	tools.Need(t, "firtool")
	d := &ir.Design{Src: ir.NewSources()}
	top := ir.NewModule("top", d.Src)
	for i, params := range [][]ir.Param{
		{{Name: "W", Value: "8"}, {Name: "S", Value: `"abc"`}},
		{{Name: "W", Value: "-3"}, {Name: "S", Value: "8'hff"}},
		{{Name: "R", Value: "2.5"}, {Name: "S", Value: `"a\"b"`}},
	} {
		box := ir.NewModule(fmt.Sprint("box_", i), d.Src)
		box.AddInput("a", 8, ir.TypeID(ir.SInt), 0)
		box.AddOutput("b", 8, 0, ir.None, 0)
		box.Extern = &ir.Extern{Module: "box", Params: params}
		at := top.AddInst(fmt.Sprint("u", i), box, 0)
		top.Insts[at].Conns[0] = top.AddInput(fmt.Sprint("in", i), 8, 0, 0)
		top.AddOutput(fmt.Sprint("out", i), 8, 0, top.Insts[at].Conns[1], 0)
		d.Modules = append(d.Modules, box)
	}
	plain := ir.NewModule("box", d.Src) // gives way to the black box
	x := plain.AddInput("x", 1, 0, 0)
	plain.AddOutput("not", 1, 0, plain.Add(ir.Node{Op: ir.Not, Width: 1}, x), 0)
	at := top.AddInst("plain", plain, 0)
	top.Insts[at].Conns[0] = top.AddInput("x", 1, 0, 0)
	top.AddOutput("y", 1, 0, top.Insts[at].Conns[1], 0)
	d.Top, d.Modules = top, append(d.Modules, plain, top)
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	text, err := firrtl.Text(d, firrtl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(string(firtoolText(t, text, folder(t), "--strip-debug-info"))), "")
	for _, want := range []string{
		`box#(.W(8),.S("abc"))u0(`, `box#(.W(-3),.S(8'hff))u1(`, `box#(.R(2.5),.S("a\"b"))u2(`, "modulebox_3(",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestNotes: what is not carried is said.
func TestNotes(t *testing.T) {
	d := parse(t, "../verilog/testdata/resets.etch")
	want := []string{
		"resets.go:11: register ticks of resets starts as 8'h80, which FIRRTL cannot say",
		"resets.go:12: register seen of resets starts as 1'h0, which FIRRTL cannot say",
	}
	if got := firrtl.Notes(d, firrtl.Options{}); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", got)
	}
	d = parse(t, "../verilog/testdata/memories.etch")
	if got := firrtl.Notes(d, firrtl.Options{NoMemFiles: true}); len(got) != 1 || got[0] != "memories.go:14: the contents of memory ring of memories are left out" {
		t.Errorf("%q", got)
	}
	if files := firrtl.DataFiles(d, firrtl.Options{NoMemFiles: true}); len(files) > 0 {
		t.Errorf("%v", files)
	}
	if text, _ := firrtl.Text(d, firrtl.Options{NoMemFiles: true}); bytes.Contains(text, []byte("Annotation")) {
		t.Error("an annotation for a file that is not there")
	}
	if files := firrtl.DataFiles(d, firrtl.Options{}); len(files) != 1 || files[0].Name != "memories_ring.hex" || bytes.Count(files[0].Data, []byte("\n")) != 6 {
		t.Errorf("%v", files)
	}
}

// grid is an N×N array of multiply-accumulate cells in one module, 6N²+3N
// operations.
func grid(n int) *ir.Design {
	src := ir.NewSources()
	m := ir.NewModule("grid", src)
	sint := ir.TypeID(ir.SInt)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	rst := m.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	zero := m.Const(bits.Zero(32), 0)
	pos := src.Line("grid.go", 20)
	delay := func(name string, x ir.ID) ir.ID {
		r := m.AddReg(name, 8, sint, clk, pos)
		m.Regs[len(m.Regs)-1].Next = x
		return r
	}
	down := make([]ir.ID, n)
	for j := range n {
		down[j] = m.AddInput(fmt.Sprint("b_", j), 8, sint, pos)
	}
	for i := range n {
		right := m.AddInput(fmt.Sprint("a_", i), 8, sint, pos)
		var sum ir.ID
		for j := range n {
			a, b := right, down[j]
			right, down[j] = delay(fmt.Sprintf("a_%d_%d", i, j), a), delay(fmt.Sprintf("b_%d_%d", i, j), b)
			sum = m.AddReg(fmt.Sprintf("sum_%d_%d", i, j), 32, sint, clk, pos)
			product := m.Add(ir.Node{Op: ir.MulS, Type: sint, Width: 16, Pos: pos}, a, b)
			wide := m.Add(ir.Node{Op: ir.SExt, Type: sint, Width: 32, Pos: pos}, product)
			next := m.Add(ir.Node{Op: ir.Add, Type: sint, Width: 32, Pos: pos}, sum, wide)
			r := &m.Regs[len(m.Regs)-1]
			r.Next, r.Rst, r.Reset = next, rst, zero
		}
		m.AddOutput(fmt.Sprint("out_", i), 32, sint, sum, pos)
	}
	return &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: src}
}

// deep is a chain of n operations without names, each used twice.
func deep(n int) *ir.Design {
	src := ir.NewSources()
	m := ir.NewModule("deep", src)
	x := m.AddInput("x", 16, 0, 0)
	y := x
	for i := range n / 2 {
		a := m.Add(ir.Node{Op: []ir.Op{ir.Add, ir.Xor, ir.Sub}[i%3], Width: 16}, y, x)
		y = m.Add(ir.Node{Op: ir.And, Width: 16}, a, y)
	}
	m.AddOutput("y", 16, 0, y, 0)
	return &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: src}
}

type meter struct{ n int }

func (c *meter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

// BenchmarkWrite prints flat modules of a million operations.
func BenchmarkWrite(b *testing.B) {
	for _, c := range []struct {
		name string
		d    *ir.Design
	}{{"grid=64", grid(64)}, {"grid=408", grid(408)}, {"deep=1000000", deep(1e6)}} {
		b.Run(c.name, func(b *testing.B) {
			var n meter
			b.ReportAllocs()
			for b.Loop() {
				if err := firrtl.Write(&n, c.d, firrtl.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n.n)/b.Elapsed().Seconds()/1e6, "MB/s")
			b.ReportMetric(float64(n.n)/float64(b.N)/1e6, "MB")
		})
	}
}

// TestMillionOperations holds the writer to linear time.
func TestMillionOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("a million operations")
	}
	for _, d := range []*ir.Design{grid(408), deep(1e6)} {
		start := time.Now()
		var c meter
		if err := firrtl.Write(&c, d, firrtl.Options{}); err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		t.Logf("%s: %.1f MB in %v", d.Top.Name, float64(c.n)/1e6, took)
		if took > 20*time.Second {
			t.Errorf("%s took %v", d.Top.Name, took)
		}
	}
}

// TestLines: no line of a random circuit but those of a constant or of ports is
// longer than a few hundred bytes.
func TestLines(t *testing.T) {
	c := randcircuit.Config{Nodes: 200, Modules: 2, State: true, Widths: []int{1, 7, 33}}
	long, lines := 0, 0
	for seed := range uint64(30) {
		text, err := firrtl.Text(randcircuit.Design(seed, c), firrtl.Options{NoPositions: true})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if lines++; len(line) > 400 {
				long++
				t.Log(line[:200])
			}
		}
	}
	if long*1000 > lines {
		t.Errorf("%d of %d lines are long", long, lines)
	}
}
