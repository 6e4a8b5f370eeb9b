package hw

import (
	"etch/ir"
)

// crossing is how a register or wire takes a value of another clock domain.
type crossing struct {
	kind crossKind
	what string // "Sync done", for messages
	from ir.ID  // the value that crosses
	pos  ir.Pos
}

type crossKind uint8

const (
	noCross   crossKind = iota
	bitCross            // a synchroniser's first register; nothing may glitch in front of it
	grayCross           // the same for a Gray code
	heldCross           // a register that takes a value that stands still
	heldMux             // the choice in front of it, of the domain of its condition
	anyCross            // a wire that stands still
	rstCross            // a register of a reset synchroniser
)

// Sync brings a bit of another clock domain into m's with two registers, name_meta
// and name, which carry ASYNC_REG. It arrives within two or three cycles; a pulse
// shorter than one of m's cycles may be lost. The bit must come straight from a
// register, a port or a constant: logic may glitch, and the glitch would be caught.
//
// Several bits that cross so may arrive in different cycles: [SyncGray] is for a
// Gray code, [SyncHeld] for a value that stands still while it is taken,
// stream.AsyncQueue for a stream.
func Sync[T any](m *Module, name string, x T, reset ...T) T {
	// The bits of a bundle arrive in different cycles just as those of a number do.
	width := 0
	for _, s := range scalars(&x) {
		width += s.Width()
	}
	if width > 1 {
		m.b.d.report(newDiag("clock", []Note{{Msg: "hw.SyncGray is for a Gray code, hw.SyncHeld for a value that stands still, stream.AsyncQueue for a stream, one hw.Sync per bit for signals that have nothing to do with each other"}},
			"Sync %s: %s would arrive in different cycles", join(m.prefix, name), plural(width, "bit")))
	}
	return synchronised(m, "Sync", bitCross, name, x, reset)
}

// SyncGray is [Sync] for a Gray code of another domain: of its bits, at most one
// changes at an edge of its own clock, so that the old or the new value arrives
// and never a mixture. That is the caller's promise; x must come straight from
// registers. Build refuses a register that plainly counts in binary:
//
//	count.Set(next)
//	gray.Set(next.Xor(next.Shr(1)))
//	seen := hw.SyncGray(there, "seen", gray)
func SyncGray(m *Module, name string, x UInt, reset ...UInt) UInt {
	return synchronised(m, "SyncGray", grayCross, name, x, reset)
}

// synchronised is x behind two registers of m's clock.
func synchronised[T any](m *Module, what string, kind crossKind, name string, x T, reset []T) T {
	m = m.With("ASYNC_REG", "TRUE")
	first := stageOf(m, what, name+"_meta", private, x, reset)
	m.crosses(kind, what, name, scalars(&first), scalars(&x))
	return stageOf(m, what, name, register, first, reset)
}

// crosses notes that into takes from, scalar by scalar, across clocks.
func (m *Module) crosses(kind crossKind, what, name string, into, from []sig) {
	for i, s := range into {
		if s.isPlain() && s.b == m.b {
			c := crossing{kind: kind, what: what + " " + join(m.prefix, name), pos: m.b.m.Node(s.id).Pos}
			if i < len(from) && from[i].isPlain() {
				c.from = from[i].id
			}
			m.b.sync[s.id] = c
		}
	}
}

// SyncHeld brings x, of another clock domain and of any form, into m's: a register
// takes it at the edges of m's clock at which valid is high. The designer promises
// that x stands still from well before valid rises until after it falls, as where
// valid is a [Sync] of a flag that the other side raises after it has set x. valid
// belongs to m's clock.
func SyncHeld[T any](m *Module, name string, x T, valid Bit, reset ...T) T {
	return declare(m, "SyncHeld", name, x, true, reset, func(m *Module, f *form) sig {
		b, s := m.b, m.register(f)
		xs := [2]sig{f.from, valid.sig}

		// After a mistake the register exists and never takes a value.
		if b.resolve(f.what, xs[:1], false) || b.resolve(f.what, xs[1:], false) {
			xs[0].id, xs[1].id = b.filler(s), b.low()
		}

		// The choice between x and the old value belongs to valid's domain.
		pick := b.add(ir.Mux, f.typ, f.width, xs[1].id, xs[0].id, s.id)
		b.sync[pick] = crossing{kind: heldMux}
		b.sync[s.id] = crossing{kind: heldCross, what: f.what + " " + f.path, from: xs[0].id, pos: f.pos}

		// The register takes the choice as if it had been Set here.
		t := b.targets.at(s.lv.index())
		t.cur.id, t.setIn, t.setAt = pick, b.frame.serial, f.pos
		return s
	})
}

// SyncReset brings a reset into step with m's clock: the result rises with rst, at
// once, and falls with the second edge of m's clock after rst has fallen, so that
// all registers of the domain leave reset in one cycle. m needs a clock only:
//
//	clk := hw.Domain{Clk: p.Clk}
//	there := m.On(hw.Domain{Clk: p.Clk, Rst: hw.SyncReset(m.On(clk), "rst_sync", p.Rst)})
//
// The result is an asynchronous reset. Its two registers, name_meta and name, carry
// ASYNC_REG.
func SyncReset(m *Module, name string, rst Reset) Reset {
	if m.finished("SyncReset") {
		return Reset{poisonOf(m.b, 1)}
	}
	xs := [1]sig{rst.sig}
	if m.b.resolve("SyncReset", xs[:], false) {
		return Reset{poisonOf(m.b, 1)}
	}

	// Two registers that rst sets and into which zeros move. They are their own
	// domain, since the rest of m's has another reset.
	v := m.With("ASYNC_REG", "TRUE")
	v = v.On(Domain{Clk: Clock{m.clockSig()}, Rst: rst.Bit().AsAsyncReset()})
	first := stageOf(v, "SyncReset", name+"_meta", private, B(false), []Bit{B(true)})
	out := stageOf(v, "SyncReset", name, register, first, []Bit{B(true)})
	for _, s := range []Bit{first, out} {
		if s.isPlain() {
			m.b.sync[s.id] = crossing{kind: rstCross}
		}
	}
	return out.AsAsyncReset()
}

// Static lets x, of another clock domain, be used in any: the designer promises
// that it does not change while anything looks at it, as with a configuration.
func Static[T any](m *Module, name string, x T) T {
	y := declare(m, "Static", name, x, true, nil, func(m *Module, f *form) sig {
		s := m.wire(f)
		m.b.define(f, s)
		return s
	})
	m.crosses(anyCross, "Static", name, scalars(&y), scalars(&x))
	return y
}
