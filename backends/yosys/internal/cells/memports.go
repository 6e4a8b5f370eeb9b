package cells

import (
	"fmt"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// own notes that clocked ports make their data.
func (m *ram) own(l *lowering) {
	for i := range l.j.cells {
		if &l.j.cells[i] != m.cell {
			continue
		}
		for _, p := range m.reads {
			for _, b := range p.data {
				if p.clocked && b >= firstNet {
					l.owner[b] = int32(i) + 1
				}
			}
		}
	}
}

// addMemories adds the memories of the module, with the nodes of their clocked ports.
func (l *lowering) addMemories() {
	for _, m := range l.rams {
		l.pos = l.posOf(m.cell.attrs)
		m.at = int32(len(l.m.Mems))
		if m.isTable() {
			m.at = -1 // its reads are look-ups
		} else {
			l.m.Mems = append(l.m.Mems, ir.Memory{Name: m.name, Depth: m.size, Width: m.width, Init: m.words(), Style: m.style, Pos: l.pos})
		}
		m.readAt = make([]ir.ID, len(m.reads))
		for k := range m.reads {
			if m.reads[k].clocked {
				l.readPort(m, k)
			}
		}
		l.later = append(l.later, func() { l.connectMemory(m) })
	}
}

// under is the result of a clocked read of a word that is being written: false when
// no port of a netlist does that.
func (l *lowering) under(m *ram, p *ramRead) (ir.Under, bool) {
	at := l.trace(p.clk, m.cell, 0)
	sees, old, open := 0, 0, 0
	for k := range m.writes {
		w := &m.writes[k]
		n := w.number // the masks count as the cell does
		by := l.trace(w.clk, m.cell, 0)
		same := by.net == at.net && (by.inverted != w.rising) == (at.inverted != p.rising)
		seen := n < len(p.sees) && p.sees[n]

		// One answer must hold for all write ports on the same edge.
		switch {
		case !same && seen:
			return ir.Old, false
		case !same:
		case seen:
			sees++
		case n < len(p.open) && p.open[n]:
			open++
		default:
			old++
		}
	}
	switch {
	case sees > 0 && old > 0:
		return ir.Old, false
	case sees > 0:
		return ir.New, true
	case open > 0 && old == 0:
		return ir.Undefined, true
	}
	return ir.Old, true
}

// readPort adds the node of a clocked read port: a port of the memory, or a
// register with its own reset or power-up value behind a read without clock.
func (l *lowering) readPort(m *ram, k int) {
	p := &m.reads[k]
	name, _ := l.index.state(p.data)
	if l.index.taken[name] {
		name = ""
	}
	under, ok := l.under(m, p)

	// A port of a memory cannot have a made clock, and a table has no ports.
	ok = ok && !l.isMadeClock(p.clk) && m.at >= 0
	l.index.taken[name] = name != ""

	// A plain clocked read stays a read port of the memory.
	if ok && p.arst <= bit0 && p.srst <= bit0 && strings.Trim(string(p.atStart), "x\x00") == "" {
		mem := &l.m.Mems[m.at]
		id := l.m.Add(ir.Node{Op: ir.MemOut, Width: int32(m.width), Pos: l.pos, Aux: m.at, Aux2: int32(len(mem.Reads))})
		if name != "" {
			l.m.SetName(id, name)
		}
		mem.Reads = append(mem.Reads, ir.ReadPort{Name: fmt.Sprintf("r%d", k), Node: id, Under: under, Pos: l.pos})
		l.drive(id, p.data)
		return
	}

	// Everything else is a register behind a read without a clock.
	id := l.m.AddReg(name, m.width, 0, ir.None, l.pos)
	m.readAt[k] = id
	if strings.Contains(string(p.atStart), "0") || strings.Contains(string(p.atStart), "1") {
		l.m.Regs[len(l.m.Regs)-1].Init = l.value(number(p.atStart, m.width))
	}
	l.drive(id, p.data)
}

// connectMemory fills in the ports of a memory.
func (l *lowering) connectMemory(m *ram) {
	l.pos, l.reading = l.posOf(m.cell.attrs), m.cell
	defer func() { l.reading = nil }()
	ports := make([]ir.WritePort, len(m.writes))
	for k := range m.writes {
		ports[k] = l.writePort(m, &m.writes[k], k)
	}
	if m.at >= 0 {
		l.m.Mems[m.at].Writes = ports
	}

	// at counts the read ports that stayed with the memory.
	at := 0
	for k := range m.reads {
		p := &m.reads[k]
		switch {
		case !p.clocked:
		case m.readAt[k] != ir.None:
			l.readRegister(m, k, ports)
		default:
			e := l.clockNode(p.clk, p.rising, m.cell)
			en, addr := l.both(e.gate, l.enable(p.en)), l.address(m, p.addr)
			r := &l.m.Mems[m.at].Reads[at]
			r.Clk, r.En, r.Addr = e.clk, en, addr
			at++
		}
	}
}

// enable is an active-high pin, None when it is always high.
func (l *lowering) enable(b bit) ir.ID {
	if b == bit1 {
		return ir.None
	}
	return l.signal([]bit{b})
}

// address is an index into the memory's words.
func (l *lowering) address(m *ram, addr []bit) ir.ID {
	x := l.signal(addr)
	if m.offset == 0 {
		return x
	}
	w := max(l.width(x), ir.CountWidth(m.offset+m.size)) + 1
	return l.sub(l.resize(x, w, false), l.konst(w, uint64(m.offset)))
}

func (l *lowering) writePort(m *ram, p *ramWrite, k int) ir.WritePort {
	e := l.clockNode(p.clk, p.rising, m.cell)
	if e.made != ir.None {
		l.made = append(l.made, &madeEdges{user: m.cell, clk: e.made, mem: m, write: k})
	}
	w := ir.WritePort{Name: fmt.Sprintf("w%d", k), Clk: e.clk, Addr: l.address(m, p.addr), Data: l.signal(p.data), Pos: l.pos}

	// A lane is the largest part of the word that has one enable throughout.
	lane := lanesOf(p.en)
	if lane == len(p.en) {
		w.En = l.both(e.gate, l.enable(p.en[0]))
		return w
	}

	// The mask has a bit for each lane.
	var mask []bit
	for i := 0; i < len(p.en); i += lane {
		mask = append(mask, p.en[i])
	}
	w.En, w.Mask = e.gate, l.signal(mask)
	return w
}

// lanesOf is the width of the widest equal parts of a word that are enabled
// together.
func lanesOf(en []bit) int {
	lane, run := 0, 0 // lane divides every run of equal bits
	for i := range en {
		run++
		if i+1 == len(en) || en[i+1] != en[i] {
			lane, run = gcd(lane, run), 0
		}
	}
	return lane
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// readRegister is a clocked read port as a register.
func (l *lowering) readRegister(m *ram, k int, ports []ir.WritePort) {
	p, id := &m.reads[k], m.readAt[k]
	e := l.clockNode(p.clk, p.rising, m.cell)
	addr := l.address(m, p.addr)

	// The word of the memory, or the new one where the port sees writes.
	next := l.memRead(m, addr)
	for i := range m.writes {
		if w := &m.writes[i]; w.number < len(p.sees) && p.sees[w.number] {
			next = l.seen(m, w, ports[i], addr, next)
		}
	}

	// Resets: the asynchronous one wins, so a synchronous one beside it becomes logic.
	en := l.enable(p.en)
	rst, reset, async := ir.None, ir.None, false
	if p.srst > bit0 {
		rst, reset = l.signal([]bit{p.srst}), l.value(number(p.atSrst, m.width))
		if p.enFirst {
			rst = l.both(en, rst)
		}
	}
	if p.arst > bit0 {
		if rst != ir.None {
			if en != ir.None {
				next = l.mux(en, next, id)
			}
			next, en = l.mux(rst, reset, next), ir.None
		}
		rst, reset, async = l.signal([]bit{p.arst}), l.value(number(p.atArst, m.width)), true
	}
	l.clocked(id, e, en, next, rst, reset, async, m.cell)
}

// seen returns the word that is read if a port may be writing the same word.
func (l *lowering) seen(m *ram, w *ramWrite, port ir.WritePort, addr, old ir.ID) ir.ID {
	wa := port.Addr

	// The two addresses may differ in width.
	n := max(l.width(addr), l.width(wa))
	hit := l.both(port.En, l.eq(l.resize(addr, n, false), l.resize(wa, n, false)))
	if port.Mask == ir.None {
		return l.mux(hit, port.Data, old)
	}
	mask := l.and(l.signal(w.en), l.resize(hit, m.width, true))
	return l.or(l.and(mask, port.Data), l.and(l.not(mask), old))
}

func (l *lowering) memRead(m *ram, addr ir.ID) ir.ID {
	if m.at < 0 {
		return l.table(m.table(), addr)
	}
	return l.m.Add(ir.Node{Op: ir.MemRead, Width: int32(m.width), Pos: l.pos, Aux: m.at}, addr)
}

// readMemory is a read port without clock.
func readMemory(l *lowering, c *cell) {
	p := &c.ram.reads[c.read]
	l.drive(l.memRead(c.ram, l.address(c.ram, p.addr)), p.data)
}

// mostTable is the number of inputs up to which a memory is a look-up table.
const mostTable = 6

// isTable reports whether a memory is a case statement with one bit for each value, of which yosys
// makes a memory without a name of the user's, which nothing writes.
func (m *ram) isTable() bool {
	if m.width != 1 || m.offset != 0 || m.size < 2 || m.size > 1<<mostTable || len(m.writes) > 0 || !strings.HasPrefix(m.name, "$") {
		return false
	}
	for _, p := range m.reads {
		if len(p.addr) > mostTable {
			return false
		}
	}
	return true
}

// table is the contents of a memory that isTable: bit i is word i.
func (m *ram) table() bits.Value {
	var ones uint64
	for i, c := range m.init[:min(len(m.init), m.size)] {
		if c == '1' {
			ones |= 1 << i
		}
	}
	return bits.New(m.size, ones)
}
