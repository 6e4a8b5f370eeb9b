package firrtl

import (
	mathbits "math/bits"

	"etch/ir"
	"etch/ir/bits"
)

// Memories are read without latency, and a synchronous read is a register behind
// that, which takes the word at its edges: so it holds what it has read while it
// is not enabled, and sees the old word of a write at the same edge, in every
// tool. (A FIRRTL memory of latency 1 leaves open what a port gives that is not
// enabled, and firtool 1.155 makes new of read-under-write old.) A read that is to
// see the new word looks at the write ports itself.
//
// Of two writes to a word at one edge FIRRTL leaves open which is last, and firtool
// sorts ports: the earlier port of a pair on one clock is held back where both
// write.
//
// A memory with one write port, which has a mask, has words that are vectors.
// With several write ports and masks there is a memory for each lane: firtool 1.155
// drops all masks of a memory when those of one port come to be constant. For the
// same reason a port is not enabled when its mask is all zeros.

// romWords is the largest number of words of a memory that is never written which
// is written as a vector of constants.
const romWords = 1024

// memory is how a memory is written.
type memory struct {
	name    string
	rom     bool
	lanes   int      // pieces of a word that are written together
	split   []string // a memory of its own for each lane: their names
	addr    int      // width of an address
	depth   int      // as written
	table   nameTable
	readers []*readPort
	writers []string // names of the write ports
	at      map[ir.ID]*readPort
}

// readPort is a port without latency.
type readPort struct {
	name    string
	addr    ir.ID
	guarded bool // the address may be past the end
	printed bool
	word    string // of a synchronous read: the register with the word, if that is not the port's value
	inside  string // and the one that says whether it was inside
}

func (p *module) planMemories() {
	for i := range p.m.Mems {
		mem := &p.m.Mems[i]
		to := &p.mems[i]
		*to = memory{lanes: lanesOf(p.m, mem), depth: max(mem.Depth, 2), at: map[ir.ID]*readPort{}}
		to.addr = mathbits.Len(uint(to.depth - 1))
		to.rom = isROM(mem)
		to.table.reset(len(mem.Reads) + len(mem.Writes))
		for j := range mem.Writes {
			to.writers = append(to.writers, to.table.claim(orElse(mem.Writes[j].Name, "w")))
		}
		for j := range mem.Reads {
			r := &mem.Reads[j]
			p.addReader(i, r.Node, r.Addr, orElse(r.Name, "r"))
		}
	}
}

// lanesOf is the number of pieces of a word that are written together.
func lanesOf(m *ir.Module, mem *ir.Memory) int {
	lanes := 1
	for j := range mem.Writes {
		if mask := mem.Writes[j].Mask; mask != ir.None {
			lanes = lcm(lanes, m.Width(mask))
		}
	}
	return lanes
}

// isSplit reports whether each lane of a memory is one of its own.
func isSplit(m *ir.Module, mem *ir.Memory) bool { return len(mem.Writes) > 1 && lanesOf(m, mem) > 1 }

// isROM reports whether a memory is written as a vector of constants.
func isROM(mem *ir.Memory) bool {
	return len(mem.Writes) == 0 && mem.Init != nil && mem.Depth <= romWords
}

func (p *module) addReader(i int, n, addr ir.ID, name string) *readPort {
	to := &p.mems[i]
	r := &readPort{name: to.table.claim(name), addr: addr, guarded: p.pastEnd(i, addr)}
	to.readers = append(to.readers, r)
	p.reads[n] = r
	return r
}

// planAsync gives an asynchronous read its port: one for each address.
func (p *module) planAsync(n ir.ID) {
	i := int(p.m.Node(n).Aux)
	addr := p.root(p.m.Args(n)[0])
	if r, ok := p.mems[i].at[addr]; ok {
		p.reads[n] = r
		return
	}
	p.mems[i].at[addr] = p.addReader(i, n, addr, orElse(p.userName(n), "read"))
}

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// pastEnd reports whether an address can be past the end of memory i.
func (p *module) pastEnd(i int, addr ir.ID) bool {
	depth := p.m.Mems[i].Depth
	if v, ok := p.literal(addr); ok {
		return !v.IsUint64() || v.Uint64() >= uint64(depth)
	}
	w := p.m.Width(addr)
	return w >= 63 || 1<<w > depth
}

// isPlainRead reports whether the text of an asynchronous read is as short as a
// name.
func (p *module) isPlainRead(n ir.ID) bool {
	i := p.m.Node(n).Aux
	return !p.reads[n].guarded && p.mems[i].lanes == 1 && !p.mems[i].rom
}

