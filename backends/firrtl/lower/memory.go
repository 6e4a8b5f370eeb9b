package lower

import (
	"etch/backends/firrtl/syntax"
	"etch/ir"
)

// memory is a mem, cmem or smem.
type memory struct {
	name        string
	elem        *typ
	widths      []int32 // of the leaves of elem, as in node
	words       int
	read, write int // latencies
	under       syntax.Under
	chirrtl     bool
	depth       int32 // number of conditions around its declaration
	pos         ir.Pos
	line        int32
	ports       []int32
	at          int32 // index in ir.Module.Mems, -1 if it is left out
	width       int32 // of a word, in bits
	offset      []int32

	full   int32          // node of the full reset of a memory that becomes registers, else 0
	regs   []ir.ID        // wires of its words
	writes []ir.WritePort // its ports that write
}

// made reports whether the memory is in the netlist.
func (mem *memory) made() bool { return mem.at >= 0 || mem.regs != nil }

// mport is a port of a memory. Its fields are indices of leaves.
type mport struct {
	name                   string
	mem                    int32
	dir                    syntax.Direction
	addr, en, clk, wmode   int32
	rdata, wdata, mask     int32 // first leaves
	reads, writes, chirrtl bool
	exact                  syntax.Name // the address, if it is only a name
	here                   int32       // condition under which the port's declaration is reached
	pos                    ir.Pos
	line                   int32
	out                    ir.ID // the word read
	from                   ir.ID // wire of the address of an asynchronous read
	port                   int32 // index in ir.Memory.Reads
	delayed                []ir.ID
	made                   bool
}

// addressWidth is the number of address bits, at least 1.
func addressWidth(words int) int32 {
	w := int32(1)
	for 1<<w < words {
		w++
	}
	return w
}

func (m *module) addMemory(s *syntax.StmtRow, elem *typ, words int) *memory {
	mem := memory{name: m.l.name(s.Name), elem: elem, words: words, depth: int32(len(m.conds)), pos: m.pos, line: m.line, at: -1}

	// One width for each leaf, which the data of all ports share.
	m.l.eachLeaf(elem, "", false, func(_ string, t *typ, flip bool) {
		if flip || t.kind == kAnalog {
			m.fail("a memory with a flipped or analog field")
		}
		mem.widths = append(mem.widths, m.l.widthOf(t))
	})
	m.mems = append(m.mems, mem)
	return &m.mems[len(m.mems)-1]
}

// data adds the leaves of a port's data. They share the width variables of the memory.
func (m *module) data(c class, name string, mem, of int32) int32 {
	base, i := int32(len(m.leaves)), 0
	m.l.eachLeaf(m.mems[mem].elem, name, false, func(name string, t *typ, _ bool) {
		m.newLeaf(c, name, t.kind, m.mems[mem].widths[i], of)
		i++
	})
	return base
}

// maskType is t with one bit in place of each ground type.
func maskType(t *typ) *typ {
	switch {
	case t.form == syntax.Property:
		return t
	case t.ground():
		return bitTyp
	case t.form == syntax.Vector:
		return &typ{form: syntax.Vector, n: t.n, elem: maskType(t.elem), leaves: t.leaves}
	}
	mask := &typ{form: syntax.Bundle, leaves: t.leaves, fields: make([]field, len(t.fields))}
	for i, f := range t.fields {
		mask.fields[i] = field{name: f.name, t: maskType(f.t), at: f.at}
	}
	return mask
}

// memory declares a mem: a bundle with one flipped field per port.
func (m *module) memory(s *syntax.StmtRow) {
	row := &m.l.c.Mems[s.D]
	elem := m.l.typeOf(row.Type)

	mem := m.addMemory(s, elem, row.Depth)
	mem.read, mem.write, mem.under = row.ReadLatency, row.WriteLatency, row.Under
	at := int32(len(m.mems) - 1)

	// The leaves of the ports follow each other from base on.
	t := &typ{form: syntax.Bundle, flips: true}
	base := int32(len(m.leaves))
	// The specification's order: readers, writers, read-writers.
	for _, list := range []struct {
		names []syntax.Name
		dir   syntax.Direction
	}{{row.Readers, syntax.ReadPort}, {row.Writers, syntax.WritePort}, {row.ReadWrite, syntax.ReadWritePort}} {
		for _, n := range list.names {
			pt := m.memPort(at, n, list.dir)
			t.fields = append(t.fields, field{name: n, flip: true, t: pt, at: t.leaves})
			t.leaves += pt.leaves
		}
	}
	m.declareName(s.Name, decl{kind: dMem, t: t, base: base})
}

