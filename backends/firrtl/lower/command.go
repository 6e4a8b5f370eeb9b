package lower

import (
	"strings"

	"etch/backends/firrtl/syntax"
	"etch/ir"
)

// command is a statement that acts at a clock edge: stop, printf, assert, assume or cover.
type command struct {
	kind          ir.StmtKind
	name          string
	clk, en, cond int32 // nodes; cond 0: never true
	code          int   // of stop
	format        string
	args          []int32
	pos           ir.Pos
}

func (m *module) command(s *syntax.StmtRow) {
	c := command{name: m.l.name(s.Name), pos: m.pos, clk: m.clock(syntax.Expr(s.A))}

	// Each kind has its operands in other columns of the row.
	switch s.Kind {
	case syntax.Stop:
		c.kind, c.en, c.code = ir.Stop, m.condition(syntax.Expr(s.B)), int(s.D)
		c.name = orElse(c.name, "stop")
	case syntax.Printf:
		c.kind, c.en = ir.Print, m.condition(syntax.Expr(s.B))
		c.name = orElse(c.name, "printf")
	default:
		c.kind = ir.Assert + ir.StmtKind(s.Kind-syntax.Assert)
		c.cond, c.en = m.condition(syntax.Expr(s.B)), m.condition(syntax.Expr(s.D))
		c.name = orElse(c.name, c.kind.String())
	}

	// The enclosing whens are part of the enable.
	c.en = m.and(m.path(), c.en)
	if s.Kind != syntax.Stop && s.Kind != syntax.Cover {
		m.format(&c, m.l.name(s.Format), m.l.c.Args[s.C:s.C+s.N])
	}
	m.cmds = append(m.cmds, c)
}

// format translates a FIRRTL format string to ir's. The verbs are the same; a minimum
// width, as in %08x, is dropped.
func (m *module) format(c *command, text string, args []syntax.Expr) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		// The minimum width.
		for i++; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		}
		verb := byte(0)
		if i < len(text) {
			verb = text[i]
		}
		switch verb {
		case '%':
			b.WriteString("%%")
			continue
		case 'm':
			b.WriteString(m.l.name(m.src.Name))
			continue
		case 'h':
			verb = 'x'
		case 'd', 'x', 'b', 'c':
		default:
			m.fail("the format has a verb that FIRRTL does not have: %q", "%"+string(rune(verb)))
			return
		}
		b.WriteByte('%')
		b.WriteByte(verb)
		// Verbs take the arguments in order.
		if len(c.args) == len(args) {
			m.fail("the format %q has more verbs than arguments", text)
			return
		}
		c.args = append(c.args, m.ground(args[len(c.args)]))
	}
	if len(c.args) < len(args) {
		m.fail("the format %q has fewer verbs than arguments", text)
	}
	c.format = b.String()
}
