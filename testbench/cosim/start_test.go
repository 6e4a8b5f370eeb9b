package cosim

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/testbench/tools"
)

// twoParts is a top with two instances of a part whose register, memory and read
// register have no initial value, and names that are keywords.
func twoParts(t *testing.T) *ir.Design {
	t.Helper()
	u, clock := ir.TypeID(ir.UInt), ir.TypeID(ir.Clock)
	part := ir.NewModule("part", nil)
	clk, a := part.AddInput("clk", 1, clock, 0), part.AddInput("a", 3, u, 0)
	q := part.AddReg("reg", 70, u, clk, 0)
	part.Regs[0].Next = q
	part.Mems = append(part.Mems, ir.Memory{Name: "always", Depth: 6, Width: 9, Type: u})
	part.AddOutput("q", 70, u, q, 0)
	part.AddOutput("word", 9, u, part.Add(ir.Node{Op: ir.MemRead, Type: u, Width: 9}, a), 0)
	fetched := part.Add(ir.Node{Op: ir.MemOut, Type: u, Width: 9})
	part.Mems[0].Reads = []ir.ReadPort{{Node: fetched, Clk: clk, Addr: a, Under: ir.Old}}
	part.AddOutput("fetched", 9, u, fetched, 0)

	top := ir.NewModule("top", nil)
	clk, a = top.AddInput("clk", 1, clock, 0), top.AddInput("a", 3, u, 0)
	for _, name := range []string{"begin", "end"} {
		conns := top.Insts[top.AddInst(name, part, 0)].Conns
		conns[0], conns[1] = clk, a
		for i := 2; i < len(conns); i++ {
			top.AddOutput(name+part.Ports[i].Name, part.Ports[i].Width, u, conns[i], 0)
		}
	}
	d := &ir.Design{Top: top, Modules: []*ir.Module{part, top}}
	require.NoError(t, ir.Verify(d))
	return d
}

// The start file is what the Verilog starts from: with another one it differs.
func TestStart(t *testing.T) {
	for _, tool := range Tools() {
		t.Run(tool, func(t *testing.T) {
			for _, list := range lookup(tool).needs {
				tools.Need(t, list[0])
			}
			if tool == "verilator" && testing.Short() {
				t.Skip("builds a model")
			}
			judge := func(spoil bool) Judgement {
				s, err := sim.New(twoParts(t), sim.WithSeed(7))
				require.NoError(t, err)
				dir := t.TempDir()
				r, err := Record(s, dir)
				require.NoError(t, err)
				if spoil {
					path := filepath.Join(dir, startFile)
					text, err := os.ReadFile(path)
					require.NoError(t, err)
					lines := bytes.Split(text, []byte("\n"))
					require.Len(t, lines, 2*(2+6+1)+1)
					last := len(lines) - 2 // a read register
					lines[last] = fmt.Appendf(nil, "%x", len(lines[last]))
					require.NoError(t, os.WriteFile(path, bytes.Join(lines, []byte("\n")), 0o666))
				}
				a, err := s.Signal("a")
				require.NoError(t, err)
				for k := range uint64(8) {
					require.NoError(t, s.Set(a, k))
					r.Look()
				}
				s.Step(2)
				j := r.Judge(t.Context(), tool)[0]
				require.NoError(t, j.Err)
				require.Positive(t, j.Samples)
				return j
			}
			require.Empty(t, judge(false).Differences)
			wrong := judge(true).Differences
			require.NotEmpty(t, wrong)
			require.Equal(t, "endfetched", wrong[0].Port)
		})
	}
}
