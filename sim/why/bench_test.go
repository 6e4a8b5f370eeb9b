package why_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/designs/catalog"
	"etch/designs/cli"
	"etch/hw"
	"etch/ir"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/why"
)

// BenchmarkExplain is the time from a failed check at the end of a run to the ten rows below it: the
// processor of examples/rv32i after 100,000 cycles, a reliable link after as many, and a row of the
// advantage estimator after 20,000 cycles with random inputs.
func BenchmarkExplain(b *testing.B) {
	for _, x := range []struct {
		name string
		c    hw.Component[bench.Ports]
	}{{"rv32i", bench.RV32I{}}, {"protocol", bench.Protocol{}}} {
		b.Run(x.name, func(b *testing.B) {
			d, _, err := hw.Build(x.c)
			require.NoError(b, err)
			s := recorded(b, d)
			s.Step(100_000)
			explain(b, s, "sum")
		})
	}

	for _, name := range []string{"gae_row", "gae"} {
		b.Run(name, func(b *testing.B) {
			at := slices.IndexFunc(catalog.Designs(), func(d cli.Design) bool { return d.Name == name })
			d, err := catalog.Designs()[at].Build(nil)
			require.NoError(b, err)
			s := recorded(b, d)
			out := ""
			r := rand.New(rand.NewPCG(1, 2))
			for range 20_000 {
				for _, p := range s.Top() {
					switch kind := p.Type().Kind; {
					case !p.IsInput():
						out = p.Name()
					case !p.IsClock() && kind != ir.Reset && kind != ir.AsyncReset:
						require.NoError(b, s.SetBits(p, bitsOf(r, p)))
					}
				}
				s.Step(1)
			}
			explain(b, s, out)
		})
	}
}

// recorded is a simulator behind its reset that records.
func recorded(b *testing.B, d *ir.Design) *sim.Sim {
	s, err := sim.New(d, sim.WithOutput(nil))
	require.NoError(b, err)
	s.Record(64 << 20)
	s.Reset()
	return s
}

// explain measures the explanation of a signal at the end of a run.
func explain(b *testing.B, s *sim.Sim, name string) {
	for b.Loop() {
		run, err := replay.Of(s.Recorded())
		require.NoError(b, err)
		e := why.New(run)
		sig, err := run.Sim().Signal(name)
		require.NoError(b, err)
		_, err = e.Explain(sig, s.Cycles(), 10)
		require.NoError(b, err)
		if len(e.Text()) < 100 {
			b.Fatal(e.Text())
		}
	}
}
