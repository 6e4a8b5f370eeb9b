package code

import (
	"math/bits"

	"etch/sim/choose"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// Layout is the arrangement of a group's state: word r of all instances in the slots from Reg[r]
// on, memories behind. It depends on words and memories alone, so all nets of a design share it.
type Layout struct {
	pol   *choose.LaneCode
	Form  Form
	Reg   []int32 // first slot, by state word
	width []uint8
	mems  []memory
	Slots int // of the state
	Bytes int // of all memories of one instance

	mixed  *mixedLayout // in Mixed form, where of the above only Form, width, mems and len(Reg) count
	bit    []bool       // by state word: it is a bit of the sliced state, in code for subgroups; nil: none is
	active int32        // slot with a one for every instance in use
	tables [][]uint64   // constants shared by all instances: the last memories
	shared int          // size of the tables, in bytes
}

// Form is the arrangement of the words of a group's instances in vectors.
type Form uint8

// The forms.
const (
	Sliced Form = iota // one vector per bit, holding it for every instance
	Words              // elements of 16, 32 or 64 bits in one, two or four vectors
	Mixed              // each word and memory in one or the other form
)

// String is "sliced", "words" or "mixed".
func (f Form) String() string { return [...]string{"sliced", "words", "mixed"}[f] }

// Lanes returns the number of instances in a group for target t.
func (l *Layout) Lanes(t Target) int {
	if l.Form == Words {
		return 4 * t.Words
	}
	return 64 * t.Words // in Mixed form, in vector.Subgroups of them
}

// rowAt is the vector, within the memories, at which row k of a memory begins.
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

// memory is the place of a memory.
type memory struct {
	net.Mem
	slot   int32 // of bit 0 of word 0, if its words are bits of the state; else -1
	offset int   // bytes before it, per instance
	stride int   // elements per instance; 0: shared by all
	table  []uint64
	elem   int // bytes per element
	addr   int // bits of an address
}

// rows reports whether the memory is stored in rows: word k of all instances, then word k+1.
// Then a read at one address finds a vector.
func (l *Layout) rows(m *memory) bool { return l.Form == Words && m.table == nil }

// NewLayout lays out the state of n in form f; tables are the contents of the last of its
// memories, which are constant. Programs of the layout decide by pol too.
func NewLayout(n *net.Net, tables [][]uint64, f Form, pol *choose.LaneCode) *Layout {
	if f == Mixed {
		return newMixedLayout(n, tables, newDivision(n, nil, pol), pol)
	}
	return layoutOf(n, tables, f, nil, pol)
}

// layoutOf lays out the words and memories that division d puts in form f; nil is all of them.
func layoutOf(n *net.Net, tables [][]uint64, f Form, d *division, pol *choose.LaneCode) *Layout {
	l := &Layout{pol: pol, Form: f, tables: tables}
	// Words of the other form have a number but no slots.
	for i := range n.Regs {
		l.Reg, l.width = append(l.Reg, int32(l.Slots)), append(l.width, n.Regs[i].W)
		if d == nil || d.word[i] == f {
			l.Slots += l.slots(n.Regs[i].W)
		}
	}

	// The marks of instances in use follow the words.
	l.active = int32(l.Slots)
	l.Slots++

	// Tables are the last memories.
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

// addTable lays out a table behind the memories of instances.
func (l *Layout) addTable(m net.Mem, words []uint64) {
	x := memory{Mem: m, slot: -1, addr: bits.Len(uint(m.Words - 1)), table: words, elem: elemOf(m.W)}

	// In sliced form, a small table becomes gates and takes no room.
	if l.stored(&x) {
		x.offset = l.shared
		l.shared += (m.Words*x.elem + 63) &^ 63
	}
	l.mems = append(l.mems, x)
}

// stored reports whether a table is in memory; a small table in sliced form is gates.
func (l *Layout) stored(m *memory) bool { return m.Words > l.pol.SmallTable || l.Form == Words }

// elemOf is the size in bytes of an element for words of w bits.
func elemOf(w uint8) int {
	switch {
	case w <= 16:
		return 2
	case w <= 32:
		return 4
	}
	return 8
}

// addMemory lays out a memory of each instance.
func (l *Layout) addMemory(m net.Mem) {
	x := memory{Mem: m, slot: -1, addr: bits.Len(uint(m.Words - 1))}

	// A memory of few bits is part of the sliced state.
	if m.Words*int(m.W) <= l.pol.SmallMemory && l.Form == Sliced {
		x.slot = int32(l.Slots)
		l.Slots += m.Words * int(m.W)
		l.mems = append(l.mems, x)
		return
	}

	x.elem = elemOf(m.W)
	if l.Form == Words { // in rows; one row more for the writes that do not happen
		x.offset = l.Bytes
		l.Bytes += (m.Words + 1) * x.elem
		l.mems = append(l.mems, x)
		return
	}
	// The word behind the last takes the writes that do not happen. Instances are an odd number
	// of cache lines apart, so that equal addresses fall in different cache sets.
	lines := (m.Words+1)*x.elem/64 + 1
	x.stride = (lines | 1) * 64 / x.elem
	x.offset = l.Bytes
	l.Bytes += x.stride * x.elem
	l.mems = append(l.mems, x)
}

// memBytes is the size of the memories of a group of n instances: one memory after the other, by
// instance or in rows, then the tables.
func (l *Layout) memBytes(n int) int { return l.Bytes*n + l.shared }

// Size is the size of a group for target t, in bytes.
func (l *Layout) Size(t Target) int {
	if l.mixed != nil {
		return l.mixed.of[Sliced].Size(t) + vector.Subgroups*l.mixed.of[Words].Size(t)
	}
	return 8*t.Words*l.Slots + l.memBytes(l.Lanes(t))
}

// offset is the offset of a memory in a group of n instances, in bytes.
func (l *Layout) offset(m *memory, n int) int {
	if m.table != nil {
		return l.Bytes*n + m.offset
	}
	return m.offset * n
}
