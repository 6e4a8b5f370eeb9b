package verilog_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

var (
	circuits = flag.Int("circuits", 12, "random circuits to compare with the simulator")
	from     = flag.Uint64("from", 1, "seed of the first one")
)

// steps is the number of times that the inputs of a random circuit change.
const steps = 12

// TestAgainstSimulator runs random circuits through package sim and their text
// through iverilog, on the same inputs, and compares all outputs before and after
// every edge. An x would differ too.
func TestAgainstSimulator(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	n := *circuits
	if testing.Short() {
		n = min(n, 6)
	}
	const batch = 24
	for at := 0; at < n; at += batch {
		var runs []*run
		for i := at; i < min(at+batch, n); i++ {
			runs = append(runs, newRun(*from+uint64(i)))
		}
		compare(t, runs)
	}
}

// run is one random circuit with its stimuli and what the simulator says.
type run struct {
	seed uint64
	d    *ir.Design
	stim []string // hexadecimal words of all inputs and the clocks that rise
	want []string
	in   []int // ports that are driven, clocks apart
	clks []int
	outs []int
}

func newRun(seed uint64) *run {
	c := randcircuit.Config{Nodes: 20 + int(seed%5)*20, Modules: int(seed % 4), State: seed%7 != 0, Stmts: seed%3 == 0, Falls: seed%4 == 0}
	return runOf(seed, randcircuit.Design(seed, c))
}

// runOf prepares a design: modules get names that differ from those of others.
func runOf(seed uint64, d *ir.Design) *run {
	r := &run{seed: seed, d: d}
	for _, m := range r.d.Modules {
		m.Name = fmt.Sprintf("d%d_%s", seed, m.Name)
		separateClocks(m)
	}
	for i, p := range r.d.Top.Ports {
		switch {
		case p.Dir == ir.Out:
			r.outs = append(r.outs, i)
		case p.Type == ir.TypeID(ir.Clock):
			r.clks = append(r.clks, i)
		default:
			r.in = append(r.in, i)
		}
	}
	return r
}

// separateClocks connects the clocks of instances to different clocks. A module
// with a memory between two clocks that are one above is not the same in Verilog,
// which sees two: there a read does not see the write of the same moment.
func separateClocks(m *ir.Module) {
	var clks []ir.ID
	for _, p := range m.Ports {
		if p.Dir == ir.In && p.Type == ir.TypeID(ir.Clock) {
			clks = append(clks, p.Node)
		}
	}
	for i := range m.Insts {
		inst, k := &m.Insts[i], i
		for j, p := range inst.Mod.Ports {
			if p.Dir == ir.In && p.Type == ir.TypeID(ir.Clock) {
				inst.Conns[j] = clks[k%len(clks)]
				k++
			}
		}
	}
}

// together reports whether clocks may rise at the same time: not if memories are
// written through both, as Verilog does not say which write is last.
func (r *run) together() bool {
	for _, m := range r.d.Modules {
		for i := range m.Mems {
			for _, w := range m.Mems[i].Writes {
				if w.Clk != m.Mems[i].Writes[0].Clk {
					return false
				}
			}
		}
	}
	return true
}

func (r *run) simulate(t *testing.T) {
	s, err := sim.New(r.d, sim.WithOutput(io.Discard))
	if err != nil {
		t.Fatalf("seed %d: %v", r.seed, err)
	}
	rng := rand.New(rand.NewPCG(r.seed, 5))
	signal := func(i int) sim.Signal {
		sig, err := s.Signal(r.d.Top.Ports[i].Name)
		if err != nil {
			t.Fatal(err)
		}
		return sig
	}
	both := r.together()
	for range steps {
		var word []bits.Value
		for _, i := range r.in {
			p := r.d.Top.Ports[i]
			v := value(rng, p.Width)
			if p.Width == 1 && strings.HasSuffix(p.Name, "rst") {
				v = bits.New(1, uint64(rng.IntN(5)/4))
			}
			if err := s.SetBits(signal(i), v); err != nil {
				t.Fatal(err)
			}
			word = append(word, v)
		}
		r.want = append(r.want, r.outputs(s, signal))
		rise := 1 + rng.IntN(3)
		if rise == 3 && !both {
			rise = 1
		}
		var clks []sim.Signal
		for k, i := range r.clks {
			if rise>>k&1 == 1 {
				clks = append(clks, signal(i))
			}
		}
		if len(clks) > 0 {
			s.TickAll(clks...)
		}
		r.want = append(r.want, r.outputs(s, signal))
		r.stim = append(r.stim, bits.Concat(append([]bits.Value{bits.New(2, uint64(rise))}, word...)...).Hex())
	}
}

func (r *run) outputs(s *sim.Sim, signal func(int) sim.Signal) string {
	var text []string
	for _, i := range r.outs {
		v := s.GetBits(signal(i))
		text = append(text, fmt.Sprintf("%0*s", (v.Width()+3)/4, v.Hex()))
	}
	return strings.Join(text, " ")
}

// value draws a value with small, large and special ones in it.
func value(rng *rand.Rand, w int) bits.Value {
	words := make([]uint64, bits.WordCount(w))
	for i := range words {
		words[i] = rng.Uint64()
	}
	v := bits.FromWords(w, words)
	switch rng.IntN(6) {
	case 0:
		return bits.Zero(w)
	case 1:
		return bits.Ones(w)
	case 2:
		return bits.New(w, rng.Uint64()&7)
	case 3:
		return v.Shr(uint64(rng.IntN(w)))
	}
	return v
}

