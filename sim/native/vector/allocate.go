package vector

// far is the distance in instructions beyond which a value that is also in memory gives up its
// register.
const far = 60

// maxRegs is the number of registers of the machine that has most.
const maxRegs = 32

// never is the position of a use that does not exist.
const never = 1 << 30

// allocator assigns registers in straight code: the value in a register whose next use is
// farthest away must leave (Belady's rule), preferably one that is also in memory.
type allocator struct {
	c     *Code
	p     *Program
	uses  []int32 // positions of all uses, by value: compressed rows
	from  []int32 // by value: its first use to come, as an index of uses
	to    []int32
	home  []int32 // by value: its slot in memory, or NoSlot
	reg   []uint8 // by value: its register, or Mem
	in    []Value // by register
	lock  []bool
	free  []int32 // scratch slots
	freed []int32 // slots that the current instruction may still read
	spill []bool  // by value: its home comes from free
	at    int32
}

// Allocate makes a program for so many registers, at least 4.
func (c *Code) Allocate(regs int) *Program {
	// Uses first; then one pass in program order.
	a := &allocator{c: c, p: &Program{Macros: c.Macros, Consts: c.Consts, masks: c.masks, places: c.places, outer: c.outer}}
	a.liveness()
	a.reg, a.in, a.lock = make([]uint8, len(c.home)), make([]Value, regs), make([]bool, maxRegs)
	for i := range a.reg {
		a.reg[i] = Mem
	}

	// Kept values have registers beyond those that are allocated.
	for _, k := range c.kept {
		a.reg[k.v] = k.reg
	}
	for r := range a.in {
		a.in[r] = None
	}

	for i := range c.Insts {
		a.at = int32(i)
		// Slots of values that ended at the previous instruction are free now.
		a.free, a.freed = append(a.free, a.freed...), a.freed[:0]
		a.inst(&c.Insts[i])
		clear(a.lock)
	}
	a.p.Scratch = c.next
	return a.p
}

// liveness lists the uses of every value, by counting and filling.
func (a *allocator) liveness() {
	n := len(a.c.home)
	a.home, a.spill = append([]int32(nil), a.c.home...), make([]bool, n)
	a.from, a.to = make([]int32, n+1), make([]int32, n)

	// Count the uses, sum up the counts, then fill: the uses of v are from[v] to to[v].
	for i := range a.c.Insts {
		a.c.args(&a.c.Insts[i], func(v Value) { a.from[v+1]++ })
	}

	for v := range n {
		a.from[v+1] += a.from[v]
	}

	a.uses = make([]int32, a.from[n])
	copy(a.to, a.from)
	for i := range a.c.Insts {
		a.c.args(&a.c.Insts[i], func(v Value) {
			a.uses[a.to[v]] = int32(i)
			a.to[v]++
		})
	}
}

// next is the next use of v at or behind the current instruction.
func (a *allocator) next(v Value) int32 {
	if a.from[v] < a.to[v] {
		return a.uses[a.from[v]]
	}
	return never
}

// after is the next use of v behind the current instruction.
func (a *allocator) after(v Value) int32 {
	for k := a.from[v]; k < a.to[v]; k++ {
		if a.uses[k] > a.at {
			return a.uses[k]
		}
	}
	return never
}

func (a *allocator) emit(in Instr) { a.p.Instrs = append(a.p.Instrs, in) }

// inst brings an instruction's operands into registers, and finds one for its result.
func (a *allocator) inst(in *Inst) {
	// Blocks begin and end with every live value in memory, so that all paths agree.
	switch in.Op {
	case Macro:
		a.macro(in)
	case Store:
		r := a.get(in.A)
		a.emit(Instr{Op: Store, A: r, Slot: in.Slot})

		// From here on, the slot is the value's home.
		if a.home[in.A] == NoSlot {
			a.home[in.A] = in.Slot
		}
		a.done(in.A)
	case Gather:
		a.gather(in)
	case StoreBits:
		r := a.get(in.A)
		a.emit(Instr{Op: StoreBits, A: r, D: a.take(), Slot: in.Slot}) // D is a temporary
		a.done(in.A)
	case Skip:
		a.emitSkip(in)
	case Branch:
		a.emitSkip(in)
	case Again:
		a.emit(Instr{Op: Again, Imm: in.Imm})
	case Label:
		// Two paths meet here, so no register has a known value.
		for _, v := range a.in {
			if v >= 0 {
				a.drop(v)
			}
		}
		a.emit(Instr{Op: Label})
	case EndSkip:
		for _, v := range a.in { // registers were filled inside the block
			if v >= 0 {
				a.drop(v)
			}
		}
		a.emit(Instr{Op: EndSkip})
	case Stop, Expect:
		a.emit(Instr{Op: in.Op, A: a.get(in.A), Slot: in.Slot})
		a.done(in.A)
	case Ternary:
		a.ternary(in)
	default:
		a.simple(in)
	}
}

// simple allocates an instruction that only reads or writes memory, or only registers.
func (a *allocator) simple(in *Inst) {
	switch {
	case in.Op.fetches():
		r := a.take()
		a.emit(Instr{Op: in.Op, D: r, Slot: in.Slot})
		a.bind(in.D, r)
	case in.Op.stores():
		a.emit(Instr{Op: in.Op, A: a.get(in.A), Slot: in.Slot})
		a.done(in.A)
	default:
		a.plain(in)
	}
}

