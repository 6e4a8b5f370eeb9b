package sim_test

import (
	"bytes"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/testbench/randcircuit"

	"github.com/stretchr/testify/require"
)

// TestLaneBodies runs designs with control state in lanes that have bodies for it,
// and every lane in a simulator of its own, with inputs that are the same in all
// lanes for most of the time.
func TestLaneBodies(t *testing.T) {
	seeds := 16
	if testing.Short() {
		seeds = 5
	}
	studied, used, best := 0, 0, 0.0
	for seed := range uint64(seeds) {
		d := randcircuit.Control(seed)
		n := []int{16, 20, 5, 64}[seed%4]
		b, ok := studyBench(t, d, seed, n)
		if !ok {
			continue
		}
		studied++
		b.follow(t, seed)
		if within, share := b.l.Bodies(); within {
			used++
			best = max(best, share)
		}
		require.NoError(t, b.l.Close())
	}
	if features := sim.HostFeatures(); !features.AVX2 {
		t.Skip("no bodies for lanes without AVX2")
	}
	t.Logf("of %d designs %d have control state and %d ended with bodies", seeds, studied, used)
	require.Greater(t, studied, seeds/2)
	require.Greater(t, used, studied/4)
	require.Greater(t, best, 0.9, "of the cycles of lanes that agree")
}

// studyBench makes lanes that study at once, and simulators.
func studyBench(t *testing.T, d *ir.Design, seed uint64, n int) (*laneBench, bool) {
	b := &laneBench{gen: &gen{Rand: newRand(seed ^ 0xb0d1e5)}, d: d, before: make([][]sim.Failure, n)}
	opts := []sim.Option{sim.WithWorkers(1 + int(seed%2))}
	l, err := sim.NewLanes(d, n, append(opts, sim.WithOutput(b))...)
	require.NoError(t, err)
	b.l = l
	if !l.StudyEagerly() {
		require.NoError(t, l.Close())
		return nil, false
	}
	for range n {
		out := &bytes.Buffer{}
		s, err := sim.New(d, append(opts, sim.WithOutput(out))...)
		require.NoError(t, err)
		b.each, b.said = append(b.each, s), append(b.said, out)
	}
	return b, true
}

// follow makes many cycles and compares from time to time.
func (b *laneBench) follow(t *testing.T, seed uint64) {
	for round := range 24 {
		if round%8 == 0 {
			b.same(t)
		}
		if round%11 == 10 {
			b.drive(t)
		}
		k := []int{1, 40, 2000, 300}[b.IntN(4)]
		b.l.Step(k)
		for _, s := range b.each {
			s.Step(k)
		}
		b.compare(t, b.l.Design().Top.Name)
	}
	b.compareFailures(t, "bodies")
	b.comparePrints(t, "bodies")
}

// same drives all inputs, those of all lanes alike.
func (b *laneBench) same(t *testing.T) {
	for i, p := range b.d.Top.Ports {
		if sig := b.l.Top()[i]; sig.IsInput() {
			v := b.value(p.Width)
			for lane, s := range b.each {
				require.NoError(t, s.SetBits(s.Top()[i], v))
				require.NoError(t, b.l.SetBits(sig, lane, v))
			}
		}
	}
}
