package firrtl

import (
	"strconv"

	"etch/ir"
)

func utoa(v uint64) string { return strconv.FormatUint(v, 10) }

// statements prints assertions, assumptions, covers, prints and stops in their order.
func (p *module) statements() {
	for i := range p.m.Stmts {
		s := &p.m.Stmts[i]

		// The values come first: the statement is one line.
		for _, n := range append([]ir.ID{s.Clk, s.En, s.Cond}, s.Args...) {
			if n != ir.None {
				p.settle(n)
			}
		}

		if s.Kind == ir.Print {
			p.str("    printf(")
		} else {
			p.str("    " + s.Kind.String() + "(")
		}

		// Clock, condition, enable, and the message or the exit code.
		p.operand(s.Clk, clock)
		if s.Kind.HasCond() {
			p.str(", ")
			p.operand(s.Cond, unsigned)
		}

		p.str(", ")
		if s.En != ir.None {
			p.operand(s.En, unsigned)
		} else {
			p.number(1, 1)
		}

		if s.Kind == ir.Stop {
			p.str(", " + strconv.Itoa(s.Code))
		} else {
			p.message(i, s)
		}

		p.str(") : " + id(p.stmts[i]))
		p.end(s.Pos)
	}
}

// message prints the format of a statement and its arguments. The message of an assertion
// begins with its name, as in the simulator.
func (p *module) message(i int, s *ir.Stmt) {
	text := ""
	if s.Kind != ir.Print {
		text = escape(orElse(s.Name, s.Kind.String()), true)
		if s.Format != "" && s.Kind != ir.Cover {
			text += ": "
		}
	}

	// A cover has a name and no values.
	if s.Kind == ir.Cover {
		p.str(", \"" + text + "\"")
		return
	}

	// Verbs of the netlist become those of FIRRTL.
	var verbs []byte
	from := 0
	for k := 0; k+1 < len(s.Format); k++ {
		if s.Format[k] != '%' {
			continue
		}
		text += escape(s.Format[from:k], false)
		k++
		from = k + 1
		switch c := s.Format[k]; c {
		case '%':
			text += "%%"
		case 'd', 's': // FIRRTL has no text of a value: an enumeration prints its code
			text += "%0d"
			verbs = append(verbs, c)
		default:
			text += "%" + string(c)
			verbs = append(verbs, c)
		}
	}

	text += escape(s.Format[from:], false)
	p.str(", \"" + text + "\"")
	for j, a := range s.Args {
		p.str(", ")
		p.argument(a, verbs[j])
	}
}

// argument prints a value in the form that its verb needs.
func (p *module) argument(n ir.ID, verb byte) {
	switch w := p.m.Width(n); {
	case verb == 'd' && p.m.TypeOf(p.m.Node(n).Type).Kind.Signed():
		p.operand(n, signed)
	case verb == 'c' && w > 8:
		p.part(n, 0, 8)
	default:
		p.operand(n, unsigned)
	}
}

// escape writes text for a FIRRTL string.
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
			b = append(b, '?')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}
