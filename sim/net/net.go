package net

import "fmt"

// ID is a node. Arguments of a node have smaller IDs than the node.
type ID int32

// None is no node.
const None ID = -1

// Node is an operation. Unused arguments are None.
type Node struct {
	Op      Op
	W       uint8 // the value is below 2^W; 1 to 64
	A, B, C ID
	Imm     uint64
}

// Reg is a word of state: a word of a register, of a read port's data or of an
// input. Its number is what Leaf nodes name.
type Reg struct {
	Slot uint32 // where it lives: 64-bit words from the base of the state, as a signed number
	Q    ID     // its Leaf; None when nothing reads it
	Next ID     // what it takes at the end of the cycle; None: it keeps its value
	W    uint8
	Host bool // whoever runs the net changes it between calls: its value is not worth a guess
}

// Mem is a memory: Words words of 64 bits from word At of the state, of which
// those from Depth on are 0 and never written. Words is a power of two. The words of
// a far memory have Far bytes and lie elsewhere: word At of the state is the address of
// the first one, which nothing changes.
type Mem struct {
	At           uint32
	Words, Depth int
	W            uint8 // of a word
	Shared       bool  // one for all instances of a class: its place does not move with them
	Journal      bool  // nothing reads it, and no two writes of a cycle are to one word of it
	Far          uint8 // bytes of a word, 1, 2, 4 or 8, at least W bits; 0: the memory is not far
}

// Write is a write to a memory at the end of the cycle, when En is not 0 (None:
// always). The address must be below Depth whenever En is not 0. Of writes to
// one word the last one counts. Mask, if any, has ones at the bits to change.
type Write struct {
	Mem                  int32
	En, Addr, Data, Mask ID
}

// Each calls f for the nodes that the write takes.
func (w *Write) Each(f func(ID)) {
	for _, x := range [4]ID{w.En, w.Addr, w.Data, w.Mask} {
		if x >= 0 {
			f(x)
		}
	}
}

// Map is the write with other nodes, None for None.
func (w *Write) Map(at func(ID) ID) Write {
	return Write{w.Mem, at(w.En), at(w.Addr), at(w.Data), at(w.Mask)}
}

// Out is a value to store at a slot, aside from the state.
type Out struct {
	Slot uint32
	Node ID
}

// Net is what one event does.
type Net struct {
	N      []Node
	Pool   []ID    // operands of Lut and Tables
	Banks  []*Bank // of Tables
	Regs   []Reg
	Mems   []Mem
	Writes []Write
	Stop   ID // leave before the cycle when it is not 0; None: never
	// Entry is not 0 in every cycle in which a write to a Journal happens, so that
	// all of them together can be skipped in the others; None: it tells nothing.
	Entry ID
	Outs  []Out

	table []int32 // open addressing: IDs of nodes plus one, by their contents
	known int
}

// New returns an empty net.
func New() *Net { return &Net{Stop: None, Entry: None} }

// NewSized returns an empty net with room for so many leaves and other nodes.
func NewSized(leaves, nodes int) *Net {
	n := New()
	n.N = make([]Node, 0, leaves+nodes)
	n.table = make([]int32, tableSize(nodes))
	return n
}

// Args calls f for every argument of node id.
func (n *Net) Args(id ID, f func(ID)) {
	nd := &n.N[id]
	switch {
	case nd.Op.IsLeaf():
	case nd.Op.Pooled():
		for _, x := range n.Pool[nd.A : nd.A+nd.B] {
			f(x)
		}
	default:
		f(nd.A)
		if nd.B >= 0 {
			f(nd.B)
		}
		if nd.C >= 0 {
			f(nd.C)
		}
	}
}

// Roots calls f for every node that something outside the nodes needs.
func (n *Net) Roots(f func(ID)) {
	each := func(x ID) {
		if x >= 0 {
			f(x)
		}
	}
	each(n.Stop)
	each(n.Entry)
	for i := range n.Regs {
		each(n.Regs[i].Next)
	}
	for i := range n.Writes {
		n.Writes[i].Each(f)
	}
	for i := range n.Outs {
		f(n.Outs[i].Node)
	}
}

// IsConst returns the value of a constant.
func (n *Net) IsConst(id ID) (uint64, bool) {
	if nd := &n.N[id]; nd.Op == Const {
		return nd.Imm, true
	}
	return 0, false
}

// Width returns the width of node id.
func (n *Net) Width(id ID) uint8 { return n.N[id].W }

// journal reports whether w is a write to a Journal.
func (n *Net) journal(w *Write) bool { return n.Mems[w.Mem].Journal }

// Uses counts how often each node is an argument or a root.
func (n *Net) Uses() []int32 {
	u := make([]int32, len(n.N))
	for i := range n.N {
		n.Args(ID(i), func(x ID) { u[x]++ })
	}
	n.Roots(func(x ID) { u[x]++ })
	return u
}

// String lists the net, for people who look for a mistake.
func (n *Net) String() string {
	var s []byte
	for i := range n.N {
		nd := &n.N[i]
		s = fmt.Appendf(s, "%%%d = %s.%d", i, nd.Op, nd.W)
		n.Args(ID(i), func(x ID) { s = fmt.Appendf(s, " %%%d", x) })
		if nd.Imm != 0 {
			s = fmt.Appendf(s, " #%#x", nd.Imm)
		}
		s = append(s, '\n')
	}
	for i := range n.Regs {
		if r := &n.Regs[i]; r.Next >= 0 {
			s = fmt.Appendf(s, "reg %d.%d <- %%%d\n", i, r.W, r.Next)
		}
	}
	for i := range n.Writes {
		w := &n.Writes[i]
		s = fmt.Appendf(s, "mem %d[%%%d] <- %%%d if %%%d mask %%%d\n", w.Mem, w.Addr, w.Data, w.En, w.Mask)
	}
	for _, o := range n.Outs {
		s = fmt.Appendf(s, "out %d <- %%%d\n", o.Slot, o.Node)
	}
	if n.Stop >= 0 {
		s = fmt.Appendf(s, "stop %%%d\n", n.Stop)
	}
	if n.Entry >= 0 {
		s = fmt.Appendf(s, "entry %%%d\n", n.Entry)
	}
	return string(s)
}
