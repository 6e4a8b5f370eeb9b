package syntax

import (
	"etch/backends/verilog/internal/names"
	"etch/ir/bits"
)

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
	a.SetLiteral(e, v)
	e.Kind = kind
	return e
}

// SetLiteral overwrites e by a literal of v's width. The arena owns the copy of v.
func (a *Arena) SetLiteral(e *Expr, v bits.Value) {
	*e = Expr{Kind: Literal, Val: &a.values.list(1)[:1][0], Width: int32(v.Width())}
	*e.Val = v
}

// Code is a constant of a type that package verilog numbers.
func (a *Arena) Code(v bits.Value, typ int32) *Expr {
	e := a.constant(Code, v)
	e.Lo = typ
	return e
}

// Number is a constant in decimal, without a width.
func (a *Arena) Number(n int) *Expr {
	e := a.New(Number)
	e.N = int32(n)
	return e
}

// Name is a declared name of a value of width bits.
func (a *Arena) Name(name names.ID, width int) *Expr {
	e := a.New(Name)
	e.Name, e.Width = name, int32(width)
	return e
}

// Text is an expression that is printed as given, without parentheses or checks.
func (a *Arena) Text(text string) *Expr {
	e := a.New(Text)
	e.Text = &text
	return e
}

// Select is n bits of x from lo on; x itself if it is a name or a word of that width.
func (a *Arena) Select(x *Expr, lo, n int) *Expr {
	if x.Kind != Ref && n == int(x.Width) {
		return x
	}
	e := a.New(Select, x)
	e.Lo, e.N, e.Width = int32(lo), int32(n), int32(n)
	return e
}

// Index is a word of an array.
func (a *Arena) Index(array names.ID, at *Expr, width int) *Expr {
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
// same operator.
func (a *Arena) Binary(op Op, args ...*Expr) *Expr {
	e := a.New(Binary, args...)
	e.Op = op
	e.Derive()
	return e
}

// Tight is Binary without a line break.
func (a *Arena) Tight(op Op, x, y *Expr) *Expr {
	e := a.Binary(op, x, y)
	e.Tight = true
	return e
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
	e.Derive()
	return e
}

// ToSigned is x as a signed operand, whatever it is.
func (a *Arena) ToSigned(x *Expr) *Expr {
	e := a.New(ToSigned, x)
	e.Width, e.Signed = x.Width, true
	return e
}

// ToUnsigned is x as an unsigned operand.
func (a *Arena) ToUnsigned(x *Expr) *Expr {
	if !x.Signed {
		return x
	}
	e := a.New(ToUnsigned, x)
	e.Width = x.Width
	return e
}

// Call is a call of a Verilog function, by name, with arguments in order.
func (a *Arena) Call(function names.ID, args ...*Expr) *Expr {
	e := a.New(Call, args...)
	e.Name = function
	return e
}

// Concat is {parts…}.
func (a *Arena) Concat(parts ...*Expr) *Expr {
	e := a.New(Concat, parts...)
	e.Derive()
	return e
}

// Repeat is {n{parts…}}.
func (a *Arena) Repeat(n int, parts ...*Expr) *Expr {
	e := a.New(Repeat, parts...)
	e.N = int32(n)
	e.Derive()
	return e
}

// Extend is x with bits in front, for which it keeps its braces in a concatenation.
func (a *Arena) Extend(front, x *Expr) *Expr {
	e := a.Concat(front, x)
	e.Tight = true
	return e
}
