package vector

// far is the distance in instructions beyond which a value is not kept in a
// register for its next use when it is in memory anyway.
const far = 60

// never is a use that does not come.
const never = 1 << 30

// allocator gives values registers: of those in registers the one whose next use
// is farthest away has to leave (Belady), preferably one that is in memory.
type allocator struct {
	c     *Code
	p     *Program
	uses  []int32 // positions of all uses, by value
	from  []int32 // where a value's uses begin in uses; those past are skipped
	to    []int32
	home  []int32 // where the value is in memory, NoSlot if it is not
	reg   []uint8 // Mem if in none
	in    []Value // by register
	lock  []bool
	free  []int32 // scratch slots
	freed []int32 // that the present instruction may still read
	spill []bool  // the home is a slot from free
	at    int32
}

// Allocate makes a program for so many registers, at least 4.
func (c *Code) Allocate(regs int) *Program {
	a := &allocator{c: c, p: &Program{Macros: c.Macros, Consts: c.Consts, masks: c.masks, places: c.places}}
	a.liveness()
	a.reg, a.in, a.lock = make([]uint8, len(c.home)), make([]Value, regs), make([]bool, regs)
	for i := range a.reg {
		a.reg[i] = Mem
	}
	for r := range a.in {
		a.in[r] = None
	}
	for i := range c.Insts {
		a.at = int32(i)
		a.free, a.freed = append(a.free, a.freed...), a.freed[:0]
		a.inst(&c.Insts[i])
		clear(a.lock)
	}
	a.p.Scratch = c.next
	return a.p
}

// liveness lists the uses of every value.
func (a *allocator) liveness() {
	n := len(a.c.home)
	a.home, a.spill = append([]int32(nil), a.c.home...), make([]bool, n)
	a.from, a.to = make([]int32, n+1), make([]int32, n)
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

// next is the next use of v at or behind the present instruction.
func (a *allocator) next(v Value) int32 {
	if a.from[v] < a.to[v] {
		return a.uses[a.from[v]]
	}
	return never
}

// after is the next use of v behind the present instruction.
func (a *allocator) after(v Value) int32 {
	for k := a.from[v]; k < a.to[v]; k++ {
		if a.uses[k] > a.at {
			return a.uses[k]
		}
	}
	return never
}

func (a *allocator) emit(in Instr) { a.p.Instrs = append(a.p.Instrs, in) }

// inst allocates one instruction.
func (a *allocator) inst(in *Inst) {
	switch in.Op {
	case Macro:
		a.macro(in)
	case Store:
		r := a.get(in.A)
		a.emit(Instr{Op: Store, A: r, Slot: in.Slot})
		if a.home[in.A] == NoSlot {
			a.home[in.A] = in.Slot
		}
		a.done(in.A)
	case Row, Bits:
		r := a.take()
		a.emit(Instr{Op: in.Op, D: r, Slot: in.Slot})
		a.bind(in.D, r)
	case Gather:
		a.gather(in)
	case StoreBits:
		r := a.get(in.A)
		a.emit(Instr{Op: StoreBits, A: r, D: a.take(), Slot: in.Slot}) // D is overwritten
		a.done(in.A)
	case StoreRow:
		a.emit(Instr{Op: StoreRow, A: a.get(in.A), Slot: in.Slot})
		a.done(in.A)
	case Skip:
		a.emitSkip(in)
	case Branch:
		a.emitSkip(in)
	case Again:
		a.emit(Instr{Op: Again, Imm: in.Imm})
	case Label:
		for _, v := range a.in {
			if v >= 0 {
				a.drop(v)
			}
		}
		a.emit(Instr{Op: Label})
	case EndSkip:
		for _, v := range a.in { // what is in registers was put there in between
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
		a.plain(in)
	}
}

// plain allocates an instruction that leaves its operands as they are.
func (a *allocator) plain(in *Inst) {
	x, y, z := in.A, in.B, in.C
	if in.Op.commutes() && a.reg[x] == Mem && a.reg[y] != Mem {
		x, y = y, x
	}
	out := Instr{Op: in.Op, Imm: in.Imm}
	for _, v := range [3]Value{x, y, z} { // what is there stays there
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

// operand is v as an operand that may be in memory.
func (a *allocator) operand(v Value, again bool) (reg uint8, slot int32) {
	if a.reg[v] == Mem && a.home[v] != NoSlot && !again && a.after(v)-a.at > far {
		return Mem, a.home[v]
	}
	return a.get(v), 0
}

// get has v in a register.
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

func (a *allocator) bind(v Value, r uint8) {
	if a.next(v) == never { // nobody wants it
		return
	}
	a.reg[v], a.in[r] = r, v
}

// take frees a register.
func (a *allocator) take() uint8 {
	best, bestAt := -1, int32(-1)
	for r, v := range a.in {
		if a.lock[r] {
			continue
		}
		if v < 0 {
			return uint8(r)
		}
		at := a.next(v) - a.at
		if a.home[v] != NoSlot {
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

// save has v, which is in a register, in memory too.
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

func (a *allocator) drop(v Value) {
	if a.reg[v] != Mem {
		a.in[a.reg[v]] = None
		a.reg[v] = Mem
	}
}

// done has v used by the present instruction.
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

// flush empties the registers.
func (a *allocator) flush() {
	for _, v := range a.in {
		if v >= 0 {
			a.save(v)
			a.drop(v)
		}
	}
}

// macro stores the operands of a macro, and empties the registers.
func (a *allocator) macro(in *Inst) {
	m := &a.c.Macros[in.Slot]
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

// gather reads a vector of words of a memory; C is a register that is overwritten.
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

// emitSkip is a Skip or Branch: it tests a value; whatever is wanted later is in memory, so that it does
// not matter which way was taken.
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
