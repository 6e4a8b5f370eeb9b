package verilog

import (
	"cmp"
	"slices"
	"strconv"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// bindCovers claims the names of the counters of cover statements.
func (p *naming) bindCovers() {
	p.covers = grown(p.covers, len(p.m.Stmts))
	for i := range p.m.Stmts {
		if s := &p.m.Stmts[i]; s.Kind == ir.Cover {
			p.covers[i] = p.table.Claim(cmp.Or(s.Name, "cover") + "_hits")
		}
	}
}

// statements prints assertions, covers and prints for simulators. They sample values just
// before the edge, since non-blocking assignments come later.
func (p *module) statements() {
	if !slices.ContainsFunc(p.m.Stmts, p.acts) {
		return
	}
	p.Blank()
	p.Line(0, "`ifndef SYNTHESIS")
	// From here on, values are printed for simulators only.
	p.simulating = true
	p.stateOfStatements()

	// One block per clock, in the order of the first statement on it.
	var clks []ir.ID
	for i := range p.m.Stmts {
		s := &p.m.Stmts[i]
		if clk := p.edgeOf(s.Clk); p.acts(*s) && !slices.Contains(clks, clk) {
			clks = append(clks, clk)
			p.statementsOn(clk)
		}
	}
	p.unused(true)
	p.simulating = false
	p.Line(0, "`endif")
	p.Blank()
}

// stateOfStatements prints the registers and named values that only statements need. They
// cost no hardware.
func (p *module) stateOfStatements() {
	if slices.ContainsFunc(p.m.Regs, func(r ir.Register) bool { return p.is(r.Node, simOnly) }) {
		p.declareRegisters(true)
	}
	for id := ir.ID(1); int(id) < p.m.Len(); id++ {
		if p.is(id, simOnly) && p.isNet(id) {
			p.settle(id)
		}
	}
	p.registers(true)
}

// statementsOn prints the statements of a clock in one block, in their order.
func (p *module) statementsOn(clk ir.ID) {
	// Counters of covers and the values needed are declared before the block.
	var list []syntax.Stmt
	for i := range p.m.Stmts {
		s := &p.m.Stmts[i]
		if p.edgeOf(s.Clk) != clk || !p.acts(*s) {
			continue
		}
		list = append(list, p.linkStmts(p.stmtOf[i])...)
		args := s.Args
		if s.Kind == ir.Cover {
			name := p.text(p.covers[i])
			p.Str("  reg [31:0] " + name + ";")
			p.end(s.Pos)
			p.Line(2, "initial "+name+" = 32'd0;")
			args = nil // its message has none
		}
		p.settle(p.clockNet(clk), s.En, s.Cond)
		p.settle(args...)
	}
	p.always("("+p.atEdge(clk)+")", list)
}

// acts reports whether a statement can ever have an effect.
func (p *view) acts(s ir.Stmt) bool {
	if s.En != ir.None {
		if en, ok := p.konst(s.En); ok && en.IsZero() {
			return false
		}
	}
	if !s.Kind.HasCond() {
		return true
	}

	// A constant condition decides: an assertion acts if it is 0, a cover if it is 1.
	cond, ok := p.konst(s.Cond)
	return !ok || cond.IsZero() == (s.Kind != ir.Cover)
}

// statement is a statement under the condition that it acts: enabled, and for an assertion
// its condition false.
func (p *bodies) statement(i int) syntax.Stmt {
	s := &p.m.Stmts[i]
	var conds []*syntax.Expr
	if s.En != ir.None {
		conds = append(conds, p.condition(s.En))
	}
	switch s.Kind {
	case ir.Assert, ir.Assume:
		conds = append(conds, p.trees.New(syntax.Opposite, p.condition(s.Cond)))
	case ir.Cover:
		conds = append(conds, p.condition(s.Cond))
	}

	act := p.action(i, s)
	if on := p.trees.All(conds...); on != nil {
		return syntax.NewIf(on, act)
	}
	return act
}

// action is the effect of a statement.
func (p *bodies) action(i int, s *ir.Stmt) syntax.Stmt {
	switch s.Kind {
	case ir.Cover:
		return p.cover(i, s)
	case ir.Print:
		return p.display(s, "", s.Format, s.Pos)
	case ir.Stop:
		return p.stop(s)
	}
	return p.display(s, p.says(s, s.Kind.String(), "failed"), s.Format, s.Pos)
}

// stop ends the simulation, after a message if it is a failure. With RunOn it only prints.
func (p *bodies) stop(s *ir.Stmt) syntax.Stmt {
	fails := func(pos ir.Pos) syntax.Stmt {
		return p.display(s, p.says(s, "stop", "failed"), "code "+strconv.Itoa(s.Code), pos)
	}
	switch {
	case s.Code == 0 && p.o.RunOn:
		return p.display(s, p.says(s, "stop", "reached"), "", s.Pos)
	case s.Code == 0:
		return syntax.NewTask(p.lineNote(s.Pos), "$finish", "")
	case p.o.RunOn:
		return fails(s.Pos)
	}
	return syntax.NewBlock(p.lineNote(s.Pos), fails(0), syntax.NewTask("", "$finish", ""))
}

// cover counts hits and reports the first.
func (p *bodies) cover(i int, s *ir.Stmt) syntax.Stmt {
	hits := p.trees.Name(p.covers[i], 32)
	isFirst := p.trees.Binary(syntax.Eq, hits, p.zeros(32))
	first := p.display(s, p.says(s, "cover", "hit"), "", 0)
	more := p.trees.Binary(syntax.Add, hits, p.trees.Literal(bits.New(32, 1)))
	return syntax.NewBlock("", syntax.NewIf(isFirst, first), syntax.Stmt{Target: hits, Value: more})
}

// says is the beginning of a message: position, kind, name and module, for %m to complete.
func (p *bodies) says(s *ir.Stmt, what, happened string) string {
	text := what + " "
	if s.Name != "" {
		text += s.Name + " "
	}
	text += happened + " in "
	if at := p.where(s.Pos); at != "" {
		text = at + ": " + text
	}
	return text
}

// display prints a message: lead, then the text of a format. Without a lead, the text is
// printed as it is, without an added line end.
func (p *bodies) display(s *ir.Stmt, lead, format string, pos ir.Pos) syntax.Stmt {
	call, text := "$write", ""
	if lead != "" {
		call, text = "$display", escape(lead, true)+"%m"
		if format != "" {
			text += ": "
		}
	}
	// Verbs of the format become those of Verilog; text between them is escaped.
	var args []*syntax.Expr
	from := 0
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}

		text += escape(format[from:i], false)
		i++
		from = i + 1
		if format[i] == '%' {
			text += "%%"
			continue
		}
		arg := s.Args[len(args)]
		args = append(args, p.argument(arg, format[i]))
		switch verb := format[i]; {
		case verb == 'd':
			text += "%0d"
		case verb == 'x':
			text += "%h"
		case verb == 's' && p.isFloat(arg): // Verilog has no decimal of it
			text += "0x%h"
		case verb == 's':
			text += "%0s"
		default:
			text += "%" + string(verb)
		}
	}
	text += escape(format[from:], false)

	// $display ends the line itself: a line end at the end of the text becomes a $display.
	if n := len(text); lead == "" && n >= 2 && text[n-2:] == "\\n" && (n < 3 || text[n-3] != '\\') {
		call, text = "$display", text[:n-2]
	}

	return syntax.NewTask(p.lineNote(pos), call+"(\""+text+"\"", ")", args...)
}

