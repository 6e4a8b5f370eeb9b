package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

// way is the direction of an access: loads and stores have base registers of their own.
type way uint8

const (
	loads way = iota
	stores
)

// x86Bases are the registers for the bases of places, by direction.
type x86Bases [numBases][2]amd64.Reg

var oneState = x86Bases{{stateR, stateW}, {stateR, stateW}, {stateR, stateW}}

// address is a place outside of rows as a memory operand. It is inlined: operands are addressed for
// most instructions.
func (e *x86) address(w way, p place) amd64.Mem {
	if e.near != nil {
		return e.nearest(w, p)
	}
	return amd64.At(e.bases[p.base][w], int32(p.off)-e.ahead[w])
}

// nearest is address inside of a part: relative to a register that points near the place, if there is
// one, since displacements of a byte are shorter.
func (e *x86) nearest(w way, p place) amd64.Mem {
	if p.base == ofState || p.base == ofWhole {
		for i, at := range e.near {
			if d := p.off - int64(at); d >= -Reach && d < Reach {
				return amd64.At(nearRegs[i], int32(d))
			}
		}
	}
	return amd64.At(e.bases[p.base][w], int32(p.off)-e.ahead[w])
}

// nearRegs are the registers that point at places that a part uses often.
var nearRegs = [MostNear]amd64.Reg{amd64.R13, amd64.R14}

func (e *x86) OpenPart(near []int32) {
	for i, at := range near {
		e.Lea(amd64.S64, nearRegs[i], e.byteAt(loads, at))
	}
	e.near = near
}

func (e *x86) ClosePart() { e.near = nil }

// target is any place that a primitive stores to. The address of a row is in the second temporary.
func (e *x86) target(p place) amd64.Mem {
	switch p.base {
	case ofFresh:
		e.rowAt(p.wide)
		fallthrough
	case ofRow:
		return amd64.At(tmpC, int32(p.off))
	}
	return e.address(stores, p)
}

// scratch addresses scratch word i.
func (e *x86) scratch(w way, i int32) amd64.Mem { return e.address(w, scratchWord(i)) }

// spilled addresses scratch word i for a store of a value that does not fit in registers. The base is
// that of its loads: cores that rename memory then take the value from the register that was stored.
func (e *x86) spilled(i int32) amd64.Mem {
	return e.scratch(loads, i)
}

// The accumulator is the first temporary.

func (e *x86) fetch(p place, bytes uint8) {
	e.MovRM(intSize(int32(bytes)), tmpA, e.address(loads, p))
}

func (e *x86) keep(p place, bytes uint8) {
	e.MovMR(intSize(int32(bytes)), e.target(p), tmpA)
}

// write has the value in a register before it addresses the place, which may take a temporary too.
func (e *x86) write(p place, bytes uint8, x net.ID) {
	s := intSize(int32(bytes))
	o := e.storable(s, x)
	e.store(s, e.target(p), o)
}

func (e *x86) set(p place, bytes uint8, v uint32) {
	e.MovMI(intSize(int32(bytes)), e.address(stores, p), int32(v))
}

func (e *x86) compare(p place, w uint8, v uint64) { e.compareWord(e.address(loads, p), w, v) }

func (e *x86) jumpIf(cc cond, l Label) { e.Jcc(x86Cond[cc], amd64.Label(l)) }

func (e *x86) addressOf(l Label) { e.LeaLabel(tmpA, amd64.Label(l)) }

func (e *x86) jumpTo(p place) { e.JmpM(e.address(loads, p)) }

// storable returns node x as an operand of a store: an immediate or a register, the first temporary
// unless x has one of its own.
func (e *x86) storable(s amd64.Size, x net.ID) operand {
	// An immediate of 64 bits is sign-extended from 32, so only the lower half of its range serves.
	if v, ok := e.n.IsConst(x); ok && (s < amd64.S64 || v <= 1<<31-1) {
		return operand{k: isImm, imm: int32(uint32(v))}
	}
	return operand{reg: e.register(x, tmpA)}
}

func (e *x86) store(s amd64.Size, m amd64.Mem, o operand) {
	if o.k == isImm {
		e.MovMI(s, m, o.imm)
		return
	}
	e.MovMR(s, m, o.reg)
}
