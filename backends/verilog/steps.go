package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// steps prints statements; sign is the assignment operator.
func (p *module) steps(list []step, indent int, sign string) {
	for i := range list {
		p.indent(indent)
		p.step(&list[i], indent, sign)
	}
}

func (p *module) step(s *step, indent int, sign string) {
	switch {
	case s.cond == ir.None:
		p.assign(s, indent, sign)
	case s.isIf():
		p.str("if (")
		inner := p.ifConditions(s, indent)
		p.ch(')')
		body, els := inner.ifParts()
		p.branchAt(inner.pos, body, indent, sign, len(els) > 0)
		p.elseBranch(els, indent, sign)
	default:
		p.caseStep(s, indent, sign)
	}
}

// isIf reports whether a statement is printed as an if.
func (s *step) isIf() bool {
	return s.cond != ir.None && (s.arms == nil || len(s.arms) == 1 && len(s.arms[0].keys) == 1)
}

// ifParts is the statements of an if where its printed condition holds, and where it does
// not. An if with nothing to do in the first case is printed with the condition inverted.
func (s *step) ifParts() (body, els []step) {
	body = s.then
	if s.arms != nil {
		body = s.arms[0].body
	}
	if len(body) == 0 {
		return s.els, nil
	}
	return body, s.els
}

// only is the single if inside another one, neither with an else: their conditions are
// joined by &&.
func (s *step) only() *step {
	body, els := s.ifParts()
	if len(els) > 0 || len(body) != 1 || !body[0].isIf() {
		return nil
	}
	if _, els := body[0].ifParts(); len(els) > 0 {
		return nil
	}
	return &body[0]
}

// ifConditions prints the condition of an if, joined with those of the ifs that only
// returns, and returns the innermost if.
func (p *module) ifConditions(s *step, indent int) *step {
	above := 0
	if s.only() != nil {
		above = precAndAnd
	}
	p.ifCondition(s, above, indent)
	for s.only() != nil {
		s = s.only()
		p.str(" &&")
		p.wrap(indent + 4)
		p.ifCondition(s, above, indent)
	}
	return s
}

// A case of one key is an if with a comparison.
func (p *module) ifCondition(s *step, above, indent int) {
	switch {
	case s.arms != nil:
		sign := " == "
		if len(s.arms[0].body) == 0 {
			sign = " != "
		}
		p.expr(p.v(s.cond), precEq, how{indent: indent})
		p.str(sign)
		p.constLit(s.arms[0].keys[0], s.typ)
	case len(s.then) == 0:
		p.negatedCondition(s.cond, above, indent)
	default:
		p.conjunction(s.cond, above, indent)
	}
}

// conjunction prints a condition, without brackets of its own beside &&.
func (p *module) conjunction(cond ir.ID, above, indent int) {
	if above == precAndAnd {
		p.sameChain(cond, ir.And, above, how{cond: true, indent: indent})
		return
	}
	p.condition(cond, above, indent)
}

// negatedCondition prints !cond in its simplest form: an inverse loses its inverter, a
// comparison takes the opposite operator.
func (p *module) negatedCondition(cond ir.ID, above, indent int) {
	c := p.v(cond)
	inline := !p.isAtom(c) && !p.isConst(c) && !p.isState(c)
	switch op := p.m.Op(c); {
	case inline && op == ir.Not && p.inverted(c) == ir.None:
		p.condition(p.m.Args(c)[0], above, indent)
	case inline && (op == ir.Eq || op == ir.Lt || op == ir.LtS) && p.m.Width(p.m.Args(c)[0]) > 1:
		p.compare(c, true, how{indent: indent})
	default:
		p.ch('!')
		p.condition(c, precUnary, indent)
	}
}

func (p *module) assign(s *step, indent int, sign string) {
	p.name(s.target)
	if s.bits.width > 0 {
		p.rangeOf(s.bits, p.m.Width(s.target))
	}
	p.str(sign)
	if v, ok := p.resetConst(s); ok {
		p.constLit(v, s.typ)
	} else {
		p.rhs(s.value, s.typ, indent)
	}
	p.ch(';')
	p.end(s.pos)
}

// resetConst is the value of an assignment of a constant, also of one with a name: an
// asynchronous reset must be a literal.
func (p *module) resetConst(s *step) (bits.Value, bool) {
	if p.m.Op(s.value) == ir.Const {
		return p.m.ConstOf(s.value), true
	}
	return bits.Value{}, false
}

// branch is branchAt without a source line.
func (p *module) branch(list []step, indent int, sign string, more bool) {
	p.branchAt(0, list, indent, sign, more)
}

