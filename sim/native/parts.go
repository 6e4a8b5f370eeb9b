package native

import "etch/sim/net"

// perGroup is the number of flags in a group.
const perGroup = 32

// activeLayout is the places of a partition's scratch words: flags, then the list, then kept
// values. All are numbers of scratch words, of which higher ones have lower addresses.
type activeLayout struct {
	groups int32
	now    int32 // the first word of the flags of the present cycle, at their highest address
	next   int32 // and of the next cycle
	list   int32 // the last word of the list, which has the lowest address
	kept   int32 // the first kept value
	values int32 // the first word for values inside of parts
}

// flag is a place among the flags.
type flag struct {
	group int32
	mask  uint32
}

// at is the offset of a group's flags from the state.
func (l *activeLayout) at(first, group int32) int32 {
	words := (l.groups + 1) / 2
	return -8*(first+words) + 4*group
}

// layOut places the words of a partition, from word first on, for so many deferred registers and
// kept values.
func layOut(first, groups, deferred, kept int32) (l activeLayout) {
	words := (groups + 1) / 2
	l.groups = groups
	l.now = first
	l.next = l.now + words
	l.list = l.next + words + 2*(deferred+1) - 1
	l.kept = l.list + 1
	l.values = l.kept + kept
	return l
}

// change is the effect of writing a word of a part's net.
type change struct {
	now      []flag // to set if the word changes
	next     []flag
	deferred bool
	often    bool // it changes too often for a predicted branch
}

// activeWriter writes what the code of a partition has beside the instructions of its parts.
type activeWriter interface {
	writer
	// openList begins with an empty list of deferred registers.
	openList(p *activeLayout)
	// openGroup jumps to l if no flag of a group is set.
	openGroup(p *activeLayout, group int32, l label)
	// closeGroup clears the flags of a group.
	closeGroup(p *activeLayout, group int32)
	// flagged jumps to l if the flag of a part is set (want) or not.
	ifFlag(p *activeLayout, f flag, want bool, l label)
	// stopIf jumps to l if a state word is not 0.
	stopIf(q *net.Reg, l label)
	// changed writes node x to register r of the part if that is another value, with the effects of a change.
	changed(p *activeLayout, r int32, x net.ID, c *change)
	// stored stores a word of a memory, and sets flags of the next cycle if that changes it.
	stored(p *activeLayout, w *net.Write, flags []flag)
	// commit empties the list of deferred registers, and turns to the flags of the next cycle.
	commit(p *activeLayout)
	// late writes the code that was put aside since the last call.
	late()
}

// effects intercepts the writes of a part's code.
type effects struct {
	w      activeWriter
	layout *activeLayout
	words  []change
	stores [][]flag
}
