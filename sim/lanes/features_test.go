package lanes

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim"
	"etch/sim/internal/drive"
	"etch/sim/internal/interp"
	"etch/sim/internal/program"
	"etch/sim/native/cpu"
	"etch/sim/native/exec"
	rnd "etch/testbench/randcircuit"
)

// TestLanesWithoutVectors masks what the processor has: lanes run in Go then, with
// the same results.
func TestLanesWithoutVectors(t *testing.T) {
	seeds := 10
	if testing.Short() {
		seeds = 3
	}
	host := drive.Features
	defer func() { drive.Features = host }()
	names := map[string]bool{}
	for seed := range uint64(seeds) {
		d := rnd.Design(seed, rnd.Config{Nodes: 30, State: true, Widths: []int{1, 2, 7, 16, 33, 64, 65}})
		var all []*Lanes
		for _, f := range []cpu.Features{host, {}, {AVX2: host.AVX2}} {
			drive.Features = f
			l, err := New(d, 130, sim.WithSeed(seed))
			require.NoError(t, err)
			defer l.Close()
			names[l.Engine()] = true
			all = append(all, l)
		}
		r := interp.NewRandom(seed, "inputs")
		for range 20 {
			for i, sig := range all[0].Top() {
				if !sig.IsInput() || sig.Width() > 64 {
					continue
				}
				for lane := range 130 {
					v := r.Next() & program.Ones(sig.Width())
					for _, l := range all {
						require.NoError(t, l.Set(l.Top()[i], lane, v))
					}
				}
			}
			for _, l := range all {
				l.Step(3)
			}
			for i := range all[0].Top() {
				for lane := range 130 {
					want := all[0].GetBits(all[0].Top()[i], lane)
					for _, l := range all[1:] {
						if got := l.GetBits(l.Top()[i], lane); !got.Equal(want) {
							t.Fatalf("seed %d, lane %d, %s: %s says %v, %s says %v", seed, lane, l.Top()[i].Name(), l.Engine(), got, all[0].Engine(), want)
						}
					}
				}
			}
		}
	}
	slowest := "portable"
	if runtime.GOARCH == "arm64" && exec.Supported() { // there is none without vectors
		slowest = "neon"
	}
	require.True(t, names[slowest], "%v", names)
}
