package verilog

import (
	"slices"
	"strconv"

	"etch/ir"
)

// countStatements counts the operands of statements, except of those that never act.
func (p *module) countStatements() {
	for i := range p.m.Stmts {
		s := &p.m.Stmts[i]
		if !p.acts(*s) {
			continue
		}
		p.use(p.clockNet(p.edgeOf(s.Clk)), wantNet|edge)
		if s.En != ir.None {
			p.use(s.En, inside)
		}
		if s.Cond != ir.None {
			p.use(s.Cond, inside)
		}
		// Arguments are printed as names or constants, which have their own width and sign;
		// %c takes eight bits.
		if s.Kind == ir.Cover {
			continue // it has no message
		}
		verbs, _ := ir.VerbsOf(s.Format)
		for j, a := range s.Args {
			switch {
			case p.isConst(a):
			case j < len(verbs) && verbs[j] == 'c' && p.m.Width(a) > 8:
				p.useBits(a, 0, 8)
			default:
				p.use(a, wantNet)
			}
		}
	}
}

// bindCovers claims the names of the counters of cover statements.
func (p *module) bindCovers() {
	p.covers = grown(p.covers, len(p.m.Stmts))
	for i := range p.m.Stmts {
		if s := &p.m.Stmts[i]; s.Kind == ir.Cover {
			p.covers[i] = p.table.claim([]byte(orElse(s.Name, "cover") + "_hits"))
		}
	}
}

// statements prints assertions, covers and prints for simulators. They sample values just
// before the edge, since non-blocking assignments come later.
func (p *module) statements() {
	if !slices.ContainsFunc(p.m.Stmts, p.acts) {
		return
	}
	p.blank()
	p.line(0, "`ifndef SYNTHESIS")
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
	p.line(0, "`endif")
	p.blank()
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
	var list []int
	for i := range p.m.Stmts {
		s := &p.m.Stmts[i]
		if p.edgeOf(s.Clk) != clk || !p.acts(*s) {
			continue
		}
		list = append(list, i)
		ids := []ir.ID{p.clockNet(clk), s.En, s.Cond}
		if s.Kind == ir.Cover {
			name := string(p.table.get(p.covers[i]))
			p.str("  reg [31:0] " + name + ";")
			p.end(s.Pos)
			p.line(2, "initial "+name+" = 32'd0;")
		} else {
			ids = append(ids, s.Args...)
		}
		for _, id := range ids {
			if id != ir.None {
				p.settle(id)
			}
		}
	}

	p.atEdge(clk)
	p.str(") begin")
	p.nl()
	for _, i := range list {
		s := &p.m.Stmts[i]
		p.indent(4)
		p.guard(s)
		switch s.Kind {
		case ir.Cover:
			p.cover(i, s)
			continue
		case ir.Print:
			p.display(s, "", s.Format)
		case ir.Stop:
			p.stop(s)
		default:
			p.display(s, p.says(s, s.Kind.String(), "failed"), s.Format)
		}
		p.end(s.Pos)
	}
	p.line(2, "end")
}

// acts reports whether a statement can ever have an effect.
func (p *module) acts(s ir.Stmt) bool {
	if s.En != ir.None {
		if en, ok := p.konst(s.En); ok && en.IsZero() {
			return false
		}
	}
	if !s.Kind.HasCond() {
		return true
	}
	cond, ok := p.konst(s.Cond)
	return !ok || cond.IsZero() == (s.Kind != ir.Cover)
}

// guard prints the condition under which a statement acts: enabled, and for an assertion
// its condition false.
func (p *module) guard(s *ir.Stmt) {
	enabled := s.En != ir.None
	if !enabled && !s.Kind.HasCond() {
		return
	}

	p.str("if (")
	prec := 0
	if enabled && s.Kind.HasCond() {
		prec = precAndAnd
	}
	if enabled {
		p.conjunction(s.En, prec, 6)
	}
	if prec != 0 {
		p.str(" && ")
	}

	switch s.Kind {
	case ir.Assert, ir.Assume:
		p.negatedCondition(s.Cond, prec, 6)
	case ir.Cover:
		p.conjunction(s.Cond, prec, 6)
	}
	p.str(") ")
}

