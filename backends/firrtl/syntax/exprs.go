package syntax

func (p *parser) addExpr(e ExprRow) Expr {
	p.c.Exprs = append(p.c.Exprs, e)
	return Expr(len(p.c.Exprs) - 1)
}

func (p *parser) expr() Expr {
	p.enter()
	defer p.leave()
	return p.selections(p.primary())
}

// selections parses any number of ".field", "[3]" and "[index]" after e.
func (p *parser) selections(e Expr) Expr {
	for {
		line := p.tok.line
		switch {
		case p.is('.'):
			p.next()
			e = p.addExpr(ExprRow{Kind: SubField, Line: line, A: int32(e), B: int32(p.fieldName())})
		case p.is('['):
			p.next()

			// A number is a constant index; anything else is one that a signal chooses.
			if p.is(tInt) {
				n := p.int("an index", 0, maxCount)
				e = p.addExpr(ExprRow{Kind: SubIndex, Line: line, A: int32(e), B: int32(n)})
			} else {
				i := p.expr()
				e = p.addExpr(ExprRow{Kind: SubAccess, Line: line, A: int32(e), B: int32(i)})
			}
			p.want(']', "']'")
		default:
			return e
		}
	}
}

// primary parses an expression without selections. Keywords are names unless the next token
// makes them an operation or a type.
func (p *parser) primary() Expr {
	line := p.tok.line
	if p.is(tEnumOpen) {
		return p.enumValue()
	}

	if p.tok.kind != tName {
		p.wanted("an expression")
		return 0
	}

	w := word(p.tok.sym)

	// The words before kwUInt begin declarations. In an expression they are names, except for two
	// that can be called.
	if w >= kwEnd || w < kwUInt {
		if w != kwIntrinsic && w != kwDomainCast || p.peek().kind != '(' {
			return p.ref(line)
		}
	}

	// Widths in angle brackets, then calls.
	switch k := p.peek().kind; {
	case k == '<' && (w == kwUInt || w == kwSInt):
		return p.literal()
	case k == '<' && w == kwList:
		p.next()
		p.brackets('<', '>')
		p.brackets('(', ')')
		return p.addExpr(ExprRow{Kind: NoHardware, Line: line})

	case k != '(':
		return p.ref(line)
	}

	if op := opOf(p.tok.sym); op != NoOp {
		return p.primitive(op)
	}
	return p.keyword(w, line)
}

// keyword parses a call of a keyword.
func (p *parser) keyword(w word, line int32) Expr {
	switch w {
	case kwUInt, kwSInt:
		return p.literal()
	case kwMux, kwValidif:
		return p.choice(w)
	case kwRead:
		// The word and its bracket.
		p.next()
		p.next()
		e := p.expr()
		p.want(')', "')'")
		return p.addExpr(ExprRow{Kind: Read, Line: line, A: int32(e)})

	case kwProbeExpr, kwRWProbeExpr:
		p.next()
		p.next()
		e := p.expr()
		p.want(')', "')'")
		return p.addExpr(ExprRow{Kind: ProbeOf, Line: line, A: int32(e)})

	case kwPathExpr, kwInteger, kwString, kwBool, kwDouble, kwList:
		p.next()
		p.brackets('(', ')')
		return p.addExpr(ExprRow{Kind: NoHardware, Line: line})

	case kwIntrinsic:
		return p.intrinsic()
	case kwDomainCast: // unsafe_domain_cast(a, X, Y) is a
		p.next()
		p.next()
		e := p.expr()
		for p.got(',') {
			p.expr()
		}
		p.want(')', "')'")
		return e
	}

	p.fail("there is no operation %s", p.tok.text)
	return 0
}

func (p *parser) ref(line int32) Expr {
	if p.peek().kind == '(' {
		return p.unknownCall()
	}
	n := p.tok.sym
	p.next()
	return p.addExpr(ExprRow{Kind: Ref, Line: line, A: int32(n)})
}

// propertyOps are the operations on properties, which hardware does not have.
var propertyOps = map[string]bool{"integer_add": true, "integer_mul": true, "integer_shr": true, "integer_shl": true,
	"list_concat": true, "string_concat": true, "prop_eq": true, "bool_and": true, "bool_or": true, "bool_xor": true}

// unknownCall parses a call of an operation on properties, and rejects any other unknown
// one.
func (p *parser) unknownCall() Expr {
	e := ExprRow{Kind: NoHardware, Line: p.tok.line}
	if !propertyOps[p.tok.text] {
		p.fail("there is no operation %s", p.tok.text)
		return 0
	}
	p.next()
	p.brackets('(', ')')
	return p.addExpr(e)
}

// literal parses `UInt<8>(0hFF)`, `UInt("hFF")` or `SInt<4>(-3)`.
func (p *parser) literal() Expr {
	e := ExprRow{Kind: Literal, Line: p.tok.line, Signed: p.isWord(kwSInt)}
	p.next()
	e.A = p.width()
	p.want('(', "'('")
	switch {
	case p.is(tInt), p.is(tString):
		if !validDigits(p.tok.text, p.is(tString), e.Signed) {
			p.fail("%s is not a number", p.tok.describe())
		}
		if p.is(tString) {
			e.D = 1
		}

		// The digits stay text: the width may have to be inferred.
		e.B = int32(p.names.add(p.tok.text, hash(p.tok.text)))
		p.next()
	default:
		p.wanted("a number")
	}
	p.want(')', "')'")
	return p.addExpr(e)
}

