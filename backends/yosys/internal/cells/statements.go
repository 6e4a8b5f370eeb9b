package cells

import (
	"strings"

	"etch/ir"
)

// statements lowers the cells that say something.
func (l *lowering) statements() {
	for i := range l.j.cells {
		if c := &l.j.cells[i]; kinds[c.kind].stmt {
			l.lowerCell(c)
		}
	}
}

// moduleClock is the clock of statements that have none of their own: the only
// one of the module.
func (l *lowering) moduleClock(c *cell) (ir.ID, bool) {
	clk, n := ir.None, 0
	for i := range l.m.Ports {
		if p := &l.m.Ports[i]; p.Dir == ir.In && p.Type == ir.TypeID(ir.Clock) {
			clk, n = p.Node, n+1
		}
	}
	if n != 1 {
		l.fail(c, "cell %s (%s) has no clock of its own, and module %s has %d", c.name, c.kind, userName(l.j), n)
	}
	return clk, n == 1
}

// assertion reads an assertion that yosys has without a clock: it is looked at
// before each edge of the module's.
func assertion(k ir.StmtKind) func(*lowering, *cell) {
	return func(l *lowering, c *cell) {
		if clk, ok := l.moduleClock(c); ok {
			l.m.Stmts = append(l.m.Stmts, ir.Stmt{Kind: k, Name: stmtName(c), Clk: clk,
				En: l.enable(only(c.port("EN"))), Cond: l.in1(c, "A"), Pos: l.pos})
		}
	}
}

// stmtName is the label that the user gave.
func stmtName(c *cell) string {
	if c.hidden || strings.HasPrefix(c.name, "$") {
		return ""
	}
	return c.name
}

// initState is 1 before the first edge of the module's clock.
func initState(l *lowering, c *cell) {
	clk, ok := l.moduleClock(c)
	if !ok {
		return
	}
	id := l.m.AddReg("", 1, 0, clk, l.pos)
	r := &l.m.Regs[len(l.m.Regs)-1]
	r.Next, r.Init = l.konst(1, 0), l.konst(1, 1)
	l.give(c, "Y", id)
}

// check reads $check and $print, which have a trigger and a text.
func check(l *lowering, c *cell) {
	s := ir.Stmt{Kind: ir.Print, Name: stmtName(c), Pos: l.pos}
	if c.kind == "$check" {
		switch flavor := c.param("FLAVOR").Text(); flavor {
		case "assert":
			s.Kind = ir.Assert
		case "assume":
			s.Kind = ir.Assume
		case "cover":
			s.Kind = ir.Cover
		default:
			return
		}
		s.Cond = l.in1(c, "A")
	}

	// The trigger: a clock edge, or any change, which becomes the clock of the module.
	k := edges{}
	switch trg := c.port("TRG"); {
	case !c.flag("TRG_ENABLE"):
		clk, ok := l.moduleClock(c)
		if !ok {
			return
		}
		k.clk = clk
	case len(trg) == 0:
		return // it happens once, at power-up
	default:
		k = l.clockNode(trg[0], c.flag("TRG_POLARITY"), c)
	}
	s.Clk, s.En = k.clk, l.both(k.gate, l.enable(only(c.port("EN"))))
	if s.Kind == ir.Print {
		s.Format, s.Args = l.format(c.param("FORMAT").Text(), c.port("ARGS"))
	}

	// made.go places it.
	if k.made != ir.None {
		l.made = append(l.made, &madeEdges{user: c, clk: k.made, stmt: &s})
		return
	}
	l.m.Stmts = append(l.m.Stmts, s)
}

// format turns a text of yosys into one of the netlist. A field is {size:>w d u}:
// its size in bits, how it stands in how much room, its base and its sign.
func (l *lowering) format(text string, args []bit) (string, []ir.ID) {
	var b strings.Builder
	var ids []ir.ID
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case (ch == '{' || ch == '}') && i+1 < len(text) && text[i+1] == ch:
			b.WriteByte(ch)
			i++
		case ch == '{':
			end := strings.IndexByte(text[i:], '}')
			if end < 0 {
				end = len(text) - i - 1
			}
			field := text[i+1 : i+end]
			i += end

			// A field takes its bits from the front of the arguments.
			verb, id, n := l.field(field, args)
			if n <= len(args) {
				args = args[n:]
			}
			b.WriteString(verb)
			if id != ir.None {
				ids = append(ids, id)
			}
		case ch == '%':
			b.WriteString("%%")
		case ch == '\n' && i == len(text)-1: // a print ends its line by itself
		default:
			b.WriteByte(ch)
		}
	}
	return b.String(), ids
}

// field is one field of a format: the verb, its argument, and how many bits of
// args it takes.
func (l *lowering) field(field string, args []bit) (verb string, id ir.ID, size int) {
	for _, ch := range []byte(field) {
		if ch < '0' || ch > '9' || size > len(args) {
			break
		}
		size = 10*size + int(ch-'0')
	}
	if size == 0 || size > len(args) {
		return "", ir.None, 0
	}

	// The letters behind the colon give the verb; times and reals have none.
	_, kind, _ := strings.Cut(field, ":")
	id = l.signal(args[:size])
	switch {
	case strings.ContainsAny(kind, "bB"):
		verb = "%b"
	case strings.ContainsAny(kind, "hHxXo"):
		verb = "%x"
	case strings.Contains(kind, "c") && !strings.Contains(kind, "d"):
		return l.characters(args[:size])
	case strings.ContainsAny(kind, "tr") && !strings.Contains(kind, "d"):
		return "", ir.None, size
	default:
		verb = "%d"
		if strings.HasSuffix(kind, "s") {
			id = l.m.Add(ir.Node{Op: ir.Wire, Width: int32(size), Type: ir.TypeID(ir.SInt), Pos: l.pos}, id)
		}
	}
	return verb, id, size
}

// characters is a field of text: only its last one is printed by a single verb.
func (l *lowering) characters(args []bit) (string, ir.ID, int) {
	return "%c", l.signal(args[:min(8, len(args))]), len(args)
}
