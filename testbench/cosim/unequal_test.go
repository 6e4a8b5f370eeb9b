package cosim

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/text"
	"etch/sim"
	"etch/testbench/tools"
)

// unequalWrites is a circuit with two instances of a memory that is written in words
// and in quarters, by words in one of them only. They are kept as instances by way of
// a black box with a model: small modules Verilator puts into the one above.
func unequalWrites(t *testing.T) *ir.Design {
	t.Helper()
	const file = "../fuzz/testdata/toolbugs/unequal_writes.etch"
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	d, err := text.Parse(f, file)
	require.NoError(t, err)
	part := d.Modules[0]
	body, err := verilog.Text(&ir.Design{Top: part, Modules: []*ir.Module{part}, Src: d.Src}, verilog.Options{Zero: true})
	require.NoError(t, err)
	const memory = "  reg [63:0] m "
	require.Contains(t, string(body), memory)
	body = bytes.Replace(body, []byte(memory), []byte("  /* verilator no_inline_module */\n"+memory), 1)
	path := filepath.Join(t.TempDir(), "part.v")
	require.NoError(t, os.WriteFile(path, body, 0o644))
	part.Extern = &ir.Extern{Module: "part", Files: []string{path}, Model: true}
	return d
}

// judgeWrites records a few writes and has a tool answer them.
func judgeWrites(t *testing.T, tool string) Judgement {
	t.Helper()
	s, err := sim.New(unequalWrites(t))
	require.NoError(t, err)
	defer s.Close()
	r, err := Record(s, t.TempDir())
	require.NoError(t, err)
	set := func(name string, v uint64) {
		g, err := s.Signal(name)
		require.NoError(t, err)
		require.NoError(t, s.Set(g, v))
	}
	set("d", 0x123456789abcdef0)
	for k := range uint64(4) {
		set("en", k&1)
		set("mask", k)
		set("a", k)
		set("b", 3-k)
		s.Step(1)
	}
	j := r.Judge(t.Context(), tool)[0]
	require.NoError(t, j.Err)
	require.Positive(t, j.Samples)
	return j
}

// TestUnequalWrites: Verilator gets a memory of several instances right that is
// written in parts of several widths. It does so without gate optimisation only.
func TestUnequalWrites(t *testing.T) {
	for _, tool := range Tools() {
		t.Run(tool, func(t *testing.T) {
			for _, list := range lookup(tool).needs {
				tools.Need(t, list[0])
			}
			require.Empty(t, judgeWrites(t, tool).Differences)
		})
	}
	t.Run("why", func(t *testing.T) {
		tools.Need(t, "verilator", "g++")
		v := lookup("verilator")
		defer func(flags, key []string) { verilatorFlags, v.flags = flags, key }(verilatorFlags, v.flags)
		with := func(flags []string) []string {
			return slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return f == "-fno-gate" })
		}
		verilatorFlags, v.flags = with(verilatorFlags), with(v.flags)
		require.NotEmpty(t, judgeWrites(t, "verilator").Differences, "-fno-gate need not be there any more")
	})
}
