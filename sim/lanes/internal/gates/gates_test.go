package gates_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/lanes/internal/gates"
)

// value computes a literal, leaf k of leaves being the index's bit k.
type eval struct {
	g     *gates.Graph
	words []uint64 // by node
}

func newEval(g *gates.Graph, leaves map[gates.Lit]uint64) *eval {
	e := &eval{g, make([]uint64, len(g.N))}
	for i := range g.N {
		n := &g.N[i]
		if g.IsLeaf(int32(i)) {
			e.words[i] = leaves[gates.Lit(i)<<1]
			continue
		}
		var out uint64
		for k := range 8 {
			if n.Fn>>k&1 == 0 {
				continue
			}
			term := ^uint64(0)
			for j, x := range [3]gates.Lit{n.A, n.B, n.C} {
				v := ^uint64(0) // an operand that is not there: any value
				if x >= 0 {
					v = e.at(x)
				}
				if k>>(2-j)&1 == 0 {
					v = ^v
				}
				term &= v
			}
			out |= term
		}
		e.words[i] = out
	}
	return e
}

func (e *eval) at(x gates.Lit) uint64 {
	v := e.words[x.Node()]
	if x.Neg() {
		v = ^v
	}
	return v
}

var index = [6]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}

// Every table of up to four variables, and many of five and six, with repeated,
// negated and constant operands, is what its gates compute.
func TestLut(t *testing.T) {
	for _, fanin := range []int{2, 3} {
		r := rand.New(rand.NewPCG(1, uint64(fanin)))
		total, count := 0, 0
		check := func(table uint64, m int, mix bool) {
			g := gates.New(fanin)
			leaves, in, words := map[gates.Lit]uint64{}, []gates.Lit{}, []uint64{}
			for k := range m {
				x := g.Leaf()
				leaves[x] = index[k]
				v := index[k]
				if mix {
					switch r.IntN(6) {
					case 0:
						x, v = gates.True, ^uint64(0)
					case 1:
						x, v = gates.False, 0
					case 2:
						x, v = x.Not(), ^v
					case 3:
						if k > 0 {
							j := r.IntN(k)
							x, v = in[j].Not(), ^words[j]
						}
					case 4:
						if k > 0 {
							j := r.IntN(k)
							x, v = in[j], words[j]
						}
					}
				}
				in, words = append(in, x), append(words, v)
			}
			out := g.Lut(table, in)
			total += g.Gates()
			count++
			got := newEval(g, leaves).at(out)
			for i := range 64 {
				at := 0
				for k := range words {
					at |= int(words[k]>>i&1) << k
				}
				require.Equal(t, table>>at&1, got>>i&1, "fanin %d, table %#x of %d", fanin, table, m)
			}
		}
		for m := range 4 {
			for table := range uint64(1) << (1 << m) {
				check(table, m, false)
			}
		}
		for range 3000 {
			m := 1 + r.IntN(6)
			check(r.Uint64(), m, true)
		}
		for m := 4; m <= 6; m++ {
			total, count = 0, 0
			for range 1000 {
				check(r.Uint64(), m, false)
			}
			t.Logf("fanin %d: %.2f gates for a table of %d", fanin, float64(total)/float64(count), m)
		}
	}
}

// Every function of three literals, constants and repeats among them.
func TestMake(t *testing.T) {
	for _, fanin := range []int{2, 3} {
		g := gates.New(fanin)
		leaves := map[gates.Lit]uint64{}
		all := []gates.Lit{gates.False, gates.True}
		for k := range 3 {
			x := g.Leaf()
			leaves[x] = index[k]
			all = append(all, x, x.Not())
		}
		all = append(all, g.And(all[2], all[4]), g.Xor(all[2], all[4]), g.And(all[2], all[5]).Not())
		for _, a := range all {
			for _, b := range all {
				and, or, xor := g.And(a, b), g.Or(a, b), g.Xor(a, b)
				e := newEval(g, leaves)
				require.Equal(t, e.at(a)&e.at(b), e.at(and))
				require.Equal(t, e.at(a)|e.at(b), e.at(or))
				require.Equal(t, e.at(a)^e.at(b), e.at(xor))
				for _, c := range all {
					mux, maj, sum := g.Mux(a, b, c), g.Major(a, b, c), g.Sum(a, b, c)
					e := newEval(g, leaves)
					x, y, z := e.at(a), e.at(b), e.at(c)
					require.Equal(t, x&y|^x&z, e.at(mux))
					require.Equal(t, x&y|x&z|y&z, e.at(maj))
					require.Equal(t, x^y^z, e.at(sum))
				}
			}
		}
	}
	g := gates.New(3)
	a, b, c := g.Leaf(), g.Leaf(), g.Leaf()
	leaves := map[gates.Lit]uint64{a: index[0], b: index[1], c: index[2]}
	for fn := range 256 {
		for _, in := range [][3]gates.Lit{{a, b, c}, {c, a, b}, {b, b, a}, {a.Not(), c, b.Not()}, {a, gates.True, c}, {b, a.Not(), a}} {
			out := g.Any(in[0], in[1], in[2], uint8(fn))
			e := newEval(g, leaves)
			for i := range 8 {
				at := e.at(in[0])>>i&1<<2 | e.at(in[1])>>i&1<<1 | e.at(in[2])>>i&1
				require.Equal(t, uint64(fn)>>at&1, e.at(out)>>i&1, "fn %#x of %v", fn, in)
			}
		}
	}
}

// A remapped graph computes the same, with fewer gates.
func TestRemap(t *testing.T) {
	before, after := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		g := gates.New(3)
		leaves, all := map[gates.Lit]uint64{}, []gates.Lit{gates.False}
		for k := range 6 {
			x := g.Leaf()
			leaves[x] = index[k]
			all = append(all, x)
		}
		pick := func() gates.Lit { return all[r.IntN(len(all))] ^ gates.Lit(r.IntN(2)) }
		for range 5 + r.IntN(60) {
			all = append(all, []gates.Lit{g.And(pick(), pick()), g.Xor(pick(), pick()), g.Mux(pick(), pick(), pick()), g.Sum(pick(), pick(), pick())}[r.IntN(4)])
		}
		var roots []gates.Lit
		for range 4 {
			roots = append(roots, pick())
		}
		h, became := g.Remap(roots)
		moved := map[gates.Lit]uint64{}
		for x, v := range leaves {
			moved[became[x.Node()]] = v
		}
		e, f := newEval(g, leaves), newEval(h, moved)
		for _, x := range roots {
			require.Equal(t, e.at(x), f.at(became[x.Node()]^x&1), "seed %d", seed)
		}
		before, after = before+g.Gates(), after+h.Gates()
	}
	t.Logf("%d gates, %d after", before, after)
	require.Less(t, after, before)
}
