package net

// support is the registers that the nodes of a region depend on.
type support struct {
	region int32
	regs   []int32 // ascending
}

// supports lists the registers that each region depends on, also through nodes outside of it. ok
// is false if there are more than most in all.
func (n *Net) supports(of func(ID) int32, count, most int) (all []support, ok bool) {
	// Only nodes whose dependencies cross a border need lists.
	region, need := make([]int32, len(n.N)), make([]bool, len(n.N))
	for i := len(n.N) - 1; i >= 0; i-- {
		region[i] = of(ID(i))
		if region[i] >= 0 || need[i] {
			n.Args(ID(i), func(x ID) { need[x] = need[x] || need[i] || of(x) != region[i] })
		}
	}

	// Lists flow from leaves to users; equal lists are shared.
	var s sets
	follows := make([][]int32, len(n.N))
	by := make([][]int32, count)
	total := 0
	for i := range n.N {
		nd, g := &n.N[i], region[i]
		if nd.Op == Leaf {
			follows[i] = []int32{int32(nd.Imm)}
			continue
		}
		if need[i] {
			n.Args(ID(i), func(x ID) { follows[i] = s.union(follows[i], follows[x]) })
			total += len(follows[i])
		}
		if g >= 0 {
			n.Args(ID(i), func(x ID) {
				if region[x] != g {
					by[g] = s.union(by[g], follows[x])
				}
			})
		}
		if total > most {
			return nil, false
		}
	}

	for g := range by {
		if len(by[g]) > 0 {
			all = append(all, support{int32(g), by[g]})
		}
	}
	return all, true
}

// sets computes unions of ascending lists.
type sets struct{ scratch []int32 }

// union is the union of a and b, ascending; it may be one of them.
func (s *sets) union(a, b []int32) []int32 {
	if len(a) == 0 {
		return b
	}

	// Merge, and notice if b adds nothing.
	s.scratch = s.scratch[:0]
	i, new := 0, false
	for _, x := range b {
		for i < len(a) && a[i] < x {
			s.scratch = append(s.scratch, a[i])
			i++
		}
		if i < len(a) && a[i] == x {
			i++
		} else {
			new = true
		}
		s.scratch = append(s.scratch, x)
	}

	// The list a itself: most unions add nothing, and sharing it saves the memory.
	if !new {
		return a
	}
	return append(append([]int32(nil), s.scratch...), a[i:]...)
}
