package native

import (
	"etch/sim/choose"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// label is a place in the code being written.
type label int32

// writer writes code for one architecture: the instructions of a schedule, and the pieces that
// [cycles] and [chain] put around them.
type writer interface {
	newLabel() label
	// bind places l here, once, after all jumps to it were written.
	bind(l label)
	// entry is bind for a label that may be jumped to from anywhere.
	entry(l label)
	// align pads so that the following code starts at a fetch boundary.
	align()
	jump(l label)
	// branch jumps to l if node x is not 0 (want), or if it is 0 (!want).
	branch(x net.ID, want bool, l label)
	// text completes and returns the code.
	text() ([]byte, error)
	// offset is the position of l in the completed code, in bytes.
	offset(l label) int

	cycleWriter
	bodyWriter
	residentWriter
	classWriter
	teamWriter
	logWriter
}

// cycleWriter writes a cycle and the loop around it.
type cycleWriter interface {
	// enter takes over the arguments of a call: the state and the cycles to run.
	enter()
	// leave returns the cycles still to run.
	leave()
	// count counts a cycle, and jumps to l if cycles are left (more), or if none are (!more).
	count(more bool, l label)
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
	// unless jumps to l if register q of the state is not v, atLeast if it is v or more.
	unless(q *net.Reg, v int64, l label)
	atLeast(q *net.Reg, v int64, l label)
	// unlessWord jumps to l if a memory word is not the value that k assumes.
	unlessWord(k *choose.Check, shared bool, l label)
	// guard sets the flag if x, the new value of register r, is not want.
	guard(r int32, x net.ID, want uint64)
	clearFlag()
	// flagged jumps to l if the flag is set.
	flagged(l label)
	// increment adds 1 to a word outside of the state.
	increment(p *uint64)
	// keepState copies the registers to a ring.
	keepState(k *ring)
}

// classWriter writes the transitions between instances of a class.
type classWriter interface {
	// enterClass is enter for a class.
	enterClass(c *Class)
	// whole begins a cycle: the bases are those of the whole state and memories.
	whole()
	// first goes to the next body of the first instance.
	first(c *Class)
	// keepNext stores l as the instance's next body and goes to the next body of the next
	// instance; after the last instance it jumps to done.
	keepNext(c *Class, l, done label)
}

// teamWriter writes the transitions between parts of a team.
type teamWriter interface {
	// keepIn stores l in a scratch word, goOn jumps to the label stored in one.
	keepIn(word int32, l label)
	goOn(word int32)
}

// logWriter writes the code of a Log around an event; no values are in registers there.
type logWriter interface {
	// keepRow keeps the state words of a row, and from now on the outputs too.
	keepRow(l *logLayout)
	nextRow(l *logLayout)
}

// ring is the memory into which keepState copies the registers of some cycles.
type ring struct {
	words   []uint64 // see missesAt
	lo, hi  uint32   // state words
	entry   int      // words per entry: in a class one more, for the distance to the memories
	entries int
	class   bool
}