// memorySinks lists what the ports of memory i take.
func (p *module) memorySinks(i int) {
	mem := &p.m.Mems[i]
	for j := range mem.Reads {
		r := &mem.Reads[j]
		p.sink(readClock, i, j, r.Clk)
		p.sink(readAddress, i, j, r.Addr)
		p.sink(readEnable, i, j, r.En)
	}
	for j := range mem.Writes {
		w := &mem.Writes[j]
		p.sink(writeClock, i, j, w.Clk)
		p.sink(writeAddress, i, j, w.Addr)
		p.sink(writeEnable, i, j, w.En)
		p.sink(writeMask, i, j, w.Mask)
		p.sink(writeData, i, j, w.Data)
	}
}

// portTimes is how often the text has an operand of a port, 2 for more: for the
// port, for the test whether it is inside, for comparisons with other ports, for
// lanes.
func (p *module) portTimes(s *sink) int {
	mem := &p.m.Mems[s.i]
	others := len(mem.Writes) > 1
	for j := range mem.Reads {
		others = others || mem.Reads[j].Under == ir.New
	}
	switch s.kind {
	case readAddress:
		if mem.Reads[s.j].Under == ir.New || p.pastEnd(int(s.i), s.node) {
			return 2
		}
	case readEnable:
		if p.reads[mem.Reads[s.j].Node].guarded {
			return 2
		}
	case writeAddress:
		if others || p.pastEnd(int(s.i), s.node) {
			return 2
		}
	case writeEnable:
		if others {
			return 2
		}
	default:
		if others || p.mems[s.i].lanes > 1 {
			return 2
		}
	}
	return 1
}

// memory prints the declaration of memory i and of the registers of its
// synchronous reads.
func (p *module) memory(i int) {
	mem, to := &p.m.Mems[i], &p.mems[i]
	if to.rom {
		p.str("    wire " + id(to.name) + " : ")
		p.typeText(unsigned, mem.Width)
		p.str("[")
		p.num(mem.Depth)
		p.str("]")
		p.end(mem.Pos)
	} else if len(to.readers) > 0 || len(to.writers) > 0 {
		for _, name := range to.each() {
			p.plainMemory(i, name)
		}
	}
	for j := range mem.Reads {
		p.readRegisters(i, j)
	}
}

// each lists the names of the memories that stand for one.
func (m *memory) each() []string {
	if m.split != nil {
		return m.split
	}
	return []string{m.name}
}

func (p *module) plainMemory(i int, name string) {
	mem, to := &p.m.Mems[i], &p.mems[i]
	p.str("    mem " + id(name) + " :")
	p.end(mem.Pos)
	p.str("      data-type => ")
	p.typeText(unsigned, mem.Width/to.lanes)
	if to.lanes > 1 && to.split == nil {
		p.str("[")
		p.num(to.lanes)
		p.str("]")
	}
	p.nl()
	p.str("      depth => ")
	p.num(to.depth)
	p.nl()
	p.line(6, "read-latency => 0")
	p.line(6, "write-latency => 1")
	p.line(6, "read-under-write => old")
	for _, r := range to.readers {
		p.line(6, "reader => "+id(r.name))
	}
	for _, w := range to.writers {
		p.line(6, "writer => "+id(w))
	}
}

// readRegisters declares the register of a synchronous read. Where the address
// can be past the end there are two, so that the word goes into a register as it
// is, which synthesis takes for the output of a block RAM.
func (p *module) readRegisters(i, j int) {
	mem := &p.m.Mems[i]
	r := &mem.Reads[j]
	port := p.reads[r.Node]
	name := p.names[r.Node]
	port.word = name
	if port.guarded {
		port.word, port.inside = p.table.claim(name+"_word"), p.table.claim(name+"_inside")
		p.regHead(port.inside, unsigned, 1, r.Clk, false)
		p.end(r.Pos)
	}
	t := p.regType(r.Node)
	if port.guarded {
		t = unsigned
	}
	p.regHead(port.word, t, mem.Width, r.Clk, false)
	p.end(r.Pos)
	if port.guarded {
		p.str("    node " + id(name) + " = ")
		c := p.open(unsigned, p.regType(r.Node))
		p.str("mux(" + id(port.inside) + ", " + id(port.word) + ", ")
		p.number(mem.Width, 0)
		p.str(")")
		p.close(c)
		p.end(r.Pos)
	}
}

// wordAt is what word a of a memory starts as.
func wordAt(mem *ir.Memory, a int) bits.Value {
	if a < len(mem.Init) {
		return mem.Init[a]
	}
	return bits.Zero(mem.Width)
}
