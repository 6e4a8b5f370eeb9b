package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Registers of amd64 code. Two hold the state's base, because recent AMD cores falsely match a
// load with an unrelated store of the same base register and displacement (but see spilled). Two are
// temporaries. The rest is for values.
const (
	stateR = amd64.RBP // base for loads
	stateW = amd64.RBX // base for stores
	tmpA   = amd64.RAX
	tmpC   = amd64.RCX
)

var x86Pool = []uint8{uint8(amd64.RDX), uint8(amd64.RSI), uint8(amd64.RDI),
	uint8(amd64.R8), uint8(amd64.R9), uint8(amd64.R10), uint8(amd64.R11), uint8(amd64.R12), uint8(amd64.R13), uint8(amd64.R14), uint8(amd64.R15)}

// x86 writes the code of nets for amd64.
type x86 struct {
	amd64.Asm
	source
	bmi   bool
	f     cpu.Features
	pool  constants
	bases x86Bases
	ahead [2]int32   // bytes from the state's base to where stateR and stateW point
	aside []lateCode // of a partition
}

func newX86(f cpu.Features) *x86 { return &x86{bmi: f.BMI, f: f, bases: oneState} }

// operand is a register, memory or an immediate.
type operand struct {
	k   operandKind
	reg amd64.Reg
	mem amd64.Mem
	imm int32
}

type operandKind uint8

const (
	isReg operandKind = iota
	isMem
	isImm
)

func size(w uint8) amd64.Size {
	if w > 32 {
		return amd64.S64
	}
	return amd64.S32
}

// operand returns node x as an operand of size s. A constant that is no immediate is loaded into
// tmp.
func (e *x86) operand(x net.ID, s amd64.Size, tmp amd64.Reg) operand {
	nd := &e.n.N[x]

	// Constants and leaves have no place of their own: they are used where they are.
	switch nd.Op {
	case net.Const:
		if s == amd64.S32 || nd.Imm == uint64(int64(int32(nd.Imm))) {
			return operand{k: isImm, imm: int32(uint32(nd.Imm))}
		}
		e.MovRI(tmp, nd.Imm)
		return operand{reg: tmp}
	case net.Leaf:
		// An element or cell that is narrower than the operand is loaded, since the bytes behind it
		// belong to the next one.
		if r := e.packs.RunOf(int(nd.Imm)); r != nil && (s == amd64.S64 || r.Size < 4) {
			e.loadElement(tmp, e.address(loads, e.slot(int(nd.Imm))), r.Size)
			return operand{reg: tmp}
		}
		m := e.address(loads, e.leaf(int(nd.Imm)))
		if b := e.leafWidth(int(nd.Imm)); b < s.Bytes() {
			e.loadElement(tmp, m, int32(b))
			return operand{reg: tmp}
		}
		return operand{k: isMem, mem: m}
	}

	// All other values have a place from the allocator.
	switch l := e.c.Loc[x]; l.K {
	case schedule.InReg:
		return operand{reg: amd64.Reg(l.Reg)}
	case schedule.InScratch:
		return operand{k: isMem, mem: e.scratch(loads, l.At)}
	}
	panic("native: a value without a place")
}

// merges is the size of an operation dst op= x, where other is the node in dst: a byte if x is one in
// memory and the operation leaves the rest of dst as it is.
func (e *x86) merges(op amd64.ALU, s amd64.Size, other, x net.ID) amd64.Size {
	if !e.isByte(x) {
		return s
	}
	switch op {
	case amd64.OR, amd64.XOR:
		return amd64.S8
	case amd64.AND:
		if e.n.Width(other) <= 8 {
			return amd64.S8
		}
	}
	return s
}

// alu computes dst op= o.
func (e *x86) alu(op amd64.ALU, s amd64.Size, dst amd64.Reg, o operand) {
	switch o.k {
	case isReg:
		e.RR(op, s, dst, o.reg)
	case isMem:
		e.RM(op, s, dst, o.mem)
	default:
		e.RI(op, s, dst, o.imm)
	}
}

// move copies a register unless both are the same.
func (e *x86) move(s amd64.Size, dst, src amd64.Reg) {
	if dst != src {
		e.MovRR(s, dst, src)
	}
}

// load loads node x, zero-extended.
func (e *x86) load(x net.ID, r amd64.Reg) {
	nd := &e.n.N[x]
	if nd.Op == net.Const {
		e.MovRI(r, nd.Imm)
		return
	}
	o := e.operand(x, size(nd.W), r)
	if o.k == isMem {
		e.MovRM(size(nd.W), r, o.mem)
	} else {
		e.move(size(nd.W), r, o.reg)
	}
}

