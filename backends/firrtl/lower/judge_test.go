package lower_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
	"etch/passes/derived"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// design reads a text, which must be right.
func design(t testing.TB, name, text string) (*ir.Design, []lower.Note) {
	t.Helper()
	c, err := syntax.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	d, notes, err := lower.Lower(c, lower.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := derived.Resolve(d); err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	return d, notes
}

// judge compares what etch makes of a text with what firtool does: the one in
// package sim, the other in Icarus Verilog, on the same inputs, before and after
// every edge. other is the text as today's firtool takes it, which may differ.
// Where firtool's memories give x, and only there, nothing is compared; the
// result is the share of bits that were.
func judge(t *testing.T, text, other string, cycles int, holds bool) float64 {
	t.Helper()
	d, _ := design(t, "case.fir", text)
	known, differs := judged(t, d, other, cycles, holds)
	if differs != "" {
		t.Fatal(differs)
	}
	return known
}

// judged is judge of a design; differs says where it is another circuit.
func judged(t *testing.T, d *ir.Design, other string, cycles int, holds bool) (known float64, differs string) {
	t.Helper()
	found := tools.Need(t, "firtool", "iverilog", "vvp")
	r := simulate(t, d, cycles)
	r.holds = holds
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cmd := found[0].Command(t.Context(), append(judgeArgs, write("case.fir", other))...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	sv, err := cmd.Output()
	if err != nil {
		t.Fatalf("firtool: %v\n%s", err, errs.Bytes())
	}
	sv, _, _ = bytes.Cut(sv, []byte("// ----- 8< -----")) // files of their own, for layers
	write("stim.hex", strings.Join(r.stim, "\n"))
	verilog := write("case.sv", zeroed+string(sv)+clockGate+r.bench(d, dir, cycles))
	vvp := filepath.Join(dir, "case.vvp")
	if out, err := found[1].Command(t.Context(), "-g2012", "-o", vvp, verilog).CombinedOutput(); err != nil {
		t.Fatalf("iverilog: %v\n%s\n%s", err, out, sv)
	}
	out, err := found[2].Command(t.Context(), vvp).Output()
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, out)
	}
	var got []string
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "@ "); ok {
			got = append(got, strings.TrimSpace(rest))
		}
	}
	return r.compare(t, d, got, string(sv))
}

// judgeArgs have firtool write Verilog that Icarus Verilog 11 reads.
var judgeArgs = []string{"--lowering-options=disallowLocalVariables,disallowPackedArrays", "-O=debug", "--disable-annotation-unknown", "--verification-flavor=if-else-fatal"}

// zeroed has registers and memories start as 0, and statements stay silent.
const zeroed = "`define RANDOMIZE_REG_INIT\n`define RANDOMIZE_MEM_INIT\n`define RANDOM 32'd0\n" +
	"`define PRINTF_COND 0\n`define STOP_COND 0\n`define ASSERT_VERBOSE_COND 0\n`define STOP_COND_ 0\n`define PRINTF_COND_ 0\n`define ASSERT_VERBOSE_COND_ 0\n"

// clockGate is the cell that firtool leaves to the user.
const clockGate = `
module EICG_wrapper(output out, input en, input test_en, input in);
  reg held = 0;
  always @(*) if (!in) held = en | test_en;
  assign out = held & in;
endmodule
`

// run is a design's simulation: stimuli as hexadecimal words, outputs as bits.
type run struct {
	stim []string
	want []string
	in   []int
	clks []int
	outs []int
	// holds: outputs keep their values where they are x in Verilog, which is how
	// read ports that are not enabled show.
	holds bool
}

func isReset(p ir.Port) bool {
	return strings.Contains(strings.ToLower(p.Name), "reset") || strings.HasSuffix(p.Name, "rst")
}

