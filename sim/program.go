package sim

import (
	"etch/ir"
	"etch/sim/pages"
)

// Limits of New, so that a small text cannot claim all memory.
const (
	// MaxNodes is the largest number of nodes of all instances together; an instance counts as
	// one more.
	MaxNodes = 1 << 25
	// MaxWords is the largest number of 64-bit words of all node values together, and of all
	// memories together that are not large.
	MaxWords = 1 << 27
	// MaxLarge is the largest number of bytes of all large memories together (see
	// [WithPacking]); [WithMemoryLimit] bounds the bytes touched.
	MaxLarge = pages.MaxSize
)

// program is a design lowered to a flat form.
type program struct {
	design *ir.Design // without nets
	source *ir.Design // as given, with nets
	kinds  []*kind    // by number
	insts  []instance
	slots  []uint32 // slot of a node, at its instance's base plus its ID

	words  int      // slots in total
	leaves uint32   // slots below hold constants, inputs and state; above, combinational values
	inputs slotSpan // inputs of the top
	state  slotSpan // registers and read data
	image  []uint64 // the leaves at power-up; random ones are 0

	code   []instr
	wide   []wideInstr
	pool   []uint32 // operands of Lut
	tables []uint64 // tables of Lut with more than six operands
	cases  []caseTable

	clocks  []int32 // ports of the top that are clocks
	clockOf []int32 // by slot of the inputs: its clock's number, or -1
	falls   []int32 // clocks whose falling edges change something, see fall.go
	resets  []int32 // input ports of the top that are resets
	regs    []register
	async   []int32 // registers with asynchronous reset, by level
	levels  []int   // end of each level in async, see latch.go; none without latches
	mems    []memory
	pack    int // slots that make a memory large
	reads   []readPort
	writes  []writePort
	stmts   []statement
	covers  int
	journal journal // layout of the prints that machine code records
	mute    uint32  // slot that lets machine code run a cycle whatever its statements do; 0: no statement stops it
	boxes   []box
	groups  []boxGroup

	class *class   // instances that may share code, or nil
	memAt []uint32 // by memory: its first word, from the end of the slots
	memTo uint32   // total words of memories
}

// slotSpan is the slots from lo up to, not including, hi.
type slotSpan struct{ lo, hi uint32 }

func (s slotSpan) has(slot uint32) bool { return s.lo <= slot && slot < s.hi }

// The first slots.
const (
	noSlot   uint32 = iota // a node without slot so far
	zeroSlot               // the constant 0
	oneSlot                // the constant 1
	firstSlot
)

// instance is a module in the tree. Parents come before children, and the children of an
// instance are consecutive, in order.
type instance struct {
	mod    *ir.Module
	kind   int32
	parent int32 // -1 for the top
	at     int32 // index among the parent's instances
	base   int32 // index of node 0 in slots
	kids   int32 // first child
	box    int32 // index in boxes, or -1 if the body runs
}

// ref is a node of an instance.
type ref struct {
	inst int32
	id   ir.ID
}

func (p *program) slotOf(r ref) uint32 { return p.slots[p.insts[r.inst].base+int32(r.id)] }

func (p *program) mod(inst int32) *ir.Module { return p.insts[inst].mod }
