package hw

import (
	"slices"
	"strings"

	"etch/ir"
)

// form is the shape of a declared scalar and its name in its module.
type form struct {
	what  string // the function that declares it
	pads  bool   // pads may be declared
	path  string // its name
	place string // its path in its bundle
	pos   ir.Pos
	width int
	typ   ir.TypeID
	flip  bool
	claim claimKind // of a register
	from  sig       // the scalar of the shape
	extra sig       // the matching one of a reset or default value
}

// declare makes one signal per scalar of shape, by create. extra holds at most one value
// for all of them, such as a reset value. With like, shape may hold signals, whose form the
// new ones take.
func declare[T any](m *Module, what, name string, shape T, like bool, extra []T, create func(m *Module, f *form) sig) T {
	p := planOf[T]()
	if m.finished(what + " " + name) {
		return poisoned(poisonOf(m.b, 1), shape)
	}
	if err := p.err; err != nil {
		m.Errorf("bundle", "%s %s: %v", what, name, err)
		return poisoned(poisonOf(m.b, 1), shape)
	}

	// The form of a single scalar lies in the module: the common case allocates nothing.
	f := &m.b.form
	*f = form{what: what, path: join(m.prefix, name), pos: m.b.d.pos(), claim: register}
	if !p.leaf {
		return declareAll(m, p, *f, shape, like, extra, create)
	}

	out := shape
	if len(extra) > 0 {
		f.extra = *(*sig)(ptr(&extra[0]))
	}
	m.declareOne((*sig)(ptr(&out)), p.parts[0].kind, f, like, create)
	return out
}

func declareAll[T any](m *Module, p *plan, f form, shape T, like bool, extra []T, create func(m *Module, f *form) sig) T {
	// The extra values are paired with the shape first, scalars that they leave out being unset.
	var extras []sig
	if len(extra) > 0 {
		err := p.pair(ptr(&shape), ptr(&extra[0]), true, func(_ leafKind, _, e *sig) { extras = append(extras, *e) })
		if err != nil {
			m.Errorf("bundle", "%s %s: %v", f.what, f.path, err)
			return poisoned(poisonOf(m.b, 1), shape)
		}
	}

	out, i := shape, 0
	p.own(ptr(&out))
	p.named(ptr(&out), f.path, func(path string, k leafKind, s *sig) {
		g := f
		g.path, g.place = flat(path), path
		if i++; len(extras) > 0 {
			g.extra = extras[i-1]
		}
		m.declareOne(s, k, &g, like, create)
	})
	return out
}

// declareOne replaces s, one scalar of a shape, by its signal.
func (m *Module) declareOne(s *sig, k leafKind, f *form, like bool, create func(m *Module, f *form) sig) {
	f.from = *s
	if !m.b.formOf(k, *s, like, f) {
		*s = poisonLike(m.b, *s)
		return
	}

	*s = create(m, f)
	s.lv.flip(f.flip)
	m.b.place(*s, f.place)
}

// place records the path of a scalar within its bundle, from which its name was made.
func (b *body) place(s sig, path string) {
	if s.isLive() && strings.Contains(path, ".") {
		b.m.SetPath(s.id, path)
	}
}

