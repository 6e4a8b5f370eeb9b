package network

import (
	"math/bits"

	"etch/designs/dwc/model"
)

// partial is a table of n pins of which only the entries in care matter.
type partial struct {
	n     int
	table uint64
	care  uint64
}

// entries is the mask of all addresses of n pins.
func entries(n int) uint64 {
	if n == 6 {
		return ^uint64(0)
	}
	return 1<<(1<<n) - 1
}

// keepOnly is p as a function of the pins in the mask keep, if there is one that
// agrees with p on every entry that matters. Entries that nothing reaches are 0.
func (p partial) keepOnly(keep uint) (partial, bool) {
	q := partial{n: bits.OnesCount(keep)}

	// Two entries that differ only in dropped pins must agree.
	for a := range uint(1) << p.n {
		if p.care>>a&1 == 0 {
			continue
		}
		at, v := compress(a, keep), p.table>>a&1
		if q.care>>at&1 == 1 && q.table>>at&1 != v {
			return partial{}, false
		}
		q.care |= 1 << at
		q.table |= v << at
	}
	return q, true
}

// compress gathers the bits of a that keep names.
func compress(a, keep uint) uint {
	out, at := uint(0), 0
	for ; keep != 0; keep &= keep - 1 {
		out |= a >> bits.TrailingZeros(keep) & 1 << at
		at++
	}
	return out
}

// smallest is p on as few pins as it needs: the fewest, and among those the
// lowest ones.
func (p partial) smallest() (partial, uint) {
	// Six pins have 64 subsets at most, so all of them are tried.
	for size := 0; size <= p.n; size++ {
		for keep := range uint(1) << p.n {
			if bits.OnesCount(keep) != size {
				continue
			}
			if q, ok := p.keepOnly(keep); ok {
				return q, keep
			}
		}
	}
	return p, 1<<p.n - 1
}

// fact holds the known properties of a signal of one layer.
type fact struct {
	root  int // the signal it equals, itself if none
	value int8
	dim   int // of a comparator: its dimension, else -1
	t     int
}

const unknown = int8(-1)

// reachable is the mask of the addresses of pins that can occur. With order, the
// thermometer counts: above a threshold is above every lower one.
func reachable(pins []int, facts []fact, order bool) uint64 {
	care := uint64(0)
next:
	// An address can occur if no pin contradicts a constant and no two pins contradict each other.
	for a := range uint(1) << len(pins) {
		for l, p := range pins {
			f := facts[p]
			if f.value != unknown && uint(f.value) != a>>l&1 {
				continue next
			}
			for k, q := range pins[:l] {
				if !consistent(f, facts[q], a>>l&1, a>>k&1, order) {
					continue next
				}
			}
		}
		care |= 1 << a
	}
	return care
}

// consistent reports whether two signals can have these values together.
func consistent(f, g fact, x, y uint, order bool) bool {
	if f.root == g.root {
		return x == y
	}
	if !order || f.dim < 0 || f.dim != g.dim {
		return true
	}

	// A code above the higher threshold is above the lower one as well.
	if f.t < g.t {
		return y <= x
	}
	return x <= y
}

// comparatorFacts are the known properties of the encoder's outputs: constants, equal thresholds,
// and the order of one dimension's.
func comparatorFacts(cs []Comparator) []fact {
	type key struct{ dim, t int }
	first := map[key]int{}
	facts := make([]fact, len(cs))

	// A constant takes no part in the order of its dimension, so it gives the dimension up. Of
	// equal thresholds the first is the root.
	for i, c := range cs {
		facts[i] = fact{root: i, value: unknown, dim: c.Dim, t: c.T}
		switch c.Kind {
		case model.Zero:
			facts[i].value, facts[i].dim = 0, -1
		case model.One:
			facts[i].value, facts[i].dim = 1, -1
		default:
			if r, ok := first[key{c.Dim, c.T}]; ok {
				facts[i].root = r
			} else {
				first[key{c.Dim, c.T}] = i
			}
		}
	}
	return facts
}
