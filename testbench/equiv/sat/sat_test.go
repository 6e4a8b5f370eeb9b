package sat_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/crillab/gophersat/solver"
	"github.com/stretchr/testify/require"

	"etch/passes/aig"
	"etch/testbench/equiv/sat"
)

// problem is clauses as gophersat takes them: literals from 1, negative ones
// inverted.
type problem [][]int

func (p problem) solver() (*sat.Solver, []sat.Lit) {
	s := sat.New()
	vars := []sat.Lit{0}
	for _, c := range p {
		var lits []sat.Lit
		for _, l := range c {
			for len(vars) <= max(l, -l) {
				vars = append(vars, s.Var())
			}
			if l > 0 {
				lits = append(lits, vars[l])
			} else {
				lits = append(lits, vars[-l].Not())
			}
		}
		s.Add(lits...)
	}
	return s, vars
}

func (p problem) holds(t *testing.T, s *sat.Solver, vars []sat.Lit) {
	t.Helper()
	for _, c := range p {
		ok := false
		for _, l := range c {
			ok = ok || s.Value(vars[max(l, -l)]) == (l > 0)
		}
		require.True(t, ok, "the model does not satisfy %v", c)
	}
}

func randomProblem(rng *rand.Rand, vars int, ratio float64) problem {
	var p problem
	for range int(float64(vars) * ratio) {
		var c []int
		for range 1 + rng.IntN(3) + rng.IntN(2) {
			l := 1 + rng.IntN(vars)
			if rng.IntN(2) == 1 {
				l = -l
			}
			c = append(c, l)
		}
		p = append(p, c)
	}
	return p
}

// TestAgainstGophersat: random problems around the ratio at which they are hard
// have the answer that another solver gives, and models satisfy every clause.
func TestAgainstGophersat(t *testing.T) {
	answers := map[sat.Answer]int{}
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := randomProblem(rng, 5+rng.IntN(60), 1.2+1.6*rng.Float64())
		s, vars := p.solver()
		got := s.Solve(-1)
		answers[got]++
		want := solver.New(solver.ParseSlice(p)).Solve()
		require.Equal(t, want == solver.Sat, got == sat.Yes, "seed %d: %v", seed, p)
		require.NotEqual(t, sat.Unknown, got)
		if got == sat.Yes {
			p.holds(t, s, vars)
		}
	}
	require.Greater(t, answers[sat.Yes], 50)
	require.Greater(t, answers[sat.No], 50)
}

// TestIncremental: many questions with assumptions and clauses added in between,
// each compared with a try of all values.
func TestIncremental(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		const n = 12
		s := sat.New()
		var vars []sat.Lit
		for range n {
			vars = append(vars, s.Var())
		}
		draw := func() sat.Lit {
			l := vars[rng.IntN(n)]
			if rng.IntN(2) == 1 {
				l = l.Not()
			}
			return l
		}
		var clauses [][]sat.Lit
		for range 40 {
			c := []sat.Lit{draw(), draw(), draw()}
			clauses = append(clauses, c)
			s.Add(c...)
			var under []sat.Lit
			for range rng.IntN(5) {
				under = append(under, draw())
			}
			want := sat.No
			for v := range 1 << n {
				if holds(v, clauses, under) {
					want = sat.Yes
					break
				}
			}
			require.Equal(t, want, s.Solve(-1, under...), "seed %d", seed)
			if want == sat.Yes {
				v := 0
				for i, l := range vars {
					if s.Value(l) {
						v |= 1 << i
					}
				}
				require.True(t, holds(v, clauses, under), "seed %d: a model that is none", seed)
			}
		}
	}
}

func holds(v int, clauses [][]sat.Lit, under []sat.Lit) bool {
	high := func(l sat.Lit) bool { return v>>(l>>1)&1 == 1 != (l&1 == 1) }
	for _, c := range clauses {
		ok := false
		for _, l := range c {
			ok = ok || high(l)
		}
		if !ok {
			return false
		}
	}
	for _, l := range under {
		if !high(l) {
			return false
		}
	}
	return true
}

