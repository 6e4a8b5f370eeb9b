package vector

import (
	"fmt"
	"maps"
)

// Value is a value of a Code, by number.
type Value int32

// None is no value.
const None Value = -1

// NoSlot is the slot of a value without place.
const NoSlot int32 = -1 << 31

// Scratch is the slot number of scratch slot i.
func Scratch(i int) int32 { return ^int32(i) }

// Inst is an instruction of a Code.
type Inst struct {
	Op         Op
	Imm        uint8
	D, A, B, C Value // D is the result
	Slot       int32
}

// Code is straight code for one cycle. A Store may precede instructions that still need the old
// value; Settle moves such stores behind them.
type Code struct {
	Insts   []Inst
	Macros  []Access
	Consts  []Const
	home    []int32 // by value: its slot, or NoSlot
	leaf    map[int32]Value
	consts  map[Const]Value
	pure    map[Inst]Value
	shared  map[Inst]Value // the outer pure, inside of a block
	next    int            // scratch slots in use
	settled int            // instructions of finished subgroups
	masks   [5]int32
	pool    *Pool   // of constants; nil: constants of its own
	outer   []Place // of a piece, from slot placed on
	kept    []keptValue
	loads   bool  // no operand stays in memory
	places  int32 // scratch slot whose element i is 1<<i, NoSlot if unused
}

// Const is a scratch slot of equal elements of Bits bits; if Bits is 0, its 16-bit element i is
// 1<<(i%16).
type Const struct {
	Slot int32
	Bits int
	V    uint64
}

// NewCode returns an empty Code.
func NewCode() *Code {
	return &Code{leaf: map[int32]Value{}, consts: map[Const]Value{}, pure: map[Inst]Value{}, next: 1, places: NoSlot}
}

// Scratch takes n consecutive scratch slots.
func (c *Code) Scratch(n int) int32 {
	c.next += n
	return Scratch(c.next - n)
}

func (c *Code) value(home int32) Value {
	c.home = append(c.home, home)
	return Value(len(c.home) - 1)
}

// At returns the contents of slot at the start of the cycle.
func (c *Code) At(slot int32) Value {
	v, ok := c.leaf[slot]
	if !ok {
		v = c.value(slot)
		c.leaf[slot] = v
	}
	return v
}

// Const returns a vector of equal elements of bits bits, 8 to 64.
func (c *Code) Const(v uint64, bits int) Value {
	v, bits = shortest(v, bits) // equal vectors are one constant
	key := Const{0, bits, v}
	x, ok := c.consts[key]
	if !ok {
		x = c.value(c.place(key))
		c.consts[key] = x
	}
	return x
}

// place assigns a scratch slot to a constant, in the pool if there is one.
func (c *Code) place(k Const) int32 {
	if c.pool != nil {
		return c.pool.Const(k.V, k.Bits)
	}
	k.Slot = c.Scratch(1)
	c.Consts = append(c.Consts, k)
	return k.Slot
}

// Do appends an instruction with a result, or returns the result of an equal one.
func (c *Code) Do(op Op, imm uint8, args ...Value) Value {
	in := Inst{Op: op, Imm: imm, A: None, B: None, C: None}
	for k, p := range [3]*Value{&in.A, &in.B, &in.C} {
		if k < len(args) {
			*p = args[k]
		}
	}

	// Operands that may be exchanged are sorted, so that equal instructions are found.
	if op.commutes() && in.A > in.B {
		in.A, in.B = in.B, in.A
	}

	if v, ok := c.pure[in]; ok {
		return v
	}

	key := in
	in.D = c.value(NoSlot)
	c.pure[key] = in.D
	c.Insts = append(c.Insts, in)
	return in.D
}

// Emit is Do for instructions known to differ from all others.
func (c *Code) Emit(op Op, imm uint8, a, b, d Value) Value {
	r := c.value(NoSlot)
	c.Insts = append(c.Insts, Inst{Op: op, Imm: imm, A: a, B: b, C: d, D: r})
	return r
}

// Store sets the contents of a slot of the state at the end of the cycle. Values from At stay
// those of the start.
func (c *Code) Store(v Value, slot int32) {
	c.Insts = append(c.Insts, Inst{Op: Store, A: v, B: None, C: None, D: None, Slot: slot})
}

// Row returns vector at of the memories before all writes.
func (c *Code) Row(at int32) Value { return c.fetch(Row, at) }

// fetch appends an instruction that reads data not written in this cycle, or returns the result
// of an equal one.
func (c *Code) fetch(op Op, slot int32) Value {
	in := Inst{Op: op, A: None, B: None, C: None, Slot: slot}
	if v, ok := c.pure[in]; ok {
		return v
	}

	v := c.value(NoSlot)
	c.pure[in] = v
	in.D = v
	c.Insts = append(c.Insts, in)
	return v
}

// StoreRow writes vector at of the memories; with a mask other than None, only the bits where
// the mask has ones.
func (c *Code) StoreRow(v Value, at int32, mask Value) {
	if mask != None { // includes earlier writes of this cycle
		old := c.value(NoSlot)
		c.Insts = append(c.Insts, Inst{Op: Row, A: None, B: None, C: None, D: old, Slot: at})
		v = c.Emit(Xor, 0, old, c.Emit(And, 0, mask, c.Emit(Xor, 0, v, old, None), None), None)
	}
	c.Insts = append(c.Insts, Inst{Op: StoreRow, A: v, B: None, C: None, D: None, Slot: at})
}

