package hw

import "etch/ir"

// Assert says that c is high at every edge of m's clock at which the enclosing conditions
// hold and m's reset is low. format and args are the message of a failure, with the verbs
// %d, %x, %b, %c, and %s, which prints the name of an enumeration's value and "?" for a
// code without a name; see ir.Stmt.
func (m *Module) Assert(c Bit, format string, args ...Signal) {
	m.statement("Assert", ir.Assert, c.sig, format, args)
}

// Assume is Assert for a property that the environment guarantees: a proof may use it, a
// simulation checks it.
func (m *Module) Assume(c Bit, format string, args ...Signal) {
	m.statement("Assume", ir.Assume, c.sig, format, args)
}

// Cover counts the clock edges at which c is high, under name.
func (m *Module) Cover(c Bit, name string) { m.statement("Cover", ir.Cover, c.sig, name, nil) }

// Printf prints at every edge of m's clock at which the enclosing conditions
// hold and m's reset is low.
func (m *Module) Printf(format string, args ...Signal) {
	m.statement("Printf", ir.Print, sig{}, format, args)
}

// Stop ends the simulation at the first edge of m's clock at which the enclosing conditions
// hold and m's reset is low: successfully with code 0, else as a failure. code is at least
// 0; it is the exit code of etch sim.
func (m *Module) Stop(code int) {
	if code < 0 {
		m.b.d.report(newDiag("range", nil, "Stop: an exit code of %d; want at least 0", code))
		return
	}

	// The statement is only there if it had no mistake.
	n := len(m.b.m.Stmts)
	m.statement("Stop", ir.Stop, sig{}, "", nil)
	if len(m.b.m.Stmts) > n {
		m.b.m.Stmts[n].Code = code
	}
}

// statement appends a statement of any kind, enabled by the conditions around it and
// outside of reset, if its operands and format are right.
func (m *Module) statement(op string, kind ir.StmtKind, cond sig, text string, args []Signal) {
	b := m.b
	if m.finished(op) {
		return
	}
	b.flush()

	// A cover has a name that must be free, the other kinds a text.
	s := ir.Stmt{Kind: kind, Clk: m.clock(), En: b.and(m.gate, b.enable()), Pos: b.d.pos()}
	if kind == ir.Cover {
		s.Name = join(m.prefix, text)
		b.claim(s.Name, claimed, s.Pos, ir.None)
	} else {
		s.Format = text
	}

	ok := true
	if kind.HasCond() {
		xs := [1]sig{cond}
		ok = !b.resolve(op, xs[:], false)
		s.Cond = xs[0].id
	}

	// Statements are void while the domain is in reset.
	if rst := m.reset(); rst.b != nil {
		s.En = b.and(b.not(rst.id), s.En)
	}

	for _, a := range args {
		id, good := b.argument(op, a)
		ok = ok && good
		s.Args = append(s.Args, id)
	}

	if ok && s.Format != "" {
		ok = b.haveNames(op, &s)
	}

	// The count of verbs comes last: a mistaken argument has been reported by now.
	switch n := ir.Verbs(s.Format); {
	case n < 0:
		b.d.report(newDiag("format", nil, "%s: the format %q has a verb that is none of %%d %%x %%b %%c %%s %%%%", op, s.Format))
	case n != len(args):
		b.d.report(newDiag("format", nil, "%s: the format %q takes %s, not %d", op, s.Format, plural(n, "argument"), len(args)))
	case ok:
		b.m.Stmts = append(b.m.Stmts, s)
	}
}

// haveNames checks that the arguments of %s are enumerations or floating point.
func (b *body) haveNames(op string, s *ir.Stmt) bool {
	verbs, _ := ir.VerbsOf(s.Format)
	for i, verb := range verbs {
		if verb != 's' || i >= len(s.Args) {
			continue
		}
		x := sig{b: b, id: s.Args[i]}
		if k := x.typ().Kind; k != ir.EnumKind && k != ir.Float {
			b.d.report(newDiag("format", origin(x), "%s: %%s prints the name of an enumeration's value or a floating-point number, and %s is neither; %%d prints a number", op, describe(x)))
			return false
		}
	}
	return true
}

// argument makes an argument of a format a signal. An unsized literal has 64 bits, or as
// many as it needs.
func (b *body) argument(op string, a Signal) (ir.ID, bool) {
	if a == nil {
		a = Bit{}
	}
	xs := [1]sig{a.handle()}
	if x := xs[0]; x.isUnsized() {
		xs[0] = litLike(op, shapeOf(max(64, x.x.lit.num.Width()+1), ir.Type{}), x)
	}
	bad := b.resolve(op, xs[:], false)
	return xs[0].id, !bad
}
