package firrtl

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/pads"
)

// operand prints a value as one of a type, by name or as an expression.
func (p *module) operand(n ir.ID, want typ) {
	n = p.root(n)
	switch op := p.m.Op(n); {
	case p.is(n, net) || p.isState(n):
		p.ref(n, want)
	case op == ir.Const:
		p.constant(p.m.ConstOf(n), want)
	default:
		p.body(n, want)
	}
}

// ref prints a value that has a name.
func (p *module) ref(n ir.ID, want typ) {
	t := p.typ(n)
	if op := p.m.Op(n); op == ir.Reg || op == ir.MemOut {
		t = p.regType(n)
	}
	c := p.open(t, want)
	p.str(p.refName(n))
	p.close(c)
}

// refName is the reference to a value with a name.
func (p *module) refName(n ir.ID) string {
	node := p.m.Node(n)

	// An output of an instance that has no name of its own is read at the instance.
	if node.Op == ir.InstOut && p.names[n] == "" {
		return id(p.insts[node.Aux]) + "." + id(p.portNames(p.m.Insts[node.Aux].Mod)[node.Aux2])
	}
	if node.Op == ir.NetOut {
		return id(p.nets[node.Aux].reader) + "." + pads.ValuePort
	}
	return id(p.names[n])
}

// natural is the type of a value without conversion.
func (p *module) natural(n ir.ID) typ {
	n = p.root(n)
	node := p.m.Node(n)

	// A value under a name has its declared type, any other the type of its text.
	switch {
	case p.is(n, net) || p.isState(n):
		if node.Op == ir.Reg || node.Op == ir.MemOut {
			return p.regType(n)
		}
		return p.typ(n)
	case node.Op == ir.Const:
		return integer
	case node.Op == ir.SExt || node.Op == ir.ShrS && !p.splitsAmount(n):
		return signed
	case node.Op == ir.MulS && p.isWholeProduct(n):
		return signed
	case node.Op == ir.Mux || node.Op == ir.Case:
		if p.typ(n) == signed {
			return signed
		}
	}
	return unsigned
}

// common is the operand type for operations that ignore the sign: signed if no operand then
// needs a conversion, else unsigned.
func (p *module) common(args []ir.ID) typ {
	t := integer
	for _, a := range args {
		switch p.natural(a) {
		// A constant goes with either.
		case integer:
		case signed:
			t = signed
		default:
			return unsigned
		}
	}
	if t == integer {
		return unsigned
	}
	return t
}

// constant prints a literal.
func (o *output) constant(v bits.Value, want typ) {
	// FIRRTL's literals have a sign of their own: the magnitude follows a minus.
	if want == signed {
		o.str("SInt<")
		o.num(v.Width())

		// Up to 64 bits in decimal, wider values by their magnitude.
		if v.Width() <= 64 {
			o.str(">(")
			o.num(int(v.Int64()))
		} else if v.Bit(v.Width()-1) == 1 {
			o.str(">(-0h")
			o.buf = v.Neg().AppendHex(o.buf)
		} else {
			o.str(">(0h")
			o.buf = v.AppendHex(o.buf)
		}
		o.str(")")
		return
	}

	c := o.open(unsigned, want)
	o.str("UInt<")
	o.num(v.Width())
	o.str(">(0h")
	o.buf = v.AppendHex(o.buf)
	o.str(")")
	o.close(c)
}

// number prints an unsigned literal.
func (o *output) number(width, v int) { o.constant(bits.New(width, uint64(v)), unsigned) }

// part prints bits lo+width-1 down to lo of a value, as an unsigned one.
func (p *module) part(n ir.ID, lo, width int) {
	if width == p.m.Width(n) {
		p.operand(n, unsigned)
		return
	}
	// A constant is sliced here.
	if c := p.root(n); p.m.Op(c) == ir.Const && !p.is(c, net) {
		p.constant(p.m.ConstOf(c).Slice(lo, width), unsigned)
		return
	}
	p.str("bits(")
	p.operand(n, integer)
	p.range_(lo, width)
}

// range_ prints the end of a bits( expression.
func (o *output) range_(lo, width int) {
	o.str(", ")
	o.num(lo + width - 1)
	o.str(", ")
	o.num(lo)
	o.str(")")
}

// padded prints a value with zeros above, width bits in all.
func (p *module) padded(n ir.ID, width int) {
	if p.m.Width(n) == width {
		p.operand(n, unsigned)
		return
	}

	// A constant is extended here.
	if c := p.root(n); p.m.Op(c) == ir.Const && !p.is(c, net) {
		p.constant(p.m.ConstOf(c).ZExt(width), unsigned)
		return
	}
	p.str("pad(")
	p.operand(n, unsigned)
	p.str(", ")
	p.num(width)
	p.str(")")
}

// body prints the operation of a node as a value of type want.
func (p *module) body(n ir.ID, want typ) {
	if p.m.Op(n) == ir.Wire {
		p.operand(p.m.Args(n)[0], want)
		return
	}
	// Where the type of the result is free, it is the wanted one.
	have := p.result(n)
	if have == integer {
		have = want // printed as the wanted type
		if want > signed {
			have = unsigned
		}
	}
	c := p.open(have, want)
	p.compute(n, have)
	p.close(c)
}

