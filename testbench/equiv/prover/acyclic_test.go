package prover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/passes/aig"
	"etch/testbench/equiv/prover"
)

// randomPipeline is a system without feedback: each latch follows from inputs and
// earlier latches. With before it starts after so many steps from anything.
func randomPipeline(rng *rand.Rand, before int) *aig.System {
	s := &aig.System{Graph: aig.New(), Before: before}
	g := s.Graph
	var all []aig.Lit
	for range 1 + rng.IntN(2) {
		s.Inputs = append(s.Inputs, g.Leaf())
	}
	all = append(all, s.Inputs...)
	pick := func() aig.Lit { return all[len(all)-1-rng.IntN(min(len(all), 8))].NotIf(rng.IntN(2) == 1) }
	gates := func(n int) {
		for range n {
			all = append(all, g.Mux(pick(), pick(), pick()))
		}
	}
	for range 1 + rng.IntN(5) {
		gates(rng.IntN(4))
		l := aig.Latch{Q: g.Leaf(), Next: pick(), Init: aig.Const(rng.IntN(2) == 1)}
		s.Latches = append(s.Latches, l)
		all = append(all, l.Q)
	}
	gates(4)
	if before == 0 && rng.IntN(3) == 0 {
		s.Constraints = append(s.Constraints, g.Or(pick(), pick()))
	}
	for range 1 + rng.IntN(2) {
		s.Bad = append(s.Bad, g.AndAll([]aig.Lit{pick(), pick(), pick(), pick()}))
	}
	if before > 0 {
		warm(s, before)
	}
	return s
}

// warm has a system start after some steps from any state.
func warm(s *aig.System, steps int) {
	free := func() aig.Lit {
		l := s.Graph.Leaf()
		s.Free = append(s.Free, l)
		return l
	}
	state := make([]aig.Lit, len(s.Latches))
	for i := range state {
		state[i] = free()
	}
	for range steps {
		r := aig.NewRebuilder(s.Graph, s.Graph)
		for i, l := range s.Latches {
			r.Set(l.Q, state[i])
		}
		for _, l := range s.Inputs {
			r.Set(l, free())
		}
		next := make([]aig.Lit, len(state))
		for i, l := range s.Latches {
			next[i] = r.Lit(l.Next)
		}
		state = next
	}
	for i := range s.Latches {
		s.Latches[i].Init = state[i]
	}
}

// TestPipelinesAgainstSearch: unrolling to the depth decides systems without feedback
// as a visit of all their states does.
func TestPipelinesAgainstSearch(t *testing.T) {
	outcomes := map[prover.Outcome]int{}
	for seed := range uint64(1500) {
		s := randomPipeline(rand.New(rand.NewPCG(seed, 2)), int(seed%4))
		at := visit(s)
		r, ok := prover.Unrolled(s)
		require.True(t, ok, "seed %d", seed)
		outcomes[r.Outcome]++
		switch r.Outcome {
		case prover.Proved:
			require.Equal(t, -1, at, "seed %d: proved by %s, but bad in step %d", seed, r.By, at)
		case prover.Refuted:
			require.NotEqual(t, -1, at, "seed %d", seed)
			require.NoError(t, s.Check(r.Trace), "seed %d", seed)
		}
		whole := prover.Prove(s, prover.Limits{})
		require.Equal(t, at == -1, whole.Outcome == prover.Proved, "seed %d: by %s", seed, whole.By)
	}
	t.Log(outcomes)
	require.Less(t, outcomes[prover.Unknown], 100) // states that no run has, where there are constraints
	require.Greater(t, outcomes[prover.Proved], 200)
	require.Greater(t, outcomes[prover.Refuted], 200)
}

// TestFeedback: a latch that follows from itself has no depth.
func TestFeedback(t *testing.T) {
	g := aig.New()
	in, p, q := g.Leaf(), g.Leaf(), g.Leaf()
	s := &aig.System{Graph: g, Inputs: []aig.Lit{in}, Bad: []aig.Lit{p}, Latches: []aig.Latch{{Q: p, Next: q}, {Q: q, Next: g.And(in, p)}}}
	_, ok := prover.Unrolled(s)
	require.False(t, ok)
	s.Latches[1].Next = in
	r, ok := prover.Unrolled(s)
	require.True(t, ok)
	require.Equal(t, prover.Refuted, r.Outcome)
	require.Equal(t, 3, r.Trace.Steps())
}
