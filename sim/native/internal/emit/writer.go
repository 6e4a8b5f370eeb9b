package emit

import (
	"etch/sim/choose"
	"etch/sim/net"
)

// Label is a place in the code being written.
type Label int32

// Writer writes code for one architecture: the instructions of a schedule, the primitives from
// which [Cycles] makes the stores and branches around them, and pieces that differ from one
// architecture to the other in more than their instructions.
type Writer interface {
	// from is the source that the Writer reads.
	from() *source

	Declare() Label
	// Define places l here, once, after all jumps to it were written.
	Define(l Label)
	// Entry is Define for a label that may be jumped to from anywhere.
	Entry(l Label)
	// AlignEntry pads so that the following code starts at a fetch boundary.
	AlignEntry()
	Jump(l Label)
	// branch jumps to l if node x is not 0 (want), or if it is 0 (!want).
	branch(x net.ID, want bool, l Label)
	// Text completes and returns the code.
	Text() ([]byte, error)
	// OffsetOf is the position of l in the completed code, in bytes.
	OffsetOf(l Label) int

	primitives
	cycleWriter
	bodyWriter
	classWriter
	logWriter
}

// primitives are the stores, loads and branches that [Cycles] is written over. The accumulator is a
// temporary: no primitive but keep uses what another left in it.
type primitives interface {
	// fetch loads the low bytes of a word of the state, 4 or 8, into the accumulator.
	fetch(p place, bytes uint8)
	// keep stores the low bytes of the accumulator.
	keep(p place, bytes uint8)
	// write stores node x in a place of so many bytes, which fit its value.
	write(p place, bytes uint8, x net.ID)
	// set stores a constant.
	set(p place, bytes uint8, v uint32)
	// compare sets the flags by a word of w bits and v.
	compare(p place, w uint8, v uint64)
	// jumpIf jumps to l if the flags say so.
	jumpIf(cc cond, l Label)
	// addressOf loads the address of l into the accumulator.
	addressOf(l Label)
	// jumpTo jumps to the address in a word.
	jumpTo(p place)
}

// cycleWriter writes a cycle and the loop around it.
type cycleWriter interface {
	// Enter takes over the arguments of a call: the state and the cycles to run.
	Enter()
	// Leave returns the cycles still to run.
	Leave()
	// count counts a cycle. The flags say equal if none are left.
	count()
	// begin prepares for so many instructions; nothing is known of registers there.
	begin(instructions int)
	eval(x net.ID)
	// phi copies x to the place of mux m.
	phi(m, x net.ID)
	memoryStore(w *net.Write)
}

// bodyWriter writes the parts of special bodies other than their cycle.
type bodyWriter interface {
	// compareFar sets the flags by the word that k describes of a far memory, whose address is at
	// p, and the value that k assumes.
	compareFar(p place, k *choose.Check)
	// guard sets the flag if x, the new value of a register of w bits, is not want.
	guard(x net.ID, w uint8, want uint64)
	setFlag(v uint32)
	// Flagged jumps to l if the flag is set.
	Flagged(l Label)
	// Increment adds 1 to a word outside of the state.
	Increment(p *uint64)
	// KeepState copies the registers to a ring.
	KeepState(k *Ring)
}

// classWriter moves the bases from one instance of a class to the next.
type classWriter interface {
	// EnterClass is Enter for a class.
	EnterClass(c *Class)
	// Whole begins a cycle: the bases are those of the whole state and memories.
	Whole()
	// firstInstance sets the base of memories to that of the first instance; the state's is there already.
	firstInstance()
	// nextInstance moves the bases. The flags say equal after the last instance.
	nextInstance(c *Class)
}

// logWriter writes the code of a Log around an event; no values are in registers there.
type logWriter interface {
	// rowAt loads the address of the current row, of narrow (0) or wide (1) fields.
	rowAt(wide uint8)
	// moveRow adds by to the address of a row, and over too if the low bits are then 0.
	moveRow(wide uint8, by, low, over int32)
}

// Ring is the memory into which KeepState copies the registers of some cycles.
type Ring struct {
	Words   []uint64 // see MissesAt
	Lo, Hi  int32    // state words
	Entry   int      // words per entry: in a class one more, for the distance to the memories
	Entries int
	Class   bool
}
