package yosys

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
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
// that knows a value. ETCH_PUBLIC names a table with a line for each design: its name,
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
			v := vector(r, p.Width)
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
	require.Len(t, got, len(b.want))
	known, all := 0, 0
	for k, want := range b.want {
		require.Len(t, got[k], len(want))
		all += len(want)
		known += strings.Count(got[k], "0") + strings.Count(got[k], "1")
		if got[k] != maskX(want, got[k]) {
			t.Errorf("line %d\n%s\n%s", k, got[k], want)
			return "differs"
		}
	}
	return fmt.Sprintf("equal over %d cycles, %d%% of the bits known", cycles, 100*known/max(all, 1))
}
