package emit

import (
	"etch/sim/native/vector"
)

// Bases of the pieces that compute packs. packState and packPool stay where they are during a
// segment; the others move.
const (
	packState    uint8 = iota
	packTo             // the elements that blocks write
	packElement1       // the elements that they read, by the bytes of a stored element
	packElement2
	packElement4
	packCell // the cells of the block
	packPool // the constants
	packBases
)

// elementBases is the base for elements of so many bytes.
var elementBases = [5]uint8{1: packElement1, 2: packElement2, 4: packElement4}

// PackWriter writes the code around the pieces of packs for one kind of processor. Segments may use
// all registers: plain code keeps nothing in them when segments run.
type PackWriter interface {
	Writer

	// pieces is the writer of pieces, whose spilled values are at spill.
	pieces(spill vector.Place) *vector.Writer
	// enterPacks is Enter, keeps the second argument in the flag's word, and tests bits of it.
	enterPacks(bits int32)
	// testPacks sets the flags by bits of the second argument: equal if all are 0.
	testPacks(bits int32)
	// idle jumps to l if no cycles are to run.
	idle(l Label)
	// leavePacks is Leave, followed by the constants.
	leavePacks(constants []byte)
	// unlessCell jumps to l if the cell at an offset from the state is 0.
	unlessCell(at int32, l Label)
	// aimPool points a base to the constants, aim one to an offset from the state; advance moves
	// one by bytes.
	aimPool()
	aim(base uint8, at int32)
	advance(base uint8, by int32)
	// repeat begins a loop of n rounds; again ends it.
	repeat(n int, aligned bool) Label
	again(l Label)
	// elementOfWord stores the low bytes of a word of the state as an element of so many bytes;
	// wordOfElement is the reverse. Words are at packCell, elements at packTo.
	elementOfWord(word, element, size int32)
	wordOfElement(word, element, size int32)
}
