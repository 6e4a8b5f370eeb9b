package firrtl_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

var (
	circuits = flag.Int("circuits", 24, "random circuits to compare with the simulator")
	from     = flag.Uint64("from", 1, "seed of the first one")
)

// steps is the number of times that the inputs of a random circuit change.
const steps = 12

// TestAgainstSimulator runs random circuits through package sim, and their FIRRTL
// through firtool and what it makes of that through Icarus Verilog, on the same
// inputs; all outputs are compared before and after every edge. An x would differ
// too. firtool works with little optimisation on circuits as they are, and with all
// of it on circuits whose registers start as they are reset.
func TestAgainstSimulator(t *testing.T) {
	tools.Need(t, "firtool", "iverilog", "vvp")
	n := *circuits
	if testing.Short() {
		n = min(n, 24)
	}
	const batch = 24
	for _, mode := range []struct {
		name string
		args []string
		make func(*ir.Design)
	}{
		{"plain", []string{"-O=debug"}, startAtZero},
		{"optimised", nil, func(d *ir.Design) { startAtReset(d); startAtZero(d) }},
	} {
		t.Run(mode.name, func(t *testing.T) {
			for at := 0; at < n; at += batch {
				var runs []*run
				for i := at; i < min(at+batch, n); i++ {
					runs = append(runs, newRun(*from+uint64(i), mode.make))
				}
				compare(t, runs, append(plainVerilog, mode.args...)...)
			}
		})
	}
}

// run is one circuit with its stimuli and what the simulator says.
type run struct {
	name string
	seed uint64
	d    *ir.Design
	n    int      // steps
	stim []string // hexadecimal words: the clocks that rise and all inputs
	want []string
	in   []int // ports that are driven, clocks apart
	clks []int
	outs []int
}

func newRun(seed uint64, change func(*ir.Design)) *run {
	c := randcircuit.Config{Nodes: 20 + int(seed%5)*20, Modules: int(seed % 4), State: seed%7 != 0}
	d := randcircuit.Design(seed, c)
	change(d)
	guardWideQuotients(d)
	return runOf(fmt.Sprintf("d%d", seed), seed, d, steps)
}

