package net

// Sharing of equal nodes (hash consing): a hash table with open addressing finds them by
// content.

// shared reports whether equal nodes of the op are shared. Ops with operands in the pool are
// not; a Leaf is found by its state word.
func (o Op) shared() bool { return o != Leaf && !o.Pooled() }

// tableSize is the size of a table for so many nodes: a power of two, at most two thirds full.
func tableSize(nodes int) int {
	size := 256
	for 2*size < 3*nodes {
		size *= 2
	}
	return size
}

// hash mixes the fields of a node.
func hash(nd *Node) uint64 {
	h := uint64(uint32(nd.A))*0x9E3779B97F4A7C15 ^ uint64(uint32(nd.B))*0xBF58476D1CE4E5B9 ^
		uint64(uint32(nd.C))*0x94D049BB133111EB ^ (nd.Imm<<16^uint64(nd.Op)<<8^uint64(nd.W))*0xD6E8FEB86659FD93
	return (h ^ h>>29) * 0x9E3779B97F4A7C15 >> 32
}

// entry is the index of a node in the table, or of its free entry. The first probe is near the
// entries of recent nodes, which are in the cache; further probes go by the hash.
func (n *Net) entry(nd *Node) int {
	m := uint64(len(n.table) - 1)
	h := hash(nd)
	at := (2*uint64(max(nd.A, nd.B, nd.C)+1) + h&1) & m
	for n.table[at] != 0 && n.N[n.table[at]-1] != *nd {
		h++
		at = h & m
	}
	return int(at)
}

// add appends a node unless an equal one exists.
func (n *Net) add(nd *Node) ID {
	if !nd.Op.shared() {
		return n.push(nd.Op, nd.W, nd.A, nd.B, nd.C, nd.Imm)
	}
	if 3*n.known >= 2*len(n.table) {
		n.grow()
	}
	at := n.entry(nd)
	if n.table[at] == 0 {
		n.known++
		n.table[at] = 1 + int32(n.push(nd.Op, nd.W, nd.A, nd.B, nd.C, nd.Imm))
	}
	return ID(n.table[at] - 1)
}

// push appends a node, built in place: copying a value whose parts were just written is slow,
// because store forwarding fails.
func (n *Net) push(op Op, w uint8, a, b, c ID, imm uint64) ID {
	id := len(n.N)
	n.N = append(n.N, Node{})
	nd := &n.N[id]
	nd.Op, nd.W, nd.A, nd.B, nd.C, nd.Imm = op, w, a, b, c, imm
	return ID(id)
}

// grow makes the table, or makes it again with room for twice the nodes.
func (n *Net) grow() {
	n.table, n.known = make([]int32, tableSize(2*len(n.N))), 0

	// Entries are numbers of nodes, so that the nodes themselves fill the new table.
	for i := range n.N {
		if n.N[i].Op.shared() {
			n.table[n.entry(&n.N[i])] = int32(i + 1)
			n.known++
		}
	}
}
