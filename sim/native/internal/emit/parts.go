package emit

import "etch/sim/net"

// PerGroup is the number of flags in a group.
const PerGroup = 32

// ActiveLayout is the places of a partition's scratch words: flags, then the list, then kept
// values. All are numbers of scratch words, of which higher ones have lower addresses.
type ActiveLayout struct {
	Groups int32
	Now    int32 // the first word of the flags of the present cycle, at their highest address
	Next   int32 // and of the next cycle
	list   int32 // the last word of the list, which has the lowest address
	Kept   int32 // the first kept value
	Values int32 // the first word for values inside of parts
}

// Flag is a place among the flags.
type Flag struct {
	Group int32
	Mask  uint32
}

// At is the offset of a group's flags from the state.
func (l *ActiveLayout) At(first, group int32) int32 {
	words := (l.Groups + 1) / 2
	return -8*(first+words) + 4*group
}

// LayOut places the words of a partition, from word first on, for so many deferred registers and
// kept values.
func LayOut(first, groups, deferred, kept int32) (l ActiveLayout) {
	words := (groups + 1) / 2
	l.Groups = groups
	l.Now = first
	l.Next = l.Now + words
	l.list = l.Next + words + 2*(deferred+1) - 1
	l.Kept = l.list + 1
	l.Values = l.Kept + kept
	return l
}

// Change is the effect of writing a word of a part's net.
type Change struct {
	Now      []Flag // to set if the word changes
	Next     []Flag
	Deferred bool
	Often    bool // the effects are made by arithmetic, since it changes too often for a predicted branch
}

// ActiveWriter writes what the code of a partition has beside the instructions of its parts.
type ActiveWriter interface {
	Writer
	// OpenList begins with an empty list of deferred registers. All other code is behind it.
	OpenList(p *ActiveLayout)
	// OpenGroup jumps to l if no flag of a group is set.
	OpenGroup(p *ActiveLayout, group int32, l Label)
	// CloseGroup clears the flags of a group.
	CloseGroup(p *ActiveLayout, group int32)
	// IfFlag jumps to l if the flag of a part is set (want) or not.
	IfFlag(p *ActiveLayout, f Flag, want bool, l Label)
	// Wake sets flags of the present cycle.
	Wake(p *ActiveLayout, flags []Flag)
	// StopIf jumps to l if a state word is not 0.
	StopIf(q *net.Reg, l Label)
	// changed writes node x to register r of the part if that is another value, with the effects of a
	// change.
	changed(p *ActiveLayout, r int32, x net.ID, c *Change)
	// stored stores a word of a memory, and sets flags of the next cycle if that changes it.
	stored(p *ActiveLayout, w *net.Write, flags []Flag)
	// Commit empties the list of deferred registers, and turns to the flags of the next cycle.
	Commit(p *ActiveLayout)
	// Late writes the code that was put aside since the last call.
	Late()
}

// Effects intercepts the writes of a part's code.
type Effects struct {
	W      ActiveWriter
	Layout *ActiveLayout
	Words  []Change
	Stores [][]Flag
	Rare   float64   // the share of the part's runs below which an arm is put behind all other code
	Odds   []float64 // by node that is a bit: the share of the part's runs in which it is 1, or nil
}