func simulate(t *testing.T, d *ir.Design, cycles int) *run {
	t.Helper()
	r := &run{}
	for i, p := range d.Top.Ports {
		switch {
		case p.Dir == ir.Out:
			r.outs = append(r.outs, i)
		case p.Type == ir.TypeID(ir.Clock):
			r.clks = append(r.clks, i)
		default:
			r.in = append(r.in, i)
		}
	}
	s, err := sim.New(d, sim.WithOutput(io.Discard), sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(len(d.Top.Ports)), 7))
	look := func() {
		var line []string
		for _, i := range r.outs {
			line = append(line, s.GetBits(s.Top()[i]).Bin())
		}
		r.want = append(r.want, strings.Join(line, " "))
	}
	for cycle := range cycles {
		word := []bits.Value{bits.New(1, 1)}
		for _, i := range r.in {
			v := randcircuit.Value(rng, d.Top.Ports[i].Width)
			if isReset(d.Top.Ports[i]) {
				v = bits.New(1, 0)
				if cycle < 2 || rng.IntN(16) == 0 {
					v = bits.New(1, 1)
				}
			}
			word = append(word, v)
			if err := s.SetBits(s.Top()[i], v); err != nil {
				t.Fatal(err)
			}
		}
		look()
		s.Step(1)
		look()
		r.stim = append(r.stim, bits.Concat(word...).Hex())
	}
	return r
}

// bench applies the stimuli in Verilog and shows the outputs.
func (r *run) bench(d *ir.Design, dir string, cycles int) string {
	var b strings.Builder
	width := 1
	for _, i := range r.in {
		width += d.Top.Ports[i].Width
	}
	fmt.Fprintf(&b, "\nmodule tb;\n  reg [%d:0] stim [0:%d];\n  reg [%d:0] s;\n  integer k;\n", width-1, cycles-1, width-1)
	var conns, outs []string
	for _, p := range d.Top.Ports {
		kind, start := "reg", " = 0"
		if p.Dir == ir.Out {
			kind, start = "wire", ""
			outs = append(outs, "p_"+p.Name)
		}
		fmt.Fprintf(&b, "  %s [%d:0] p_%s%s;\n", kind, p.Width-1, p.Name, start)
		conns = append(conns, fmt.Sprintf(".%s(p_%s)", p.Name, p.Name))
	}
	fmt.Fprintf(&b, "  %s dut(%s);\n", d.Top.Name, strings.Join(conns, ", "))
	show := "#5 $display(\"@" + strings.Repeat(" %b", len(outs)) + "\", " + strings.Join(outs, ", ") + ");\n"
	fmt.Fprintf(&b, "  initial begin\n    $readmemh(\"%s/stim.hex\", stim);\n    #5;\n    for (k = 0; k < %d; k = k + 1) begin\n      s = stim[k];\n", dir, cycles)
	at := width - 1
	for _, i := range r.in {
		p := d.Top.Ports[i]
		at -= p.Width
		fmt.Fprintf(&b, "      p_%s = s[%d:%d];\n", p.Name, at+p.Width-1, at)
	}
	b.WriteString("      " + show)
	for _, v := range []int{1, 0} {
		for _, i := range r.clks {
			fmt.Fprintf(&b, "      p_%s = %d;\n", d.Top.Ports[i].Name, v)
		}
		if v == 1 {
			b.WriteString("      #5;\n")
		}
	}
	b.WriteString("      " + show + "    end\n    $finish;\n  end\nendmodule\n")
	return b.String()
}

func (r *run) compare(t *testing.T, d *ir.Design, got []string, sv string) (share float64, differs string) {
	t.Helper()
	if len(got) != len(r.want) {
		t.Fatalf("%d samples from Verilog, %d from etch", len(got), len(r.want))
	}
	known, all := 0, 0
	for i, want := range r.want {
		w, g := strings.Fields(want), strings.Fields(got[i])
		for j := range w {
			if held := strings.Trim(g[j], "x") == ""; held && r.holds && i > 0 && strings.Fields(r.want[i-1])[j] != w[j] {
				return 0, fmt.Sprintf("cycle %d: %s changes to %s while the port is not enabled", i/2, d.Top.Ports[r.outs[j]].Name, w[j])
			}
			for k := range w[j] {
				all++
				switch {
				case g[j][k] == 'x' || g[j][k] == 'z':
					continue
				case g[j][k] != w[j][k]:
					return 0, fmt.Sprintf("cycle %d, %s the edge: %s is %s, firtool has %s\n%s", i/2, []string{"before", "after"}[i%2],
						d.Top.Ports[r.outs[j]].Name, w[j], g[j], sv[max(0, strings.Index(sv, "module "+d.Top.Name)):])
				}
				known++
			}
		}
	}
	return float64(known) / float64(max(1, all)), ""
}