// formOf fills in the form of a scalar, or reports why it has none.
func (b *body) formOf(k leafKind, s sig, like bool, f *form) bool {
	switch {
	case s.is(poison):
		b.meet(s)
		return false
	case k == padLeaf && !s.isSet():
		b.d.report(newDiag("unset", nil, "%s: the pad %s is unset; hw.InOut(shape) makes it", f.what, f.path))
		return false
	case (k == padLeaf || s.is(padEnd) || s.is(shape) && s.x.dir == ir.InOut) && !f.pads:
		b.d.report(newDiag("pad", b.written(s), "%s %s: %s is a pad, which only ports and hw.Net are; a register or wire takes its Value()", f.what, f.path, describe(s)))
		return false
	case s.isLive() && !like:
		b.d.report(newDiag("shape", origin(s), "%s %s: %s is a value, not a shape; hw.Like(x) is its shape, hw.Delay registers it", f.what, f.path, describe(s)))
		return false
	case s.isLive() && s.b == b:
		n := b.m.Node(s.id)
		f.width, f.typ, f.flip = int(n.Width), b.carried(k.kind(), n.Type), s.isFlipped()
		return true
	}

	// A shape, or a signal of another module or a literal as its model.
	x := s.x
	if !s.is(shape) {
		x = shapeFrom(k, s)
	}
	if width := widthAs(k, s); x == nil || width < 1 || width > maxWidth {
		var notes []Note
		if s.is(shape) {
			notes = b.written(s)
		}
		b.d.report(newDiag("shape", notes, "%s: %s", f.what, badWidth(or(f.path, "it"), width)))
		return false
	}

	f.width, f.typ, f.flip = x.width, b.typeOf(x), x.flip
	return true
}

// typeOf is the module's type of a shape.
func (b *body) typeOf(x *proto) ir.TypeID {
	t := x.typ
	if x.enum != nil {
		t.Enum = b.d.intern(x.enum).ir
	}
	return b.m.AddType(t)
}

// Reg is a register of m's clock, called name or, for a bundle, name and the path of each
// scalar. With a reset value, a literal, it takes that value in reset; scalars left unset
// in a bundle's reset value are not reset. It keeps its value while it is not Set. At
// power-up its value is arbitrary; see [RegInit]. A signal as its shape is a mistake: see
// [Like], [Delay].
func Reg[T any](m *Module, name string, shape T, reset ...T) T {
	return declare(m, "Reg", name, shape, false, reset, (*Module).register)
}

// RegInit is a register without reset that powers up holding init, as FPGAs
// allow.
func RegInit[T any](m *Module, name string, shape T, init T) T {
	return declare(m, "RegInit", name, shape, false, []T{init}, (*Module).registerInit)
}

// bare is a register without reset.
func (m *Module) bare(f *form) sig {
	b := m.b
	s := sig{b: b, id: b.m.AddReg("", f.width, f.typ, m.clock(), f.pos)}
	b.give(s.id, f.path, f.claim, f.pos)
	m.marked(s.id)
	s.lv = b.addTarget(target{kind: regTarget, id: s.id, gate: m.gate, cur: value{id: s.id}})
	return s
}

// register is a register that is reset to its extra value, if it has one.
func (m *Module) register(f *form) sig {
	s := m.bare(f)
	c, ok := m.b.startValue(f, s)
	if !ok {
		return s
	}

	rst := m.reset()
	if rst.b == nil {
		m.Errorf("clock", "%s %s: it has a reset value and its domain no reset", f.what, f.path)
		return s
	}

	// bare has appended the register.
	r := &m.b.m.Regs[len(m.b.m.Regs)-1]
	r.Rst, r.Reset, r.Async = rst.id, c, rst.typ().Kind == ir.AsyncReset
	return s
}

func (m *Module) registerInit(f *form) sig {
	s := m.bare(f)
	m.b.m.Regs[len(m.b.m.Regs)-1].Init, _ = m.b.startValue(f, s)
	return s
}

// startValue turns a literal into the constant that a register takes in reset or at
// power-up; ok is false if none is given or it is not a constant of the register's width.
func (b *body) startValue(f *form, r sig) (c ir.ID, ok bool) {
	value := f.extra
	switch {
	case !value.isSet():
		return ir.None, false
	case value.isLive() && (value.b != b || b.m.Op(value.id) != ir.Const):
		b.d.report(newDiag("reset", origin(value), "%s %s: the value at the start, %s, is not a literal", f.what, describe(r), describe(value)))
		return ir.None, false
	}

	// The value must agree with the register in width and, of an enumeration, in its set of values.
	xs := [2]sig{r, value}
	_, bad := b.agree(f.what, r.typ().Kind, xs[:])
	return xs[1].id, !bad
}

