package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// Assert says that c is high at every edge of m's clock at which the enclosing
// conditions hold and m's reset is low. format and args are the message where it
// is not: %d, %x, %b and %c as in ir.Stmt.
func (m *Module) Assert(c Bit, format string, args ...Signal) {
	m.statement("Assert", ir.Assert, c.sig, format, args)
}

// Assume is Assert for something that the surroundings promise; a proof may use
// it, a simulation checks it.
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

func (m *Module) statement(op string, kind ir.StmtKind, cond sig, text string, args []Signal) {
	b := m.b
	b.flush()
	s := ir.Stmt{Kind: kind, Clk: m.clock().id, En: b.enable(), Pos: b.d.pos()}
	if kind == ir.Cover {
		s.Name = text
		b.claim(join(m.prefix, text), false)
	} else {
		s.Format = text
	}
	if kind != ir.Print {
		xs := [1]sig{cond}
		if b.resolve(op, xs[:], false) {
			return
		}
		s.Cond = xs[0].id
	}
	if rst := m.reset(); rst.b != nil {
		s.En = b.and(b.not(rst.id), s.En)
	}
	for _, a := range args {
		xs := [1]sig{a.handle()}
		if x := xs[0].x; x != nil && x.is == literal && x.width == 0 && x.enumVal == nil {
			w := 64
			xs[0] = sig{x: &proto{is: literal, width: w, typ: x.typ, num: bits.FromBig(w, x.num.SignedBig())}}
		}
		if b.resolve(op, xs[:], false) {
			return
		}
		s.Args = append(s.Args, xs[0].id)
	}
	if n := ir.Verbs(s.Format); n != len(args) {
		b.d.report(newDiag("format", nil, "%s: the format %q takes %d arguments, not %d (verbs: %%d %%x %%b %%c %%%%)", op, s.Format, n, len(args)))
		return
	}
	b.m.Stmts = append(b.m.Stmts, s)
}
