package passes_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/text"
)

// sameBehaviour runs two designs side by side on random inputs and compares every
// output and every statement in every cycle.
func sameBehaviour(t *testing.T, a, b *ir.Design, seed uint64, cycles int) {
	t.Helper()
	require.Equal(t, len(a.Top.Ports), len(b.Top.Ports))
	ka, kb := newMachine(a, seed), newMachine(b, seed)
	rng := rand.New(rand.NewPCG(seed, 99))
	edges := [][]string{{"clk0"}, {"clk1"}, {"clk0", "clk1"}}
	for cycle := range cycles {
		in := randomInputs(rng, a.Top)
		for _, rst := range []string{"rst", "arst"} {
			if _, ok := in[rst]; ok && rng.IntN(4) != 0 {
				in[rst] = bits.Zero(1)
			}
		}
		sameOutputs(t, ka, kb, in, seed, cycle)
		clocks := edges[rng.IntN(3)]
		ka.step(clocks...)
		kb.step(clocks...)
		if !equalLogs(ka.log, kb.log) {
			require.Equal(t, ka.log, kb.log, "seed %d, cycle %d", seed, cycle)
		}
	}
}

func randomInputs(rng *rand.Rand, top *ir.Module) map[string]bits.Value {
	in := map[string]bits.Value{}
	for _, p := range top.Ports {
		if p.Dir == ir.In {
			in[p.Name] = randomValue(rng, p.Width)
		}
	}
	return in
}

func equalLogs(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func sameOutputs(t *testing.T, ka, kb *machine, in map[string]bits.Value, seed uint64, cycle int) {
	t.Helper()
	ka.set(in)
	kb.set(in)
	for i, p := range ka.d.Top.Ports {
		if p.Dir == ir.In {
			continue
		}
		if va, vb := ka.out(i), kb.out(i); !va.Equal(vb) {
			t.Fatalf("seed %d, cycle %d: %s is %v, was %v; inputs %v\n---- before\n%s---- after\n%s",
				seed, cycle, p.Name, vb, va, in, text.String(ka.d), text.String(kb.d))
		}
	}
}

// sameForAllInputs tries every combination of the inputs of designs without state.
func sameForAllInputs(t *testing.T, a, b *ir.Design, seed uint64) {
	t.Helper()
	total := 0
	for _, p := range a.Top.Ports {
		if p.Dir == ir.In {
			total += p.Width
		}
	}
	require.LessOrEqual(t, total, 20)
	ka, kb := newMachine(a, seed), newMachine(b, seed)
	for n := range uint64(1) << total {
		in, rest := map[string]bits.Value{}, n
		for _, p := range a.Top.Ports {
			if p.Dir == ir.In {
				in[p.Name] = bits.New(p.Width, rest)
				rest >>= p.Width
			}
		}
		sameOutputs(t, ka, kb, in, seed, int(n))
	}
}
