package yosys

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/tools"
)

// TestPublic reads other people's Verilog and compares it with Icarus Verilog, where
// that knows a value, or, where the two differ, with Verilator starting at 0. ETCH_PUBLIC names a table with a line for each design: its name,
// its top and its files; -Idir, -DNAME and -PNAME=VALUE among the files are flags.
// Nothing of the kind is part of this repository.
func TestPublic(t *testing.T) {
	table := os.Getenv("ETCH_PUBLIC")
	if table == "" {
		t.Skip("ETCH_PUBLIC names no table")
	}
	f, err := os.Open(table)
	require.NoError(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 3 || words[0] == "#" {
			continue
		}
		t.Run(words[0], func(t *testing.T) {
			src := Source{Top: words[1], Time: 10 * time.Minute}
			var flags []string
			for _, w := range words[2:] {
				switch {
				case strings.HasPrefix(w, "-I"):
					src.Include, flags = append(src.Include, w[2:]), append(flags, w)
				case strings.HasPrefix(w, "-D"):
					src.Defines, flags = append(src.Defines, w[2:]), append(flags, w)
				case strings.HasPrefix(w, "-P"):
					name, v, _ := strings.Cut(w[2:], "=")
					src.Params = append(src.Params, ir.Param{Name: name, Value: v})
				default:
					list, err := filepath.Glob(w)
					require.NoError(t, err)
					require.NotEmpty(t, list, w)
					src.Files = append(src.Files, list...)
				}
			}
			notes := 0
			src.Note = func(string) { notes++ }
			start := time.Now()
			d, err := Read(t.Context(), tools.Need(t, "yosys")[0].Command, src)
			took := time.Since(start).Round(time.Millisecond)
			require.NoError(t, err)
			t.Logf("%d files, %d modules, read in %v, %d notes: %s", len(src.Files), len(d.Modules), took, notes, comparePublic(t, d, src, flags))
		})
	}
}

// comparePublic runs 400 cycles with random inputs, of which the resets are held for
// the first four.
func comparePublic(t *testing.T, d *ir.Design, src Source, flags []string) string {
	const cycles = 400
	s, err := sim.New(d)
	require.NoError(t, err)
	b := &bench{d: d}
	r := rand.New(rand.NewPCG(7, 7))
	var clks []sim.Signal
	for i, p := range d.Top.Ports {
		if p.Type == ir.TypeID(ir.Clock) && p.Dir == ir.In {
			clks = append(clks, s.Top()[i])
		}
	}
	look := func() {
		var all []string
		for i, p := range d.Top.Ports {
			if p.Dir == ir.Out {
				all = append(all, s.GetBits(s.Top()[i]).Bin())
			}
		}
		b.want = append(b.want, strings.Join(all, " "))
	}
	for k := range cycles {
		set := ""
		for i, p := range d.Top.Ports {
			if p.Dir != ir.In || p.Type == ir.TypeID(ir.Clock) {
				continue
			}
			v := patterns(r, p.Width)
			if l := ResetByName(p.Name); p.Width == 1 && l != 0 { // active for a while
				v = bits.New(1, uint64(l-High))
				if k < 4 {
					v = v.Not()
				}
			}
			require.NoError(t, s.SetBits(s.Top()[i], v))
			set = v.Bin() + set
		}
		look()
		if len(clks) > 0 {
			s.TickAll(clks...)
		}
		look()
		b.stim = append(b.stim, fmt.Sprintf("%08b%s", 1<<len(clks)-1, set))
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stim"), []byte(strings.Join(b.stim, "\n")), 0o666))
	dut := src.Top
	for i, p := range src.Params {
		dut += map[bool]string{true: " #(", false: ", "}[i == 0] + fmt.Sprintf(".%s(%s)", p.Name, p.Value)
	}
	if len(src.Params) > 0 {
		dut += ")"
	}
	tb := strings.Replace(b.verilog("tb", dut, "", filepath.Join(dir, "stim")), "$display(\"", "$display(\"@", 2)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tb.v"), []byte(tb), 0o666))
	both := tools.Need(t, "iverilog", "vvp")
	args := append([]string{"-g2012", "-DSYNTHESIS", "-s", "tb", "-o", filepath.Join(dir, "tb.vvp"), filepath.Join(dir, "tb.v")}, flags...)
	said, err := both[0].Command(t.Context(), append(args, src.Files...)...).CombinedOutput()
	if err != nil {
		return "iverilog: " + strings.SplitN(string(said), "\n", 2)[0]
	}
	said, err = both[1].Command(t.Context(), "-n", filepath.Join(dir, "tb.vvp")).CombinedOutput()
	require.NoError(t, err)
	var got []string
	for line := range strings.Lines(string(said)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "@"); ok {
			got = append(got, rest)
		}
	}
	stopped := ""
	if len(got) < len(b.want) { // by a $finish of the design's
		stopped = fmt.Sprintf(", of which Icarus stopped in cycle %d", len(got)/2)
		b.want = b.want[:len(got)]
	}
	if at := differing(b.want, got); at >= 0 {
		// Where x decides, as in an if, Icarus goes on with what no circuit does.
		judge := underVerilator(t, dir, flags, src.Files)
		if again := differing(b.want, judge); again >= 0 {
			t.Errorf("line %d\n%s\n%s\nunder Verilator line %d\n%s\n%s", at, got[at], b.want[at], again, judge[again], b.want[again])
			return "differs"
		}
		return fmt.Sprintf("equal over %d cycles under Verilator with everything unknown 0; x decides under Icarus from cycle %d", cycles, at/2)
	}
	known, all := 0, 0
	for k, want := range b.want {
		all += len(want)
		known += strings.Count(got[k], "0") + strings.Count(got[k], "1")
	}
	return fmt.Sprintf("equal over %d cycles%s, %d%% of the bits known", cycles, stopped, 100*known/max(all, 1))
}

// differing is the first line that differs in a known bit, -1 without one.
func differing(want, got []string) int {
	for k := range want {
		if k >= len(got) || len(got[k]) != len(want[k]) || got[k] != maskX(want[k], got[k]) {
			return k
		}
	}
	return -1
}

// underVerilator is what the bench in dir shows where all that is unknown is 0.
func underVerilator(t *testing.T, dir string, flags, files []string) (lines []string) {
	tool := tools.Need(t, "verilator")[0]
	args := []string{"--binary", "--timing", "--x-initial", "0", "--x-assign", "0", "-DSYNTHESIS", "-Wno-fatal", "-Wno-lint", "-Wno-style",
		"--top-module", "tb", "--Mdir", filepath.Join(dir, "obj"), "-O0", "-CFLAGS", "-O0", filepath.Join(dir, "tb.v")}
	out, err := tool.Command(t.Context(), append(append(args, flags...), files...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.CommandContext(t.Context(), filepath.Join(dir, "obj", "Vtb")).Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "@"); ok {
			lines = append(lines, rest)
		}
	}
	return lines
}
