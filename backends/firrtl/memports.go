package firrtl

import (
	"strconv"

	"etch/ir"
)

// port is the name of a port of memory i, "ram.r0".
func (p *module) port(i int, name string) string { return id(p.mems[i].name) + "." + id(name) }

// portsOf is the names of a port in all FIRRTL memories that make up memory i.
func (p *module) portsOf(i int, name string) []string {
	var all []string
	for _, mem := range p.mems[i].each() {
		all = append(all, id(mem)+"."+id(name))
	}
	return all
}

// address prints an address with the width that memory i needs.
func (p *module) address(i int, addr ir.ID) {
	// FIRRTL wants an address even for one word.
	w := p.mems[i].addr
	switch have := p.m.Width(addr); {
	case p.m.Mems[i].Depth == 1:
		p.number(w, 0)
	case have > w:
		p.part(addr, 0, w)
	default:
		p.padded(addr, w)
	}
}

// inside prints whether an address is below the depth of memory i; the address may be past
// the end.
func (p *module) inside(i int, addr ir.ID) {
	// Callers ask only for addresses that can be past the end; a constant that can be, is.
	if _, ok := p.literal(addr); ok {
		p.number(1, 0)
		return
	}
	p.str("lt(")
	p.operand(addr, unsigned)
	p.str(", ")
	p.number(p.m.Width(addr), p.m.Mems[i].Depth)
	p.str(")")
}

// data prints the word of a read port.
func (p *module) data(i int, r *readPort) {
	to := &p.mems[i]
	switch {
	case to.rom:
		p.romWord(i, r.addr)
	case to.lanes == 1:
		p.str(p.port(i, r.name) + ".data")
	default:
		p.concat(to.lanes, func(k int) { p.lane(i, r, k) })
	}
}

// lane prints element k of the word of a read port.
func (p *module) lane(i int, r *readPort, k int) {
	if split := p.mems[i].split; split != nil {
		p.str(id(split[k]) + "." + id(r.name) + ".data")
		return
	}
	p.str(p.port(i, r.name) + ".data[")
	p.num(k)
	p.str("]")
}

// concat prints the concatenation of n pieces, piece 0 lowest.
func (p *module) concat(n int, piece func(k int)) {
	// cat has its first operand on top.
	p.tree("cat", n, func(i int) { piece(n - 1 - i) })
}

// romWord prints an element of a vector of constants.
func (p *module) romWord(i int, addr ir.ID) {
	mem := &p.m.Mems[i]
	p.str(id(p.mems[i].name) + "[")
	switch v, ok := p.literal(addr); {
	case ok && v.IsUint64() && v.Uint64() < uint64(mem.Depth):
		p.num(int(v.Uint64()))
	// Past the end any word will do: the guard gives 0.
	case ok || mem.Depth == 1:
		p.num(0)
	case p.m.Width(addr) > p.mems[i].addr:
		p.part(addr, 0, p.mems[i].addr)
	default:
		p.operand(addr, unsigned)
	}
	p.str("]")
}

// asyncRead prints the value of an asynchronous read: 0 past the end.
func (p *module) asyncRead(n ir.ID) {
	i, r := int(p.m.Node(n).Aux), p.reads[n]
	if r.guarded {
		p.str("mux(")
		p.inside(i, r.addr)
		p.str(", ")
	}
	p.data(i, r)
	if r.guarded {
		p.str(", ")
		p.number(p.m.Mems[i].Width, 0)
		p.str(")")
	}
}

// connectAsync connects the address of an asynchronous read, once per port.
func (p *module) connectAsync(n ir.ID) {
	i, r := int(p.m.Node(n).Aux), p.reads[n]

	// The words of a ROM are read without a port.
	if p.mems[i].rom || r.printed {
		return
	}
	r.printed = true
	p.connectReader(i, r, p.m.Node(n).Pos)
}

func (p *module) connectReader(i int, r *readPort, pos ir.Pos) {
	for _, port := range p.portsOf(i, r.name) {
		p.str("    connect " + port + ".addr, ")
		p.address(i, r.addr)
		p.end(pos)
	}
}

// connectMemory connects the ports of memory i, except for the addresses of asynchronous
// reads.
func (p *module) connectMemory(i int) {
	mem, to := &p.m.Mems[i], &p.mems[i]
	if to.rom {
		for a := range mem.Depth {
			p.str("    connect " + id(to.name) + "[")
			p.num(a)
			p.str("], ")
			p.constant(mem.Word(a), unsigned)
			p.end(mem.Pos)
		}
	} else {
		p.readClocks(i)
	}

	// Operands first: guards and connections refer to them.
	for j := range mem.Writes {
		p.settleWrite(&mem.Writes[j])
	}
	guards := p.writeGuards(i)
	for j := range mem.Writes {
		p.connectWrite(i, j, guards[j])
	}
	for j := range mem.Reads {
		p.connectRead(i, j)
	}
}