// Wire is a named value to be Set later. The default, which may be a signal, holds on paths
// that do not Set it. Without a default it must be set on every path; for a wire made
// inside a block, on every path of that block.
func Wire[T any](m *Module, name string, shape T, deflt ...T) T {
	return declare(m, "Wire", name, shape, false, deflt, (*Module).wireDefault)
}

// wireDefault is a wire whose extra value, if it has one, is its default.
func (m *Module) wireDefault(f *form) sig {
	b, s := m.b, m.wire(f)
	if !f.extra.isSet() {
		return s
	}

	// After a mistake the wire has a default all the same, or it would be reported as undriven.
	xs := [2]sig{s, f.extra}
	if _, bad := b.agree(f.what, s.typ().Kind, xs[:]); bad {
		xs[1].id = b.filler(s)
	}

	// The value goes in around the blocks: it holds wherever nothing is Set.
	b.targets.at(s.lv.index()).cur = value{id: xs[1].id, pos: f.pos}
	return s
}

func (m *Module) wire(f *form) sig {
	b := m.b
	s := sig{b: b, id: b.undriven(f.pos, f.typ, f.width)}
	b.give(s.id, f.path, claimed, f.pos)
	m.marked(s.id)
	s.lv = b.addTarget(target{kind: wireTarget, id: s.id})
	return s
}

// Delay is x after the given number of clock cycles, 0 to 65536; conditions around it do
// not matter. 0 cycles are x itself. With more than one register, register i is named
// name_i. With a reset value, a literal, each register takes that value in reset, except
// scalars that a bundle's reset value leaves unset: a pipeline whose flag alone is reset is
// Delay(m, "line", x, 3, Line{Valid: hw.Low}). Without a reset value no register is reset.
// A literal is its own delay, unless it has another value in reset.
func Delay[T any](m *Module, name string, x T, cycles int, reset ...T) T {
	if cycles < 0 || cycles > maxDelay {
		m.Errorf("range", "Delay %s: %s; want 0 to %d", name, plural(cycles, "cycle"), maxDelay)
		return x
	}

	if onlyLiterals(&x) && (len(reset) == 0 || sameLiterals(&x, &reset[0])) {
		return x
	}

	for i := range cycles {
		stage, claim := name, register
		if cycles > 1 {
			stage, claim = Name(name, i+1), private
		}
		x = stageOf(m, "Delay", stage, claim, x, reset)
	}
	return x
}

func onlyLiterals[T any](x *T) bool {
	all := scalars(x)
	return len(all) > 0 && !slices.ContainsFunc(all, func(s sig) bool { return !s.is(literal) })
}

// sameLiterals reports whether the literals of x have the same values in reset, or none
// there.
func sameLiterals[T any](x, reset *T) bool {
	a, b := scalars(x), scalars(reset)
	return len(a) == len(b) && !slices.ContainsFunc(a, func(s sig) bool {
		r := b[0]
		b = b[1:]
		return r.isSet() && !(r.is(literal) && s.x.width == r.x.width && s.x.lit.equal(r.x.lit))
	})
}

// maxDelay bounds the registers in a row; a longer delay is a memory.
const maxDelay = 1 << 16

// stageOf is x one cycle later.
func stageOf[T any](m *Module, what, name string, claim claimKind, x T, reset []T) T {
	return declare(m, what, name, x, true, reset, func(m *Module, f *form) sig {
		f.claim = claim
		s := m.register(f)
		m.b.define(f, s)
		return s
	})
}

// define drives a new target with the scalar it was modelled on, unconditionally: the
// blocks around are ignored.
func (b *body) define(f *form, s sig) {
	xs := [1]sig{f.from}
	if !f.from.isPlain() || f.from.b != b {
		if b.resolve(f.what, xs[:], false) {
			xs[0].id = b.filler(s)
		}
	}

	t := b.targets.at(s.lv.index())
	t.cur.id, t.setIn, t.setAt = xs[0].id, b.frame.serial, f.pos
}