// memPort adds a port of a mem and returns its type, a bundle of the fields of the FIRRTL
// specification.
func (m *module) memPort(mem int32, n syntax.Name, dir syntax.Direction) *typ {
	x := &m.mems[mem]
	name := x.name + "_" + m.l.name(n)
	of := int32(len(m.mports))
	p := mport{name: m.l.name(n), mem: mem, dir: dir, wmode: -1, rdata: -1, wdata: -1, mask: -1,
		reads: dir != syntax.WritePort, writes: dir != syntax.ReadPort, pos: m.pos, line: m.line}

	// addField and in build the type and the leaves side by side, so that field offsets and
	// leaf numbers agree.
	t := &typ{form: syntax.Bundle, flips: true}
	addField := func(what string, ft *typ, flip bool) int32 {
		at := int32(len(m.leaves))
		t.fields = append(t.fields, field{name: m.l.lookup(what), flip: flip, t: ft, at: t.leaves})
		t.leaves += ft.leaves
		return at
	}
	in := func(what string, k kind, w int32) int32 {
		at := addField(what, groundTyp(k, w), false)
		m.newLeaf(lfMemIn, name+"_"+what, k, w, of)
		return at
	}

	// The common fields, then those that the direction adds.
	p.addr = in("addr", kUInt, addressWidth(x.words))
	p.en = in("en", kUInt, 1)
	p.clk = in("clk", kClock, 1)
	data, mask := "data", "mask"
	if dir == syntax.ReadWritePort {
		p.wmode = in("wmode", kUInt, 1)
		data, mask = "wdata", "wmask"
		p.rdata = addField("rdata", x.elem, true)
		m.data(lfMemOut, name+"_rdata", mem, of)
	}

	if dir == syntax.ReadPort {
		p.rdata = addField("data", x.elem, true)
		m.data(lfMemOut, name+"_data", mem, of)
	} else {
		p.wdata = addField(data, x.elem, false)
		m.data(lfMemIn, name+"_"+data, mem, of)
		mt := maskType(x.elem)
		p.mask = addField(mask, mt, false)
		m.l.eachLeaf(mt, name+"_"+mask, false, func(name string, t *typ, _ bool) { m.newLeaf(lfMemIn, name, kUInt, 1, of) })
	}
	m.mports = append(m.mports, p)
	m.mems[mem].ports = append(m.mems[mem].ports, of)
	return t
}

// lookup is the Name of a field of memory ports. It is -1 if the file never uses the word.
func (l *lowering) lookup(s string) syntax.Name {
	if l.words == nil {
		l.words = map[string]syntax.Name{}

		// All words of the file are looked at once.
		for i, n := range l.c.Names {
			switch n {
			case "addr", "en", "clk", "data", "mask", "wmode", "rdata", "wdata", "wmask":
				l.words[n] = syntax.Name(i)
			}
		}
	}
	if n, ok := l.words[s]; ok {
		return n
	}
	return -1
}

// chirrtlMemory declares a cmem (read latency 0) or an smem (read latency 1).
func (m *module) chirrtlMemory(s *syntax.StmtRow) {
	row := &m.l.c.Mems[s.D]
	if row.Depth == 0 {
		m.fail("memory %s has no words", m.l.name(s.Name))
		return
	}
	mem := m.addMemory(s, m.l.typeOf(row.Type), row.Depth)

	// CHIRRTL has a write latency of 1 always.
	mem.chirrtl, mem.write, mem.under = true, 1, row.Under
	if s.Kind == syntax.SMem {
		mem.read = 1
	}
	m.declareName(s.Name, decl{kind: dChirrtl, t: noTyp, of: int32(len(m.mems) - 1)})
}

// memoryPort declares a port of a cmem or smem. Its data leaves start undriven and masked;
// drivePort and read find out whether it writes and reads.
func (m *module) memoryPort(s *syntax.StmtRow) {
	d := m.memoryOf(s)
	if d == nil {
		return
	}

	mem := &m.mems[d.of]
	depth := mem.depth
	name := mem.name + "_" + m.l.name(s.Name)
	of := int32(len(m.mports))
	p := mport{name: m.l.name(s.Name), mem: d.of, dir: s.Sub, chirrtl: true, pos: m.pos, line: m.line}

	if row := &m.l.c.Exprs[s.A]; row.Kind == syntax.Ref {
		p.exact = syntax.Name(row.A)
	}

	// The address and the clock are those at the declaration.
	index := m.ground(syntax.Expr(s.A))
	if k := m.nodes[index].kind; k != kUInt {
		m.fail("an address of type %v", k)
	}

	clock := m.clock(syntax.Expr(s.B))
	p.here = m.pathFrom(depth)

	// The port's fields are leaves of the block that declares the memory, so that drivers
	// under whens merge from there.
	from := len(m.leaves)
	sink := func(field string, k kind, w, val int32) int32 {
		at := m.newLeaf(lfMemIn, name+"_"+field, k, w, of)
		m.leaves[at].val = val
		return at
	}

	// Defaults: enabled where the port is declared, no write.
	p.addr = sink("addr", kUInt, addressWidth(mem.words), index)
	p.en = sink("en", kUInt, 1, p.here)
	p.clk = sink("clk", kClock, 1, clock)
	p.wmode = sink("wmode", kUInt, 1, m.bit(0))
	p.rdata = m.data(lfMemOut, name+"_data", d.of, of)
	p.wdata = m.data(lfMemIn, name+"_wdata", d.of, of)

	p.mask = int32(len(m.leaves))
	for i := range m.mems[d.of].elem.leaves {
		w := &m.leaves[p.wdata+i]
		n := &m.nodes[w.node]
		w.val = m.invalid(n.kind, n.width)
		sink("mask_"+itoa(i), kUInt, 1, m.bit(0))
	}

	// As if the leaves were declared with the memory.
	for i := from; i < len(m.leaves); i++ {
		m.leaves[i].depth = depth
	}

	m.mports = append(m.mports, p)
	m.mems[d.of].ports = append(m.mems[d.of].ports, of)
	m.declareName(s.Name, decl{kind: dMPort, t: m.mems[d.of].elem, base: p.rdata, of: of})
}