// readClocks connects clock and enable of the read ports. A port of latency 0 ignores them,
// but FIRRTL requires them.
func (p *module) readClocks(i int) {
	mem := &p.m.Mems[i]
	// Any clock will do.
	clk := ir.None
	if len(mem.Writes) > 0 {
		clk = mem.Writes[0].Clk
	} else if len(mem.Reads) > 0 {
		clk = mem.Reads[0].Clk
	}
	if clk != ir.None {
		p.settle(clk)
	}
	for _, r := range p.mems[i].readers {
		for _, port := range p.portsOf(i, r.name) {
			p.str("    connect " + port + ".clk, ")
			if clk != ir.None {
				p.operand(clk, clock)
			} else {
				p.str("asClock(UInt<1>(0h0))")
			}
			p.nl()
			p.line(4, "connect "+port+".en, UInt<1>(0h1)")
		}
	}
}

func (p *module) settleWrite(w *ir.WritePort) {
	for _, n := range []ir.ID{w.Clk, w.Addr, w.En, w.Mask, w.Data} {
		if n != ir.None {
			p.settle(n)
		}
	}
}

// guard is the condition that a later port writes the same word.
type guard struct {
	name string
	by   *ir.WritePort
}

// writeGuards prints, for each write port of memory i, the conditions under which later
// ports write its word.
func (p *module) writeGuards(i int) [][]guard {
	mem, to := &p.m.Mems[i], &p.mems[i]
	guards := make([][]guard, len(mem.Writes))
	for j := range mem.Writes {
		w := &mem.Writes[j]
		for k := j + 1; k < len(mem.Writes); k++ {
			by := &mem.Writes[k]
			// Ports on different clocks have no order.
			if !p.m.SameBit(by.Clk, w.Clk) || p.neverSame(w.Addr, by.Addr) {
				continue
			}
			name := p.table.claim("_" + to.name + "_" + to.writers[k] + "_over_" + to.writers[j])
			p.str("    node " + id(name) + " = ")
			p.writesTo(by, w.Addr)
			p.end(by.Pos)
			guards[j] = append(guards[j], guard{name, by})
		}
	}
	return guards
}

// neverSame reports whether two addresses are different constants.
func (p *module) neverSame(x, y ir.ID) bool {
	v, ok1 := p.literal(x)
	u, ok2 := p.literal(y)
	return ok1 && ok2 && v.Cmp(u) != 0
}

// writesTo prints whether a port is writing to some lane of the word at addr.
func (p *module) writesTo(w *ir.WritePort, addr ir.ID) {
	if w.En != ir.None {
		p.str("and(")
		p.operand(w.En, unsigned)
		p.str(", ")
	}

	// Addresses of different widths are compared with zeros above the narrower one.
	width := max(p.m.Width(w.Addr), p.m.Width(addr))
	p.str("eq(")
	p.padded(w.Addr, width)
	p.str(", ")
	p.padded(addr, width)
	p.str(")")
	if w.En != ir.None {
		p.str(")")
	}
}

// writesLane prints whether a port writes lane k of a word; test is the node for its other
// conditions.
func (p *module) writesLane(i int, w *ir.WritePort, test string, k int) {
	if w.Mask == ir.None {
		p.str(test)
		return
	}
	p.str("and(" + test + ", ")
	p.maskBit(i, w, k)
	p.str(")")
}

// maskBit prints the bit of a mask for lane k of memory i.
func (p *module) maskBit(i int, w *ir.WritePort, k int) {
	if w.Mask == ir.None {
		p.number(1, 1)
		return
	}

	// The lanes are a multiple of the mask's bits: several may share one.
	p.part(w.Mask, k*p.m.Width(w.Mask)/p.mems[i].lanes, 1)
}

// connectWrite connects a write port, in each of the FIRRTL memories.
func (p *module) connectWrite(i, j int, guards []guard) {
	to := &p.mems[i]
	w := &p.m.Mems[i].Writes[j]
	for lane, port := range p.portsOf(i, to.writers[j]) {
		at := "    connect " + port
		p.str(at + ".addr, ")
		p.address(i, w.Addr)
		p.end(w.Pos)
		p.str(at + ".clk, ")
		p.operand(w.Clk, clock)
		p.end(w.Pos)
		p.str(at + ".en, ")
		p.writeEnabled(i, w, lane, guards)
		p.end(w.Pos)

		// A memory with lanes has a mask and an element per lane.
		if to.lanes == 1 || to.split != nil {
			p.writeElement(i, w, at, "", lane, false)
			continue
		}
		for k := range to.lanes {
			p.writeElement(i, w, at, "["+strconv.Itoa(k)+"]", k, true)
		}
	}
}

