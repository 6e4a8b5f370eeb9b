package code

import (
	"math/bits"

	"etch/sim/choose"
	"etch/sim/net"
)

// wordsInOrder lists the state words that change, readers of a word before the word, where
// possible.
func wordsInOrder(n *net.Net, pol *choose.LaneCode) []int {
	// Number the words, then order them by the words that each depends on.
	var regs []int
	number := make([]int, len(n.Regs))
	for r := range n.Regs {
		number[r] = -1
		if n.Regs[r].Next >= 0 {
			number[r] = len(regs)
			regs = append(regs, r)
		}
	}

	words := (len(regs) + 63) / 64
	// Bit sets would take too much memory: any order is correct.
	if words*len(n.N) > pol.OrderWords {
		return regs
	}
	reads := supports(n, number, words)
	return readersFirst(n, regs, number, reads, pol)
}

// supports is, by node, the set of numbered state words that it depends on.
func supports(n *net.Net, number []int, words int) [][]uint64 {
	all := make([]uint64, words*len(n.N))
	sets := make([][]uint64, len(n.N))
	for i := range n.N {
		s := all[i*words:][:words]
		sets[i] = s
		if n.N[i].Op == net.Leaf {
			if k := number[n.N[i].Imm]; k >= 0 {
				s[k/64] |= 1 << (k % 64)
			}
			continue
		}

		// Arguments have smaller IDs, so their sets are complete.
		n.Args(net.ID(i), func(x net.ID) {
			for k, v := range sets[x] {
				s[k] |= v
			}
		})
	}
	return sets
}

// sorter orders state words.
type sorter struct {
	pol    *choose.LaneCode
	sets   [][]int32 // by word: the words it depends on
	waits  []int     // by word: readers not yet placed
	placed []bool
	ready  []int
	order  []int
	recent []int32 // by word: how many of the words placed last depend on it
	near   int     // number of candidates examined per step
}

// readersFirst orders regs so that readers of a word come before it. On a cycle, the word with
// the fewest remaining readers goes next. Among candidates it prefers the one that shares most
// dependencies with the previous words, to keep values in registers.
func readersFirst(n *net.Net, regs, number []int, sets [][]uint64, pol *choose.LaneCode) []int {
	s := &sorter{pol: pol, waits: make([]int, len(regs)), placed: make([]bool, len(regs)), recent: make([]int32, len(regs))}
	total := 0

	for k, r := range regs {
		s.sets = append(s.sets, members(sets[n.Regs[r].Next]))
		total += len(s.sets[k])
		s.each(k, func(y int) { s.waits[y]++ })
	}

	// The more dependencies there are, the fewer candidates are compared, so that the work is
	// bounded.
	s.near = max(pol.OrderLeast, min(pol.OrderMost, pol.OrderWork/(1+total)))

	// Among equals the last ready word goes first, so the words are entered from the last one down.
	for k := len(regs) - 1; k >= 0; k-- {
		if s.waits[k] == 0 {
			s.ready = append(s.ready, k)
		}
	}

	for len(s.order) < len(regs) {
		s.place(s.next())
	}
	for i, k := range s.order {
		s.order[i] = regs[k]
	}
	return s.order
}

// members lists the elements of a set.
func members(set []uint64) (list []int32) {
	for w, v := range set {
		for ; v != 0; v &= v - 1 {
			list = append(list, int32(w*64+bits.TrailingZeros64(v)))
		}
	}
	return list
}

// each calls f for every other word that word k depends on.
func (s *sorter) each(k int, f func(y int)) {
	for _, y := range s.sets[k] {
		if int(y) != k {
			f(int(y))
		}
	}
}

// place puts word k next, which may release words that waited for it.
func (s *sorter) place(k int) {
	s.placed[k] = true
	s.order = append(s.order, k)
	// Only the last few words count as recent.
	s.recall(k, 1)
	if last := len(s.order) - 1 - s.pol.OrderBack; last >= 0 {
		s.recall(s.order[last], -1)
	}

	s.each(k, func(y int) {
		if s.waits[y]--; s.waits[y] == 0 && !s.placed[y] {
			s.ready = append(s.ready, y)
		}
	})
}

// recall adds word k to the recent words, or removes it.
func (s *sorter) recall(k int, by int32) {
	for _, y := range s.sets[k] {
		s.recent[y] += by
	}
}

// next removes and returns the word to place next.
func (s *sorter) next() int {
	// A cycle: break it where the fewest readers are left.
	if len(s.ready) == 0 {
		best := -1
		for k := range s.placed {
			if !s.placed[k] && (best < 0 || s.waits[k] < s.waits[best]) {
				best = k
			}
		}
		return best
	}

	at := s.nearest()
	k := s.ready[at]
	s.ready = append(s.ready[:at], s.ready[at+1:]...)
	return k
}

// nearest is the index in ready of the word that shares most with the recent ones.
func (s *sorter) nearest() int {
	best, score := len(s.ready)-1, int32(0)
	for i := len(s.ready) - 1; i >= max(0, len(s.ready)-s.near); i-- {
		common := int32(0)
		for _, y := range s.sets[s.ready[i]] {
			common += s.recent[y]
		}
		if common > score {
			best, score = i, common
		}
	}
	return best
}