// branchAt prints the statements after a condition; pos is the source line of the
// condition. With more, it leaves its last line open for an else.
func (p *module) branchAt(pos ir.Pos, list []step, indent int, sign string, more bool) {
	// A single assignment stays on the line of its condition.
	if len(list) == 1 && list[0].cond == ir.None {
		p.ch(' ')
		p.step(&list[0], indent, sign)
		if more {
			p.indent(indent)
		}
		return
	}

	p.str(" begin")
	p.end(pos)
	p.steps(list, indent+2, sign)
	p.indent(indent)
	p.str("end")
	if more {
		p.ch(' ')
	} else {
		p.nl()
	}
}

// elseBranch prints an else part, if there is one. An if in it continues on the line of the
// else.
func (p *module) elseBranch(list []step, indent int, sign string) {
	switch {
	case len(list) == 0:
	case len(list) == 1 && list[0].isIf():
		p.str("else ")
		p.step(&list[0], indent, sign)
	default:
		p.str("else")
		p.branch(list, indent, sign, false)
	}
}

// caseStep prints a case with its arms; keys that share a body share an arm.
func (p *module) caseStep(s *step, indent int, sign string) {
	p.str("case (")
	p.expr(p.v(s.cond), 0, how{indent: indent})
	p.ch(')')
	p.end(s.pos)
	count := 0
	for i := range s.arms {
		a := &s.arms[i]
		p.indent(indent + 2)
		for j, k := range a.keys {
			if j > 0 {
				p.ch(',')
				p.wrap(indent + 4)
			}
			p.constLit(k, s.typ)
		}
		count += len(a.keys)
		p.ch(':')
		p.armBody(a.body, indent+2, sign)
	}

	// Every key may have an arm already. At most 30 bits, so that the shift does not
	// overflow.
	if w := p.m.Width(p.v(s.cond)); len(s.els) > 0 || w > 30 || count < 1<<w {
		p.defaultArm(s, indent+2, sign)
	}
	p.line(indent, "endcase")
}

// defaultArm prints the statements for keys without an arm. If all those keys have names,
// and they are few, the names are listed in place of default. If some have no name, a
// comment lists the names and default stands for all.
func (p *module) defaultArm(s *step, indent int, sign string) {
	names, whole := p.restOf(s)
	switch {
	case len(s.els) == 0 || len(names) == 0 || len(names) > maxNamed:
	case whole:
		p.indent(indent)
		for i, n := range names {
			if i > 0 {
				p.ch(',')
				p.wrap(indent + 2)
			}
			p.constLit(n, s.typ)
		}
		p.ch(':')
		p.armBody(s.els, indent, sign)
		return
	default:
		p.indent(indent)
		p.str("// ")
		for _, n := range names {
			if en, j := p.enumOf(s.typ, n); en != nil {
				p.raw(p.table.get(en.names[j])) // a comment is no use of it
				p.str(", ")
			}
		}
		p.str("and codes without a name")
		p.nl()
	}

	p.indent(indent)
	p.str("default:")
	p.armBody(s.els, indent, sign)
}

// maxNamed is the number of states that are listed in place of default.
const maxNamed = 4

// restOf lists the named codes of the selector's enumeration that have no arm, and reports
// whether they and the arms are all codes of its width.
func (p *module) restOf(s *step) (names []bits.Value, whole bool) {
	e, w, count := p.m.TypeOf(s.typ).Enum, p.m.Width(p.v(s.cond)), 0
	if e == nil {
		return nil, false
	}

	// Codes with an arm, then the names of the others.
	taken := map[uint64]bool{}
	for _, a := range s.arms {
		count += len(a.keys)
		for _, k := range a.keys {
			taken[k.Uint64()] = true
		}
	}
	for _, c := range e.Codes {
		if w < 64 && c>>w == 0 && !taken[c] {
			taken[c] = true
			names = append(names, bits.New(w, c))
		}
	}
	return names, w <= 30 && count+len(names) == 1<<w
}

// armBody prints the statements of an arm. A lone if stays on its line, unless an else
// would seem to belong to another arm.
func (p *module) armBody(list []step, indent int, sign string) {
	if len(list) == 0 {
		p.str(" ;")
		p.nl()
		return
	}
	if len(list) == 1 && list[0].isIf() {
		if _, els := list[0].ifParts(); len(els) == 0 {
			p.ch(' ')
			p.step(&list[0], indent, sign)
			return
		}
	}
	p.branch(list, indent, sign, false)
}
