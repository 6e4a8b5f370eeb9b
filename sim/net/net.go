package net

import (
	"fmt"
	"slices"
)

// ID is a node's index. Arguments of a node have smaller IDs than the node.
type ID int32

// None is the ID of no node.
const None ID = -1

// Node is an operation. Unused arguments are None.
type Node struct {
	Op      Op
	W       uint8 // the value is below 2^W; 1 to 64
	A, B, C ID
	Imm     uint64
}

// Reg is a word of state: of a register, of a read port's data, or of an input. Leaf nodes name
// it by its index in Regs.
type Reg struct {
	Slot int32 // its place: 64-bit words from the base of the state; negative below it, for words of code
	Q    ID    // its Leaf; None if nothing reads it
	Next ID    // its value after the cycle; None: unchanged
	W    uint8
	Host bool // the caller changes it between calls: its value must not be assumed
}

// Mem is a memory: Words words of 64 bits from word At of the state. Words from Depth on are 0
// and never written. Words is a power of two. A far memory lies elsewhere with words of Far
// bytes: word At of the state holds its address, which never changes.
type Mem struct {
	At           uint32
	Words, Depth int
	W            uint8 // of a word
	Shared       bool  // common to all instances of a class: its place does not move with them
	Journal      bool  // nothing reads it, and a cycle never writes one of its words twice
	Far          uint8 // bytes per word, 1, 2, 4 or 8, at least W bits; 0: not far
	// Step, unless 0, says that the memory lies over the words of registers, so many words from one
	// to the next. Words below Lowest do not exist. Only Vectors makes such memories, and only parts
	// have code for them. Without writes it is a view: the registers have next values of their own.
	Step   uint32
	Lowest int
}

// Write is a write to a memory at the end of the cycle, if En is not 0 (None: always). The
// address must be below Depth if En is not 0. Of several writes to one word the last one counts.
// Mask, unless None, has ones at the bits to change.
type Write struct {
	Mem                  int32
	En, Addr, Data, Mask ID
}

// Each calls f for the nodes of the write.
func (w *Write) Each(f func(ID)) {
	for _, x := range [4]ID{w.En, w.Addr, w.Data, w.Mask} {
		if x >= 0 {
			f(x)
		}
	}
}

// Map is the write with its nodes mapped, None to None.
func (w *Write) Map(at func(ID) ID) Write {
	return Write{w.Mem, at(w.En), at(w.Addr), at(w.Data), at(w.Mask)}
}

// Out is a value stored at a slot beside the state, which is like a Reg's.
type Out struct {
	Slot int32
	Node ID
}

// Net is the effects of one event.
type Net struct {
	N      []Node
	Pool   []ID    // operands of Lut and Tables
	Banks  []*Bank // banks of Tables nodes
	Regs   []Reg
	Mems   []Mem
	Writes []Write
	Stop   ID // stop before the cycle if it is not 0; None: never
	// Entry is not 0 in every cycle that writes to a Journal, so that all these writes can be
	// skipped together; None: unknown.
	Entry ID
	Outs  []Out
	// On has, by register, a node that is 0 in cycles in which it keeps its value; None: unknown. It is
	// nil in most nets (Enables).
	On []ID

	table []int32 // hash table with open addressing: IDs of nodes plus one
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

// extension is a copy of n to which nodes can be added, and whose registers can be changed.
func (n *Net) extension() *Net {
	m := *n
	m.N, m.Regs, m.table, m.known = slices.Clip(n.N), slices.Clone(n.Regs), nil, 0
	return &m
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

// Roots calls f for every node used outside of nodes.
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

// IsConst returns the value of a constant; ok is false for other nodes.
func (n *Net) IsConst(id ID) (uint64, bool) {
	if nd := &n.N[id]; nd.Op == Const {
		return nd.Imm, true
	}
	return 0, false
}

// Width returns the width of node id.
func (n *Net) Width(id ID) uint8 { return n.N[id].W }

func (n *Net) journal(w *Write) bool { return n.Mems[w.Mem].Journal }

// Uses counts the uses of each node as an argument or root.
func (n *Net) Uses() []int32 {
	u := make([]int32, len(n.N))
	for i := range n.N {
		n.Args(ID(i), func(x ID) { u[x]++ })
	}
	n.Roots(func(x ID) { u[x]++ })
	return u
}

// String lists the net, for debugging.
func (n *Net) String() string {
	var s []byte

	// One line per node: its number, op, width, arguments, and an immediate other than 0.
	for i := range n.N {
		nd := &n.N[i]
		s = fmt.Appendf(s, "%%%d = %s.%d", i, nd.Op, nd.W)
		n.Args(ID(i), func(x ID) { s = fmt.Appendf(s, " %%%d", x) })
		if nd.Imm != 0 {
			s = fmt.Appendf(s, " #%#x", nd.Imm)
		}
		s = append(s, '\n')
	}

	// The roots follow: registers that change, writes, outputs, and the two conditions.
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
