package prover_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/passes/aig"
	"etch/testbench/equiv/prover"
)

// randomSystem is small enough that all its states can be visited.
func randomSystem(rng *rand.Rand) *aig.System {
	s := &aig.System{Graph: aig.New()}
	g := s.Graph
	var all []aig.Lit
	leaf := func() aig.Lit {
		l := g.Leaf()
		all = append(all, l)
		return l
	}
	for range 1 + rng.IntN(3) {
		s.Inputs = append(s.Inputs, leaf())
	}
	for range rng.IntN(7) {
		s.Latches = append(s.Latches, aig.Latch{Q: leaf()})
	}
	for range rng.IntN(3) {
		s.Free = append(s.Free, g.Leaf())
	}
	pick := func() aig.Lit { return all[rng.IntN(len(all))].NotIf(rng.IntN(2) == 1) }
	for range 10 + rng.IntN(30) {
		switch rng.IntN(3) {
		case 0:
			all = append(all, g.Xor(pick(), pick()))
		case 1:
			all = append(all, g.Mux(pick(), pick(), pick()))
		default:
			all = append(all, g.And(pick(), pick()))
		}
	}
	last := func() aig.Lit { return all[len(all)-1-rng.IntN(10)].NotIf(rng.IntN(2) == 1) }
	for i := range s.Latches {
		s.Latches[i].Next, s.Latches[i].Init = last(), aig.Const(rng.IntN(2) == 1)
		if len(s.Free) > 0 && rng.IntN(3) == 0 {
			s.Latches[i].Init = s.Free[rng.IntN(len(s.Free))].NotIf(rng.IntN(2) == 1)
		}
	}
	if len(s.Free) == 2 && rng.IntN(2) == 0 {
		s.Start = append(s.Start, g.Or(s.Free[0], s.Free[1]))
	}
	if rng.IntN(3) == 0 {
		s.Constraints = append(s.Constraints, g.Or(last(), pick()))
	}
	for range 1 + rng.IntN(3) {
		s.Bad = append(s.Bad, g.AndAll([]aig.Lit{last(), pick(), pick(), pick(), pick()}))
	}
	return s
}

// visit goes through all states that can be reached and returns the number of the
// first step in which something bad can happen, -1 if there is none.
func visit(s *aig.System) int {
	v := make([]uint64, s.Graph.Len())
	seen, now := map[int]bool{}, []int{}
	for free := range 1 << len(s.Free) {
		for i, l := range s.Free {
			v[l.Node()] = uint64(free>>i&1) * ^uint64(0)
		}
		s.Graph.Simulate(v)
		if !high(v, s.Start) {
			continue
		}
		state := 0
		for i, l := range s.Latches {
			state |= int(aig.Value(v, l.Init)&1) << i
		}
		if !seen[state] {
			seen[state] = true
			now = append(now, state)
		}
	}
	for step := 0; len(now) > 0; step++ {
		var next []int
		for _, state := range now {
			for in := range 1 << len(s.Inputs) {
				for i, l := range s.Inputs {
					v[l.Node()] = uint64(in >> i & 1)
				}
				for i, l := range s.Latches {
					v[l.Q.Node()] = uint64(state >> i & 1)
				}
				s.Graph.Simulate(v)
				if !high(v, s.Constraints) {
					continue
				}
				after := 0
				for i, l := range s.Latches {
					after |= int(aig.Value(v, l.Next)&1) << i
				}
				for _, l := range s.Bad {
					if aig.Value(v, l)&1 == 1 {
						return step
					}
				}
				if !seen[after] {
					seen[after] = true
					next = append(next, after)
				}
			}
		}
		now = next
	}
	return -1
}

func high(v []uint64, all []aig.Lit) bool {
	for _, l := range all {
		if aig.Value(v, l)&1 == 0 {
			return false
		}
	}
	return true
}

// TestAgainstSearch: random systems have the answer that a visit of all their
// states gives.
func TestAgainstSearch(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 300
	}
	outcomes, by := map[prover.Outcome]int{}, map[string]int{}
	for seed := range uint64(n) {
		s := randomSystem(rand.New(rand.NewPCG(seed, 1)))
		at := visit(s)
		r := prover.Prove(s, prover.Limits{Depth: 40})
		outcomes[r.Outcome]++
		by[r.By]++
		switch r.Outcome {
		case prover.Proved:
			require.Equal(t, -1, at, "seed %d: proved by %s, but bad in step %d", seed, r.By, at)
		case prover.Refuted:
			require.GreaterOrEqual(t, r.Trace.Steps()-1, at, "seed %d", seed)
			require.NotEqual(t, -1, at, "seed %d", seed)
			require.NoError(t, s.Check(r.Trace), "seed %d", seed)
		default:
			require.Equal(t, -1, at, "seed %d: unknown (%s)", seed, r.Why)
		}
		b := prover.Prove(s, prover.Limits{Depth: 3, Bounded: true})
		if want := at >= 0 && at < 3; want {
			require.Equal(t, prover.Refuted, b.Outcome, "seed %d: by %s", seed, b.By)
		} else {
			require.Equal(t, prover.Proved, b.Outcome, "seed %d: by %s, bad in step %d", seed, b.By, at)
		}
	}
	t.Log(outcomes, by)
	require.Less(t, outcomes[prover.Unknown], n/10)
	require.Greater(t, outcomes[prover.Proved], n/10)
	require.Greater(t, outcomes[prover.Refuted], n/10)
}

func TestCheckRefuses(t *testing.T) {
	g := aig.New()
	in, q := g.Leaf(), g.Leaf()
	s := &aig.System{Graph: g, Inputs: []aig.Lit{in}, Latches: []aig.Latch{{Q: q, Next: g.Or(q, in), Init: aig.False}}, Bad: []aig.Lit{q}}
	require.NoError(t, s.Check(&aig.Trace{Inputs: [][]bool{{true}, {false}}}))
	require.Error(t, s.Check(&aig.Trace{Inputs: [][]bool{{false}, {false}}}))
	require.Error(t, s.Check(&aig.Trace{Inputs: [][]bool{{true}}}))
	require.Error(t, s.Check(&aig.Trace{}))
	s.Constraints = []aig.Lit{in.Not()}
	require.Error(t, s.Check(&aig.Trace{Inputs: [][]bool{{true}, {false}}}))
	require.Equal(t, prover.Proved, prover.Prove(s, prover.Limits{}).Outcome)
	s.Constraints, s.Start = nil, []aig.Lit{aig.False}
	require.Error(t, s.Check(&aig.Trace{Inputs: [][]bool{{true}, {false}}}))
}
