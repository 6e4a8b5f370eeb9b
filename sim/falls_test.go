package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/simtest"
)

// A call for many cycles makes machine code at once, even if its cycles run singly because clocks
// fall too: this one is halted after eleven.
func TestFallingEdgesAreCompiledAtOnce(t *testing.T) {
	b := simtest.NewBuild("halves")
	falls := b.Add(ir.Node{Op: ir.Not, Width: 1, Type: ir.TypeID(ir.Clock)}, b.Clk)
	rising, falling := b.Register("rising", 8, 0), b.AddReg("falling", 8, 0, falls, 0)
	b.Feed(rising, b.Put(ir.Add, 8, falling, b.Number(8, 1)))
	b.Feed(falling, rising)
	b.Regs[b.Node(falling).Aux].Init = b.Number(8, 0)
	b.AddOutput("count", 8, 0, rising, 0)
	end := b.Put(ir.Eq, 1, rising, b.Number(8, 10))
	b.Stmts = []ir.Stmt{{Kind: ir.Stop, Name: "end", Clk: b.Clk, En: end, Pos: b.Src.Line("t/halves.go", 3)}}

	for _, many := range []bool{false, true} {
		s := start(t, simtest.Design(b))
		s.OnStop(func(sim.Stop) { s.Halt() })

		// Either one call that would go on, or as many calls as it has cycles.
		if many {
			s.Step(10 * choose.Standard().Warm.Events)
		} else {
			for range 11 {
				s.Step(1)
			}
		}
		require.EqualValues(t, 11, s.Cycles())
		require.EqualValues(t, 11, get(t, s, "count"))
		require.Equal(t, many, s.CodeBytes() > 0, "a call for many cycles: %v", many)
	}
}
