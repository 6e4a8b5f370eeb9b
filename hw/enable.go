package hw

import "etch/ir"

// Enabled is m with a clock enable: state made through it stands still at edges at which en
// is low. Registers and delays keep their value, memories are not written, synchronous
// reads keep their word, statements are not evaluated. A reset still works. Enabled of an
// enabled view requires both enables. On drops the enable together with the clock that it
// was for. An instance takes its enable through a port.
//
//	run := m.Enabled(p.En)
//	a := hw.Delay(run, "a", p.A.Mul(p.B), 3) // a pipeline that can be stopped
func (m *Module) Enabled(en Bit) *Module {
	if m.finished("Enabled") {
		return m
	}

	xs := [1]sig{en.sig}
	if m.b.resolve("Enabled", xs[:], false) {
		return m
	}

	// An enable that is always high changes nothing.
	if m.b.isConst(xs[0].id, 1) {
		return m
	}

	v := *m
	v.gate = m.b.and(m.gate, xs[0].id)
	return &v
}

// Enable is the clock enable of a view, High where there is none: for instances, which
// have to be given theirs by a port.
func (m *Module) Enable() Bit {
	if m.gate == ir.None || m.finished("Enable") {
		return High
	}
	return Bit{sig{b: m.b, id: m.gate}}
}

// gated is the next value of a register: driver while gate is high, else the register
// itself. It notes the register as held by an enable, which latency checks look through.
func (b *body) gated(reg, driver, gate ir.ID) ir.ID {
	// A register that keeps its value needs no enable.
	if gate == ir.None || driver == reg {
		return driver
	}

	if b.enabled == nil {
		b.enabled = map[ir.ID]bool{}
	}
	b.enabled[reg] = true

	return b.addLike(reg, ir.Mux, gate, driver, reg)
}

// allowed is the enable of a port, further limited by the gate of its view.
func (b *body) allowed(en, gate ir.ID) ir.ID {
	switch {
	case gate == ir.None || b.isConst(en, 0):
		return en
	case b.isConst(en, 1):
		return gate
	}
	return b.bitAt(b.m.Node(en).Pos, ir.And, gate, en)
}
