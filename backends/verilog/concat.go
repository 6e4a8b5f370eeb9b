package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// bitsOf prints a part-select of a value with a name. Verilog has no part-select of a
// part-select: slices without a name are followed to their source.
func (p *module) bitsOf(x ir.ID, lo, w int) {
	if x = p.v(x); p.names[x] == 0 && p.isSlice(x) {
		base, at := p.part(x)
		x, lo = p.v(base), lo+at
	}

	p.name(x)
	switch {
	case w == p.m.Width(x):
	case w == 1:
		p.ch('[')
		p.num(lo)
		p.ch(']')
	default:
		p.ch('[')
		p.num(lo + w - 1)
		p.ch(':')
		p.num(lo)
		p.ch(']')
	}
}

// catPart prints an element of a concatenation. A concatenation as element needs no braces
// of its own.
func (p *module) catPart(id ir.ID, h how) {
	id = p.v(id)
	if p.m.Op(id) == ir.Cat && !p.isAtom(id) && !p.isConst(id) {
		p.catList(p.m.Args(id), wide, h)
		return
	}
	p.expr(id, 0, h)
}

// catList prints elements, breaking lines past column limit. A run of equal elements
// becomes a replication.
func (p *module) catList(args []ir.ID, limit int, h how) {
	h = how{indent: h.indent}
	for i := 0; i < len(args); {
		if i > 0 {
			p.ch(',')
			p.wrapAt(limit, h.indent+4)
		}

		// The length of the run of equal elements.
		n := 1
		for i+n < len(args) && p.v(args[i+n]) == p.v(args[i]) {
			n++
		}

		if n > 1 {
			p.ch('{')
			p.num(n)
			p.ch('{')
			p.catPart(args[i], h)
			p.str("}}")
		} else {
			p.catPart(args[i], h)
		}
		i += n
	}
}

// extendSign prints x with n copies of its top bit in front. The top bit is selected by
// name, so x needs one unless it is a single bit.
func (p *module) extendSign(x ir.ID, n int, h how) {
	w := p.m.Width(x)
	if w == 1 {
		p.ch('{')
		p.num(n + 1)
		p.ch('{')
		p.expr(x, 0, h)
		p.str("}}")
		return
	}
	p.ch('{')
	if n > 1 {
		p.ch('{')
		p.num(n)
		p.ch('{')
	}
	// The sign, replicated.
	p.bitsOf(x, w-1, 1)
	if n > 1 {
		p.str("}}")
	}

	p.str(", ")
	p.expr(x, 0, h)
	p.ch('}')
}

// lut prints a call of the look-up function for its number of inputs. A single input that
// is not the identity is an inverter.
func (p *module) lut(id ir.ID, h how) {
	args, t := p.m.Args(id), p.m.TableOf(id)
	if len(args) == 1 {
		p.not(args[0], how{cond: true, indent: h.indent})
		return
	}

	// The truth table, then the address with the last input at the top.
	p.call(p.helpers.lut[len(args)])
	if t.Width() <= 256 {
		p.table256(t)
	} else {
		p.literal(t)
	}
	p.str(", {")
	rev := make([]ir.ID, 0, 16)
	for i := len(args) - 1; i >= 0; i-- {
		rev = append(rev, args[i])
	}
	p.catList(rev, wide+16, h)
	p.str("})")
}

// table256 prints a truth table with all its digits.
func (p *module) table256(t bits.Value) {
	p.num(t.Width())
	p.str("'h")
	digits := len(t.Hex())
	for n := (t.Width() + 3) / 4; n > digits; n-- {
		p.ch('0')
	}
	p.buf = t.AppendHex(p.buf)
}

func (p *module) call(f nameID) {
	p.raw(p.table.get(f))
	p.ch('(')
}
