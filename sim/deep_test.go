package sim_test

import (
	"testing"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"

	"github.com/stretchr/testify/require"
)

// TestDeep runs a chain of additions so long that walks by recursion go deep.
func TestDeep(t *testing.T) {
	n := 400_000
	if testing.Short() {
		n = 50_000
	}
	src := ir.NewSources()
	m := ir.NewModule("deep", src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	r := m.AddReg("r", 64, 0, clk, 0)
	x := r
	for i := range n {
		op := ir.Add
		if i%3 == 0 {
			op = ir.Xor
		}
		x = m.Add(ir.Node{Op: op, Width: 64}, x, m.Const(bits.New(64, uint64(i)*0x9e3779b97f4a7c15+1), 0))
	}
	m.Regs[0].Next = x
	m.AddOutput("out", 64, 0, r, 0)
	s, err := sim.New(&ir.Design{Top: m, Modules: []*ir.Module{m}, Src: src}, sim.WithEngine(sim.Lockstep))
	require.NoError(t, err)
	s.Step(3)
	require.NoError(t, s.Err())
	require.NoError(t, s.Close())
}
