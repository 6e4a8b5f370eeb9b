package why_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/hw"
	"etch/sim"
	"etch/sim/replay"
	"etch/sim/why"
)

// BenchmarkExplain is the time from a failed check at the end of a run to the ten rows below it: the
// processor of examples/rv32i after 100,000 cycles, and a reliable link after as many.
func BenchmarkExplain(b *testing.B) {
	for _, x := range []struct {
		name string
		c    hw.Component[bench.Ports]
	}{{"rv32i", bench.RV32I{}}, {"protocol", bench.Protocol{}}} {
		b.Run(x.name, func(b *testing.B) {
			d, _, err := hw.Build(x.c)
			require.NoError(b, err)
			s, err := sim.New(d)
			require.NoError(b, err)
			s.Record(64 << 20)
			s.Reset()
			s.Step(100_000)
			for b.Loop() {
				run, err := replay.Of(s.Recorded())
				require.NoError(b, err)
				e := why.New(run)
				sig, err := run.Sim().Signal("sum")
				require.NoError(b, err)
				_, err = e.Explain(sig, s.Cycles(), 10)
				require.NoError(b, err)
				if len(e.Text()) < 200 {
					b.Fatal(e.Text())
				}
			}
		})
	}
}
