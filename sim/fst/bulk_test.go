package fst_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/sim/fst"
	"etch/testbench/randcircuit"

	"github.com/stretchr/testify/require"
)

// slow is a counter of 130 bits with bits of it that change at all rates.
func slow() *ir.Design {
	b := newBench("slow")
	clk := b.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	step := b.AddInput("step", 130, 0, 0)
	count := b.AddReg("count", 130, 0, clk, 0)
	b.Regs[b.Node(count).Aux].Next = b.Add(ir.Node{Op: ir.Add, Width: 130}, count, step)
	for _, at := range []int32{0, 1, 6, 7, 8, 13, 14, 15, 64, 129} {
		bit := b.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: at}, count)
		b.AddOutput("bit_"+string(rune('a'+at%26)), 1, 0, bit, 0)
	}
	return &ir.Design{Top: b.Module, Modules: []*ir.Module{b.Module}, Src: b.Src}
}

// TestBulk: blocks that machine code fills are, byte for byte, those that are
// filled change by change, wherever they are cut.
func TestBulk(t *testing.T) {
	one := func(s *sim.Sim, _ *rand.Rand) { require.NoError(t, s.Set(s.Top()[1], 1)) }
	equalInBulk(t, slow(), []int{1, 700, 30_000, 0}, []int{400, 18_000, 1, 1000}, one)
	for seed := range uint64(6) {
		d := randcircuit.Design(100+seed, randcircuit.Config{Nodes: 60, Modules: int(seed % 3), State: true})
		equalInBulk(t, d, []int{3000, 0}, []int{400, 1, 700, 7, 500}, func(s *sim.Sim, r *rand.Rand) { drive(t, s, r) })
	}
}

// equalInBulk compares the files of both engines, for blocks of about so many
// bytes, where many steps are made at once and inputs set before.
func equalInBulk(t *testing.T, d *ir.Design, limits, steps []int, set func(s *sim.Sim, r *rand.Rand)) {
	t.Helper()
	for _, limit := range limits {
		var files [2]bytes.Buffer
		for k, e := range []sim.Engine{sim.Interpreter, sim.Auto} {
			s, err := sim.New(d, sim.WithEngine(e), sim.WithOutput(&bytes.Buffer{}))
			require.NoError(t, err)
			w := fst.New(&files[k])
			if limit > 0 {
				w.SetLimit(limit)
			}
			require.NoError(t, s.Trace(w))
			r := rand.New(rand.NewPCG(5, 7))
			for _, n := range steps {
				set(s, r)
				s.Step(n)
			}
			require.NoError(t, w.Close())
			require.NoError(t, s.Close())
		}
		require.True(t, bytes.Equal(files[0].Bytes(), files[1].Bytes()), "%s, blocks of %d bytes: %d bytes, want %d", d.Top.Name, limit, files[1].Len(), files[0].Len())
	}
}
