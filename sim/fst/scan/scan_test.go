package scan_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"etch/sim"
	"etch/sim/fst"
	"etch/sim/fst/scan"
	vcd "etch/sim/vcd/scan"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

// change is a change of a variable.
type change struct {
	time  uint64
	value string
}

// settled keeps the last value of each time, where it differs from the one before.
func settled(list []change) (kept []change) {
	for _, c := range list {
		if n := len(kept); n > 0 && kept[n-1].time == c.time {
			kept = kept[:n-1]
		}
		if n := len(kept); n == 0 || kept[n-1].value != c.value {
			kept = append(kept, c)
		}
	}
	return kept
}

// ours is the changes of all variables by path and range.
func ours(t *testing.T, f *scan.File) map[string][]change {
	t.Helper()
	vars := map[string][]change{}
	for _, v := range f.Vars {
		var list []change
		require.NoError(t, f.Changes(v.Net, f.Begin, f.End, func(c scan.Change) error {
			list = append(list, change{c.Time, c.Value})
			return nil
		}))
		vars[f.Path(v)+v.Range] = settled(list)
	}
	return vars
}

// theirs is the same as GTKWave's fst2vcd has it.
func theirs(t *testing.T, path string) map[string][]change {
	t.Helper()
	text, err := tools.Need(t, "fst2vcd")[0].Command(t.Context(), path).Output()
	require.NoError(t, err)
	r, err := vcd.New("theirs.vcd", bytes.NewReader(text))
	require.NoError(t, err)
	nets := map[int][]change{}
	for {
		c, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		nets[c.Net] = append(nets[c.Net], change{c.Time, string(c.Value)})
	}
	vars := map[string][]change{}
	for _, v := range r.Vars {
		vars[r.Path(v)+v.Range] = settled(nets[v.Net])
	}
	return vars
}

// agree requires that this package and fst2vcd read the same from a file.
func agree(t *testing.T, path string) *scan.File {
	t.Helper()
	f, err := scan.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	want, got := theirs(t, path), ours(t, f)
	require.NotEmpty(t, want)
	require.Len(t, got, len(want))
	for name, list := range want {
		require.Equal(t, list, got[name], name)
	}
	return f
}

// written is a trace of a design by etch's own writer, by blocks of limit bytes.
func written(t testing.TB, s *sim.Sim, path string, steps int) {
	t.Helper()
	w, err := fst.Create(path)
	require.NoError(t, err)
	require.NoError(t, s.Trace(w))
	r := rand.New(rand.NewPCG(1, 2))
	for range steps {
		for _, p := range s.Top() {
			if p.IsInput() && !p.IsClock() && p.Width() <= 64 {
				require.NoError(t, s.Set(p, r.Uint64()>>(64-p.Width())))
			}
		}
		s.Step(1)
	}
	require.NoError(t, w.Close())
}

// TestOwn reads the files of etch's writer: of random circuits, and of a run long enough for several
// blocks.
func TestOwn(t *testing.T) {
	for seed := range uint64(12) {
		s, err := sim.New(randcircuit.Design(seed, randcircuit.Config{Nodes: 60, Modules: int(seed % 3), State: true, Calm: true}), sim.WithOutput(nil))
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "a.fst")
		written(t, s, path, 50)
		agree(t, path)
	}

	s, err := sim.New(randcircuit.Design(3, randcircuit.Config{Nodes: 150, Modules: 2, State: true, Calm: true}), sim.WithOutput(nil))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "long.fst")
	written(t, s, path, 2500)
	f := agree(t, path)
	require.Greater(t, f.Blocks(), 1)
	random(t, f)
}

// random asks for single values and for short ranges, in any order, which must be those of the whole.
func random(t *testing.T, f *scan.File) {
	t.Helper()
	whole := ours(t, f)
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		v := f.Vars[r.IntN(len(f.Vars))]
		at := f.Begin + r.Uint64N(f.End-f.Begin+1)
		to := min(f.End, at+r.Uint64N(200))
		var want []change
		for _, c := range whole[f.Path(v)+v.Range] {
			switch {
			case c.time <= at:
				want = []change{{at, c.value}}
			case c.time <= to:
				want = append(want, c)
			}
		}
		var got []change
		require.NoError(t, f.Changes(v.Net, at, to, func(c scan.Change) error {
			got = append(got, change{c.Time, c.Value})
			return nil
		}))
		require.Equal(t, want, settled(got), "%s from %d to %d", f.Path(v), at, to)
		value, err := f.At(v.Net, at)
		require.NoError(t, err)
		require.Equal(t, want[0].value, value)
	}
	stop := errors.New("stop")
	require.Equal(t, stop, f.Changes(0, f.Begin, f.End, func(scan.Change) error { return stop }))
}

