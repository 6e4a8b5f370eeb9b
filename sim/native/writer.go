package native

import "etch/sim/net"

// label is a place in the code that a writer makes.
type label int32

// writer writes code for one kind of processor: what the instructions of a
// schedule compute, and the pieces that [cycles] and [chain] put around them.
type writer interface {
	newLabel() label
	// bind puts l here, once; all that jumps to it has been written before.
	bind(l label)
	// entry is bind for a label that is jumped to from anywhere.
	entry(l label)
	// align makes room so that what comes next is fetched at once.
	align()
	jump(l label)
	// branch jumps to l if node x is not 0 (want), or if it is.
	branch(x net.ID, want bool, l label)
	// text is the code when it is complete.
	text() ([]byte, error)
	// offset is where l is, in bytes, when the code is complete.
	offset(l label) int

	cycleWriter
	bodyWriter
	residentWriter
	classWriter
	teamWriter
	logWriter
}

// cycleWriter writes a cycle, and what runs many of them.
type cycleWriter interface {
	// enter takes over the arguments of a call: the state, and the cycles to do.
	enter()
	// leave returns the cycles that are still to do.
	leave()
	// count counts a cycle, and jumps to l if there are more to do, or if not.
	count(more bool, l label)
	// begin begins a cycle of c: it copies the registers that are read after they
	// were written.
	begin(c *code)
	// reach says that instruction at is written next.
	reach(at int32)
	eval(x net.ID)
	// phi gives the place of mux m the value of x.
	phi(m, x net.ID)
	write(r int32, x net.ID)
	memoryStore(w *net.Write)
	output(i int32)
}

// bodyWriter writes what special bodies have beside their cycle.
type bodyWriter interface {
	// unless jumps to l if register q is not v in the state, atLeast if it is v or
	// more.
	unless(q *net.Reg, v int64, l label)
	atLeast(q *net.Reg, v int64, l label)
	// unlessWord jumps to l if the word of a memory is not what k wants.
	unlessWord(k *check, shared bool, l label)
	// guard sets the flag if the value of x, for register r, is not want.
	guard(r int32, x net.ID, want uint64)
	clearFlag()
	// flagged jumps to l if the flag is set.
	flagged(l label)
	// increment adds 1 to a word outside of the state.
	increment(p *uint64)
	// keepState copies the registers to a ring, as it says.
	keepState(k *ring)
}

// classWriter writes what leads from instance to instance of a class.
type classWriter interface {
	// enterClass is enter.
	enterClass(c *Class)
	// whole begins a cycle: state and memories are those of the whole.
	whole()
	// first goes to the first instance's next body.
	first(c *Class)
	// keepNext stores l as the instance's next body and goes to that of the next
	// instance; after the last one it jumps to done.
	keepNext(c *Class, l, done label)
}

// teamWriter writes what leads from part to part of a team.
type teamWriter interface {
	// keepIn stores l in a scratch word, goOn goes to what one holds.
	keepIn(word int32, l label)
	goOn(word int32)
}

// logWriter writes what a Log does around an event; no values are in registers.
type logWriter interface {
	// keepRow keeps the state of a row. The outputs that come then are kept too.
	keepRow(l *Log)
	nextRow(l *Log)
}

// ring says where keepState puts the registers of some cycles.
type ring struct {
	words   []uint64 // see missesAt
	lo, hi  uint32   // state words
	entry   int      // words of an entry: one more than that in a class, for where the memories are
	entries int
	class   bool
}
