package emit

import (
	"slices"

	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// A comparison sets the low byte of a register, and it takes another instruction to clear the rest.
// Most bits are only combined with other bits, tested, or stored in a cell of one byte. Such a bit is
// loose: the bits above its byte are undefined.

// findLoose finds the loose bits of a part.
func (e *x86) findLoose() {
	// From the last instruction to the first, so that all uses of a value come before it.
	l := looseBits{x86: e, whole: make([]bool, len(e.n.N))}
	for _, in := range slices.Backward(e.c.Out) {
		l.uses(in)
	}

	// Forward: bits are loose if a comparison makes them so.
	e.c.Loose = make([]bool, len(e.n.N))
	for _, in := range e.c.Out {
		switch x := net.ID(in.A); in.K {
		case schedule.KEval:
			e.c.Loose[x] = l.may(x) && l.made(x)
		case schedule.KPhi:
			e.c.Loose[x] = e.c.Loose[x] || l.may(x) && e.isLoose(net.ID(in.B))
		}
	}
}

func (e *x86) isLoose(x net.ID) bool { return x >= 0 && e.c.Loose != nil && e.c.Loose[x] }

type looseBits struct {
	*x86
	whole []bool // by node: a use needs the whole register
}

// may reports whether no use of x needs more than the low byte.
func (l *looseBits) may(x net.ID) bool {
	return l.n.N[x].W == 1 && !l.whole[x] && !l.c.Fold[x]
}

// made reports whether the code of x leaves undefined bits.
func (l *looseBits) made(x net.ID) bool {
	switch nd := &l.n.N[x]; nd.Op {
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		return true
	case net.And, net.Or, net.Xor, net.Not, net.Mux:
		return l.isLoose(nd.A) || l.isLoose(nd.B) || l.isLoose(nd.C)
	}
	return false
}

// bit reports whether x is a bit in a place of its own, which is a register or a word of 64 bits.
func (l *looseBits) bit(x net.ID) bool { return l.n.N[x].W == 1 && !l.n.N[x].Op.IsLeaf() }

// uses marks the values of which an instruction reads more than a byte.
func (l *looseBits) uses(in schedule.Ins) {
	switch in.K {
	case schedule.KEval:
		if l.c.Loc[in.A].K != schedule.Nowhere {
			l.operands(net.ID(in.A))
		}
	case schedule.KIf, schedule.KBranch, schedule.KStop:
		l.tested(net.ID(in.A))
	case schedule.KPhi:
		l.passed(net.ID(in.A), net.ID(in.B))
	case schedule.KWrite:
		// A cell of one byte takes the low byte alone; the list takes a word.
		if c := &l.words[in.A]; l.cells[in.A].Bytes > 1 || c.Listed {
			l.need(net.ID(in.B))
		} else {
			l.tested(net.ID(in.B))
		}
	case schedule.KStore:
		l.n.Writes[in.A].Each(l.need)
	case schedule.KOut:
		l.need(l.n.Outs[in.A].Node)
	}
}

// need marks x, or the operands of x where it is computed by its user.
func (l *looseBits) need(x net.ID) {
	if !l.c.Fold[x] {
		l.whole[x] = true
		return
	}
	l.n.Args(x, l.need)
}

// tested is a use of the low byte alone.
func (l *looseBits) tested(x net.ID) {
	if l.c.Fold[x] {
		l.need(x)
	}
}

// passed is a use of x for y, which has the bits of x above the byte too.
func (l *looseBits) passed(y, x net.ID) {
	if l.c.Fold[x] || !l.may(y) {
		l.need(x)
	}
}

// operands marks the operands of node y.
func (l *looseBits) operands(y net.ID) {
	nd := &l.n.N[y]
	switch nd.Op {
	case net.And, net.Or, net.Xor, net.Not:
		// A bit and-ed with a clean one is clean, unless the operation is one of bytes, as with cells.
		skip := net.None
		if nd.Op == net.And && l.bit(nd.A) && l.bit(nd.B) {
			if skip = nd.A; l.made(nd.B) {
				skip = nd.B
			}
		}
		l.n.Args(y, func(x net.ID) {
			if x == skip {
				l.tested(x)
			} else {
				l.passed(y, x)
			}
		})
	case net.Mux:
		// A select that is not an operand itself is tested.
		if _, ok := l.bitMuxOf(nd); ok {
			l.passed(y, nd.A)
		} else {
			l.tested(nd.A)
		}
		l.passed(y, nd.B)
		l.passed(y, nd.C)
	default:
		l.n.Args(y, l.need)
	}
}
