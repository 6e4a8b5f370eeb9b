package gates

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// merge is what trying all combinations of cuts finds, in the same order.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	g := New(3)
	for range 3000 {
		gate := Gate{A: 0, B: 2, C: 4, Fn: uint8(r.Uint32())}
		if r.IntN(3) == 0 {
			gate.C = None
		}
		cuts := make([][]cut, 3)
		for i := range cuts {
			for range 1 + r.IntN(maxCuts) {
				cuts[i] = append(cuts[i], randomCut(r))
			}
		}
		got := g.merge(&gate, cuts, nil)
		require.Equal(t, mergeAll(&gate, cuts), got)
	}
}

// randomCut is a function of some of ten nodes, whose marks are five.
func randomCut(r *rand.Rand) cut {
	c := cut{leaf: leaves{-1, -1, -1}}
	var in [3]uint8
	for k, x := range randomNodes(r) {
		c.leaf[k] = x
		c.marks |= mark(x)
		in[k] = patterns[k]
	}
	c.fn = minterms(uint8(r.Uint32()), in[0], in[1], in[2])
	return c
}

// randomNodes is one to three nodes, largest first.
func randomNodes(r *rand.Rand) (nodes []int32) {
	for range 1 + r.IntN(3) {
		if x := int32(r.IntN(5) + 64*r.IntN(2)); !slices.Contains(nodes, x) {
			nodes = append(nodes, x)
		}
	}
	slices.SortFunc(nodes, func(a, b int32) int { return int(b - a) })
	return nodes
}

// mergeAll tries all combinations, each by itself.
func mergeAll(gate *Gate, cuts [][]cut) (found []cut) {
	third := none
	if gate.C != None {
		third = cuts[2]
	}
	for _, a := range cuts[0] {
		for _, b := range cuts[1] {
			for _, c := range third {
				nodes := slices.Concat(a.leaf[:], b.leaf[:], c.leaf[:])
				slices.SortFunc(nodes, func(a, b int32) int { return int(b - a) })
				nodes = slices.DeleteFunc(slices.Compact(nodes), func(x int32) bool { return x < 0 })
				if len(nodes) > 3 {
					continue
				}
				leaf := leaves{-1, -1, -1}
				copy(leaf[:], nodes)
				if slices.ContainsFunc(found, func(f cut) bool { return f.leaf == leaf }) {
					continue
				}
				fn := minterms(gate.Fn, tableOver(a, leaf), tableOver(b, leaf), tableOver(c, leaf))
				found = append(found, cut{leaf: leaf, fn: fn, marks: a.marks | b.marks | c.marks})
			}
		}
	}
	return found
}

// tableOver is the table of a cut over other nodes.
func tableOver(c cut, leaf leaves) uint8 {
	var in [3]uint8
	for k, x := range c.leaf {
		if x >= 0 {
			in[k] = patterns[slices.Index(leaf[:], x)]
		}
	}
	return minterms(c.fn, in[0], in[1], in[2])
}

// minterms applies fn to three tables row by row.
func minterms(fn, a, b, c uint8) (out uint8) {
	for row := range 8 {
		at := a>>row&1<<2 | b>>row&1<<1 | c>>row&1
		out |= fn >> at & 1 << row
	}
	return out
}
