package prover_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/passes/aig"
	"etch/testbench/equiv/prover"
)

// starts calls f with each value of those of Free that are chosen.
func starts(t *aig.Trace, chosen []bool, f func(free []bool)) {
	for k := range 1 << len(chosen) {
		free, same := append([]bool(nil), t.Free...), true
		for i := range chosen {
			if b := k>>i&1 == 1; chosen[i] {
				free[i] = b
			} else {
				same = same && b == free[i]
			}
		}
		if same {
			f(free)
		}
	}
}

// TestUnknownStart: a trace with an unknown start is one for every start.
func TestUnknownStart(t *testing.T) {
	found := 0
	for seed := range uint64(1500) {
		s := randomSystem(rand.New(rand.NewPCG(seed, 21)))
		if len(s.Free) == 0 {
			continue
		}
		s.Start = nil
		unknown := make([]bool, len(s.Free))
		unknown[0] = true
		r := prover.Prove(prover.UnknownStart(s, unknown), prover.Limits{Depth: 6, Bounded: true})
		if r.Outcome != prover.Refuted {
			continue
		}
		found++
		starts(r.Trace, unknown, func(free []bool) {
			require.NoError(t, s.Check(&aig.Trace{Bad: r.Trace.Bad, Free: free, Inputs: r.Trace.Inputs}), "seed %d", seed)
		})
	}
	require.Greater(t, found, 50)
}

// TestFollows holds the answer about a trace against all starts, one by one.
func TestFollows(t *testing.T) {
	seen := map[prover.Answer]int{}
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 22))
		s := randomSystem(rng)
		r := prover.Prove(s, prover.Limits{Depth: 6, Bounded: true})
		if r.Outcome != prover.Refuted || len(s.Free) == 0 {
			continue
		}
		mine, free := make([]bool, len(s.Latches)), make([]bool, len(s.Free))
		for i := range mine {
			mine[i] = rng.IntN(3) > 0
		}
		for i := range free {
			free[i] = rng.IntN(3) > 0
		}
		want := prover.No
		starts(r.Trace, free, func(list []bool) {
			if avoids(s, r.Trace, mine, list) {
				want = prover.Yes
			}
		})
		require.Equal(t, want, prover.Follows(s, r.Trace, mine, free, time.Now().Add(time.Minute)), "seed %d", seed)
		seen[want]++
	}
	require.Greater(t, min(seen[prover.Yes], seen[prover.No]), 30)
}

// avoids reports whether nothing bad happens when some latches start by other values
// of Free, and the others are as in the trace.
func avoids(s *aig.System, t *aig.Trace, mine, free []bool) bool {
	high := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	v := make([]uint64, s.Graph.Len())
	values := func(free []bool) []uint64 {
		for i, l := range s.Free {
			v[l.Node()] = high(free[i])
		}
		s.Graph.Simulate(v)
		var state []uint64
		for _, l := range s.Latches {
			state = append(state, aig.Value(v, l.Init)&1)
		}
		return state
	}
	is, other := values(t.Free), values(free)
	for _, l := range s.Start {
		if aig.Value(v, l)&1 == 0 {
			return false
		}
	}
	step := func(state []uint64, inputs []bool) []uint64 {
		for i, l := range s.Inputs {
			v[l.Node()] = high(inputs[i])
		}
		for i, l := range s.Latches {
			v[l.Q.Node()] = state[i]
		}
		s.Graph.Simulate(v)
		var next []uint64
		for _, l := range s.Latches {
			next = append(next, aig.Value(v, l.Next)&1)
		}
		return next
	}
	for _, inputs := range t.Inputs {
		for i := range other {
			if !mine[i] {
				other[i] = is[i]
			}
		}
		is = step(is, inputs)
		other = step(other, inputs)
		for _, l := range s.Constraints {
			if aig.Value(v, l)&1 == 0 {
				return false
			}
		}
		for _, l := range s.Bad {
			if aig.Value(v, l)&1 == 1 {
				return false
			}
		}
	}
	return true
}
