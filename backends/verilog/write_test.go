package verilog_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/text"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

func source(t *testing.T, netlist string) *ir.Design {
	t.Helper()
	d, err := text.Parse(strings.NewReader(netlist), "netlist")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func written(t *testing.T, d *ir.Design, o verilog.Options) string {
	t.Helper()
	b, err := verilog.Text(d, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSameBytes builds designs twice and writes them three times.
func TestSameBytes(t *testing.T) {
	for seed := uint64(1); seed < 30; seed++ {
		c := randcircuit.Config{Nodes: 80, Modules: 3, State: true, Stmts: true, Extern: true}
		a, b := randcircuit.Design(seed, c), randcircuit.Design(seed, c)
		x := written(t, a, verilog.Options{})
		if y := written(t, b, verilog.Options{}); x != y {
			t.Errorf("seed %d: %s", seed, difference(x, y))
		}
		if y := written(t, a, verilog.Options{}); x != y {
			t.Errorf("seed %d, again: %s", seed, difference(x, y))
		}
	}
}

// TestLines has no line of random circuits much longer than a screen is wide.
func TestLines(t *testing.T) {
	long, all := 0, 0
	for seed := uint64(1); seed < 40; seed++ {
		for _, line := range strings.Split(written(t, newTrees(seed), verilog.Options{NoPositions: true}), "\n") {
			all++
			if len(line) > 140 {
				long++
			}
		}
	}
	if long*200 > all {
		t.Errorf("%d of %d lines have more than 140 columns", long, all)
	}
}

const prints = `etch 1
top prints

module prints {
  input clk: 1 clock = %clk
  input a: 1 = %a
  input b: 8 sint = %b
  input c: 33 = %c
  input d: 65 sint = %d
  output y: 1 = %a
  %clk clk: 1 clock = input clk
  %a a: 1 = input a
  %b b: 8 sint = input b
  %c c: 33 = input c
  %d d: 65 sint = input d
  %char: 8 = const 8'h41
  print "" clk %clk format "100%% \"a\" %d|%x|%b \\ %c\t%d|%x|%b\n" %a %a %a %char %b %b %b
  print "" clk %clk en %a format "%d %x %b, " %c %c %c
  print "" clk %clk en %a format "%d %x %b\n" %d %d %d
}
`

// TestPrints compares what iverilog prints with what the simulator prints.
func TestPrints(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	d := source(t, prints)
	var want bytes.Buffer
	s, err := sim.New(d, sim.WithOutput(&want))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	b.WriteString(written(t, d, verilog.Options{}))
	b.WriteString("module tb;\n  reg clk = 0, a; reg [7:0] b; reg [32:0] c; reg [64:0] d; wire y;\n  prints dut(clk, a, b, c, d, y);\n  initial begin\n")
	for range 20 {
		for i, name := range []string{"a", "b", "c", "d"} {
			w := []int{1, 8, 33, 65}[i]
			v := randcircuit.Value(rng, w)
			sig, err := s.Signal(name)
			if err == nil {
				err = s.SetBits(sig, v)
			}
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "    %s = %v;\n", name, v)
		}
		b.WriteString("    #1 clk = 1; #1 clk = 0; #1;\n")
		s.Step(1)
	}
	b.WriteString("  end\nendmodule\n")
	if got := iverilog(t, folder(t), []byte(b.String()), "tb"); got != want.String() {
		t.Errorf("iverilog and the simulator print different texts: %s", difference(want.String(), got))
	}
}

// TestMessages runs failing assertions and covers.
func TestMessages(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	b := written(t, parse(t, "testdata/statements.etch"), verilog.Options{}) + `
module tb;
  reg clk = 0, rst = 0, valid = 1; reg [7:0] data = 5, limit = 8'hfd; wire high;
  checked dut(clk, rst, valid, data, limit, high);
  initial begin
    #1 clk = 1; #1 clk = 0; valid = 0;
    #1 clk = 1; #1 clk = 0; valid = 1; data = 8'hfd;
    #1 clk = 1; #1 clk = 0;
    #1 clk = 1; #1 clk = 0; rst = 1; data = 127;
    #1 clk = 1;
  end
endmodule
`
	want := []string{
		"statements.go:9: assert in_range failed in tb.dut: data 5 above -3 (05, 100%)",
		"sum 2 00000010 \"\x05\"",
		"statements.go:10: assume failed in tb.dut",
		"statements.go:11: cover equal hit in tb.dut",
		"sum -6 11111010 \"\xfd\"",
		"sum -6 11111010 \"\xfd\"",
	}
	if got := iverilog(t, folder(t), []byte(b), "tb"); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("got %q", got)
	}
}

// TestFiles writes one file per module and the contents of memories, and runs
// them: what $readmemh reads is what would be in the text.
func TestFiles(t *testing.T) {
	bench := tools.Need(t, "iverilog", "vvp")
	d := parse(t, "testdata/memories.etch")
	o := verilog.Options{MemFiles: true}
	files, err := verilog.Files(d, o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	dir := folder(t)
	for _, f := range files {
		names = append(names, f.Name)
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	if got := strings.Join(names, " "); got != "memories.v memories_ring.hex memories_table.hex" {
		t.Fatalf("files %s", got)
	}
	tb := []byte("module tb; memories m(); initial #1 $display(\"%d %d %d\", m.ring[1], m.ring[5], m.table_[9]); endmodule\n")
	write(t, filepath.Join(dir, "tb.v"), tb)
	cmd := bench[0].Command(t.Context(), "-g2005", "-s", "tb", "-o", "tb.vvp", "tb.v", "memories.v")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd = bench[1].Command(t.Context(), "-n", "tb.vvp")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "2   0 127" {
		t.Errorf("%v, %q", err, out)
	}
}

// TestFilesPerModule has a file for each module that is no black box.
func TestFilesPerModule(t *testing.T) {
	d := parse(t, "testdata/hierarchy.etch")
	files, err := verilog.Files(d, verilog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files[0].Name != "tap.v" || files[1].Name != "filter.v" {
		t.Errorf("files %v", files)
	}
	for _, f := range files {
		if strings.Count(string(f.Data), "endmodule") != 1 || strings.Contains(string(f.Data), "DECLFILENAME") {
			t.Errorf("%s:\n%s", f.Name, f.Data)
		}
	}
	ext := verilog.Externs(d)
	if len(ext) != 1 || ext[0].Module != "vendor_clip" || ext[0].Files[0] != "clip.v" {
		t.Errorf("black boxes %v", ext)
	}
}

// broken refuses everything after some bytes.
type broken struct{ left int }

var errFull = errors.New("disk full")

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestErrors(t *testing.T) {
	for _, left := range []int{0, 100_000} {
		if err := verilog.Write(&broken{left}, grid(40), verilog.Options{}); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
	for _, d := range []*ir.Design{nil, {}} {
		if err := verilog.Write(&broken{}, d, verilog.Options{}); err == nil || !strings.Contains(err.Error(), "no design") {
			t.Errorf("no design: %v", err)
		}
		if _, err := verilog.Files(d, verilog.Options{}); err == nil {
			t.Error("files of no design")
		}
	}
}

// TestNamesStay adds things elsewhere in a module: no wire of the rest is called
// otherwise.
func TestNamesStay(t *testing.T) {
	build := func(extra bool) string {
		m := ir.NewModule("names", ir.NewSources())
		clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
		x, y := m.AddInput("x", 16, 0, 0), m.AddInput("y", 16, 0, 0)
		top := func(name string, a, b ir.ID) {
			p := m.Add(ir.Node{Op: ir.Mul, Width: 32}, a, b)
			q := m.Add(ir.Node{Op: ir.Mul, Width: 32}, a, a)
			s := m.Add(ir.Node{Op: ir.Add, Width: 16},
				m.Add(ir.Node{Op: ir.Slice, Width: 16, Aux: 16}, p), m.Add(ir.Node{Op: ir.Slice, Width: 16, Aux: 9}, q))
			r := m.AddReg(name, 16, 0, clk, 0)
			m.Regs[len(m.Regs)-1].Next = s
			m.AddOutput(name+"_out", 16, 0, r, 0)
		}
		if extra {
			top("before", y, x)
		}
		top("kept", x, y)
		if extra {
			top("after", x, x)
			m.SetName(m.Add(ir.Node{Op: ir.Xor, Width: 16}, x, y), "kept_xor")
		}
		d := &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
		return written(t, d, verilog.Options{})
	}
	with := map[string]bool{}
	for _, line := range strings.Split(build(true), "\n") {
		with[line] = true
	}
	for _, line := range strings.Split(build(false), "\n") {
		if strings.Contains(line, "wire") && strings.Contains(line, "] kept_") && !strings.Contains(line, "output") && !with[line] {
			t.Errorf("gone: %s", line)
		}
	}
}

// TestResetKinds has the linters read a reset that is used in both ways, in the
// module itself and in two below, and a memory written through two clocks.
func TestResetKinds(t *testing.T) {
	lint(t, source(t, mixed), verilog.Options{})
}

const mixed = `etch 1
top mixed

module soft {
  input clk: 1 clock = %c
  input rst: 1 reset = %r
  input d: 1 = %d
  output q: 1 = %q
  %c clk: 1 clock = input clk
  %r rst: 1 reset = input rst
  %d d: 1 = input d
  %q q: 1 = reg
  %z: 1 = const 1'h0
  reg %q next %d clk %c rst %r reset %z
}

module hard {
  input clk: 1 clock = %c
  input rst: 1 asyncreset = %r
  input d: 1 = %d
  output q: 1 = %q
  %c clk: 1 clock = input clk
  %r rst: 1 asyncreset = input rst
  %d d: 1 = input d
  %q q: 1 = reg
  %z: 1 = const 1'h0
  reg %q next %d clk %c async rst %r reset %z
}

module mixed {
  input clk: 1 clock = %c
  input clk2: 1 clock = %c2
  input rst: 1 asyncreset = %r
  input d: 1 = %d
  input a: 4 = %a
  input wd: 8 = %wd
  output x: 1 = %x
  output y: 1 = %y
  output z: 1 = %zq
  output w: 8 = %w
  %c clk: 1 clock = input clk
  %c2 clk2: 1 clock = input clk2
  %r rst: 1 asyncreset = input rst
  %d d: 1 = input d
  %a a: 4 = input a
  %wd wd: 8 = input wd
  %x: 1 = out soft q
  %y: 1 = out hard q
  %n: 1 = const 1'h0
  %zq z: 1 = reg
  %zn: 1 = and %d %r
  %w: 8 = memread mem %a
  instance soft of soft { clk %c, rst %r, d %d, q %x }
  instance hard of hard { clk %c, rst %r, d %d, q %y }
  reg %zq next %zn clk %c async rst %r reset %n
  memory mem: 16 x 8
    write a clk %c addr %a data %wd en %d
    write b clk %c2 addr %a data %wd en %x
  memory log: 16 x 8
    write a clk %c addr %a data %wd en %d
}
`

// TestEnumWidth keeps a code that a narrower value cannot have from being named.
func TestEnumWidth(t *testing.T) {
	m := ir.NewModule("m", ir.NewSources())
	e := m.AddType(ir.Type{Kind: ir.EnumKind, Enum: &ir.Enum{Name: "aKind", Names: []string{"x", "y y", "X"}, Codes: []uint64{0, 9, 3}}})
	in := m.AddInput("in", 2, e, 0)
	for i := range 4 {
		m.AddOutput(fmt.Sprintf("is%d", i), 1, 0, m.Add(ir.Node{Op: ir.Eq, Width: 1}, in, m.Const(bits.New(2, uint64(i)), 0)), 0)
	}
	got := written(t, &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}, verilog.Options{})
	for _, want := range []string{"localparam [1:0] A_KIND_X = 2'd0;", "in == A_KIND_X;", "in == 2'd1;", "localparam [1:0] A_KIND_X_2 = 2'd3;"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