// register returns a register that holds x: the value's own, or tmp after a load.
func (e *x86) register(x net.ID, tmp amd64.Reg) amd64.Reg {
	nd := &e.n.N[x]
	if !nd.Op.IsLeaf() && e.c.Loc[x].K == schedule.InReg {
		return amd64.Reg(e.c.Loc[x].Reg)
	}
	e.load(x, tmp)
	return tmp
}

// in reports whether x lives in register r.
func (e *x86) in(x net.ID, r amd64.Reg) bool {
	return x >= 0 && !e.n.N[x].Op.IsLeaf() && e.c.Loc[x].K == schedule.InReg && amd64.Reg(e.c.Loc[x].Reg) == r
}

// reduce zeroes the bits of r from w upwards.
func (e *x86) reduce(r amd64.Reg, w uint8) {
	// The shortest instruction for each width. A write to 32 bits clears the upper half.
	switch {
	case w == 64:
	case w == 8:
		e.MovZX(amd64.S8, r, r)
	case w == 16:
		e.MovZX(amd64.S16, r, r)
	case w == 32:
		e.MovRR(amd64.S32, r, r)
	case w < 32:
		e.RI(amd64.AND, amd64.S32, r, int32(net.Mask(w)))
	default:
		e.ShiftI(amd64.SHL, amd64.S64, r, 64-w)
		e.ShiftI(amd64.SHR, amd64.S64, r, 64-w)
	}
}

// phi copies the value of an arm into the place of the mux.
func (e *x86) phi(m, x net.ID) {
	if e.c.InPlace(m, x) {
		return
	}
	switch l := e.c.Loc[m]; l.K {
	case schedule.InReg:
		e.load(x, amd64.Reg(l.Reg))
	case schedule.InScratch:
		e.MovMR(amd64.S64, e.spilled(l.At), e.register(x, tmpA))
	}
}

// word addresses a word of a memory. tmp receives the index if that is in no register.
func (e *x86) word(w way, m *net.Mem, addr net.ID, tmp amd64.Reg) amd64.Mem {
	first := e.address(w, memoryWord(m.Shared, int32(m.At)))
	if v, ok := e.n.IsConst(addr); ok {
		return first.Plus(8 * int32(v*uint64(max(1, m.Step))))
	}
	if m.Step > 1 {
		e.ImulRRI(amd64.S64, tmp, e.register(addr, tmp), int32(m.Step))
		return amd64.AtIndex(first.Base, tmp, 8, first.Disp)
	}
	return amd64.AtIndex(first.Base, e.register(addr, tmp), 8, first.Disp)
}

// farSize is the operand size of a far memory's words.
func farSize(m *net.Mem) amd64.Size { return amd64.Size(schedule.Trailing(uint64(m.Far))) }

// farWord is word for a far memory. It uses both temporaries; the second one is part of the
// operand.
func (e *x86) farWord(m *net.Mem, addr net.ID) amd64.Mem {
	e.MovRM(amd64.S64, tmpA, e.address(loads, memoryWord(m.Shared, int32(m.At))))
	return amd64.AtIndex(tmpA, e.register(addr, tmpC), m.Far, 0)
}

// memoryStore writes a word of a memory, or the bits of it that the mask selects.
func (e *x86) memoryStore(w *net.Write) {
	mem := &e.n.Mems[w.Mem]
	var m amd64.Mem
	whole := amd64.S64
	if mem.Far > 0 {
		whole = farSize(mem)
		e.Lea(amd64.S64, tmpC, e.farWord(mem, w.Addr))
		m = amd64.At(tmpC, 0)
	} else {
		m = e.word(stores, mem, w.Addr, tmpC)
	}

	if w.Mask < 0 {
		e.store(whole, m, e.storable(whole, w.Data))
		return
	}

	// A masked store is a read-modify-write: word ^= (word ^ data) & mask.
	e.load(w.Data, tmpA)
	e.RM(amd64.XOR, whole, tmpA, m)
	e.masked(w.Mask)
	e.MR(amd64.XOR, whole, m, tmpA)
}

// masked is the first temporary &= x, while the second one is in use.
func (e *x86) masked(x net.ID) {
	// An operand that must be loaded takes a third register, which may hold a value.
	s := size(e.n.Width(x))
	v, wide := e.n.IsConst(x)
	wide = wide && v != uint64(int64(int32(v)))
	if nd := &e.n.N[x]; wide || e.inElement(x) || nd.Op == net.Leaf && e.leafWidth(int(nd.Imm)) < s.Bytes() {
		e.Push(amd64.RDX)
		e.load(x, amd64.RDX)
		e.RR(amd64.AND, amd64.S64, tmpA, amd64.RDX)
		e.Pop(amd64.RDX)
		return
	}
	e.alu(amd64.AND, s, tmpA, e.operand(x, s, tmpA)) // 32 bits clear the upper half
}