// runOf prepares a design: modules get names that differ from those of others.
func runOf(name string, seed uint64, d *ir.Design, n int) *run {
	r := &run{name: name, seed: seed, d: d, n: n}
	for _, m := range r.d.Modules {
		m.Name = name + "_" + m.Name
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

// separateClocks connects the clocks of an instance to different ones: a module
// with a memory between two clocks cannot know that they are one above.
func separateClocks(m *ir.Module) {
	var clks []ir.ID
	for _, p := range m.Ports {
		if p.Dir == ir.In && p.Type == ir.TypeID(ir.Clock) {
			clks = append(clks, p.Node)
		}
	}
	for i := range m.Insts {
		k := i
		for j, p := range m.Insts[i].Mod.Ports {
			if p.Dir == ir.In && p.Type == ir.TypeID(ir.Clock) {
				m.Insts[i].Conns[j] = clks[k%len(clks)]
				k++
			}
		}
	}
}

// mayRise is the largest set of clocks that may rise at a time: one if a memory is
// written through several, as nothing says which write is last.
func (r *run) mayRise() int {
	for _, m := range r.d.Modules {
		for i := range m.Mems {
			for _, w := range m.Mems[i].Writes {
				if w.Clk != m.Mems[i].Writes[0].Clk {
					return 2
				}
			}
		}
	}
	return 3
}

func (r *run) simulate(t *testing.T) {
	s, err := sim.New(r.d, sim.WithOutput(io.Discard))
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	rng := rand.New(rand.NewPCG(r.seed, 5))
	top, most := s.Top(), r.mayRise()
	for range r.n {
		var word []bits.Value
		for _, i := range r.in {
			p := r.d.Top.Ports[i]
			v := randcircuit.Value(rng, p.Width)
			if p.Width == 1 && strings.HasSuffix(p.Name, "rst") {
				v = bits.New(1, uint64(rng.IntN(5)/4))
			}
			if err := s.SetBits(top[i], v); err != nil {
				t.Fatal(err)
			}
			word = append(word, v)
		}
		r.want = append(r.want, r.outputs(s))
		rise := 1 + rng.IntN(most)
		var clks []sim.Signal
		for k, i := range r.clks {
			if rise>>k&1 == 1 {
				clks = append(clks, top[i])
			}
		}
		if len(clks) > 0 {
			s.TickAll(clks...)
		}
		r.want = append(r.want, r.outputs(s))
		r.stim = append(r.stim, bits.Concat(append([]bits.Value{bits.New(2, uint64(rise))}, word...)...).Hex())
	}
}

func (r *run) outputs(s *sim.Sim) string {
	var text []string
	for _, i := range r.outs {
		v := s.GetBits(s.Top()[i])
		text = append(text, fmt.Sprintf("%0*s", (v.Width()+3)/4, v.Hex()))
	}
	return strings.Join(text, " ")
}

// together is a design that has those of all runs as instances, so that firtool
// compiles them at once. Each port has the run's name in front.
func together(runs []*run) *ir.Design {
	src := ir.NewSources()
	all := &ir.Design{Top: ir.NewModule("all", src), Src: src}
	m := all.Top
	for _, r := range runs {
		all.Modules = append(all.Modules, r.d.Modules...)
		at := m.AddInst(r.name, r.d.Top, 0)
		for i, p := range r.d.Top.Ports {
			t := m.AddType(r.d.Top.TypeOf(p.Type))
			name := r.name + "_" + firrtl.PortNames(r.d.Top)[i]
			if p.Dir == ir.In {
				in := m.AddInput(name, p.Width, t, 0)
				m.Insts[at].Conns[i] = in
			} else {
				m.AddOutput(name, p.Width, t, m.Insts[at].Conns[i], 0)
			}
		}
	}
	all.Modules = append(all.Modules, m)
	return all
}

// bench declares what is connected to the ports of a run and applies its stimuli.
func (r *run) bench(t *testing.T, b *bytes.Buffer, dir string) (conns []string) {
	width := 2
	for _, i := range r.in {
		width += r.d.Top.Ports[i].Width
	}
	names := firrtl.PortNames(r.d.Top)
	name := func(i int) string { return r.name + "_" + names[i] }
	fmt.Fprintf(b, "  reg [%d:0] stim_%s [0:%d];\n  reg [%d:0] s_%s;\n  integer k_%s;\n", width-1, r.name, r.n-1, width-1, r.name, r.name)
	show := fmt.Sprintf("$display(\"\\n@%s", r.name)
	for i, p := range r.d.Top.Ports {
		kind, start := "reg", " = 0"
		if p.Dir == ir.Out {
			kind, start = "wire", ""
			show += " %h"
		}
		fmt.Fprintf(b, "  %s [%d:0] %s%s;\n", kind, p.Width-1, name(i), start)
		conns = append(conns, fmt.Sprintf(".%s(%s)", name(i), name(i)))
	}
	show += "\""
	for _, i := range r.outs {
		show += ", " + name(i)
	}
	show += ");"
	fmt.Fprintf(b, "  initial begin\n    $readmemh(\"%s.hex\", stim_%s);\n    #5;\n", r.name, r.name)
	fmt.Fprintf(b, "    for (k_%[1]s = 0; k_%[1]s < %[2]d; k_%[1]s = k_%[1]s + 1) begin\n      s_%[1]s = stim_%[1]s[k_%[1]s];\n", r.name, r.n)
	at := width - 2
	for _, i := range r.in {
		w := r.d.Top.Ports[i].Width
		at -= w
		fmt.Fprintf(b, "      %s = s_%s[%d:%d];\n", name(i), r.name, at+w-1, at)
	}
	fmt.Fprintf(b, "      #5 %s\n", show)
	for k, i := range r.clks {
		fmt.Fprintf(b, "      %s = s_%s[%d];\n", name(i), r.name, width-2+k)
	}
	b.WriteString("      #5;\n")
	for _, i := range r.clks {
		fmt.Fprintf(b, "      %s = 0;\n", name(i))
	}
	fmt.Fprintf(b, "      #5 %s\n    end\n  end\n", show)
	write(t, filepath.Join(dir, r.name+".hex"), []byte(strings.Join(r.stim, "\n")))
	return conns
}

// compare runs a batch.
func compare(t *testing.T, runs []*run, args ...string) {
	t.Helper()
	dir := folder(t)
	var tb bytes.Buffer
	var conns []string
	tb.WriteString("\nmodule tb;\n")
	for _, r := range runs {
		r.simulate(t)
		conns = append(conns, r.bench(t, &tb, dir)...)
	}
	all := together(runs)
	if err := ir.Verify(all); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&tb, "  all dut(\n    %s\n  );\nendmodule\n", strings.Join(conns, ",\n    "))
	fir, compiled := firtool(t, all, dir, args...)
	lost := lostRegisters(fir, compiled)
	text := append([]byte(zeroStart), compiled...)
	got := map[string][]string{}
	for _, line := range strings.Split(iverilog(t, dir, append(text, tb.Bytes()...)), "\n") {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "@"), " "); ok && strings.HasPrefix(line, "@") {
			got[name] = append(got[name], rest)
		}
	}
	checked := 0
	for _, r := range runs {
		if !slices.Contains(args, "-O=debug") || !r.hasAny(lost) {
			r.check(t, got[r.name])
			checked++
		}
	}
	if checked < len(runs)/2 {
		t.Errorf("only %d of %d circuits could be compared", checked, len(runs))
	}
}

// hasAny reports whether a module of the run is in a set.
func (r *run) hasAny(set map[string]bool) bool {
	return slices.ContainsFunc(r.d.Modules, func(m *ir.Module) bool { return set[m.Name] })
}

func (r *run) check(t *testing.T, got []string) {
	t.Helper()
	if len(got) != len(r.want) {
		t.Errorf("%s: iverilog printed %d lines, want %d", r.name, len(got), len(r.want))
		return
	}
	for i := range got {
		if got[i] == r.want[i] {
			continue
		}
		g, w := strings.Fields(got[i]), strings.Fields(r.want[i])
		for j := range w {
			if g[j] != w[j] {
				t.Errorf("%s: step %d.%d: %s = %s in iverilog, %s in the simulator", r.name, i/2, i%2, r.d.Top.Ports[r.outs[j]].Name, g[j], w[j])
				return
			}
		}
	}
}

// sorry is what Icarus says of firtool's always_comb; it does no harm.
var sorry = regexp.MustCompile(`(?m)^.*sorry: constant selects in always_\* processes .*\n`)

// iverilog compiles a text with top tb and runs it in its folder.
func iverilog(t *testing.T, dir string, text []byte) string {
	t.Helper()
	bench := tools.Need(t, "iverilog", "vvp")
	write(t, filepath.Join(dir, "tb.v"), text)
	cmd := bench[0].Command(t.Context(), "-g2012", "-s", "tb", "-o", "tb.vvp", "tb.v")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || len(sorry.ReplaceAll(out, nil)) > 0 {
		t.Fatalf("iverilog: %v\n%s", err, head(sorry.ReplaceAll(out, nil)))
	}
	cmd = bench[1].Command(t.Context(), "-n", "tb.vvp")
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, head(out))
	}
	return string(out)
}
