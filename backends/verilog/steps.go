package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// stmts turns steps into statements of Verilog; blocking ones assign by =.
func (p *bodies) stmts(list []step, blocking bool) []syntax.Stmt {
	out := p.trees.Stmts(len(list))
	for i := range list {
		p.stmt(&out[i], &list[i], blocking)
	}
	return out
}

func (p *bodies) stmt(to *syntax.Stmt, s *step, blocking bool) {
	switch {
	case s.cond == ir.None:
		p.assign(to, s, blocking)
	case s.isIf():
		p.ifStmt(to, s, blocking)
	default:
		p.caseStmt(to, s, blocking)
	}
}

// assign is an assignment of a value to a target or to some bits of it. A constant is
// written as it is even if it has a name: an asynchronous reset must be a literal.
func (p *bodies) assign(to *syntax.Stmt, s *step, blocking bool) {
	to.Blocking, to.Note, to.Target = blocking, p.lineNote(s.pos), p.ref(s.target, context{})
	if s.bits.width > 0 {
		to.Target = p.trees.Select(to.Target, s.bits.lo, s.bits.width)
	}
	to.Value = p.whole(s.value, s.typ)
	if p.m.Op(s.value) == ir.Const {
		to.Value = p.code(p.m.ConstOf(s.value), s.typ)
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

// ifStmt is an if. The conditions of ifs that contain nothing but the next one are joined.
func (p *bodies) ifStmt(to *syntax.Stmt, s *step, blocking bool) {
	conds := []*syntax.Expr{p.ifCondition(s)}
	for s.only() != nil {
		s = s.only()
		conds = append(conds, p.ifCondition(s))
	}
	body, els := s.ifParts()
	to.Kind, to.Note = syntax.If, p.lineNote(s.pos)
	to.Body = &syntax.Body{Cond: p.trees.All(conds...), Then: p.stmts(body, blocking), Else: p.stmts(els, blocking)}
}

// ifCondition is the condition of an if. A case of one key is an if with a comparison.
func (p *bodies) ifCondition(s *step) *syntax.Expr {
	switch {
	case s.arms != nil:
		// An arm that does nothing turns the comparison round, see ifParts.
		op := syntax.Eq
		if len(s.arms[0].body) == 0 {
			op = syntax.Ne
		}
		return p.trees.Binary(op, p.inner(s.cond), p.code(s.arms[0].keys[0], s.typ))
	case len(s.then) == 0:
		return p.trees.New(syntax.Opposite, p.conditionOf(s))
	}
	return p.conditionOf(s)
}

// conditionOf is the condition of a step. That of latches counts as a whole right-hand side, so
// that it can stay one expression: a net for it would change after the data.
func (p *bodies) conditionOf(s *step) *syntax.Expr {
	if s.opens {
		return p.operand(s.cond, 0, context{truth: true})
	}
	return p.condition(s.cond)
}

// caseStmt is a case with its arms; keys that share a body share an arm.
func (p *bodies) caseStmt(to *syntax.Stmt, s *step, blocking bool) {
	to.Kind, to.Note = syntax.Case, p.lineNote(s.pos)
	to.Body = &syntax.Body{Cond: p.inner(s.cond)}
	count := 0
	for i := range s.arms {
		a := &s.arms[i]
		count += len(a.keys)
		to.Arms = append(to.Arms, syntax.Arm{Keys: p.keys(a.keys, s.typ), Body: p.stmts(a.body, blocking)})
	}

	// Every key may have an arm already. At most 30 bits, so that the shift does not
	// overflow.
	if w := p.m.Width(p.v(s.cond)); len(s.els) > 0 || w > 30 || count < 1<<w {
		to.Arms = append(to.Arms, p.defaultArm(s, blocking))
	}
}

func (p *bodies) keys(values []bits.Value, typ ir.TypeID) []*syntax.Expr {
	list := make([]*syntax.Expr, len(values))
	for i, v := range values {
		list[i] = p.code(v, typ)
	}
	return list
}

// defaultArm is the statements for keys without an arm. If all those keys have names, and
// they are few, the names are listed in place of default. If some have no name, a comment
// lists the names and default stands for all.
func (p *bodies) defaultArm(s *step, blocking bool) syntax.Arm {
	names, whole := p.restOf(s)
	a := syntax.Arm{Body: p.stmts(s.els, blocking)}
	switch {
	// Nothing to list, or too much.
	case len(s.els) == 0 || len(names) == 0 || len(names) > maxNamed:
	case whole:
		a.Keys = p.keys(names, s.typ)
	default:
		for _, n := range names {
			if en, j := p.enumOf(s.typ, n); en != nil {
				a.Comment += p.text(en.names[j]) + ", " // a comment is no use of it
			}
		}
		a.Comment += "and codes without a name"
	}
	return a
}

// maxNamed is the number of states that are listed in place of default.
const maxNamed = 4

// restOf lists the named codes of the selector's enumeration that have no arm, and reports
// whether they and the arms are all codes of its width.
func (p *bodies) restOf(s *step) (names []bits.Value, whole bool) {
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