// TestFocus: deciding the gates below a question only gives the answers of deciding
// all.
func TestFocus(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := sat.New()
		var all []sat.Lit
		cone := map[sat.Lit][]sat.Lit{}
		for range 6 {
			l := s.Var()
			all, cone[l] = append(all, l), []sat.Lit{l}
		}
		for range 60 {
			z, x, y := s.Var(), all[rng.IntN(len(all))], all[rng.IntN(len(all))]
			cone[z] = append(append([]sat.Lit{z}, cone[x]...), cone[y]...)
			if rng.IntN(2) == 0 {
				x = x.Not()
			}
			s.Add(z.Not(), x)
			s.Add(z.Not(), y)
			s.Add(z, x.Not(), y.Not())
			all = append(all, z)
			p, q := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
			s.Focus(append(append([]sat.Lit(nil), cone[p]...), cone[q]...))
			s.Narrow = seed%2 == 0
			part := s.Solve(-1, p, q.Not())
			if part == sat.Yes {
				require.True(t, s.Value(p) && !s.Value(q))
			}
			s.Focus(nil)
			require.Equal(t, s.Solve(-1, p, q.Not()), part, "seed %d", seed)
		}
	}
}

// pigeons puts n+1 pigeons into n holes.
func pigeons(n int) problem {
	var p problem
	at := func(pigeon, hole int) int { return 1 + pigeon*n + hole }
	for i := range n + 1 {
		var c []int
		for h := range n {
			c = append(c, at(i, h))
			for j := range i {
				p = append(p, []int{-at(i, h), -at(j, h)})
			}
		}
		p = append(p, c)
	}
	return p
}

func TestBound(t *testing.T) {
	s, _ := pigeons(9).solver()
	require.Equal(t, sat.Unknown, s.Solve(1000))
	require.InDelta(t, 1000, s.Conflicts, 20)
	s, _ = pigeons(6).solver()
	require.Equal(t, sat.No, s.Solve(-1))
	require.Equal(t, sat.No, s.Solve(0))
	s = sat.New()
	s.Add()
	require.Equal(t, sat.No, s.Solve(-1))
	require.Equal(t, sat.Yes, sat.New().Solve(-1))
}

// commutes says that a·b and b·a of so many bits differ, as clauses.
func commutes(n int) problem {
	g := aig.New()
	a, b := make(aig.Word, n), make(aig.Word, n)
	for i := range n {
		a[i], b[i] = g.Leaf(), g.Leaf()
	}
	product := func(x, y aig.Word) []aig.Lit {
		sum := make([]aig.Lit, 2*n)
		for i, bit := range y {
			carry := aig.False
			for k := range 2*n - i {
				in := aig.False
				if k < n {
					in = g.And(x[k], bit)
				}
				s, half := sum[i+k], g.Xor(sum[i+k], in)
				sum[i+k] = g.Xor(half, carry)
				carry = g.Or(g.And(s, in), g.And(half, carry))
			}
		}
		return sum
	}
	p, q := product(a, b), product(b, a)
	var differ []aig.Lit
	for i := range p {
		differ = append(differ, g.Xor(p[i], q[i]))
	}
	bad := g.OrAll(differ)
	var clauses problem
	lit := func(l aig.Lit) int {
		if l.Inverted() {
			return -(l.Node() + 1)
		}
		return l.Node() + 1
	}
	clauses = append(clauses, []int{-1}, []int{lit(bad)})
	for k := range g.Len() {
		if !g.IsAnd(k) {
			continue
		}
		x, y := g.Args(k)
		clauses = append(clauses, []int{-(k + 1), lit(x)}, []int{-(k + 1), lit(y)}, []int{k + 1, -lit(x), -lit(y)})
	}
	return clauses
}

// TestMultiplier: a·b = b·a, without the help of sweeping.
func TestMultiplier(t *testing.T) {
	most := 5
	if !testing.Short() {
		most = 6
	}
	for n := 3; n <= most; n++ {
		p := commutes(n)
		s, _ := p.solver()
		start := time.Now()
		require.Equal(t, sat.No, s.Solve(-1))
		t.Logf("%d bits: %v, %d conflicts", n, time.Since(start), s.Conflicts)
	}
}

func BenchmarkMultiplier(b *testing.B) {
	for n := 5; n <= 8; n++ {
		p := commutes(n)
		b.Run(fmt.Sprintf("bits=%d/solver=etch", n), func(b *testing.B) {
			for b.Loop() {
				s, _ := p.solver()
				if s.Solve(-1) != sat.No {
					b.Fatal("not commutative")
				}
			}
		})
		if n > 7 {
			continue
		}
		b.Run(fmt.Sprintf("bits=%d/solver=gophersat", n), func(b *testing.B) {
			for b.Loop() {
				if solver.New(solver.ParseSlice(p)).Solve() != solver.Unsat {
					b.Fatal("not commutative")
				}
			}
		})
	}
}