// plain allocates an instruction that preserves its operands.
func (a *allocator) plain(in *Inst) {
	x, y, z := in.A, in.B, in.C

	// Only the second operand can be in memory.
	if in.Op.commutes() && a.reg[x] == Mem && a.reg[y] != Mem {
		x, y = y, x
	}
	out := Instr{Op: in.Op, Imm: in.Imm}

	// Operands in registers must not be evicted by loads of the others.
	for _, v := range [3]Value{x, y, z} { // loads of one must not evict another
		if v >= 0 && a.reg[v] != Mem {
			a.lock[a.reg[v]] = true
		}
	}

	out.A = a.get(x)
	if y >= 0 {
		out.B, out.Slot = a.operand(y, y == x || y == z)
	}
	if z >= 0 {
		out.C = a.get(z)
	}

	// The result may take the register of an operand that ends here.
	for _, v := range [3]Value{x, y, z} {
		if v >= 0 {
			a.done(v)
		}
	}
	clear(a.lock)
	out.D = a.take()
	a.emit(out)
	a.bind(in.D, out.D)
}

// operand is v as an operand that may stay in memory, if its next use is far away.
func (a *allocator) operand(v Value, again bool) (reg uint8, slot int32) {
	if a.reg[v] == Mem && a.home[v] != NoSlot && !again && !a.c.loads && a.after(v)-a.at > far {
		return Mem, a.home[v]
	}
	return a.get(v), 0
}

// get puts v in a register, and locks it there.
func (a *allocator) get(v Value) uint8 {
	if a.reg[v] == Mem {
		if a.home[v] == NoSlot {
			panic("vector: a value that is nowhere")
		}
		r := a.take()
		a.emit(Instr{Op: Load, D: r, Slot: a.home[v]})
		a.bind(v, r)
	}
	a.lock[a.reg[v]] = true
	return a.reg[v]
}

// bind records that register r holds v.
func (a *allocator) bind(v Value, r uint8) {
	if a.next(v) == never { // it is never used
		return
	}
	a.reg[v], a.in[r] = r, v
}

// take returns a free register, evicting a value if necessary.
func (a *allocator) take() uint8 {
	best, bestAt := -1, int32(-1)
	for r, v := range a.in {
		if a.lock[r] {
			continue
		}
		if v < 0 {
			return uint8(r)
		}

		// The next use decides; a value in memory costs no store.
		at := a.next(v) - a.at
		if a.home[v] != NoSlot {
			// A value in memory counts as 40 instructions farther away.
			at += 40
		}
		if at > bestAt {
			best, bestAt = r, at
		}
	}

	a.save(a.in[best])
	a.drop(a.in[best])
	return uint8(best)
}

// save stores v, which is in a register, unless it has a home.
func (a *allocator) save(v Value) {
	if a.home[v] != NoSlot {
		return
	}
	if n := len(a.free); n > 0 {
		a.home[v], a.free = a.free[n-1], a.free[:n-1]
	} else {
		a.home[v] = a.c.Scratch(1)
	}
	a.spill[v] = true
	a.emit(Instr{Op: Store, A: a.reg[v], Slot: a.home[v]})
}

// drop forgets the register of v.
func (a *allocator) drop(v Value) {
	if r := a.reg[v]; int(r) < len(a.in) { // neither Mem nor kept
		a.in[r] = None
		a.reg[v] = Mem
	}
}

// done records the use of v by the current instruction; after the last use its register and slot
// are free.
func (a *allocator) done(v Value) {
	for a.from[v] < a.to[v] && a.uses[a.from[v]] <= a.at {
		a.from[v]++
	}
	if a.next(v) == never {
		a.drop(v)
		if a.spill[v] {
			a.freed = append(a.freed, a.home[v])
			a.spill[v] = false
		}
	}
}

// flush saves all registers and empties them.
func (a *allocator) flush() {
	for _, v := range a.in {
		if v >= 0 {
			a.save(v)
			a.drop(v)
		}
	}
}

// macro stores the operands of a macro, and empties the registers, which macros overwrite.
func (a *allocator) macro(in *Inst) {
	m := &a.c.Macros[in.Slot]
	// One operand at a time: there may be more than registers.
	for k, v := range m.In {
		clear(a.lock)
		a.emit(Instr{Op: Store, A: a.get(v), Slot: m.InAt[k]})
	}
	for _, v := range m.In {
		a.done(v)
	}
	a.flush()
	a.emit(Instr{Op: Macro, Slot: in.Slot})
}

// gather reads a vector of memory words; C is a temporary register.
func (a *allocator) gather(in *Inst) {
	out := Instr{Op: Gather, Imm: in.Imm, Slot: in.Slot}
	if in.A >= 0 {
		out.A = a.get(in.A)
		a.done(in.A)
	}

	clear(a.lock)
	out.D = a.take()
	a.lock[out.D] = true
	out.C = a.take()
	a.emit(out)
	a.bind(in.D, out.D)
}

// emitSkip emits a Skip or Branch. Values used later are saved first, so that they are in memory
// on both paths.
func (a *allocator) emitSkip(in *Inst) {
	r := a.get(in.A)
	for _, v := range a.in {
		if v >= 0 {
			a.save(v)
		}
	}
	a.emit(Instr{Op: in.Op, A: r, Imm: in.Imm})
	a.done(in.A)
}
