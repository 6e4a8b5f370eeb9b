package syntax

import "etch/backends/verilog/internal/names"

// Expr prints an expression; its further lines are indented by indent + 4.
func (o *Printer) Expr(e *Expr, indent int) { o.expr(e, 0, indent) }

// expr prints an operand of an operator of precedence above; 0 if there is none.
func (o *Printer) expr(e *Expr, above, indent int) {
	if e.Brace || needsBrackets(e.prec(), above) {
		o.Ch('(')
		o.inner(e, indent)
		o.Ch(')')
		return
	}
	o.inner(e, indent)
}

// inner prints an expression without brackets around it.
func (o *Printer) inner(e *Expr, indent int) {
	switch e.Kind {
	// Constants and names.
	case Literal:
		o.Literal(*e.Val)
	case SignedLiteral:
		o.signedLiteral(*e.Val)
	case Table:
		o.table(*e.Val)
	case Number:
		o.open()
		o.Num(int(e.N))

	case Name:
		o.name(e.Name)
	case Text:
		o.Str(*e.Text)
	// Selects need a name or a word in front, which has no brackets. A single bit has an index
	// in place of a range.
	case Select:
		o.inner(e.Args[0], indent)
		o.Ch('[')
		if e.N > 1 {
			o.Num(int(e.Lo + e.N - 1))
			o.Ch(':')
		}
		o.Num(int(e.Lo))
		o.Ch(']')

	case Index:
		o.name(e.Name)
		o.Ch('[')
		o.expr(e.Args[0], 0, indent)
		o.Ch(']')
	// Operators.
	case Unary:
		o.Str(ops[e.Op].text)
		o.expr(e.Args[0], precUnary, indent)

	case Binary:
		o.binary(e, indent)
	case Cond:
		o.cond(e, indent)
	case Concat, Repeat, Call, ToSigned, ToUnsigned:
		o.list(e, indent)
	default:
		panic("syntax: an open form")
	}
}

func (o *Printer) name(id names.ID) {
	o.open()
	o.Raw(o.Names.Get(id))
}

// binary prints an operator between its operands. Operands that continue a chain have no
// brackets.
func (o *Printer) binary(e *Expr, indent int) {
	op := &ops[e.Op]
	for i, x := range e.Args {
		if i > 0 {
			o.Ch(' ')
			o.Str(op.text)

			// Lines are broken behind an operator.
			if op.wraps && !e.Tight {
				o.Wrap(indent + 4)
			} else {
				o.Ch(' ')
			}
		}

		if e.continues(i) {
			o.inner(x, indent)
		} else {
			o.expr(x, op.prec, indent)
		}
	}
}

// continues reports whether operand i continues the chain of e. A choice that is written as
// a conjunction is bracketed, unless it is the value of another one.
func (e *Expr) continues(i int) bool {
	x := e.Args[i]
	return e.Flat>>min(i, 1)&1 == 1 && x.Kind == Binary && x.Op == e.Op && !x.Brace && (!x.Gate || e.Gate && i > 0)
}

// cond prints a conditional. One in the last operand continues it without brackets.
func (o *Printer) cond(e *Expr, indent int) {
	o.expr(e.Args[0], precTernary, indent)
	o.Str(" ? ")
	o.expr(e.Args[1], precTernary, indent)
	o.Str(" :")

	switch e.Break {
	case BreakAlways:
		o.NL()
		o.Indent(indent + 4)
	case BreakNever:
		o.Ch(' ')
	default:
		o.Wrap(indent + 4)
	}

	// Conditionals associate to the right.
	if last := e.Args[2]; last.Kind == Cond && !last.Brace && e.Flat&FlatRight != 0 {
		o.cond(last, indent)
	} else {
		o.expr(last, precTernary, indent)
	}
}

// list prints a concatenation, a replication or a call.
func (o *Printer) list(e *Expr, indent int) {
	open, end := "{", "}"
	switch e.Kind {
	case Call:
		o.name(e.Name)
		open, end = "(", ")"
	// The casts are functions of the language and have no name in the table.
	case ToSigned:
		open, end = "$signed(", ")"
	case ToUnsigned:
		open, end = "$unsigned(", ")"

	case Repeat:
		o.Ch('{')
		o.Num(int(e.N))
		end = "}}"
	}

	// Arguments of a call and the constant of an extension stay on one line.
	o.Str(open)
	limit := wide
	if e.Kind == Concat && e.N != 0 {
		limit = int(e.N)
	}

	for i, x := range e.Args {
		switch {
		case i == 0:
		case e.Kind == Call, i == 1 && e.Tight:
			o.Str(", ")
		default:
			o.Ch(',')
			o.wrapAt(limit, indent+4)
		}

		o.expr(x, 0, indent)
	}

	o.Str(end)
}
