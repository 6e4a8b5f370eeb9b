package sim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/drive"
	"etch/sim/internal/simtest"
)

// nineClocks is nine counters, each with a clock of its own, and their sum.
func nineClocks() *ir.Design {
	b := simtest.NewBuild("clocks")
	var sum ir.ID
	for i := range 9 {
		clk := b.AddInput(fmt.Sprintf("clk%d", i), 1, ir.TypeID(ir.Clock), 0)
		count := b.AddReg(fmt.Sprintf("count%d", i), 32, 0, clk, 0)
		b.Regs[i].Next = b.Put(ir.Add, 32, count, b.Number(32, uint64(i+1)))
		if sum = count; i > 0 {
			sum = b.Put(ir.Xor, 32, sum, count)
		}
	}
	b.AddOutput("sum", 32, 0, sum, 0)
	return simtest.Alone(b.Module)
}

// TestManyClockSets: sets of clocks come and go. Whichever go on get machine code, however many
// others came before; a new choice never changes a result.
func TestManyClockSets(t *testing.T) {
	for _, kind := range []sim.Engine{sim.Auto, sim.Native, sim.Lockstep} {
		s, err := sim.New(nineClocks(), sim.WithEngine(kind))
		if err != nil {
			t.Skip(err)
		}
		var clks []sim.Signal
		for i := range 9 {
			clks = append(clks, simtest.Sig(t, s, fmt.Sprintf("clk%d", i)))
		}
		want := make([]uint64, 9)
		r := rand.New(rand.NewPCG(1, 19))
		tick := func(mask int) {
			var some []sim.Signal
			for i, c := range clks {
				if mask>>i&1 != 0 {
					some = append(some, c)
					want[i] += uint64(i + 1)
				}
			}
			s.TickAll(some...)
		}
		agree := func() {
			for i := range clks {
				require.Equal(t, want[i], get(t, s, fmt.Sprintf("count%d", i)))
			}
		}

		for range 3000 {
			tick(1 + r.IntN(511))
		}
		agree()

		// Twenty sets in turn, then one for long: each has code in the end, and never too many do.
		for range 2000 {
			for k := range 20 {
				tick(k + 1)
			}
		}
		agree()
		for k := range 20 {
			for range 3000 {
				tick(100 + k)
			}
			require.True(t, sim.HasCode(s, clks, 100+k), "%v: set %d has no machine code", kind, k)
			require.LessOrEqual(t, len(s.Report().Codes), 16)
		}
		agree()
		require.NoError(t, s.Err())
		require.NoError(t, s.Close())
	}
}

// TestWorkByBytes: the interpreter's lists of many clock sets take a bounded memory, and are made
// again when they are needed.
func TestWorkByBytes(t *testing.T) {
	const most = 2000
	bound := drive.MaxWorkBytes
	drive.MaxWorkBytes = most
	defer func() { drive.MaxWorkBytes = bound }()
	s := start(t, nineClocks(), sim.WithEngine(sim.Interpreter))
	kept := 0
	for mask := range 1 << 9 {
		var some []sim.Signal
		for i := range 9 {
			if mask>>i&1 != 0 {
				some = append(some, simtest.Sig(t, s, fmt.Sprintf("clk%d", i)))
			}
		}
		s.TickAll(some...)
		bytes, sets := sim.WorkBytes(s)
		require.LessOrEqual(t, bytes, most)
		kept = max(kept, sets)
	}
	require.Greater(t, kept, 8, "the bound was never near")

	// Each clock rose in half of the sets.
	for i := range 9 {
		require.EqualValues(t, (i+1)<<8, get(t, s, fmt.Sprintf("count%d", i)))
	}
}