// model is a circuit with x, z, a real, a text and a wide register.
const model = `module top;
  reg clk = 0; always #5 clk = !clk;
  reg [7:0] count; reg [99:0] wide; tri [3:0] bus; reg en; real r; integer n;
  assign bus = en ? count[3:0] : 4'bz;
  wire parity = ^count;
  sub s(.clk(clk), .d(count));
  initial begin $dumpfile("a.fst"); $dumpvars(0, top); r = 0.25; n = -3; #23 count = 0; wide = 100'h1; en = 0; end
  always @(posedge clk) begin count <= count + 1; wide <= {wide[98:0], parity}; en <= count[2]; r <= r * 1.5; n <= n - 7; if (count == 250) $finish; end
endmodule
module sub(input clk, input [7:0] d); reg [7:0] q; always @(posedge clk) q <= d; endmodule
`

// TestIcarus reads the files of Icarus, with each of its packings.
func TestIcarus(t *testing.T) {
	compile, run := tools.Need(t, "iverilog")[0], tools.Need(t, "vvp")[0]
	for _, flag := range []string{"-fst", "-fst-space", "-fst-speed", "-fst-space-speed"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.v"), []byte(model), 0o666))
		c := compile.Command(t.Context(), "-o", "a.vvp", "a.v")
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		c = run.Command(t.Context(), "a.vvp", flag)
		c.Dir = dir
		out, err = c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		f := agree(t, filepath.Join(dir, "a.fst"))
		random(t, f)
		require.Equal(t, 0, f.Scale)
	}
}

// TestVerilator reads a file of Verilator. Its compilation takes long.
func TestVerilator(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to compile Verilator's traces")
	}
	tool := tools.Need(t, "verilator")[0]
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.v"), []byte(`module a(input clk, input [3:0] d, output reg [39:0] q, output p);
  always @(posedge clk) q <= {q[35:0], d}; assign p = ^q; endmodule
`), 0o666))
	main := `#include "Va.h"
#include "verilated.h"
#include "verilated_fst_c.h"
int main() { Verilated::traceEverOn(true); Va* a = new Va; VerilatedFstC* t = new VerilatedFstC; a->trace(t, 99); t->open("a.fst");
  unsigned x = 1; for (int i = 0; i < 4000; i++) { x = x * 1103515245u + 12345u; a->clk = i & 1; a->d = x >> 20; a->eval(); t->dump(i); } t->close(); return 0; }
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.cpp"), []byte(main), 0o666))
	c := tool.Command(t.Context(), "--cc", "--exe", "--build", "--trace-fst", "-O1", "a.v", "main.cpp")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "zlib.h") || strings.Contains(string(out), "lz4.h") {
			t.Skip("the headers of zlib and LZ4 (zlib1g-dev, liblz4-dev), which Verilator's traces need, are not installed")
		}
		require.NoError(t, err, "%s", out)
	}
	c = exec.CommandContext(t.Context(), filepath.Join(dir, "obj_dir", "Va"))
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	random(t, agree(t, filepath.Join(dir, "a.fst")))
}

// small is a short file of etch's writer.
func small(t testing.TB) []byte {
	s, err := sim.New(randcircuit.Design(2, randcircuit.Config{Nodes: 30, State: true, Calm: true}), sim.WithOutput(nil))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "a.fst")
	written(t, s, path, 20)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// read reads everything from bytes.
func read(b []byte) error {
	f, err := scan.New("a.fst", bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	defer f.Close()
	for net := range f.Nets {
		if err := f.Changes(net, 0, f.End, func(scan.Change) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// TestBroken cuts and changes a file: an error with the name and the offset, or values.
func TestBroken(t *testing.T) {
	b := small(t)
	require.NoError(t, read(b))
	whole := 0 // between two blocks: a shorter run
	for n := range len(b) {
		if err := read(b[:n]); err != nil {
			require.Regexp(t, `^a\.fst: at byte \d+: `, err.Error())
			require.NotContains(t, err.Error(), "\n")
		} else {
			whole++
		}
	}
	require.LessOrEqual(t, whole, 2)
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		x := bytes.Clone(b)
		for range 1 + r.IntN(3) {
			x[r.IntN(len(x))] = byte(r.Uint32())
		}
		if err := read(x); err != nil {
			require.Regexp(t, `^a\.fst: at byte \d+: `, err.Error())
		}
	}
	_, err := scan.Open(filepath.Join(t.TempDir(), "none.fst"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, read([]byte("$timescale 1ns $end")), "this is no FST file")
}

// FuzzRead: broken files end in an error, never in a panic, and take no more memory than the bounds.
func FuzzRead(f *testing.F) {
	f.Add(small(f))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 8})
	f.Fuzz(func(t *testing.T, b []byte) { read(b) })
}
