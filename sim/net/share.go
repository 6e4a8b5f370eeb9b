package net

// Sharing of equal nodes: a table of open addressing finds them by their contents.

// shared reports whether equal nodes of the op are one. The operands of others are
// in the pool; of leaves the state word itself knows its node.
func (o Op) shared() bool { return o != Leaf && !o.Pooled() }

// tableSize is the size of a table for so many nodes: a power of two, of which they
// fill two thirds at most.
func tableSize(nodes int) int {
	size := 256
	for 2*size < 3*nodes {
		size *= 2
	}
	return size
}

func hash(nd *Node) uint64 {
	h := uint64(uint32(nd.A))*0x9E3779B97F4A7C15 ^ uint64(uint32(nd.B))*0xBF58476D1CE4E5B9 ^
		uint64(uint32(nd.C))*0x94D049BB133111EB ^ (nd.Imm<<16^uint64(nd.Op)<<8^uint64(nd.W))*0xD6E8FEB86659FD93
	return (h ^ h>>29) * 0x9E3779B97F4A7C15 >> 32
}

// place is where in the table the node is, or is to be: after a place near those of
// the nodes that were made just before, which the processor has at hand, others
// follow anywhere.
func (n *Net) place(nd *Node) int {
	m := uint64(len(n.table) - 1)
	h := hash(nd)
	at := (2*uint64(max(nd.A, nd.B, nd.C)+1) + h&1) & m
	for n.table[at] != 0 && n.N[n.table[at]-1] != *nd {
		h++
		at = h & m
	}
	return int(at)
}

// add appends a node unless there is an equal one.
func (n *Net) add(nd *Node) ID {
	if !nd.Op.shared() {
		return n.push(nd.Op, nd.W, nd.A, nd.B, nd.C, nd.Imm)
	}
	if 3*n.known >= 2*len(n.table) {
		n.grow()
	}
	at := n.place(nd)
	if n.table[at] == 0 {
		n.known++
		n.table[at] = 1 + int32(n.push(nd.Op, nd.W, nd.A, nd.B, nd.C, nd.Imm))
	}
	return ID(n.table[at] - 1)
}

// push appends a node. It is written in its place: processors are slow to copy what
// was written in smaller pieces just before.
func (n *Net) push(op Op, w uint8, a, b, c ID, imm uint64) ID {
	id := len(n.N)
	n.N = append(n.N, Node{})
	nd := &n.N[id]
	nd.Op, nd.W, nd.A, nd.B, nd.C, nd.Imm = op, w, a, b, c, imm
	return ID(id)
}

// grow makes the table anew, for twice the nodes there are: it may not be there
// yet.
func (n *Net) grow() {
	n.table, n.known = make([]int32, tableSize(2*len(n.N))), 0
	for i := range n.N {
		if n.N[i].Op.shared() {
			n.table[n.place(&n.N[i])] = int32(i + 1)
			n.known++
		}
	}
}
