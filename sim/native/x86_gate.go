package native

import "etch/sim/net"

// What a gate skips stands behind all other code: what is done in every cycle
// stays together in the instruction cache.

// aside is the arm of a gate that is written later.
type aside struct {
	from, to int32 // instructions
	jump     int   // to patch: it leads there
	back     int   // where it goes on
}

// isGate reports whether x is the flag of a gate.
func (c *code) isGate(x net.ID) bool {
	nd := &c.n.N[x]
	return nd.Op == net.Leaf && int32(nd.Imm) >= c.gates[0] && int32(nd.Imm) < c.gates[1]
}

// gate writes an if whose first arm is written aside, and returns its last
// instruction.
func (e *x86) gate(at int32) int32 {
	otherwise, end := e.c.arms(at)
	cc := e.test(net.ID(e.c.out[at].a))
	jump := e.JccRel32(cc)
	e.instructions(otherwise+1, end)
	e.aside = append(e.aside, aside{at + 1, otherwise, jump, len(e.Code)})
	return end
}

// arms are the else and the end of the if at an instruction.
func (c *code) arms(at int32) (otherwise, end int32) {
	depth := 0
	for end = at; ; end++ {
		switch c.out[end].k {
		case kIf:
			depth++
		case kElse:
			if depth == 1 {
				otherwise = end
			}
		case kEnd:
			if depth--; depth == 0 {
				return otherwise, end
			}
		}
	}
}

// asides writes the arms that were put aside.
func (e *x86) asides() {
	for i := 0; i < len(e.aside); i++ {
		a := e.aside[i]
		e.Patch(a.jump, len(e.Code))
		e.instructions(a.from, a.to)
		e.Patch(e.JmpRel32(), a.back)
	}
	e.aside = e.aside[:0]
}
