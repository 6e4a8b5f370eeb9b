package yosys_test

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/verilog"
	"etch/backends/yosys"
	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// back writes a design as Verilog and reads that.
func back(t *testing.T, d *ir.Design, o verilog.Options) *ir.Design {
	t.Helper()
	tool := tools.Need(t, "yosys")[0]
	text, err := verilog.Text(d, o)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "d.v")
	require.NoError(t, os.WriteFile(file, text, 0o666))
	d2, err := yosys.Read(t.Context(), tool.Command, yosys.Source{Files: []string{file}, Top: verilog.TopName(d)})
	require.NoError(t, err)
	return d2
}

// alike drives two designs with the same inputs and edges, and compares outputs.
func alike(t *testing.T, a, b *ir.Design, seed uint64, cycles int) {
	t.Helper()
	var s [2]*sim.Sim
	for i, d := range [2]*ir.Design{a, b} {
		var err error
		s[i], err = sim.New(d, sim.WithOutput(io.Discard))
		require.NoError(t, err)
	}
	names := verilog.PortNames(a.Top)
	at := make([]int, len(names))
	for i, name := range names {
		at[i] = b.Top.PortIndex(name)
		require.GreaterOrEqual(t, at[i], 0, name)
	}
	var clocks []int
	for i := range names {
		if s[0].Top()[i].IsClock() {
			clocks = append(clocks, i)
		}
	}
	r := rand.New(rand.NewPCG(seed, 4))
	same := func(cycle int, when string) {
		for i, p := range a.Top.Ports {
			if p.Dir != ir.In && p.Type != ir.TypeID(ir.Clock) {
				x, y := s[0].GetBits(s[0].Top()[i]), s[1].GetBits(s[1].Top()[at[i]])
				require.True(t, x.Equal(y), "seed %d, cycle %d, %s the edge: %s = %s, read back %s", seed, cycle, when, p.Name, x, y)
			}
		}
	}
	for cycle := range cycles {
		for i, p := range a.Top.Ports {
			words := make([]uint64, bits.WordCount(p.Width))
			for k := range words {
				words[k] = r.Uint64()
			}
			v := bits.FromWords(p.Width, words)
			if p.Dir == ir.InOut {
				drives := r.IntN(2) == 0
				for k, at := range [2]int{i, at[i]} {
					if drives {
						require.NoError(t, s[k].Drive(s[k].Top()[at], v))
					} else {
						require.NoError(t, s[k].Release(s[k].Top()[at]))
					}
				}
			}
			if x := s[0].Top()[i]; x.IsInput() {
				if k := x.Type().Kind; (k == ir.Reset || k == ir.AsyncReset) && r.IntN(8) != 0 {
					v = bits.Zero(1)
				}
				require.NoError(t, s[0].SetBits(x, v))
				require.NoError(t, s[1].SetBits(s[1].Top()[at[i]], v))
			}
		}
		same(cycle, "before")
		if len(clocks) == 0 {
			continue
		}
		k := clocks[r.IntN(len(clocks))]
		s[0].Tick(s[0].Top()[k], 1)
		if x := s[1].Top()[at[k]]; x.IsClock() { // or nothing is clocked by it
			s[1].Tick(x, 1)
		}
		same(cycle, "after")
	}
}

// TestRandomRoundTrip: what is read of our own Verilog behaves as the netlist.
func TestRandomRoundTrip(t *testing.T) {
	n := uint64(24)
	if testing.Short() {
		n = 5
	}
	for seed := range n {
		c := randcircuit.Config{Nodes: 30 + int(seed%3)*20, Modules: int(seed % 3), State: seed%5 != 0, Falls: seed%4 == 3}
		if seed%2 == 1 {
			c.Widths = []int{1, 2, 7, 8, 31, 32, 33, 64, 65}
		}
		d := randcircuit.Design(seed, c)
		if crossing(d) {
			continue
		}
		alike(t, d, back(t, d, verilog.Options{Zero: true}), seed, 40)
	}
}

// crossing reports whether a memory has ports on several clocks: when those are
// one clock above, Verilog leaves open what the netlist says.
func crossing(d *ir.Design) bool {
	for _, m := range d.Modules {
		for i := range m.Mems {
			clocks := map[ir.ID]bool{}
			for _, p := range m.Mems[i].Reads {
				clocks[p.Clk] = true
			}
			for _, p := range m.Mems[i].Writes {
				clocks[p.Clk] = true
			}
			if len(clocks) > 1 {
				return true
			}
		}
	}
	return false
}

// mostNodes and mostWords bound the designs of the catalogue, and their memories, that are read
// back here: yosys takes half a minute for loops that set thousands of words to zero. Package
// catalog proves every design equal to its own Verilog.
const (
	mostNodes = 3000
	mostWords = 1024
)

// TestCatalogRoundTrip does so for the designs of the catalogue.
func TestCatalogRoundTrip(t *testing.T) {
	for i, c := range catalog.Designs() {
		if testing.Short() && i >= 8 {
			break
		}
		d, err := c.Build(nil)
		require.NoError(t, err)
		if nodes, words := size(d); nodes > mostNodes || words > mostWords {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			alike(t, d, back(t, d, verilog.Options{Zero: true}), 1, 300)
		})
	}
}

// size is the number of nodes of all modules, and the depth of the deepest memory.
func size(d *ir.Design) (nodes, words int) {
	for _, m := range d.Modules {
		nodes += m.Len()
		for i := range m.Mems {
			words = max(words, m.Mems[i].Depth)
		}
	}
	return nodes, words
}
