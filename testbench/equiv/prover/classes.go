package prover

import (
	"math/rand/v2"

	"etch/passes/aig"
)

// classes is a partition of nodes into sets that are, or may be, equal or inverse. rep has the
// representative of each node's class: itself, or a literal of a smaller node, False among them.
type classes struct {
	rep []aig.Lit
}

// of returns the representative of l's class, inverted as l is.
func (c *classes) of(l aig.Lit) aig.Lit { return c.rep[l.Node()].NotIf(l.Inverted()) }

// alone reports whether node n is the representative of its class. In a nil partition every node
// is alone.
func (c *classes) alone(n int) bool { return c == nil || c.rep[n].Node() == n }

// group makes classes of nodes with equal signatures; phase says whether a signature is of the
// node or of its inverse. Nodes of apart are alone.
func group(signature []uint64, phase []bool, apart []aig.Lit) *classes {
	c := &classes{rep: make([]aig.Lit, len(signature))}
	first := make(map[uint64]int, len(signature))

	// A node that stands alone is its own representative.
	for _, l := range apart {
		c.rep[l.Node()] = aig.MakeLit(l.Node(), false)
	}
	for n, s := range signature {
		// Nodes set apart have their entry.
		if n > 0 && c.rep[n] != aig.False {
			continue
		}
		at, ok := first[s]
		if !ok {
			first[s], at = n, n
		}
		c.rep[n] = aig.MakeLit(at, phase[n] != phase[at])
	}
	return c
}

// split separates nodes that differ in one of the runs of v in mask, and returns the number of
// nodes with a new representative.
func (c *classes) split(v []uint64, mask uint64) int {
	type key struct {
		rep  int
		diff uint64
	}
	changed := 0
	var first map[key]aig.Lit
	for n := range c.rep {
		r := c.rep[n]
		if r.Node() == n {
			continue
		}
		diff := (v[n] ^ aig.Value(v, r)) & mask
		if diff == 0 {
			continue
		}

		// Most splits change nothing, so the map is made late.
		if first == nil {
			first = map[key]aig.Lit{}
		}

		// Nodes that differ from the old representative in the same runs form a class again.
		k := key{r.Node(), diff}
		changed++
		if f, ok := first[k]; ok {
			c.rep[n] = aig.MakeLit(f.Node(), f.Inverted() != r.Inverted())
		} else {
			first[k] = aig.MakeLit(n, r.Inverted())
			c.rep[n] = aig.MakeLit(n, false)
		}
	}
	return changed
}

// leave makes a class of node n alone. It must not represent others: they have left it before.
func (c *classes) leave(n int) { c.rep[n] = aig.MakeLit(n, false) }

// random returns 64 random bits; with rare set few of them are high.
func random(rng *rand.Rand, rare bool) uint64 {
	if rare {
		return rng.Uint64() & rng.Uint64() & rng.Uint64() & rng.Uint64()
	}
	return rng.Uint64()
}
