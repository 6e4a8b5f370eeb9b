package replaytool

// sumTree is the tree of a processor: nodes of K children in one array per level, the
// rival of the circuit. It has the operations of the circuit's tree, without generations.
type sumTree struct {
	bits  int        // of a child's number
	level [][]uint64 // the root's children first; leaves last
}

func newSumTree(k, capacity int) *sumTree {
	t := &sumTree{}
	for 1<<t.bits < k {
		t.bits++
	}

	// Levels, from the root's children down, until the last has a leaf for each slot.
	n := 1
	for n < capacity {
		n <<= t.bits
		t.level = append(t.level, make([]uint64, n))
	}
	return t
}

func (t *sumTree) leaf() []uint64 { return t.level[len(t.level)-1] }

// update gives leaf i the priority p.
func (t *sumTree) update(i int, p uint64) {
	diff := p - t.leaf()[i]
	for l := len(t.level) - 1; l >= 0; l-- {
		t.level[l][i] += diff
		i >>= t.bits
	}
}

// sum is that of all leaves.
func (t *sumTree) sum() (s uint64) {
	for _, x := range t.level[0] {
		s += x
	}
	return s
}

// find is the leaf whose running sum is the first above x.
func (t *sumTree) find(x uint64) int {
	// Down the levels: past each child that x is beyond, then into its children.
	at := 0
	for _, level := range t.level {
		at <<= t.bits
		for x >= level[at] {
			x -= level[at]
			at++
		}
	}
	return at
}