// memoryOf finds the cmem or smem of a port; nil is an error that has been reported.
func (m *module) memoryOf(s *syntax.StmtRow) *decl {
	d := m.find(syntax.Name(s.D))
	if d != nil && d.kind != dChirrtl {
		m.fail("port %s: %s is no memory with such ports", m.l.name(s.Name), m.l.name(syntax.Name(s.D)))
		return nil
	}
	return d
}

// drivePort writes to the leaf at offset off of a CHIRRTL port, which sets its data, its
// mask and wmode.
func (m *module) drivePort(p place, off, n int32) {
	mp := &m.mports[p.port.of]
	if mp.dir == syntax.ReadPort {
		m.fail("%s is a read port: it cannot be written", mp.name)
		return
	}

	mp.writes = true

	// Under a condition, data and mask keep their value for the other lanes.
	put := func(at, cond int32) {
		i := at - p.port.base
		m.feed(mp.wdata+i, n)
		data, mask := n, m.bit(1)
		if cond != 0 {
			data = m.merge(cond, n, m.leaves[mp.wdata+i].val)
			mask = m.merge(cond, mask, m.leaves[mp.mask+i].val)
		}
		m.set(mp.wdata+i, data)
		m.set(mp.mask+i, mask)
		m.set(mp.wmode, m.bit(1))
	}

	if p.ndyn == 0 {
		put(p.base+off, 0)
		return
	}
	m.eachChosen(p, 0, p.base+off, 0, put)
}

// findAddresses collects the names that are the whole address of a port of a sequential
// memory. The enables of these ports follow from how the names are driven (see CHIRRTL in
// the package's doc).
func (m *module) findAddresses() {
	m.addrs, m.enable = map[syntax.Name]bool{}, map[syntax.Name]int32{}
	sequential := map[syntax.Name]bool{}
	m.l.eachStmt(m.src.Body, func(s *syntax.StmtRow) {
		switch s.Kind {
		case syntax.SMem:
			sequential[s.Name] = true
		case syntax.MPort:
			// Only a plain name counts: an expression has no connects of its own.
			if row := &m.l.c.Exprs[s.A]; row.Kind == syntax.Ref && sequential[syntax.Name(s.D)] {
				m.addrs[syntax.Name(row.A)] = true
			}
		}
	})
}

// noteEnable adds the current path to the enable of ports whose address is the sink.
func (m *module) noteEnable(sink place) {
	if sink.exact != 0 && sink.t.ground() && len(m.addrs) > 0 && m.addrs[sink.exact] {
		m.enable[sink.exact] = m.or(m.enable[sink.exact], m.path())
	}
}

// finishPorts determines the enables of CHIRRTL read ports.
func (m *module) finishPorts() {
	for i := range m.mports {
		p := &m.mports[i]
		if !p.chirrtl {
			continue
		}
		p.reads = p.reads && p.dir != syntax.WritePort
		// Other ports keep the condition of their declaration.
		mem := &m.mems[p.mem]
		if mem.read == 0 || p.writes || !p.reads || p.dir == syntax.ReadWritePort || p.exact == 0 {
			continue
		}

		// An address that is a plain name enables the port where the name is driven.
		sym := m.l.syms[p.exact]
		if sym.epoch != m.epoch || m.decls[sym.decl].kind != dPlain {
			continue
		}

		en := m.enable[p.exact]
		if en == 0 {
			m.l.note(p.line, "read port %s of memory %s is never enabled: its address %s is nowhere connected in this module", p.name, mem.name, m.l.name(p.exact))
			en = m.bit(0)
		}
		m.leaves[p.en].val = en
	}
}
