package syntax

import "etch/ir/bits"

// Literal is a constant in digits.
func (a *Arena) Literal(v bits.Value) *Expr { return a.constant(Literal, v) }

// SignedLiteral is a constant for a signed operation.
func (a *Arena) SignedLiteral(v bits.Value) *Expr {
	e := a.constant(SignedLiteral, v)
	e.Signed = true
	return e
}

// Table is a truth table in hexadecimal, with all digits.
func (a *Arena) Table(v bits.Value) *Expr { return a.constant(Table, v) }

func (a *Arena) constant(kind Kind, v bits.Value) *Expr {
	e := a.New(kind)
	e.Val, e.Width = v, int32(v.Width())
	return e
}

// Number is a constant in decimal, without a width.
func (a *Arena) Number(n int) *Expr {
	e := a.New(Number)
	e.N = n
	return e
}

// Name is a declared name.
func (a *Arena) Name(name []byte) *Expr {
	e := a.New(Name)
	e.Name = name
	return e
}

// Text is a text as it stands.
func (a *Arena) Text(text string) *Expr {
	e := a.New(Text)
	e.Name = []byte(text)
	return e
}

// Select is n bits of x from lo on; x itself if they are all of its width.
func (a *Arena) Select(x *Expr, lo, n, width int) *Expr {
	if n == width {
		return x
	}
	e := a.New(Select, x)
	e.Lo, e.N, e.Width = lo, n, int32(n)
	return e
}

// Index is a word of an array.
func (a *Arena) Index(array []byte, at *Expr, width int) *Expr {
	e := a.New(Index, at)
	e.Name, e.Width = array, int32(width)
	return e
}

// Unary is an operator that gives one bit.
func (a *Arena) Unary(op Op, x *Expr) *Expr {
	e := a.New(Unary, x)
	e.Op, e.Width = op, 1
	return e
}

// Map is Minus or Invert, whose value has the width and sign of x.
func (a *Arena) Map(op Op, x *Expr) *Expr {
	e := a.Unary(op, x)
	e.Width, e.Signed = x.Width, x.Signed
	return e
}

// Binary is an operator between two operands, with brackets around operands that have the
// same operator. Comparisons are unsigned, shifts signed if their first operand is; other
// operators are signed if both operands are.
func (a *Arena) Binary(op Op, x, y *Expr) *Expr {
	e := a.New(Binary, x, y)
	e.Op, e.Width = op, x.Width
	switch {
	case e.IsCompare():
		e.Width = 1
	case op == Shl, op == Shr, op == ShrSigned:
		e.Signed = x.Signed
	default:
		e.Signed = x.Signed && y.Signed
	}
	return e
}

// Tight is Binary without a line break.
func (a *Arena) Tight(op Op, x, y *Expr) *Expr {
	e := a.Binary(op, x, y)
	e.Tight = true
	return e
}

// More adds an operand to an operator.
func (a *Arena) More(e, x *Expr) {
	if !a.Off {
		e.Args, e.Signed = append(e.Args, x), e.Signed && x.Signed
	}
}

// All joins conditions by &&; nil if there are none.
func (a *Arena) All(conds ...*Expr) *Expr {
	var e *Expr
	for _, c := range conds {
		if e == nil {
			e = c
			continue
		}

		// A chain of && has no brackets inside.
		e = a.Binary(AndAnd, e, c)
		e.Flat = FlatLeft | FlatRight
	}
	return e
}

// Choose is a conditional. One as last operand continues it.
func (a *Arena) Choose(c, x, y *Expr, b Break) *Expr {
	e := a.New(Cond, c, x, y)
	e.Break, e.Flat = b, FlatRight
	e.Width, e.Signed = x.Width, x.Signed && y.Signed
	return e
}

var toSigned, toUnsigned = []byte("$signed"), []byte("$unsigned")

// ToSigned is x as a signed operand, whatever it is.
func (a *Arena) ToSigned(x *Expr) *Expr {
	e := a.Call(toSigned, x)
	e.Width, e.Signed = x.Width, true
	return e
}

// ToUnsigned is x as an unsigned operand.
func (a *Arena) ToUnsigned(x *Expr) *Expr {
	if !x.Signed {
		return x
	}
	e := a.Call(toUnsigned, x)
	e.Width = x.Width
	return e
}

// Call is a call of a function.
func (a *Arena) Call(function []byte, args ...*Expr) *Expr {
	e := a.New(Call, args...)
	e.Name = function
	return e
}

// Concat is {parts…}.
func (a *Arena) Concat(parts ...*Expr) *Expr {
	e := a.New(Concat, parts...)
	for _, x := range parts {
		e.Width += x.Width
	}
	return e
}

// Repeat is {n{parts…}}.
func (a *Arena) Repeat(n int, parts ...*Expr) *Expr {
	e := a.New(Repeat, parts...)
	e.N = n
	for _, x := range parts {
		e.Width += int32(n) * x.Width
	}
	return e
}

// Extend is x with bits in front, for which it keeps its braces in a concatenation.
func (a *Arena) Extend(front, x *Expr) *Expr {
	// A concatenation as x gives its parts: one pair of braces is enough.
	e := a.Concat(append([]*Expr{front}, x.Parts()...)...)
	e.Tight = true
	return e
}

// Parts is the parts of an expression in a concatenation: a concatenation as element needs
// no braces of its own. An extension keeps them, to show its width.
func (e *Expr) Parts() []*Expr {
	if e.Kind == Concat && !e.Tight {
		return e.Args
	}
	return []*Expr{e}
}
