package lanes

import (
	"math/bits"

	"etch/sim/lanes/vector"
	"etch/sim/net"
)

// Layout is where a group of instances has its state: in the slots from Reg[r] on
// word r of all instances, and memories behind, instance by instance.
// It follows from words and memories alone, so that the nets of one design share
// it.
type Layout struct {
	Form  Form
	Reg   []int32 // first slot of a state word
	width []uint8
	mems  []memory
	Slots int // of state
	Bytes int // of all memories of one instance

	mixed  *mixedLayout // of Mixed form: nothing of the above but width
	bit    []bool       // by state word: it is a bit of the sliced state, in code for parts; nil: none is
	active int32        // the slot with a one for every instance that counts
	tables [][]uint64   // the last of the memories: constants that all instances share
	shared int          // bytes of them
}

// Form is how the words of a group's instances lie in vectors.
type Form uint8

// The forms.
const (
	Sliced Form = iota // a vector for each bit, with that of every instance
	Words              // elements of 16, 32 or 64 bits in one, two or four vectors
	Mixed              // each word and memory in the one or the other
)

// Lanes is the number of instances in a group for target t.
func (l *Layout) Lanes(t Target) int {
	if l.Form == Words {
		return 4 * t.Words
	}
	return 64 * t.Words // in Mixed form, of vector.Parts parts
}

// rowAt is the vector of the memories at which word k of a memory in rows begins.
func (l *Layout) rowAt(m *memory, k int, t Target) int32 {
	lanes := l.Lanes(t)
	return int32((l.offset(m, lanes) + k*lanes*m.elem) / (8 * t.Words))
}

// slots is the number of vectors of a state word of w bits.
func (l *Layout) slots(w uint8) int {
	if l.Form == Words {
		return vectors(w)
	}
	return int(w)
}

// memory is where a memory is.
type memory struct {
	net.Mem
	slot   int32 // of bit 0 of word 0, for those that are bits of the state; else -1
	offset int   // bytes before it in the memories
	stride int   // elements of an instance; 0: all share one
	table  []uint64
	elem   int // bytes of an element
	addr   int // bits of address
}

// rows reports whether the memory is in rows: word k of all instances, then word
// k+1, so that those who read one address find a vector.
func (l *Layout) rows(m *memory) bool { return l.Form == Words && m.table == nil }

// smallMemory is the bits up to which a memory is bits of the state, and every
// read a choice among all.
const smallMemory = 128

// smallTable is the number of words up to which a table is gates.
const smallTable = 256

// NewLayout lays out the state of n; tables are the contents of the last of its
// memories, those that are constant.
func NewLayout(n *net.Net, tables [][]uint64, f Form) *Layout {
	if f == Mixed {
		return newMixedLayout(n, tables, newDivision(n, nil))
	}
	return layoutOf(n, tables, f, nil)
}

// layoutOf lays out the words and memories that a division puts into form f; nil:
// all.
func layoutOf(n *net.Net, tables [][]uint64, f Form, d *division) *Layout {
	l := &Layout{Form: f, tables: tables}
	for i := range n.Regs {
		l.Reg, l.width = append(l.Reg, int32(l.Slots)), append(l.width, n.Regs[i].W)
		if d == nil || d.word[i] == f {
			l.Slots += l.slots(n.Regs[i].W)
		}
	}
	l.active = int32(l.Slots)
	l.Slots++
	first := len(n.Mems) - len(tables)
	for i := range n.Mems {
		switch {
		case i >= first:
			l.addTable(n.Mems[i], tables[i-first])
		case d == nil || d.mem[i] == f:
			l.addMemory(n.Mems[i])
		default:
			l.mems = append(l.mems, memory{Mem: n.Mems[i], slot: -1})
		}
	}
	return l
}

// addTable lays a table out behind the instances' memories.
func (l *Layout) addTable(m net.Mem, words []uint64) {
	x := memory{Mem: m, slot: -1, addr: bits.Len(uint(m.Words - 1)), table: words, elem: elemOf(m.W)}
	if l.stored(&x) {
		x.offset = l.shared
		l.shared += (m.Words*x.elem + 63) &^ 63
	}
	l.mems = append(l.mems, x)
}

// stored reports whether a table is in memory: a small one of sliced form is not.
func (l *Layout) stored(m *memory) bool { return m.Words > smallTable || l.Form == Words }

// elemOf is the bytes of an element for words of w bits.
func elemOf(w uint8) int {
	switch {
	case w <= 16:
		return 2
	case w <= 32:
		return 4
	}
	return 8
}

func (l *Layout) addMemory(m net.Mem) {
	x := memory{Mem: m, slot: -1, addr: bits.Len(uint(m.Words - 1))}
	if m.Words*int(m.W) <= smallMemory && l.Form == Sliced {
		x.slot = int32(l.Slots)
		l.Slots += m.Words * int(m.W)
		l.mems = append(l.mems, x)
		return
	}
	x.elem = elemOf(m.W)
	if l.Form == Words { // in rows; one more for the writes that do not happen
		x.offset = l.Bytes
		l.Bytes += (m.Words + 1) * x.elem
		l.mems = append(l.mems, x)
		return
	}
	// The word behind the last takes the writes that do not happen. Instances
	// are an odd number of cache lines apart, so that equal addresses do not
	// meet in one set.
	lines := (m.Words+1)*x.elem/64 + 1
	x.stride = (lines | 1) * 64 / x.elem
	x.offset = l.Bytes
	l.Bytes += x.stride * x.elem
	l.mems = append(l.mems, x)
}

// memBytes is the size of the memories of a group of n instances: one memory
// after the other, each with a part for every instance or in rows, then the tables.
func (l *Layout) memBytes(n int) int { return l.Bytes*n + l.shared }

// Size is the bytes of a group for target t.
func (l *Layout) Size(t Target) int {
	if l.mixed != nil {
		return l.mixed.part[Sliced].Size(t) + vector.Parts*l.mixed.part[Words].Size(t)
	}
	return 8*t.Words*l.Slots + l.memBytes(l.Lanes(t))
}

// offset is where a memory begins in those of a group of n instances.
func (l *Layout) offset(m *memory, n int) int {
	if m.table != nil {
		return l.Bytes*n + m.offset
	}
	return m.offset * n
}
