package why

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
)

// slow is a chain of registers behind an input, each of which holds the one before it.
func slow(n int) *ir.Design {
	m := ir.NewModule("slow", ir.NewSources())
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	x := m.AddInput("in", 4, 0, 0)
	for i := range n {
		reg := m.AddReg(fmt.Sprintf("reg_%d", i), 4, 0, clk, 0)
		m.Regs[i].Next = x
		x = reg
	}
	m.AddOutput("out", 4, 0, x, 0)
	return &ir.Design{Top: m, Modules: []*ir.Module{m}}
}

// counted is a run that counts the cycles that it stands at.
type counted struct {
	*replay.Run
	n int
}

func (c *counted) Go(cycle uint64) error {
	c.n++
	return c.Run.Go(cycle)
}

// TestAges compares ages with those of the values of all cycles, in random order, for inputs that
// change often, seldom, and not for longer than is looked at. What was replayed is not replayed
// again in long windows: registers behind a signal are known after the first search for it.
func TestAges(t *testing.T) {
	const cycles, chain = 3 * reach, 9
	for _, often := range []int{2, 300, 5000, cycles} {
		s, err := sim.New(slow(chain), sim.WithOutput(nil))
		require.NoError(t, err)
		s.Record(1 << 20)
		r := rand.New(rand.NewPCG(uint64(often), 7))
		in := s.Top()[1]
		at := make([]uint64, 0, cycles+1) // by cycle, the last change of the input before it
		require.Equal(t, "in", in.Name())

		// The value of register i at a cycle is that of the input i+1 cycles before.
		last, was := uint64(0), uint64(0)
		for c := range uint64(cycles) {
			if v := r.Uint64N(16); r.IntN(often) == 0 && v != was {
				require.NoError(t, s.SetBits(in, bits.New(4, v)))
				last, was = c, v
			}
			at = append(at, last)
			s.Step(1)
		}

		run, err := replay.Of(s.Recorded())
		require.NoError(t, err)
		moves := &counted{Run: run}
		e := New(moves)
		age := func(i int, cycle uint64, whole bool) uint64 {
			sig, err := run.Sim().Signal(fmt.Sprintf("reg_%d", i))
			require.NoError(t, err)
			_, id := sig.Node()
			e.whole = whole
			ages, err := e.ages([]probe{{at: ref{e.roots[""], id}}}, cycle)
			require.NoError(t, err)
			return ages[0]
		}
		want := func(i int, cycle uint64, whole bool) uint64 {
			changed := uint64(0)
			if back := uint64(i + 1); cycle >= back && at[cycle-back] > 0 {
				changed = at[cycle-back] + back
			}
			if !whole && cycle > reach {
				return max(changed, cycle-reach)
			}
			return changed
		}

		// The slowest first, from the end of the run; then anything.
		for i := chain - 1; i >= 0; i-- {
			require.Equal(t, want(i, cycles-uint64(chain-1-i), false), age(i, cycles-uint64(chain-1-i), false))
			require.Less(t, moves.n, reach+400*chain, "often %d: after %d registers", often, chain-i)
		}
		for range 200 {
			i, cycle, whole := r.IntN(chain), r.Uint64N(cycles+1), r.IntN(4) == 0
			require.Equal(t, want(i, cycle, whole), age(i, cycle, whole), "often %d: register %d at %d, %v", often, i, cycle, whole)
		}
		s.Close()
	}
}
