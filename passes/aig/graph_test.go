package aig_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/text"
	"etch/passes/aig"
)

// TestRewriting: random graphs over five leaves have the truth tables that their
// operations say, whatever was simplified on the way.
func TestRewriting(t *testing.T) {
	leaves := []uint64{0xffffffff00000000, 0xffff0000ffff0000, 0xff00ff00ff00ff00, 0xf0f0f0f0f0f0f0f0, 0xcccccccccccccccc, 0xaaaaaaaaaaaaaaaa}
	saved := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := aig.New()
		lits, truth := []aig.Lit{aig.False}, []uint64{0}
		for _, l := range leaves {
			lits, truth = append(lits, g.Leaf()), append(truth, l)
		}
		for range 150 {
			pick := func() (aig.Lit, uint64) {
				i, flip := len(lits)-1-rng.IntN(min(len(lits), 12)), rng.IntN(2) == 1
				if flip {
					return lits[i].Not(), ^truth[i]
				}
				return lits[i], truth[i]
			}
			(func() {
				x, tx := pick()
				y, ty := pick()
				z, tz := pick()
				switch rng.IntN(5) {
				case 0:
					lits, truth = append(lits, g.Xor(x, y)), append(truth, tx^ty)
				case 1:
					lits, truth = append(lits, g.Mux(x, y, z)), append(truth, tx&ty|^tx&tz)
				case 2:
					lits, truth = append(lits, g.Majority(x, y, z)), append(truth, tx&ty|tz&(tx|ty))
				default:
					lits, truth = append(lits, g.And(x, y)), append(truth, tx&ty)
				}
			})()
		}
		v := make([]uint64, g.Len())
		for i, l := range leaves {
			v[lits[1+i].Node()] = l
		}
		g.Simulate(v)
		for i, l := range lits {
			require.Equal(t, truth[i], aig.Value(v, l), "seed %d, literal %d", seed, i)
		}
		saved += 400 - g.Ands()
		copied := aig.New()
		r := aig.NewRebuilder(g, copied)
		for i := range leaves {
			r.Set(lits[1+i], copied.Leaf())
		}
		for _, l := range lits {
			r.Lit(l)
		}
		require.LessOrEqual(t, copied.Ands(), g.Ands())
	}
	require.Greater(t, saved, 300*100, "nothing is simplified")
}

func TestTwoLevels(t *testing.T) {
	g := aig.New()
	a, b, c, d := g.Leaf(), g.Leaf(), g.Leaf(), g.Leaf()
	ab := g.And(a, b)
	require.Equal(t, ab, g.And(b, a))
	require.Equal(t, ab, g.And(ab, a))
	require.Equal(t, aig.False, g.And(ab, b.Not()))
	require.Equal(t, a.Not(), g.And(ab.Not(), a.Not()))
	require.Equal(t, g.And(a, b.Not()), g.And(ab.Not(), a))
	require.Equal(t, aig.False, g.And(ab, g.And(a.Not(), c)))
	require.Equal(t, a.Not(), g.And(ab.Not(), g.And(a, b.Not()).Not()))
	require.Equal(t, ab, g.And(ab, g.And(a.Not(), c).Not()))
	require.Equal(t, g.And(ab, c.Not()), g.And(ab, g.And(a, c).Not()))
	require.Equal(t, g.Xor(a, b).Not(), g.Xor(a.Not(), b))
	require.Equal(t, 4, leavesOf(g, g.AndAll([]aig.Lit{a, b, c, d})))
}

func leavesOf(g *aig.Graph, l aig.Lit) int {
	n := 0
	g.Cone(l, func(int) { n++ })
	return n
}

// A graph is full from the question after which its time is over, and Blast says so.
func TestUntil(t *testing.T) {
	g := aig.New()
	asked := 0
	g.Until(func() bool { asked++; return asked > 2 })
	last := g.Leaf()
	for !g.Full() {
		last = g.And(last.Not(), g.Leaf())
	}
	require.Equal(t, 3, asked)
	require.Equal(t, 2<<14, g.Ands(), "one question every 16,384 ands")
	require.Equal(t, aig.False, g.And(g.Leaf(), g.Leaf()))

	d, err := text.Parse(strings.NewReader(lateReset), "late")
	require.NoError(t, err)
	_, err = aig.Blast(d, aig.Options{Late: func() bool { return true }})
	require.ErrorIs(t, err, aig.ErrLate)
}
