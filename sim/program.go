package sim

import (
	"etch/ir"
	"etch/sim/pages"
)

// Limits of what New takes, so that a small text cannot ask for all of memory.
const (
	// MaxNodes is the largest number of nodes of all instances together, where
	// an instance is one more.
	MaxNodes = 1 << 25
	// MaxWords is the largest number of 64-bit words of all node values
	// together, and of all memories together that are not large.
	MaxWords = 1 << 27
	// MaxLarge is the largest number of bytes of all large memories together (see
	// [WithPacking]), of which [WithMemoryLimit] says how many may be touched.
	MaxLarge = pages.MaxSize
)

// program is a design lowered to a flat form. Running does not change it.
type program struct {
	design *ir.Design // without nets
	source *ir.Design // as it was given, with them
	kinds  []*kind    // of the instances, by number
	insts  []instance
	slots  []uint32 // slot of a node, at its instance's base plus its ID

	words  int      // slots in total
	leaves uint32   // slots below hold constants, inputs and state, the rest is combinational
	inputs slotSpan // inputs of the top
	state  slotSpan // registers and read data
	image  []uint64 // the leaves at power-up, random ones 0

	code   []instr
	wide   []wideInstr
	pool   []uint32 // operands of Lut
	tables []uint64 // tables of Lut with more than six operands
	cases  []caseTable

	clocks  []int32 // the ports of the top that are clocks
	clockOf []int32 // by slot of the inputs: the number of the clock there, -1 for none
	falls   []int32 // the clocks whose falling edges move something, see fall.go
	resets  []int32 // the input ports of the top that are resets
	regs    []register
	async   []int32 // the registers with asynchronous reset, by level
	levels  []int   // where each level ends among them, see latch.go; none without latches
	mems    []memory
	pack    int // slots that make a memory large
	reads   []readPort
	writes  []writePort
	stmts   []statement
	covers  int
	journal journal // of what machine code prints
	mute    uint32  // slot of whether machine code does a cycle whatever its statements say; 0: none has it leave
	boxes   []box
	groups  []boxGroup

	class *class   // instances that may share code, nil when there are none
	memAt []uint32 // by memory, its first word from the end of the slots on
	memTo uint32   // the words of all of them
}

// slotSpan is the slots from lo up to but not including hi.
type slotSpan struct{ lo, hi uint32 }

func (s slotSpan) has(slot uint32) bool { return s.lo <= slot && slot < s.hi }

// The first slots.
const (
	noSlot   uint32 = iota // a node that has none yet
	zeroSlot               // the constant 0
	oneSlot                // the constant 1
	firstSlot
)

// instance is a module in its place in the tree. Parents come before children,
// and the children of one instance are side by side, in order.
type instance struct {
	mod    *ir.Module
	kind   int32
	parent int32 // -1 for the top
	at     int32 // index among the parent's instances
	base   int32 // place of node 0 in slots
	kids   int32 // number of the first child
	box    int32 // index in boxes, -1 when the body is run
}

// ref is a node of an instance.
type ref struct {
	inst int32
	id   ir.ID
}

func (p *program) slotOf(r ref) uint32 { return p.slots[p.insts[r.inst].base+int32(r.id)] }

func (p *program) mod(inst int32) *ir.Module { return p.insts[inst].mod }