// Bits returns a slice, which holds the instances of all subgroups, as a mask of the instances of
// this subgroup. No subgroup may store it in the same cycle.
func (c *Code) Bits(slot int32) Value { return c.fetch(Bits, slot) }

// StoreBits stores mask v as this subgroup's bits of a slice.
func (c *Code) StoreBits(v Value, slot int32) {
	c.Insts = append(c.Insts, Inst{Op: StoreBits, A: v, B: None, C: None, D: None, Slot: slot})
}

// InSubgroups makes c code for the subgroups of a group, for Bits and StoreBits.
func (c *Code) InSubgroups() {
	c.places = c.Scratch(1)
	c.Consts = append(c.Consts, Const{Slot: c.places})
}

// Stop leaves before the cycle if v has a one. It must precede all stores and writing macros.
func (c *Code) Stop(v Value) {
	c.Insts = append(c.Insts, Inst{Op: Stop, A: v, B: None, C: None, D: None})
}

// Expect leaves a body of a chain by one of its ways, before the cycle, if v has a one. It must
// precede all stores and writing macros.
func (c *Code) Expect(v Value, way int) {
	c.Insts = append(c.Insts, Inst{Op: Expect, A: v, B: None, C: None, D: None, Slot: int32(way)})
}

// Skip begins a block without effect if v has no ones: its stores would not change anything.
// Values made inside are used inside only.
func (c *Code) Skip(v Value) {
	c.Insts = append(c.Insts, Inst{Op: Skip, A: v, B: None, C: None, D: None})
	c.shared = c.pure
	c.pure = maps.Clone(c.pure)
}

// EndSkip ends the block.
func (c *Code) EndSkip() {
	c.Insts = append(c.Insts, Inst{Op: EndSkip, A: None, B: None, C: None, D: None})
	c.pure = c.shared
}

// Branch begins code for several cycles, up to Again. It goes behind Again if v has ones or
// fewer cycles are left. No value lives across Again.
func (c *Code) Branch(v Value, cycles int) {
	c.Insts = append(c.Insts, Inst{Op: Branch, Imm: uint8(cycles), A: v, B: None, C: None, D: None})
}

// Again ends the cycles that Branch began.
func (c *Code) Again(cycles int) {
	c.Settle()
	c.Insts = append(c.Insts,
		Inst{Op: Again, Imm: uint8(cycles), A: None, B: None, C: None, D: None},
		Inst{Op: Label, A: None, B: None, C: None, D: None})

	c.settled = len(c.Insts)

	// The values of one subgroup do not exist in the next.
	clear(c.leaf)
	clear(c.pure)
}

// Settle moves stores that come too early behind the last use of the old value. It is called
// once, when the code is complete.
func (c *Code) Settle() {
	// Find the last use of every value in this subgroup.
	last := make([]int32, len(c.home))

	part := c.Insts[c.settled:]
	for i := range part {
		c.args(&part[i], func(v Value) { last[v] = int32(i) })
	}

	// Early stores go to the end, or to the end of their block.
	var keep, late, inside []Inst
	skipping, end := false, 0
	for i, in := range part {
		switch in.Op {
		case Skip:
			skipping = true
			for end = i; part[end].Op != EndSkip; {
				end++
			}
		case EndSkip:
			keep = append(keep, inside...)
			inside, skipping = inside[:0], false
		}

		// A store is early if the old value of its slot is used behind it.
		old, read := c.leaf[in.Slot]
		if in.Op == Store && read && skipping && int(last[old]) > end {
			panic("vector: a block stores a slot whose old value is used behind the block")
		}
		if in.Op != Store || !read || last[old] <= int32(i) {
			keep = append(keep, in)
			continue
		}
		if home := c.home[in.A]; home >= 0 { // the stored value's home may change before the end
			copied := c.value(NoSlot)
			keep = append(keep, Inst{Op: Move, A: in.A, B: None, C: None, D: copied})
			in.A = copied
		}

		if skipping {
			inside = append(inside, in)
		} else {
			late = append(late, in)
		}
	}
	c.Insts = append(append(c.Insts[:c.settled], keep...), late...)
}

// Access appends a macro. Its In are stored in scratch before; it makes Out.
func (c *Code) Access(a Access) (out []Value) {
	// The transposition needs its masks as constants.
	for k, v := range swapMasks {
		c.masks[k] = c.home[c.Const(v, 32)]
	}
	for k := range a.outs {
		a.Out = append(a.Out, c.value(a.outAt-int32(k)))
	}

	c.Insts = append(c.Insts, Inst{Op: Macro, A: None, B: None, C: None, D: None, Slot: int32(len(c.Macros))})
	c.Macros = append(c.Macros, a)
	return a.Out
}

// args calls f for every operand of an instruction.
func (c *Code) args(in *Inst, f func(Value)) {
	if in.Op == Macro {
		for _, v := range c.Macros[in.Slot].In {
			f(v)
		}
		return
	}
	for _, v := range [3]Value{in.A, in.B, in.C} {
		if v >= 0 {
			f(v)
		}
	}
}

// String lists the code, for debugging.
func (c *Code) String() string {
	var s []byte
	for i := range c.Insts {
		in := &c.Insts[i]
		s = fmt.Appendf(s, "v%d = %s #%d v%d v%d v%d @%d\n", in.D, in.Op, in.Imm, in.A, in.B, in.C, in.Slot)
	}
	return string(s)
}