// validDigits reports whether s is a number: 42, -42, 0h2A, -0b101, and in a
// string h2A, h-2A, b101, d42.
func validDigits(s string, quoted, signed bool) bool {
	radix, digits, negative := splitNumber(s, quoted)
	if digits == "" || negative && !signed {
		return false
	}
	for i := range len(digits) {
		c := digits[i]

		// Other characters are no digits of any radix.
		v := 99
		switch {
		case c >= '0' && c <= '9':
			v = int(c - '0')
		case c >= 'a' && c <= 'f':
			v = int(c-'a') + 10
		case c >= 'A' && c <= 'F':
			v = int(c-'A') + 10
		}
		if v >= radix {
			return false
		}
	}
	return true
}

// splitNumber splits a number's text into radix, digits and sign. The sign may come before
// or, in a string, after the letter of the radix.
func splitNumber(s string, quoted bool) (radix int, digits string, negative bool) {
	radix = 10
	sign := func() {
		if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
			negative = negative || s[0] == '-'
			s = s[1:]
		}
	}
	sign()

	// The letter of the radix: behind a 0, or first in a string.
	if len(s) > 1 && (quoted || s[0] == '0') {
		letter := s[0]
		if !quoted {
			letter = s[1]
		}
		if r := radixOf(letter); r > 0 {
			radix = r
			if s = s[1:]; !quoted {
				s = s[1:]
			}
		}
		if quoted {
			sign()
		}
	}
	return radix, s, negative
}

// radixOf is the radix of a letter, 0 for other letters.
func radixOf(letter byte) int {
	switch letter {
	case 'b':
		return 2
	case 'o':
		return 8
	case 'd':
		return 10
	case 'h':
		return 16
	}
	return 0
}

// Number splits the text of a Literal into radix, digits and sign.
func (c *Circuit) Number(e *ExprRow) (radix int, digits string, negative bool) {
	return splitNumber(c.Names[e.B], e.D == 1)
}

// choice parses mux(c, a, b) or validif(c, a).
func (p *parser) choice(w word) Expr {
	e := ExprRow{Kind: Mux, Line: p.tok.line}
	p.next()
	p.next()
	e.A = int32(p.expr())
	p.comma()
	e.B = int32(p.expr())
	if w == kwValidif {
		e.Kind = ValidIf
	} else {
		p.comma()
		e.C = int32(p.expr())
	}
	p.want(')', "')'")
	return p.addExpr(e)
}

// primitive parses a call of a primitive operation: expressions, then constants.
func (p *parser) primitive(op Op) Expr {
	form := opForms[op]
	e := ExprRow{Kind: Prim, Op: op, Line: p.tok.line}
	p.next()
	p.next()

	// Nested calls share p.stack; the arguments above from are this call's.
	from := len(p.stack)
	n := 0
	for ; p.err == nil && !p.is(')') && (form.args < 0 || n < int(form.args)); n++ {
		if n > 0 {
			p.comma()
		}
		p.stack = append(p.stack, p.expr())
	}

	// Constants follow the operands.
	for i := range form.ints {
		if n > 0 {
			p.comma()
		}
		v := p.int("a number", 0, maxCount)
		if i == 0 {
			e.C = int32(v)
		} else {
			e.D = int32(v)
		}
	}

	// Too few operands, or something behind the last constant.
	if form.args >= 0 && n < int(form.args) || !p.is(')') {
		p.fail("%s where %s has %d arguments", p.tok.describe(), op, int(form.args)+int(form.ints))
		return 0
	}

	p.next()
	e.A, e.N = p.popArgs(from)
	return p.addExpr(e)
}

// popArgs moves the arguments above from to Circuit.Args, where those of one call must be
// contiguous.
func (p *parser) popArgs(from int) (first, n int32) {
	// Inner calls have taken theirs already, so that the arguments of one call are contiguous.
	first, n = int32(len(p.c.Args)), int32(len(p.stack)-from)
	p.c.Args = append(p.c.Args, p.stack[from:]...)
	p.stack = p.stack[:from]
	return first, n
}

// enumValue parses {|a, b : T|}(b, x).
func (p *parser) enumValue() Expr {
	e := ExprRow{Kind: EnumValue, Line: p.tok.line, A: int32(p.enum())}
	p.want('(', "'('")
	e.B = int32(p.fieldName())
	if p.got(',') {
		e.C = int32(p.expr())
	}
	p.want(')', "')'")
	return p.addExpr(e)
}

// intrinsic parses intrinsic(name<A = 1, B = "x"> : T, a, b). The parameters and the type
// are optional.
func (p *parser) intrinsic() Expr {
	e := ExprRow{Kind: IntrinsicExpr, Line: p.tok.line}
	p.next()
	p.want('(', "'('")
	e.A = int32(p.name("an intrinsic"))

	// Parameters may be missing, as may the type.
	var params []Param
	if p.got('<') {
		for !p.is('>') && p.err == nil {
			params = append(params, p.paramValue())
			if !p.is('>') {
				p.comma()
			}
		}
		p.want('>', "'>'")
	}
	e.D = int32(len(p.c.Params))
	p.c.Params = append(p.c.Params, params)
	if p.got(':') {
		e.B = int32(p.typ())
	}

	// The stack holds the arguments of all open calls.
	from := len(p.stack)
	for p.got(',') {
		p.stack = append(p.stack, p.expr())
	}
	p.want(')', "')'")
	e.C, e.N = p.popArgs(from)
	return p.addExpr(e)
}
