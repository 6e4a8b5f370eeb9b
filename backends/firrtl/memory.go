package firrtl

import (
	mathbits "math/bits"

	"etch/ir"
)

// A memory has read latency 0, and a synchronous read has a register behind it that samples
// the word. So in every tool it keeps its word while it is not enabled, and gets the old
// word of a write at the same edge. (A FIRRTL memory of latency 1 leaves the value of a
// disabled port open, and firtool 1.155 treats read-under-write new as old.) A read that
// should see the new word compares addresses with the write ports itself.
//
// FIRRTL leaves open which of two writes to a word at one edge is last, and firtool sorts
// ports. So of a pair on one clock the earlier port is disabled if both write the same
// word.
//
// A memory with a single write port with a mask has words that are vectors. With several
// write ports and masks, each lane is a memory of its own: firtool 1.155 drops all masks of
// a memory if those of one port become constant. For the same reason a port is disabled
// while its mask is all zeros.

// romWords is the largest number of words for which a memory that is never written becomes
// a vector of constants.
const romWords = 1024

// memory is the plan for writing a memory.
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

// readPort is a read port of latency 0.
type readPort struct {
	name    string
	addr    ir.ID
	guarded bool // the address may be past the end
	printed bool
	word    string // of a synchronous read: the register for the word, if it is not the port's value
	inside  string // the register that records whether the address was inside
}

// planMemories names the ports, and decides depth and address width: FIRRTL needs at least
// two words.
func (p *module) planMemories() {
	for i := range p.m.Mems {
		mem := &p.m.Mems[i]
		to := &p.mems[i]
		*to = memory{lanes: lanesOf(p.m, mem), depth: max(mem.Depth, 2), at: map[ir.ID]*readPort{}}
		to.addr = mathbits.Len(uint(to.depth - 1))
		to.rom = isROM(mem)

		// The ports of each memory have a name space of their own.
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

// lanesOf is the number of parts of a word that masks enable separately.
func lanesOf(m *ir.Module, mem *ir.Memory) int {
	lanes := 1
	for j := range mem.Writes {
		// Masks of different ports may cut the word into different parts.
		if mask := mem.Writes[j].Mask; mask != ir.None {
			lanes = lcm(lanes, m.Width(mask))
		}
	}
	return lanes
}

// isSplit reports whether each lane of a memory becomes a memory.
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

// planAsync assigns a port to an asynchronous read: one per address.
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

	// No depth reaches 2^63, and the shift would overflow.
	w := p.m.Width(addr)
	return w >= 63 || 1<<w > depth
}

// isPlainRead reports whether the text of an asynchronous read is as short as a name.
func (p *module) isPlainRead(n ir.ID) bool {
	i := p.m.Node(n).Aux
	return !p.reads[n].guarded && p.mems[i].lanes == 1 && !p.mems[i].rom
}

// memorySinks lists the operands of the ports of memory i.
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

// portTimes is the number of times that the text repeats an operand of a port, at most 2:
// in the port, in the range test, in comparisons with other ports, and for lanes.
func (p *module) portTimes(s *sink) int {
	mem := &p.m.Mems[s.i]
	// Comparisons with other ports repeat all operands of a write.
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

// memory prints the declaration of memory i and of the registers behind its synchronous
// reads.
func (p *module) memory(i int) {
	mem, to := &p.m.Mems[i], &p.mems[i]

	// A ROM is a wire that constants drive.
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

// each lists the names of the FIRRTL memories that make up one.
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

	// A latency of 0 with a register behind it is the netlist's synchronous read; see package doc.
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

// readRegisters declares the register behind a synchronous read. If the address can be past
// the end there are two, one for the word and one for the range test. The word then enters
// its register unchanged, and synthesis takes that for the output of a block RAM.
func (p *module) readRegisters(i, j int) {
	mem := &p.m.Mems[i]
	r := &mem.Reads[j]
	port := p.reads[r.Node]
	name := p.names[r.Node]

	// Without a range test, the register is the value itself.
	port.word = name
	if port.guarded {
		port.word, port.inside = p.table.claim(name+"_word"), p.table.claim(name+"_inside")
		p.regHead(port.inside, unsigned, 1, r.Clk, false)
		p.end(r.Pos)
	}

	// With a range test, the type is that of the value behind the registers.
	t := p.regType(r.Node)
	if port.guarded {
		t = unsigned
	}
	p.regHead(port.word, t, mem.Width, r.Clk, false)
	p.end(r.Pos)

	// The value is chosen behind the registers.
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
