package firrtl

import (
	"math/bits"

	"etch/ir"
)

// longest is the estimated length, in bytes, above which an expression is split by a name.
const longest = 100

// widest is the length above which the arguments of a line get names, if they are longer
// than shortest.
const (
	widest   = 160
	shortest = 32
)

// bigConst is the width, in bits, above which a constant is not repeated.
const bigConst = 128

// size decides which values get a name: those named by the user, clocks and resets of
// registers, values written several times, and values with long text.
func (p *module) size() {
	// Count uses first, then measure texts, operands before users.
	for _, n := range p.order {
		p.useArgs(n)
	}
	for i := range p.sinks {
		p.useSink(&p.sinks[i])
	}
	for _, n := range p.order {
		cost := 10 // of a name
		if at := p.root(n); at != n {
			// A wire without a name costs as much as its source.
			cost = int(p.cost[at])
		} else if !p.isState(n) {
			// A long line is shortened by naming its arguments.
			length := p.lengthOf(n)
			if length > widest {
				p.cutArgs(n)
				length = p.lengthOf(n)
			}
			if p.needsName(n, length) {
				p.marks[n] |= net
			} else {
				cost = length
			}
		}
		p.cost[n] = uint8(min(cost, 255))
	}
}

// cutArgs names the longer arguments of a node with a long line.
func (p *module) cutArgs(n ir.ID) {
	for _, a := range p.m.Args(n) {
		if a = p.root(a); !p.isState(a) && p.cost[a] > shortest && p.m.Op(a) != ir.Const {
			p.marks[a] |= net
			p.cost[a] = 10
		}
	}
}

// use counts times more occurrences of a node in the text.
func (p *module) use(n ir.ID, times int) {
	n = p.root(n)
	if times > 1 {
		p.marks[n] |= several
	}
	p.uses[n] = uint8(min(int(p.uses[n])+times, 255))
}

func (p *module) useArgs(n ir.ID) {
	if p.root(n) != n {
		return
	}
	args := p.m.Args(n)
	for i, a := range args {
		p.use(a, p.times(n, i))
	}
}

// times is the number of times that the text of node n repeats argument i.
func (p *module) times(n ir.ID, i int) int {
	// Guards repeat divisors and dividends; a Case repeats its selector in each arm, and its
	// default in each part of a long choice: at most as often.
	args := p.m.Args(n)
	switch p.m.Op(n) {
	case ir.Div, ir.DivS:
		// The dividend stands once, the divisor also in the guard.
		return 1 + i
	case ir.Rem, ir.RemS:
		// A remainder by 0 is the dividend, so the guard repeats both.
		return 2
	case ir.Shl, ir.Shr, ir.ShrS:
		if p.splitsAmount(n) && (i == 1 || p.m.Op(n) == ir.ShrS) {
			return 2
		}
	case ir.Case:
		if i < 2 {
			return len(args) - 2
		}
	case ir.PopCount:
		return p.m.Width(args[0])
	case ir.Lut:
		if len(args) > tableInputs {
			return 2
		}
	case ir.MemRead:
		if p.pastEnd(int(p.m.Node(n).Aux), args[0]) {
			return 2
		}
	}
	return 1
}

// useSink counts a use by a sink.
func (p *module) useSink(s *sink) {
	times := 1
	switch s.kind {
	case readAddress, writeAddress, writeData, writeEnable, writeMask:
		times = p.portTimes(s)
	case clockSink, resetSink, readClock:
		p.clockOrReset(s.node)
	}
	p.use(s.node, times)
}

// clockOrReset makes an early wire for a clock or reset that is computed, since registers
// are declared before logic.
func (p *module) clockOrReset(n ir.ID) {
	n = p.root(n)
	switch p.m.Op(n) {
	// These are declared above the registers.
	case ir.Input, ir.InstOut, ir.Const:
		return
	}
	if !p.is(n, early) {
		p.marks[n] |= early
		p.first = append(p.first, n)
	}
}

// needsName decides by use count and estimated length.
func (p *module) needsName(n ir.ID, cost int) bool {
	node := p.m.Node(n)
	switch {
	case p.userName(n) != "" || p.is(n, early):
		return true
	case node.Op == ir.Const:
		return p.uses[n] > 1 && node.Width > bigConst
	// The read port is a name itself.
	case node.Op == ir.MemRead && p.isPlainRead(n):
		return false
	case p.is(n, several) || cost > longest:
		return true
	case node.Op == ir.Slice || node.Op == ir.Not:
		return p.uses[n] > 1 && cost > shortest
	case node.Op == ir.Lut && len(p.m.Args(n)) > 4:
		return true
	}
	return p.uses[n] > 1
}

// lengthOf estimates the text of a node in bytes.
func (p *module) lengthOf(n ir.ID) int {
	node := p.m.Node(n)
	args := p.m.Args(n)
	switch node.Op {
	case ir.Const:
		return 10 + int(node.Width)/4
	case ir.PopCount:
		return 16 * p.m.Width(args[0])
	case ir.Lut:
		return 24 + 1<<len(args)/4 + 8*len(args)
	}

	// The operator, the arguments as often as they are repeated, and the frame of special
	// forms.
	length := 6
	for i, a := range args {
		each := 2 + int(p.cost[a])
		if node.Op == ir.Case || node.Op >= ir.And && node.Op <= ir.Xor {
			each += 8
		}
		length += each * max(1, min(p.times(n, i), 8))
	}

	switch node.Op {
	case ir.Add, ir.Sub, ir.Mul, ir.MulS, ir.Slice, ir.ZExt:
		length += 10
	case ir.SExt, ir.LtS, ir.ShrS:
		length += 18
	case ir.Div, ir.DivS, ir.Rem, ir.RemS, ir.Shl, ir.MemRead:
		length += 30
	}
	return length
}

// splitsAmount reports whether a shift tests its amount in two parts: the low bits that can
// matter, and the bits above, any of which shifts everything out. It bounds dshl, whose
// result grows by 2^bits, and amounts wider than a tool's numbers.
func (p *module) splitsAmount(n ir.ID) bool {
	args := p.m.Args(n)
	if p.isLiteral(args[1]) {
		return false
	}
	amount := p.m.Width(args[1])
	if p.m.Op(n) == ir.Shl {
		return amount > amountBits(p.m.Width(n))
	}
	return amount > max(16, amountBits(p.m.Width(n)))
}

// amountBits is the number of bits of an amount that is below the width w.
func amountBits(w int) int { return max(1, bits.Len(uint(w-1))) }
