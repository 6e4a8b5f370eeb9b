package program

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

// Program is a design lowered to a flat form.
type Program struct {
	Design *ir.Design // without nets
	Source *ir.Design // as given, with nets
	kinds  []*Kind    // by number
	Insts  []Instance
	slots  []uint32 // slot of a node, at its instance's base plus its ID

	Words  int      // slots in total
	Leaves uint32   // slots below hold constants, inputs and state; above, combinational values
	Inputs SlotSpan // inputs of the top
	State  SlotSpan // registers and read data
	Image  []uint64 // the leaves at power-up; random ones are 0

	Code   []Instr
	Wide   []WideInstr
	Pool   []uint32 // operands of Lut
	Tables []uint64 // tables of Lut with more than six operands
	Cases  []CaseTable

	Clocks  []int32 // ports of the top that are clocks
	clockOf []int32 // by slot of the inputs: its clock's number, or -1
	Falls   []int32 // clocks whose falling edges change something, see drive/fall.go
	Resets  []int32 // input ports of the top that are resets
	Regs    []Register
	Async   []int32 // registers with asynchronous reset, by level
	Levels  []int   // end of each level in async, see latch.go; none without latches
	Mems    []Memory
	Pack    int // slots that make a memory large
	Reads   []ReadPort
	Writes  []WritePort
	Stmts   []Statement
	Covers  int
	Journal Journal // layout of the prints that machine code records
	Mute    uint32  // slot that lets machine code run a cycle whatever its statements do; 0: no statement stops it
	Boxes   []Box
	Groups  []BoxGroup

	Class *Class   // instances that may share code, or nil
	memAt []uint32 // by memory: its first word, from the end of the slots
	memTo uint32   // total words of memories
}

// slotSpan is the slots from lo up to, not including, hi.
type SlotSpan struct{ Lo, Hi uint32 }

func (s SlotSpan) Has(slot uint32) bool { return s.Lo <= slot && slot < s.Hi }

// The first slots.
const (
	noSlot   uint32 = iota // a node without slot so far
	ZeroSlot               // the constant 0
	oneSlot                // the constant 1
	firstSlot
)

// Instance is a module in the tree. Parents come before children, and the children of an
// Instance are consecutive, in order.
type Instance struct {
	Mod    *ir.Module
	kind   int32
	Parent int32 // -1 for the top
	At     int32 // index among the parent's instances
	base   int32 // index of node 0 in slots
	Kids   int32 // first child
	Box    int32 // index in boxes, or -1 if the body runs
}

// Ref is a node of an instance.
type Ref struct {
	Inst int32
	ID   ir.ID
}

// SlotOf is the first slot of a node.
func (p *Program) SlotOf(r Ref) uint32 { return p.slots[p.Insts[r.Inst].base+int32(r.ID)] }

// SlotAt is the slot of node id of an instance.
func (p *Program) SlotAt(inst int32, id ir.ID) uint32 { return p.SlotOf(Ref{inst, id}) }

func (p *Program) Mod(inst int32) *ir.Module { return p.Insts[inst].Mod }
