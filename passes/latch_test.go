package passes_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/text"
	"etch/passes"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// TestLatchesStay: the optimiser removes latches, but makes no other registers of them, and copies and
// text keep the kind.
func TestLatchesStay(t *testing.T) {
	folded := 0
	for seed := range uint64(60) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, State: true, Latches: true})
		kinds := map[string]ir.RegKind{} // of the registers by name
		for _, m := range d.Modules {
			for _, r := range m.Regs {
				kinds[m.NameOf(r.Node)] = r.Kind
			}
		}

		o := passes.Optimize(d, passes.Options{})
		var s strings.Builder
		require.NoError(t, text.Print(&s, o))
		read, err := text.Parse(strings.NewReader(s.String()), "optimised")
		require.NoError(t, err)
		for _, d := range []*ir.Design{o, o.Clone(), read} {
			m := d.Top
			for _, r := range m.Regs {
				require.Equal(t, kinds[m.NameOf(r.Node)], r.Kind, "seed %d: %s", seed, m.NameOf(r.Node))
				if r.Kind == ir.Latch && m.Op(r.Reset) == ir.Const {
					folded++
				}
			}
		}
	}
	require.Positive(t, folded)
}

// TestLatches: random designs with latches do the same when they are optimised.
func TestLatches(t *testing.T) {
	n := uint64(40)
	if testing.Short() {
		n = 10
	}
	for seed := range n {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 50, Modules: int(seed % 3), State: true, Latches: true, Widths: []int{1, 2, 8, 33, 65}})
		o := passes.Optimize(d.Clone(), passes.Options{})
		require.NoError(t, ir.Verify(o), "seed %d", seed)
		var s [2]*sim.Sim
		for i, d := range [2]*ir.Design{d, o} {
			var err error
			s[i], err = sim.New(d, sim.WithEngine(sim.Interpreter), sim.WithOutput(io.Discard))
			require.NoError(t, err)
		}
		r := rand.New(rand.NewPCG(seed, 2))
		for k := range 60 {
			for i, p := range d.Top.Ports {
				if x := s[0].Top()[i]; x.IsInput() && !x.IsClock() {
					words := make([]uint64, bits.WordCount(p.Width))
					for w := range words {
						words[w] = r.Uint64()
					}
					for _, s := range s {
						require.NoError(t, s.SetBits(s.Top()[i], bits.FromWords(p.Width, words)))
					}
				}
			}
			for i, p := range d.Top.Ports {
				if p.Dir == ir.Out && !s[0].Top()[i].IsClock() {
					require.Equal(t, s[0].GetBits(s[0].Top()[i]).Hex(), s[1].GetBits(s[1].Top()[i]).Hex(), "seed %d, cycle %d: %s", seed, k, p.Name)
				}
			}
			for i := range d.Top.Ports {
				if s[0].Top()[i].IsClock() && d.Top.Ports[i].Dir == ir.In && r.IntN(2) == 0 {
					s[0].Tick(s[0].Top()[i], 1)
					s[1].Tick(s[1].Top()[i], 1)
				}
			}
		}
	}
}
