package emit

import "etch/sim/net"

// PerGroup is the number of flags in a group.
const PerGroup = 32

// ActiveLayout is the places of a partition's scratch words: flags, then the list, then cells. They are
// offsets from the state in bytes, or numbers of scratch words, of which higher ones have lower
// addresses.
type ActiveLayout struct {
	Groups int32
	Now    int32 // offset of the flags of the present cycle
	Next   int32 // and of the next cycle
	blocks int32 // and of the blocks of deferred cells to be copied at the end of the cycle
	copied int32 // groups of these blocks
	list   int32 // the last word of the list, which has the lowest address
	Cells  int32 // offset of the first cell from the state, in bytes
	Late   int32 // of the first cell of a deferred register
	Values int32 // the first word for values inside of parts
}

// Reach is how far before and behind a place that a register points at short displacements reach.
const Reach = 128

// LeastNear is the uses of places from which a register that points at them pays: each saves 3 bytes,
// and the address takes 7.
const LeastNear = 3

// MostNear is the number of places that registers may point at for a part.
const MostNear = 2

// Block is the size of a block of cells, in bytes: those of deferred registers are copied by blocks.
const Block = 32

// Flag is a place among the flags.
type Flag struct {
	Group int32
	Mask  uint32
}

// At is the offset of a group's flags from the state. flags is that of all of their kind.
func (l *ActiveLayout) At(flags, group int32) int32 { return flags + 4*group }

// Sizes is the room that a partition needs beside its flags.
type Sizes struct {
	Listed int32 // deferred registers without cells
	Cells  int32 // bytes of cells whose values change within the cycle
	Late   int32 // bytes of those of deferred registers
}

// LayOut places the words of a partition, from word first on.
func LayOut(first, groups int32, z Sizes) (l ActiveLayout) {
	l.Groups, l.copied = groups, (z.Late+Block*PerGroup-1)/(Block*PerGroup)

	// Groups have 4 bytes, and each kind of flags fills whole words.
	end := first
	flags := func(groups int32) int32 {
		end += (groups + 1) / 2
		return -8 * end
	}
	l.Now, l.Next, l.blocks = flags(groups), flags(groups), flags(l.copied)
	end += 2 * (z.Listed + 1)
	l.list = end - 1

	// The cells of deferred registers fill whole groups, and stand there twice: the present values,
	// then the next ones.
	end += (z.Cells + 7) / 8
	l.Cells = -8 * end
	end += 2 * l.copied * (Block * PerGroup / 8)
	l.Late = -8 * end
	l.Values = end
	return l
}

// NextOf is the offset of the next value of the deferred register whose cell is at an offset.
func (l *ActiveLayout) NextOf(cell int32) int32 { return cell + l.copied*Block*PerGroup }

// BlockOf is the flag of the block of a deferred register whose cell is at an offset.
func (l *ActiveLayout) BlockOf(cell int32) Flag {
	b := (cell - l.Late) / Block
	return Flag{Group: b / PerGroup, Mask: 1 << (b % PerGroup)}
}

// Cell is the place of a state word or a kept value in the code of parts. Cells are as narrow as
// their values permit, because those of a large core would fill the caches beside its code.
type Cell struct {
	At    int32 // offset from the state, in bytes
	Bytes uint8 // 1, 4 or 8
}

// Change is the effect of writing a word of a part's net.
type Change struct {
	Now    []Flag // to set if the word changes
	Next   []Flag
	Blocks []Flag
	To     int32 // where the new value goes: the word's cell, or the next one
	Home   bool  // the register's word of the state gets the value too
	Listed bool  // the value goes to the list
	Often  bool  // the effects are made by arithmetic, since it changes too often for a predicted branch
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
	// OpenPart makes registers point at places that a part uses often; ClosePart ends that.
	OpenPart(near []int32)
	ClosePart()
	// Wake sets flags of the present cycle, and those of blocks.
	Wake(p *ActiveLayout, flags, blocks []Flag)
	// IfCell jumps to l if a cell is not 0 (want), or if it is.
	IfCell(c Cell, want bool, l Label)
	// changed writes node x to register r of the part if that is another value, with the effects of a
	// change.
	changed(p *ActiveLayout, r int32, x net.ID, c *Change)
	// stored stores a word of a memory, and sets flags of the next cycle if that changes it.
	stored(p *ActiveLayout, w *net.Write, flags []Flag)
	// Commit copies the next values of deferred registers, and turns to the flags of the next cycle.
	Commit(p *ActiveLayout)
	// Late writes the code that was put aside since the last call.
	Late()
}

// Effects intercepts the writes of a part's code.
type Effects struct {
	W      ActiveWriter
	Layout *ActiveLayout
	Cells  []Cell  // by register
	Near   []int32 // see OpenPart
	Words  []Change
	Stores [][]Flag
	Rare   float64   // the share of the part's runs below which an arm is put behind all other code
	Odds   []float64 // by node that is a bit: the share of the part's runs in which it is 1, or nil
}