// writeElement connects mask and data of one element, lane k of the word.
func (p *module) writeElement(i int, w *ir.WritePort, at, element string, k int, masked bool) {
	lane := p.m.Mems[i].Width / p.mems[i].lanes
	p.str(at + ".mask" + element + ", ")
	if masked {
		p.maskBit(i, w, k)
	} else {
		p.number(1, 1)
	}
	p.end(w.Pos)
	p.str(at + ".data" + element + ", ")
	p.part(w.Data, k*lane, lane)
	p.end(w.Pos)
}

// writeEnabled prints the condition under which a port writes: it is enabled, its address
// is inside, its mask is not zero, and no later port writes the same word.
func (p *module) writeEnabled(i int, w *ir.WritePort, lane int, guards []guard) {
	to := &p.mems[i]

	// The conditions are printed last, when their number is known.
	var conds []func()
	if w.En != ir.None {
		conds = append(conds, func() { p.operand(w.En, unsigned) })
	}

	if p.pastEnd(i, w.Addr) {
		conds = append(conds, func() { p.inside(i, w.Addr) })
	}

	switch {
	case w.Mask == ir.None:
	case to.lanes == 1 || to.split != nil:
		conds = append(conds, func() { p.maskBit(i, w, lane) })
	default:
		conds = append(conds, func() {
			p.str("orr(")
			p.operand(w.Mask, integer)
			p.str(")")
		})
	}

	// A later port wins.
	for _, g := range guards {
		conds = append(conds, func() {
			p.str("not(")
			p.writesLane(i, g.by, g.name, lane)
			p.str(")")
		})
	}

	if len(conds) == 0 {
		p.number(1, 1)
		return
	}

	p.tree("and", len(conds), func(k int) { conds[k]() })
}

// connectRead connects a synchronous read: the address of the port, and the registers
// behind it.
func (p *module) connectRead(i, j int) {
	r := &p.m.Mems[i].Reads[j]
	port := p.reads[r.Node]

	// The operands are printed first, then the port, then the registers that take its word.
	for _, n := range []ir.ID{r.Addr, r.En} {
		if n != ir.None {
			p.settle(n)
		}
	}
	if !p.mems[i].rom {
		p.connectReader(i, port, r.Pos)
	}

	// A read that sees the writes of its edge takes the word with them.
	word := func() { p.data(i, port) }
	if r.Under == ir.New {
		word = p.newWord(i, r, port)
	}

	// Before the choice of a guarded read the word is unsigned.
	t := unsigned
	if !port.guarded {
		t = p.regType(r.Node)
	}
	p.taken(r, port.word, t, word)
	if port.guarded {
		p.taken(r, port.inside, unsigned, func() { p.inside(i, r.Addr) })
	}
}

// taken connects a register that samples a value while the read is enabled.
func (p *module) taken(r *ir.ReadPort, reg string, t typ, value func()) {
	p.str("    connect " + id(reg) + ", ")

	// While the read is not enabled, the register keeps its value.
	if r.En != ir.None {
		p.str("mux(")
		p.operand(r.En, unsigned)
		p.str(", ")
	}
	c := p.open(unsigned, t)
	value()
	p.close(c)
	if r.En != ir.None {
		p.str(", " + id(reg) + ")")
	}
	p.end(r.Pos)
}

// newWord prints the lanes of the word that a read gets if it sees the writes of its own
// clock. It returns a function that prints the word.
func (p *module) newWord(i int, r *ir.ReadPort, port *readPort) func() {
	mem, to := &p.m.Mems[i], &p.mems[i]
	name := p.names[r.Node]
	// The writes that may hit the word that is read, each with its test.
	var seen []guard
	for j := range mem.Writes {
		w := &mem.Writes[j]
		if !p.m.SameBit(w.Clk, r.Clk) || p.neverSame(w.Addr, r.Addr) {
			continue
		}
		test := p.table.claim("_" + name + "_sees_" + to.writers[j])
		p.str("    node " + id(test) + " = ")
		p.writesTo(w, r.Addr)
		p.end(r.Pos)
		seen = append(seen, guard{test, w})
	}

	if len(seen) == 0 {
		return func() { p.data(i, port) }
	}

	// A lane: the data of the last port that writes it, else the stored word.
	width := mem.Width / to.lanes
	lane := func(k int) {
		for s := len(seen) - 1; s >= 0; s-- { // a later port wins
			w := seen[s].by
			p.str("mux(")
			p.writesLane(i, w, seen[s].name, k)
			p.str(", ")
			p.part(w.Data, k*width, width)
			p.str(", ")
		}

		if to.lanes == 1 {
			p.data(i, port)
		} else {
			p.lane(i, port, k)
		}

		for range seen {
			p.str(")")
		}
	}

	if to.lanes == 1 {
		return func() { lane(0) }
	}

	// Several lanes get a node each.
	names := make([]string, to.lanes)
	for k := range names {
		names[k] = p.table.claim("_" + name + "_lane")
		p.str("    node " + id(names[k]) + " = ")
		lane(k)
		p.end(r.Pos)
	}

	return func() { p.concat(to.lanes, func(k int) { p.str(id(names[k])) }) }
}
