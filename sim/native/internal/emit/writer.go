package emit

import (
	"etch/sim/choose"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Label is a place in the code being written.
type Label int32

// Writer writes code for one architecture: the instructions of a schedule, and the pieces that
// [cycles] and [chain] put around them.
type Writer interface {
	Declare() Label
	// Define places l here, once, after all jumps to it were written.
	Define(l Label)
	// Entry is bind for a label that may be jumped to from anywhere.
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

	cycleWriter
	bodyWriter
	classWriter
	teamWriter
	logWriter
}

// cycleWriter writes a cycle and the loop around it.
type cycleWriter interface {
	// Enter takes over the arguments of a call: the state and the cycles to run.
	Enter()
	// Leave returns the cycles still to run.
	Leave()
	// Count counts a cycle, and jumps to l if cycles are left (more), or if none are (!more).
	Count(more bool, l Label)
	// begin begins a cycle of c: it copies the registers that are read after they were written.
	begin(c *schedule.Code)
	// reach announces that instruction at is written next.
	reach(at int32)
	eval(x net.ID)
	// phi copies x to the place of mux m.
	phi(m, x net.ID)
	write(r int32, x net.ID)
	memoryStore(w *net.Write)
	output(i int32)
}

// bodyWriter writes the parts of special bodies other than their cycle.
type bodyWriter interface {
	// Unless jumps to l if register q of the state is not v, atLeast if it is v or more.
	Unless(q *net.Reg, v int64, l Label)
	AtLeast(q *net.Reg, v int64, l Label)
	// UnlessWord jumps to l if a memory word is not the value that k assumes.
	UnlessWord(k *choose.Check, shared bool, l Label)
	// guard sets the flag if x, the new value of register r, is not want.
	guard(r int32, x net.ID, want uint64)
	ClearFlag()
	// Flagged jumps to l if the flag is set.
	Flagged(l Label)
	// Increment adds 1 to a word outside of the state.
	Increment(p *uint64)
	// KeepState copies the registers to a ring.
	KeepState(k *Ring)
}

// classWriter writes the transitions between instances of a class.
type classWriter interface {
	// EnterClass is enter for a class.
	EnterClass(c *Class)
	// Whole begins a cycle: the bases are those of the whole state and memories.
	Whole()
	// First goes to the next body of the first instance.
	First(c *Class)
	// KeepNext stores l as the instance's next body and goes to the next body of the next
	// instance; after the last instance it jumps to done.
	KeepNext(c *Class, l, done Label)
}

// teamWriter writes the transitions between parts of a team.
type teamWriter interface {
	// KeepIn stores l in a scratch word, goOn jumps to the label stored in one.
	KeepIn(word int32, l Label)
	GoOn(word int32)
}

// logWriter writes the code of a Log around an event; no values are in registers there.
type logWriter interface {
	// keepIn announces the rows that outputs are stored in from now on.
	keepIn(l *LogLayout)
	// rowAt loads the address of the current row, of narrow (0) or wide (1) lanes.
	rowAt(wide uint8)
	// keepWord stores a word of the state in its lane of the row at rowAt.
	keepWord(slot uint32, at *LogLane)
	// moveRow adds by to the address of a row, and over too if the low bits are then 0.
	moveRow(wide uint8, by, low, over int32)
}

// Ring is the memory into which keepState copies the registers of some cycles.
type Ring struct {
	Words   []uint64 // see missesAt
	Lo, Hi  uint32   // state words
	Entry   int      // words per entry: in a class one more, for the distance to the memories
	Entries int
	Class   bool
}
