package verilog

import (
	"etch/ir"
	"etch/ir/bits"
)

// initial is the value of a register at power-up, if the text is to give one.
func (p *module) initial(r *ir.Register) (bits.Value, bool) {
	if r.Init != ir.None {
		return p.m.ConstOf(r.Init), true
	}
	return bits.Zero(p.m.Width(r.Node)), p.o.Zero
}

// registers prints the always blocks of registers, each behind the values that
// it alone needs.
func (p *module) registers() {
	p.eachBlock(func(b *block) {
		p.settle(b.clk)
		if b.rst != ir.None {
			p.settle(b.rst)
		}
		eachOperand(b.steps, func(id ir.ID, _ bool) { p.settle(id) })
		p.blank()
		p.sensitive(b)
		p.blockBody(b)
		p.line(2, "end")
		p.blank()
	})
}

// sensitive prints the head of a block.
func (p *module) sensitive(b *block) {
	p.str("  always @(posedge ")
	p.name(b.clk)
	if b.async {
		if b.low {
			p.str(" or negedge ")
		} else {
			p.str(" or posedge ")
		}
		p.name(b.rst)
	}
	p.str(") begin")
	p.nl()
}

func (p *module) blockBody(b *block) {
	if b.rst == ir.None {
		p.steps(b.steps, 4, " <= ")
		return
	}
	p.str("    if (")
	switch {
	case b.low:
		p.ch('!')
		p.name(b.rst)
	case b.async:
		p.name(b.rst)
	default:
		p.condition(b.rst, 0, 4)
	}
	p.ch(')')
	var resets []step
	for _, id := range b.regs {
		r := &p.m.Regs[p.m.Node(id).Aux]
		resets = append(resets, step{target: id, value: r.Reset, typ: p.m.Node(id).Type})
	}
	p.branch(resets, 4, " <= ")
	p.elseBranch(b.steps, 4, " <= ")
}

// steps prints statements.
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
	case s.arms == nil:
		p.str("if (")
		if len(s.then) == 0 {
			p.negatedCondition(s.cond, indent)
			p.ch(')')
			p.branch(s.els, indent, sign)
			return
		}
		p.condition(s.cond, 0, indent)
		p.ch(')')
		p.branch(s.then, indent, sign)
		p.elseBranch(s.els, indent, sign)
	case len(s.arms) == 1 && len(s.arms[0].keys) == 1:
		p.singleArm(s, indent, sign)
	default:
		p.caseStep(s, indent, sign)
	}
}

func (p *module) negatedCondition(cond ir.ID, indent int) {
	p.ch('!')
	p.condition(cond, precUnary, indent)
}

func (p *module) assign(s *step, indent int, sign string) {
	p.name(s.target)
	p.str(sign)
	if v, ok := p.resetConst(s); ok {
		p.constLit(v, s.typ)
	} else {
		p.rhs(s.value, s.typ, indent)
	}
	p.ch(';')
	p.end(s.pos)
}

// resetConst is the value of an assignment of a constant, also of one that has a
// name: an asynchronous reset takes nothing but literals.
func (p *module) resetConst(s *step) (bits.Value, bool) {
	if p.m.Op(s.value) == ir.Const {
		return p.m.ConstOf(s.value), true
	}
	return bits.Value{}, false
}

// branch prints what follows a condition.
func (p *module) branch(list []step, indent int, sign string) {
	if len(list) == 1 && list[0].cond == ir.None {
		p.ch(' ')
		p.step(&list[0], indent, sign)
		return
	}
	p.str(" begin")
	p.nl()
	p.steps(list, indent+2, sign)
	p.line(indent, "end")
}

// elseBranch prints an else part, if there is one; an if in it goes on the line
// of the else.
func (p *module) elseBranch(list []step, indent int, sign string) {
	if len(list) == 0 {
		return
	}
	p.indent(indent)
	p.str("else")
	if len(list) == 1 && list[0].isIf() {
		p.ch(' ')
		p.step(&list[0], indent, sign)
		return
	}
	p.branch(list, indent, sign)
}

// isIf reports whether a statement is printed as an if.
func (s *step) isIf() bool {
	return s.cond != ir.None && (s.arms == nil || len(s.arms) == 1 && len(s.arms[0].keys) == 1)
}

// singleArm prints a case of one value as an if.
func (p *module) singleArm(s *step, indent int, sign string) {
	a := &s.arms[0]
	op, body := " == ", a.body
	if len(body) == 0 {
		op, body = " != ", s.els
	}
	p.str("if (")
	p.expr(p.v(s.cond), precEq, how{indent: indent})
	p.str(op)
	p.constLit(a.keys[0], s.typ)
	p.ch(')')
	p.branch(body, indent, sign)
	if len(a.body) > 0 {
		p.elseBranch(s.els, indent, sign)
	}
}

func (p *module) caseStep(s *step, indent int, sign string) {
	p.str("case (")
	p.expr(p.v(s.cond), 0, how{indent: indent})
	p.ch(')')
	p.nl()
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
	if w := p.m.Width(p.v(s.cond)); len(s.els) > 0 || w > 30 || count < 1<<w {
		p.indent(indent + 2)
		p.str("default:")
		p.armBody(s.els, indent+2, sign)
	}
	p.line(indent, "endcase")
}

func (p *module) armBody(list []step, indent int, sign string) {
	if len(list) == 0 {
		p.str(" ;")
		p.nl()
		return
	}
	p.branch(list, indent, sign)
}
