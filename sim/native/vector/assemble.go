package vector

import (
	"errors"
	"math"
)

// errMemory is the error for memories beyond the reach of 32-bit addresses.
var errMemory = errors.New("vector: the memories of a group are larger than 2 GB")

// assembler assembles the machine code of a program.
type assembler struct {
	machine
	p       *Program
	bytes   int   // of a vector
	scratch place // of the scratch slots
	pool    place // of pool constants
	exit    label
	stops   label    // target of Stop
	ways    []label  // targets of Expect
	top     label    // start of a cycle
	skip    label    // end of the current block
	rows    [2]label // subroutines that transpose 16 and 32 rows
	uses    [2]bool
}

// Assemble returns machine code of an architecture, under the contract of package exec: ctx
// points to the addresses of state, scratch and memories; a is the number of cycles; b is not 0
// to force one; the result is the number of cycles left. Scratch holds the constants (Fill).
// Code for subgroups runs one cycle of each subgroup instead of cycles of one. Error: memories are too
// large.
func (p *Program) Assemble(arch Arch) ([]byte, error) {
	a := newAssembler(arch)
	if err := a.reaches(p); err != nil {
		return nil, err
	}

	a.p = p
	a.enter(p.InSubgroups())
	a.bind(a.top)
	for i := range p.Instrs {
		a.instr(&p.Instrs[i])
	}

	if p.InSubgroups() {
		a.nextSubgroup()
	}
	a.count(1, true, a.top)
	return a.end()
}

func newAssembler(arch Arch) *assembler {
	a := &assembler{machine: newMachine(arch), bytes: 8 * arch.Words(), scratch: place{base: ofScratch}}
	a.exit, a.top, a.rows = a.newLabel(), a.newLabel(), [2]label{a.newLabel(), a.newLabel()}
	a.stops = a.exit
	return a
}

// reaches checks that 32-bit addresses reach the memories.
func (a *assembler) reaches(p *Program) error {
	for i := range p.Macros {
		// In sliced form, a byte of a vector holds 8 instances.
		if m := &p.Macros[i]; m.Offset+a.bytes*8*m.Stride*m.Elem > math.MaxInt32 {
			return errMemory
		}
	}
	return nil
}

// end writes the code behind the cycles.
func (a *assembler) end() ([]byte, error) {
	a.bind(a.exit)
	a.leave()
	a.transposers()
	return a.text()
}

func (a *assembler) slot(s int32) place {
	// Negative slots are scratch, or constants of a pool.
	switch k := int(^s); {
	case s >= placed:
		return a.p.outer[s-placed].place()
	case s >= 0:
		return place{ofState, int(s) * a.bytes}
	case k >= pooled:
		return a.pool.plus((k - pooled) * a.bytes)
	default:
		return a.scratch.plus(k * a.bytes)
	}
}

// row is the place of a vector of the memories.
func (a *assembler) row(s int32) place { return place{ofMems, int(s) * a.bytes} }

func (a *assembler) instr(in *Instr) {
	switch in.Op {
	case Load:
		a.load(in.D, a.slot(in.Slot))
	case Store:
		a.store(a.slot(in.Slot), in.A)
	case Move:
		a.move(in.D, in.A)
	case Row:
		a.load(in.D, a.row(in.Slot))
	case StoreRow:
		a.store(a.row(in.Slot), in.A)
	case Bits:
		a.bits(in.D, in.Slot, a.slot(a.p.places))
	case StoreBits:
		a.storeBits(in.Slot, in.A, in.D, a.slot(a.p.places))
	case Gather:
		a.gatherIf(in)
	case Stop:
		a.stop(in.A)
	case Expect:
		a.test(in.A, true, a.ways[in.Slot])
	case Skip:
		// Blocks do not nest, so that one label is enough.
		a.skip = a.newLabel()
		a.test(in.A, false, a.skip)
	case Branch:
		a.skip = a.newLabel()
		a.fewer(int(in.Imm), a.skip)
		a.test(in.A, true, a.skip)
	case Again:
		// While cycles are left, go on at the top.
		a.count(int(in.Imm), true, a.top)
		a.jump(a.exit)
	case EndSkip, Label:
		a.bind(a.skip)
	case Macro:
		a.access(&a.p.Macros[in.Slot])
	case Load64, Load128, Widen8, Widen16, Spread32:
		a.fetch(in.Op, in.D, a.slot(in.Slot))
	case Store64, Store128:
		a.put(in.Op, a.slot(in.Slot), in.A)
	default:
		a.operate(in, a.slot(in.Slot))
	}
}

// stop leaves if x has a one, unless the cycle is forced.
func (a *assembler) stop(x uint8) {
	// The mask stays in the first scratch slot, from which Stopped reads it.
	a.store(a.slot(Scratch(0)), x)
	none := a.newLabel()
	a.test(x, false, none)
	a.unforced(a.stops)
	a.bind(none)
}