func (p *view) isFloat(id ir.ID) bool { return p.m.TypeOf(p.m.Node(id).Type).Kind == ir.Float }

// argument is a value in the form that its verb needs: a name or a constant, which have
// their own width and sign. %c takes eight bits.
func (p *bodies) argument(id ir.ID, verb byte) *syntax.Expr {
	w, signed := p.m.Width(id), p.m.TypeOf(p.m.Node(id).Type).Kind.Signed()
	v, isConst := p.konst(id)
	switch {
	case verb == 's' && !p.isFloat(id):
		return p.nameOfValue(id)
	case verb == 'd' && !signed && isConst, verb == 'c' && w < 8 && isConst:
		return p.ref(id, context{})
	case verb == 'd' && signed && isConst:
		return p.trees.SignedLiteral(v)
	case verb == 'c' && w > 8 && isConst:
		return p.trees.Literal(v.Slice(0, 8))
	case isConst:
		return p.trees.Literal(v)

	// The form of a name or of a part of it.
	case verb == 'd' && signed:
		return p.signed(id, wantNet, context{})
	case verb == 'c' && w > 8:
		return p.bitsOf(id, 0, 8)
	case verb == 'd' || verb == 'c' && w < 8: // which extend by the sign of the declaration
		return p.trees.New(syntax.AsUnsigned, p.operand(id, wantNet, context{}))
	}
	return p.operand(id, wantNet, context{})
}

// escape writes text for a Verilog string; percent signs are doubled if the string is a
// format.
func escape(s string, percent bool) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '%' && percent:
			b = append(b, '%', '%')
		case c < ' ' || c > '~':
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}