// bench is a Verilog module that applies the stimuli and prints the outputs.
func (r *run) bench(b *bytes.Buffer, dir string) {
	name := fmt.Sprintf("b%d", r.seed)
	width := 2
	for _, i := range r.in {
		width += r.d.Top.Ports[i].Width
	}
	fmt.Fprintf(b, "module %s;\n  reg [%d:0] stim [0:%d];\n  reg [%d:0] s;\n  integer k;\n", name, width-1, steps-1, width-1)
	var conns, outs []string
	for i, p := range r.d.Top.Ports {
		switch {
		case p.Dir == ir.Out:
			fmt.Fprintf(b, "  wire [%d:0] p%d;\n", p.Width-1, i)
		case slices.Contains(r.clks, i):
			fmt.Fprintf(b, "  reg p%d = 0;\n", i)
		default:
			fmt.Fprintf(b, "  reg [%d:0] p%d;\n  initial p%d = 0;\n", p.Width-1, i, i)
		}
		conns = append(conns, fmt.Sprintf("p%d", i))
	}
	for _, i := range r.outs {
		outs = append(outs, fmt.Sprintf("p%d", i))
	}
	fmt.Fprintf(b, "  %s dut(%s);\n", r.d.Top.Name, strings.Join(conns, ", "))
	show := fmt.Sprintf("$display(\"\\n@%d%s\"", r.seed, strings.Repeat(" %h", len(outs)))
	for _, o := range outs {
		show += ", " + o
	}
	show += ");"
	fmt.Fprintf(b, "  initial begin\n    $readmemh(\"%s\", stim);\n    #5;\n    for (k = 0; k < %d; k = k + 1) begin\n      s = stim[k];\n", filepath.Join(dir, name+".hex"), steps)
	at := width - 2
	for _, i := range r.in {
		w := r.d.Top.Ports[i].Width
		at -= w
		fmt.Fprintf(b, "      p%d = s[%d:%d];\n", i, at+w-1, at)
	}
	fmt.Fprintf(b, "      #5 %s\n", show)
	for k, i := range r.clks {
		fmt.Fprintf(b, "      p%d = s[%d];\n", i, width-2+k)
	}
	b.WriteString("      #5;\n")
	for _, i := range r.clks {
		fmt.Fprintf(b, "      p%d = 0;\n", i)
	}
	fmt.Fprintf(b, "      #5 %s\n    end\n  end\nendmodule\n", show)
	if err := os.WriteFile(filepath.Join(dir, name+".hex"), []byte(strings.Join(r.stim, "\n")), 0o644); err != nil {
		panic(err)
	}
}

func compare(t *testing.T, runs []*run) {
	dir := folder(t)
	var text bytes.Buffer
	for _, r := range runs {
		r.simulate(t)
		if err := verilog.Write(&text, r.d, verilog.Options{Zero: true}); err != nil {
			t.Fatal(err)
		}
		r.bench(&text, dir)
	}
	text.WriteString("module tb;\n")
	for _, r := range runs {
		fmt.Fprintf(&text, "  b%d b%d();\n", r.seed, r.seed)
	}
	text.WriteString("endmodule\n")
	got := map[string][]string{}
	for _, line := range strings.Split(iverilog(t, dir, text.Bytes(), "tb"), "\n") {
		if seed, rest, ok := strings.Cut(strings.TrimPrefix(line, "@"), " "); ok && strings.HasPrefix(line, "@") {
			got[seed] = append(got[seed], rest)
		}
	}
	for _, r := range runs {
		r.check(t, got[fmt.Sprint(r.seed)])
	}
}

func (r *run) check(t *testing.T, got []string) {
	t.Helper()
	if len(got) != len(r.want) {
		t.Errorf("seed %d: iverilog printed %d lines, want %d", r.seed, len(got), len(r.want))
		return
	}
	for i := range got {
		if got[i] == r.want[i] {
			continue
		}
		g, w := strings.Fields(got[i]), strings.Fields(r.want[i])
		for j := range w {
			if g[j] != w[j] {
				t.Errorf("seed %d: step %d.%d: %s = %s in iverilog, %s in the simulator", r.seed, i/2, i%2, r.d.Top.Ports[r.outs[j]].Name, g[j], w[j])
				return
			}
		}
	}
}

// iverilog compiles a text with all warnings, none of which is fine, and runs it.
func iverilog(t *testing.T, dir string, text []byte, top string) string {
	t.Helper()
	src, bin := filepath.Join(dir, top+".v"), filepath.Join(dir, top+".vvp")
	if err := os.WriteFile(src, text, 0o644); err != nil {
		t.Fatal(err)
	}
	bench := tools.Need(t, "iverilog", "vvp")
	standard := "-g2005"
	if bytes.Contains(text, []byte("always @(negedge ")) { // in which a clock's first 0 is no edge
		standard = "-g2012"
	}
	out, err := bench[0].Command(t.Context(), standard, "-Wall", "-Wno-timescale", "-s", top, "-o", bin, src).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("iverilog: %v\n%s", err, head(out))
	}
	out, err = bench[1].Command(t.Context(), "-n", bin).CombinedOutput()
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, head(out))
	}
	return string(out)
}
