package vector

import (
	"encoding/binary"

	"etch/sim/native/amd64"
	"etch/sim/native/arm64"
)

// A piece is a Code inside of code that others write, for vectors of 256 bits. Its operands are at
// places, which need no alignment, and its control flow belongs to the others. Between two pieces only
// kept registers last.

// Place is an address: bytes from a base, one of those that a Writer has registers for.
type Place struct {
	Base uint8
	At   int32
}

// placed is the slot number of a piece's first place; slots of states are below.
const placed = 1 << 28

// NewPiece returns an empty piece with constants in a pool.
func NewPiece(p *Pool) *Code {
	c := NewCodeIn(p)
	c.next = 0
	return c
}

// Place returns a slot for a place. Stores are not moved in a piece (Settle): a value of At must
// not be used behind a store to its place.
func (c *Code) Place(p Place) (slot int32) {
	c.outer = append(c.outer, p)
	return placed + int32(len(c.outer)-1)
}

// Kept returns the value in a register that pieces do not allocate.
func (c *Code) Kept(reg uint8) Value {
	v := c.value(NoSlot)
	c.kept = append(c.kept, keptValue{v, reg})
	return v
}

// keptValue is a value that stays in a register.
type keptValue struct {
	v   Value
	reg uint8
}

// Fetch appends an instruction that makes a value of memory: Load64 to Spread32.
func (c *Code) Fetch(op Op, slot int32) Value {
	v := c.value(NoSlot)
	c.Insts = append(c.Insts, Inst{Op: op, A: None, B: None, C: None, D: v, Slot: slot})
	return v
}

// Put appends Store64 or Store128.
func (c *Code) Put(op Op, v Value, slot int32) {
	c.Insts = append(c.Insts, Inst{Op: op, A: v, B: None, C: None, D: None, Slot: slot})
}

// Writer writes pieces.
type Writer struct {
	a     *assembler
	regs  int
	loads bool // instructions have no operands in memory
}

// OnAMD64 writes pieces into asm for AVX2. Registers of regs hold the bases. Constants are at
// pool, spilled values at spill.
func OnAMD64(asm *amd64.Asm, regs []amd64.Reg, pool, spill Place) *Writer {
	return newWriter(&x86{Asm: asm, l: amd64.V256, bytes: 32, bases: regs, copies: amd64.VMOVDQU}, 16, pool, spill)
}

// OnARM64 is OnAMD64 for NEON.
func OnARM64(asm *arm64.Asm, regs []arm64.Reg, pool, spill Place) *Writer {
	w := newWriter(&a64{Asm: asm, bases: regs}, a64Pairs, pool, spill)
	w.loads = true
	return w
}

func newWriter(m machine, regs int, pool, spill Place) *Writer {
	return &Writer{a: &assembler{machine: m, bytes: 32, pool: pool.place(), scratch: spill.place()}, regs: regs}
}

func (p Place) place() place { return place{base(p.Base), int(p.At)} }

// Allocate makes a program of a piece for this processor, with so many registers.
func (w *Writer) Allocate(c *Code, regs int) *Program {
	c.loads = w.loads
	return c.Allocate(regs)
}

// Registers is the number of vector registers. A piece has those below its kept ones.
func (w *Writer) Registers() int { return w.regs }

// Write writes a piece.
func (w *Writer) Write(p *Program) {
	w.a.p = p
	w.a.enterPiece()
	for i := range p.Instrs {
		w.a.instr(&p.Instrs[i])
	}
}

// Fetch writes a single instruction that makes a value of memory.
func (w *Writer) Fetch(op Op, reg uint8, p Place) { w.a.fetch(op, reg, p.place()) }

// Data is the pool's constants as they lie at a Writer's pool.
func (p *Pool) Data() []byte {
	// Constants are numbered from pooled on.
	words := make([]uint64, 4*len(p.consts))
	fill(p.consts, -pooled, words, 4)

	var data []byte
	for _, w := range words {
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	return data
}