// result is the type of the text of compute; integer if it can be chosen.
func (p *module) result(n ir.ID) typ {
	switch op := p.m.Op(n); op {
	case ir.Const, ir.Mux, ir.Case:
		return integer
	case ir.SExt:
		return signed
	case ir.ShrS:
		if !p.splitsAmount(n) {
			return signed
		}
	case ir.MulS:
		if p.isWholeProduct(n) {
			return signed
		}
	}
	return unsigned
}

// compute prints the operation of a node; as is its type if result is integer.
func (p *module) compute(n ir.ID, as typ) {
	node := p.m.Node(n)
	args := p.m.Args(n)
	// FIRRTL's add and sub give a bit more than the netlist's, which tail drops.
	switch node.Op {
	case ir.Const:
		p.constant(p.m.ConstOf(n), as)
	case ir.Not:
		p.call("not", args, integer)
	case ir.And, ir.Or, ir.Xor:
		p.foldAll(node.Op.String(), n)
	case ir.Add, ir.Sub:
		p.str("tail(")
		p.call(node.Op.String(), args, p.sumType(node.Op, args))
		p.str(", 1)")

	case ir.Mul:
		p.product(n, unsigned)
	case ir.MulS:
		p.product(n, signed)
	case ir.Div, ir.DivS, ir.Rem, ir.RemS:
		p.divide(n)
	case ir.Eq:
		p.call("eq", args, p.common(args))
	case ir.Lt:
		p.call("lt", args, unsigned)
	case ir.LtS:
		p.call("lt", args, signed)
	case ir.Shl, ir.Shr, ir.ShrS:
		p.shift(n)
	case ir.Mux:
		p.str("mux(")
		p.operand(args[0], unsigned)
		p.str(", ")
		p.operand(args[1], as)
		p.str(", ")
		p.operand(args[2], as)
		p.str(")")

	case ir.Case:
		p.choose(n, as)
	case ir.Slice:
		p.part(args[0], int(node.Aux), int(node.Width))
	case ir.Cat:
		p.foldAll("cat", n)
	case ir.ZExt:
		p.padded(args[0], int(node.Width))
	case ir.SExt:
		p.signExtend(args[0], int(node.Width))
	case ir.RedAnd:
		p.call("andr", args, integer)
	case ir.RedOr:
		p.call("orr", args, integer)
	case ir.RedXor:
		p.call("xorr", args, integer)
	case ir.PopCount:
		p.count(n)
	case ir.Lut:
		p.lookUp(n)
	case ir.MemRead:
		p.asyncRead(n)
	}
}

// sumType is the type in which a sum or difference is computed. firtool 1.155 narrows
// sub(pad(x, n), pad(y, n)) and loses the borrow unless the operands are signed. Only
// values that cannot become a pad are safe.
func (p *module) sumType(op ir.Op, args []ir.ID) typ {
	if op == ir.Add {
		return p.common(args)
	}
	for _, a := range args {
		if p.m.Op(p.m.Unwired(a)).Info().Leaf {
			return p.common(args)
		}
	}
	return signed
}

// call prints an operation on its arguments.
func (p *module) call(op string, args []ir.ID, as typ) {
	p.str(op)
	p.str("(")
	for i, a := range args {
		if i > 0 {
			p.str(", ")
		}
		p.operand(a, as)
	}
	p.str(")")
}

// fold prints a binary operation on any number of arguments, as a tree of least depth that
// keeps their order. They are unsigned: firtool 1.155 miscompiles an or of more than 64
// signed bits with all ones.
func (p *module) fold(op string, args []ir.ID) {
	p.tree(op, len(args), func(i int) { p.operand(args[i], unsigned) })
}

// tree prints a binary operation on n things as a balanced tree.
func (o *output) tree(op string, n int, thing func(i int)) {
	var tree func(lo, hi int)
	tree = func(lo, hi int) {
		if hi-lo == 1 {
			thing(lo)
			return
		}

		// The same halves as in sumWidth.
		mid := (lo + hi + 1) / 2
		o.str(op)
		o.str("(")
		tree(lo, mid)
		o.str(", ")
		tree(mid, hi)
		o.str(")")
	}
	tree(0, n)
}

// argsPerPart bounds the arguments of an operation on one line.
const argsPerPart = 8

// foldAll prints an operation on all arguments of a node, or on the parts that prepareFold
// has printed.
func (p *module) foldAll(op string, n ir.ID) {
	if parts := p.parts; len(parts) > 0 {
		p.parts = nil
		p.tree(op, len(parts), func(i int) { p.str(parts[i].name) })
		return
	}
	p.fold(op, p.m.Args(n))
}

// prepareFold prints an operation on the arguments of a node, eight at a time, if there are
// many.
func (p *module) prepareFold(op string, n ir.ID) {
	args := p.m.Args(n)
	if len(args) <= 2*argsPerPart {
		return
	}

	// Groups of arguments, then groups of groups.
	var parts []part
	for lo := 0; lo < len(args); lo += argsPerPart {
		name := p.helper(n, "part")
		p.fold(op, args[lo:min(lo+argsPerPart, len(args))])
		p.end(p.m.Node(n).Pos)
		parts = append(parts, part{name: name})
	}
	for len(parts) > 2*argsPerPart {
		var fewer []part
		for lo := 0; lo < len(parts); lo += argsPerPart {
			some := parts[lo:min(lo+argsPerPart, len(parts))]
			name := p.helper(n, "parts")
			p.tree(op, len(some), func(i int) { p.str(some[i].name) })
			p.end(p.m.Node(n).Pos)
			fewer = append(fewer, part{name: name})
		}
		parts = fewer
	}
	p.parts = parts
}