// stop ends the simulation, after a message if it is a failure. With RunOn it only prints.
func (p *module) stop(s *ir.Stmt) {
	says := func() { p.display(s, p.says(s, "stop", "failed"), "code "+strconv.Itoa(s.Code)) }
	switch {
	case s.Code == 0 && p.o.RunOn:
		p.display(s, p.says(s, "stop", "reached"), "")
		return
	case s.Code == 0:
		p.str("$finish;")
		return
	case p.o.RunOn:
		says()
		return
	}
	p.str("begin")
	p.nl()
	p.indent(6)
	says()
	p.nl()
	p.line(6, "$finish;")
	p.indent(4)
	p.str("end")
}

// cover counts hits and reports the first.
func (p *module) cover(i int, s *ir.Stmt) {
	name := string(p.table.get(p.covers[i]))
	p.str("begin")
	p.nl()
	p.str("      if (" + name + " == 32'd0) ")
	p.display(s, p.says(s, "cover", "hit"), "")
	p.nl()
	p.line(6, name+" <= "+name+" + 32'd1;")
	p.line(4, "end")
}

// says is the beginning of a message: position, kind, name and module, for %m to complete.
func (p *module) says(s *ir.Stmt, what, happened string) string {
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
func (p *module) display(s *ir.Stmt, lead, format string) {
	call, text := "$write", ""
	if lead != "" {
		call, text = "$display", escape(lead, true)+"%m"
		if format != "" {
			text += ": "
		}
	}
	// Verbs of the format become those of Verilog; text between them is escaped.
	from, arg := 0, -1
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		text += escape(format[from:i], false)
		i++
		from = i + 1
		if format[i] != '%' {
			arg++
		}
		switch format[i] {
		case '%':
			text += "%%"
			continue
		case 'd':
			text += "%0d"
		case 'x':
			text += "%h"
		case 's':
			if text += "%0s"; arg < len(s.Args) && p.isFloat(s.Args[arg]) {
				text = text[:len(text)-3] + "0x%h" // Verilog has no decimal of it
			}
		default:
			text += "%" + string(format[i])
		}
	}

	text += escape(format[from:], false)
	// $display ends the line itself: a line end at the end of the text becomes a $display.
	if n := len(text); lead == "" && n >= 2 && text[n-2:] == "\\n" && (n < 3 || text[n-3] != '\\') {
		call, text = "$display", text[:n-2]
	}

	p.str(call + "(\"" + text + "\"")
	verbs, _ := ir.VerbsOf(format)
	for i, a := range s.Args {
		if i < len(verbs) {
			p.ch(',')
			p.wrap(8)
			p.argument(a, verbs[i])
		}
	}
	p.str(");")
}

func (p *module) isFloat(id ir.ID) bool { return p.m.TypeOf(p.m.Node(id).Type).Kind == ir.Float }

// argument prints a value in the form that its verb needs.
func (p *module) argument(id ir.ID, verb byte) {
	w := p.m.Width(id)
	switch signed := p.m.TypeOf(p.m.Node(id).Type).Kind.Signed(); {
	case verb == 's' && !p.isFloat(id):
		p.nameOfValue(id)
	case verb == 'd' && signed:
		p.signed(id, 0, how{indent: 8})
	case verb == 'c' && w > 8:
		p.piece(id, 0, 8)
	case verb == 'd' || verb == 'c' && w < 8: // which extend by the sign of the declaration
		p.unsigned(id, ir.None, 0, how{indent: 8})
	default:
		if v, ok := p.konst(id); ok {
			p.literal(v)
			return
		}
		p.name(id)
	}
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
