package hw

import (
	"unsafe"

	"etch/ir"
)

// declare makes one target per scalar of shape; second is the matching scalar
// of an optional parallel value, or the zero handle.
func declare[T any](m *Module, what, name string, shape T, extra []T, create func(path string, x *proto, second sig) sig) T {
	b, pl := m.b, planOf[T]()
	if pl.err != nil {
		m.Errorf("bundle", "%s %s: %v", what, name, pl.err)
		return shape
	}
	out := shape
	pl.own(unsafe.Pointer(&out))
	var second map[*sig]sig
	if len(extra) > 0 {
		second = map[*sig]sig{}
		err := pl.pair(unsafe.Pointer(&out), unsafe.Pointer(&extra[0]), func(_ leafKind, a, e *sig) { second[a] = *e })
		if err != nil {
			m.Errorf("bundle", "%s %s: %v", what, name, err)
		}
	}
	pl.named(unsafe.Pointer(&out), join(m.prefix, name), func(path string, k leafKind, s *sig) {
		x := protoOf(k, *s)
		switch {
		case s.x != nil && s.x.is == poison:
			b.meet(*s)
		case s.isLive():
			b.d.report(newDiag("shape", origin(*s), "%s %s: %s is a value, not a shape; hw.Like(x) is its shape, hw.Delay registers it", what, path, describe(*s)))
		case x == nil || x.width < 1 || x.width > maxWidth:
			m.Errorf("shape", "%s: %s has no width from 1 to %d; say hw.Unsigned(w), hw.Signed(w) or hw.EnumOf(…)", what, or(path, "it"), maxWidth)
		default:
			*s = create(path, x, second[s])
			if x.flip {
				b.d.flips[flipKey{b, s.id}] = true
			}
			return
		}
		*s = poisonOf(b, max(s.Width(), 1))
	})
	return out
}

// Reg is a register of m's clock. With a reset value it takes that value in
// reset; scalars left unset in a bundle's reset value are not reset. It keeps
// its value where it is not Set.
func Reg[T any](m *Module, name string, shape T, reset ...T) T {
	return register(m, "Reg", name, shape, reset, nil)
}

// RegInit is a register without reset that powers up holding init, as FPGAs
// allow.
func RegInit[T any](m *Module, name string, shape T, init T) T {
	return register(m, "RegInit", name, shape, nil, []T{init})
}

func register[T any](m *Module, what, name string, shape T, reset, init []T) T {
	b := m.b
	extra := reset
	if len(init) > 0 {
		extra = init
	}
	return declare(m, what, name, shape, extra, func(path string, x *proto, value sig) sig {
		clk := m.clock()
		id := b.m.AddReg("", x.width, b.typeOf(x), clk.id, b.d.pos())
		b.give(id, path)
		s := sig{b: b, id: id}
		s.lv = b.addTarget(target{kind: regTarget, id: id, cur: value0(id)})
		c, ok := b.resetValue(what, s, value)
		if !ok {
			return s
		}
		r := &b.m.Regs[len(b.m.Regs)-1]
		if len(init) > 0 {
			r.Init = c
			return s
		}
		rst := m.reset()
		if rst.b == nil {
			m.Errorf("clock", "%s %s: it has a reset value and its domain no reset", what, path)
			return s
		}
		r.Rst, r.Reset, r.Async = rst.id, c, rst.typ().Kind == ir.AsyncReset
		return s
	})
}

func value0(id ir.ID) value { return value{id: id} }

// resetValue turns a literal into the constant a register takes in reset.
func (b *body) resetValue(what string, r, value sig) (ir.ID, bool) {
	if value.b == nil && value.x == nil {
		return ir.None, false
	}
	if value.isLive() && b.m.Op(value.id) != ir.Const {
		b.d.report(newDiag("reset", origin(value), "%s %s: the reset value %s is not a literal", what, describe(r), describe(value)))
		return ir.None, false
	}
	xs := [2]sig{r, value}
	if _, bad := b.agree(what, xs[:]); bad {
		return ir.None, false
	}
	return xs[1].id, true
}

// Wire is a named value to be Set later; a default holds where nothing else does.
func Wire[T any](m *Module, name string, shape T, deflt ...T) T {
	b := m.b
	return declare(m, "Wire", name, shape, deflt, func(path string, x *proto, value sig) sig {
		id := b.m.Add(ir.Node{Op: ir.Wire, Type: b.typeOf(x), Width: int32(x.width), Pos: b.d.pos()}, ir.None)
		b.give(id, path)
		s := sig{b: b, id: id}
		t := target{kind: wireTarget, id: id}
		if value.b != nil || value.x != nil {
			xs := [2]sig{s, value}
			if _, bad := b.agree("Wire", xs[:]); bad {
				xs[1].id = b.filler(s)
			}
			t.cur = value0(xs[1].id)
		}
		s.lv = b.addTarget(t)
		return s
	})
}

// Delay is x after the given number of clock cycles, without reset. No cycles
// are x itself.
func Delay[T any](m *Module, name string, x T, cycles int) T {
	for i := range cycles {
		stage := name
		if cycles > 1 {
			stage = Name(name, i+1)
		}
		r := Reg(m, stage, Like(x))
		setAll(r, x)
		x = r
	}
	return x
}

// setAll drives every scalar of dst, also flipped ones, with that of src.
func setAll[T any](dst, src T) {
	planOf[T]().pair(unsafe.Pointer(&dst), unsafe.Pointer(&src), func(_ leafKind, d, s *sig) { assign(*d, *s) })
}

// Sync brings x, of another clock domain, into m's with two registers. More
// than one bit may change at a time only if the caller knows that to be safe,
// as with a Gray code.
func Sync[T any](m *Module, name string, x T, reset ...T) T {
	first := Reg(m, name+"_meta", Like(x), reset...)
	for _, s := range scalars(&first) {
		m.b.sync[s.id] = true
	}
	setAll(first, x)
	second := Reg(m, name, Like(x), reset...)
	setAll(second, first)
	return second
}

// Static lets x, of another clock domain, be used in any: the designer promises
// that it does not change while anything looks at it, as with a configuration.
func Static[T any](m *Module, name string, x T) T {
	w := Wire(m, name, Like(x))
	for _, s := range scalars(&w) {
		m.b.sync[s.id] = true
	}
	setAll(w, x)
	return w
}
