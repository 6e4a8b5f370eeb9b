package thermometer

import (
	"fmt"
	"slices"
)

// Share returns the smallest graph that compares a signed code of w bits, 2 to
// 32, with ts, which ascend and lie in −2^(w−1) … 2^(w−1)−2; of equally small
// ones the shallowest. It panics for other thresholds.
func Share(w int, ts []int) *Graph {
	for i, t := range ts {
		if t < -1<<(w-1) || t > 1<<(w-1)-2 || i > 0 && t <= ts[i-1] {
			panic(fmt.Sprintf("thermometer: threshold %d, %d, does not ascend or no code of %d bits is on both sides of it", i, t, w))
		}
	}

	// Try both constructions over their parameters: sharing low bits between thresholds, and
	// sharing by prefix.
	best := suffixes(w, ts)
	try := func(g *Graph) {
		if len(g.Nodes) < len(best.Nodes) || len(g.Nodes) == len(best.Nodes) && g.Depth() < best.Depth() {
			best = g
		}
	}
	for s := 1; s <= 4 && s < w-1; s++ {
		for fewest := 3; fewest <= 9 && fewest <= 1<<s; fewest += 2 {
			try(prefixes(w, ts, s, fewest))
		}
	}
	return best
}

// unsigned is a threshold for the code with its sign bit inverted.
func unsigned(w, t int) int { return t + 1<<(w-1) }

func suffixes(w int, ts []int) *Graph {
	b := newBuilder(w, ts)
	for i, t := range ts {
		b.g.Out[i] = b.above(b.bits(), unsigned(w, t))
	}
	return b.g
}

// prefixes shares between thresholds whose top s bits differ: the j-th of every
// prefix together make slot j. Slots of fewer than fewest thresholds are built as
// comparisons of their own.
func prefixes(w int, ts []int, s, fewest int) *Graph {
	b := newBuilder(w, ts)

	code, rest := b.bits(), w-s
	var slots []map[int]int // prefix → index of the threshold
	count := map[int]int{}

	// Slot j collects the j-th threshold of every prefix.
	for i, t := range ts {
		p := unsigned(w, t) >> rest
		j := count[p]
		if count[p]++; j == len(slots) {
			slots = append(slots, map[int]int{})
		}
		slots[j][p] = i
	}

	// One comparison against a constant chosen by the prefix serves a whole slot; each threshold
	// then needs its prefix only.
	for _, slot := range slots {
		if len(slot) < fewest {
			for _, i := range sortedValues(slot) {
				b.g.Out[i] = b.above(code, unsigned(w, ts[i]))
			}
			continue
		}
		constants := map[int]int{}
		for p, i := range slot {
			constants[p] = unsigned(w, ts[i]) & (1<<rest - 1)
		}
		near := b.aboveChosen(code[:rest], code[rest:], constants)
		for _, i := range sortedValues(slot) {
			b.g.Out[i] = b.atOrAbove(code[rest:], unsigned(w, ts[i])>>rest, near)
		}
	}
	return b.g
}

func sortedValues(m map[int]int) []int {
	out := make([]int, 0, len(m))
	for _, v := range m {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}
