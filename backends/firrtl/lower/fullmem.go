package lower

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// A full asynchronous reset cannot clear a memory, but firtool makes registers of the
// memories that are read without latency, and resets these. They are so in the modules
// under test: those marked as such and all below them, or all if none is marked. Memories
// read at an edge stay memories, which keep their words, in both.

// mostResetWords is the number of words of a memory that becomes registers.
const mostResetWords = 1 << 14

// resetMemories marks the memories of a module in a domain that become registers.
func (l *lowering) resetMemories(m *module, d *domain, of map[*module]*domain) {
	if d.kind != kAsync || len(l.tested) > 0 && !l.tested[m] {
		return
	}
	for i := range m.mems {
		mem := &m.mems[i]

		// Memories with a read latency stay memories.
		if mem.read > 0 {
			continue
		}
		if mem.words > mostResetWords {
			l.failAnno(d.a, "memory %s of module %s would be %d registers, which the reset clears; %d at most", mem.name, l.name(m.src.Name), mem.words, mostResetWords)
			return
		}
		at, ok := d.in(m, of)
		if !ok {
			return
		}
		mem.full = m.readAt(at, at.base)
	}
}

// findTested finds the modules marked as under test, and those below them.
func (l *lowering) findTested() {
	l.tested = map[*module]bool{}
	for i := range l.annos.tested {
		if s := l.findTarget(&l.annos.tested[i]); s != nil {
			l.tested[s.m] = true
		}
	}

	// The order has children before parents.
	for i := len(l.order) - 1; i >= 0; i-- {
		m := l.order[i]
		if slices.ContainsFunc(m.used, func(u use) bool { return l.tested[u.in] }) {
			l.tested[m] = true
		}
	}
}

// readWord is the word at an address, by a Case of it. An address behind the last word reads the
// last one.
func (m *module) readWord(mem *memory, addr ir.ID) ir.ID {
	last := len(mem.regs) - 1
	if last == 0 {
		return mem.regs[0]
	}
	var keys []bits.Value
	args := []ir.ID{addr, mem.regs[last]}
	for i, word := range mem.regs[:last] {
		keys = append(keys, bits.New(m.ir.Width(addr), uint64(i)))
		args = append(args, word)
	}
	return m.ir.AddCase(int(mem.width), m.pos, keys, args...)
}

// connectWords drives the wires of a memory's words by registers with the full reset.
func (m *module) connectWords(mem *memory) {
	zero := m.ir.Const(bits.Zero(int(mem.width)), mem.pos)
	for i, wire := range mem.regs {
		if len(mem.writes) == 0 {
			m.ir.Args(wire)[0] = zero
			continue
		}

		// Of several ports that write a word, the last counts.
		q := m.ir.AddReg(mem.name+"_"+itoa(int32(i)), int(mem.width), m.ir.Node(wire).Type, mem.writes[0].Clk, mem.pos)
		m.ir.Args(wire)[0] = q
		next := q
		for k := range mem.writes {
			w := &mem.writes[k]
			if w.Clk != mem.writes[0].Clk {
				m.l.fail(mem.line, "memory %s of module %s becomes registers by the full reset, but its ports have different clocks", mem.name, m.ir.Name)
				return
			}
			next = m.writeWord(w, i, next)
		}
		r := &m.ir.Regs[m.ir.Node(q).Aux]
		r.Next, r.Rst, r.Reset, r.Async = next, m.out.id[mem.full], zero, true
	}
}

// writeWord is word i after a port's write, old before it.
func (m *module) writeWord(w *ir.WritePort, i int, old ir.ID) ir.ID {
	m.pos = w.Pos
	hit := m.make(ir.Eq, kUInt, 1, w.Addr, m.ir.Const(bits.New(m.ir.Width(w.Addr), uint64(i)), w.Pos))
	if w.En != ir.None {
		hit = m.make(ir.And, kUInt, 1, hit, w.En)
	}
	width := int32(m.ir.Width(old))
	if w.Mask == ir.None {
		return m.make(ir.Mux, kUInt, width, hit, w.Data, old)
	}

	// A lane for each bit of the mask, the top one first.
	lanes := int32(m.ir.Width(w.Mask))
	lane := width / lanes
	var parts []ir.ID
	for k := lanes - 1; k >= 0; k-- {
		on := m.make(ir.And, kUInt, 1, hit, m.slice(w.Mask, k, 1))
		parts = append(parts, m.make(ir.Mux, kUInt, lane, on, m.slice(w.Data, k*lane, lane), m.slice(old, k*lane, lane)))
	}
	return m.cat2(parts, width)
}
