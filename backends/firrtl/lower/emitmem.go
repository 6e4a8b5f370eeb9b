package lower

import (
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// layout packs the leaves of every memory's word, the first field at the top and element 0
// at the bottom, and adds the memory to the module. Memories that no port uses are left
// out.
func (m *module) layout() {
	for i := range m.mems {
		mem := &m.mems[i]
		// Offsets within the word.
		mem.offset = make([]int32, len(mem.widths))
		for j, w := range mem.widths {
			mem.widths[j] = m.l.known(w)
			mem.width += mem.widths[j]
		}
		at := mem.width
		m.eachPacked(mem.elem, 0, func(leaf int32, _ *typ) {
			at -= mem.widths[leaf]
			mem.offset[leaf] = at
		})

		used := false
		for _, p := range mem.ports {
			used = used || m.mports[p].reads || m.mports[p].writes
		}
		if mem.width == 0 || !used {
			continue
		}

		if mem.width > maxWidth {
			m.l.fail(mem.line, "memory %s has words of %d bits; %d at most", mem.name, mem.width, maxWidth)
			continue
		}

		// A word of one leaf has its type; others are UInt.
		k := kUInt
		if len(mem.widths) == 1 {
			m.l.eachLeaf(mem.elem, "", false, func(_ string, t *typ, _ bool) { k = t.kind })
		}
		if mem.full != 0 {
			for range mem.words {
				mem.regs = append(mem.regs, m.ir.Add(ir.Node{Op: ir.Wire, Width: mem.width, Type: m.typeID(k, mem.width), Pos: mem.pos}, ir.None))
			}
			continue
		}
		mem.at = int32(len(m.ir.Mems))
		m.ir.Mems = append(m.ir.Mems, ir.Memory{Name: mem.name, Depth: mem.words, Width: int(mem.width), Type: m.typeID(k, mem.width), Pos: mem.pos})
	}
}

// readData is a leaf of a read port's data: a slice of the word.
func (m *module) readData(lf *leaf, n *node) ir.ID {
	p := &m.mports[lf.of]
	mem := &m.mems[p.mem]
	if !p.made {
		p.made = true
		m.readPort(p, mem)
	}

	if p.out == ir.None {
		return m.ir.Const(bits.Zero(int(n.width)), m.pos)
	}

	// The leaf is its part of the word. A word that is a single leaf is named once.
	id := m.slice(p.out, mem.offset[n.a-p.rdata], n.width)
	if id != p.out || m.ir.NameOf(id) == "" {
		m.ir.SetName(id, m.names[n.name])
	}
	m.ir.Node(id).Type = m.typeID(n.kind, n.width)
	return id
}

// readPort adds the word that a port reads. connectRead fills in address, enable and clock
// after all nodes are written.
func (m *module) readPort(p *mport, mem *memory) {
	m.pos = p.pos
	if !mem.made() || mem.read > 0 && m.stopped(m.leaves[p.clk].val) {
		return
	}
	p.port = -1
	switch {
	case mem.read == 0:
		// Latency 0: an asynchronous read, through a Wire for the address.
		p.from = m.make(ir.Wire, kUInt, addressWidth(mem.words), ir.None)
		if mem.regs != nil {
			p.out = m.readWord(mem, p.from)
			return
		}
		p.out = m.ir.Add(ir.Node{Op: ir.MemRead, Width: mem.width, Pos: p.pos, Aux: mem.at}, p.from)
		return
	default:
		out := &m.ir.Mems[mem.at]
		// Latency 1 or more: the memory's own registered read port.
		p.port = int32(len(out.Reads))
		p.out = m.ir.Add(ir.Node{Op: ir.MemOut, Width: mem.width, Pos: p.pos, Aux: mem.at, Aux2: p.port})
		under := ir.Undefined
		switch mem.under {
		case syntax.Old:
			under = ir.Old
		case syntax.New:
			under = ir.New
		}
		out.Reads = append(out.Reads, ir.ReadPort{Name: p.name, Node: p.out, Under: under, Pos: p.pos})
	}

	// Further cycles of latency. With "new" they delay the address (connectRead), so that
	// the read happens late and sees writes in between; otherwise they delay the data.
	if mem.under != syntax.New {
		for i := 1; i < mem.read; i++ {
			p.out = m.later(p.out, p.name+"_data_"+itoa(int32(i)))
			p.delayed = append(p.delayed, p.out)
		}
	}
}

// later adds a register for a value. Its clock is set when the port is connected.
func (m *module) later(x ir.ID, name string) ir.ID {
	r := m.ir.AddReg(name, m.ir.Width(x), m.ir.Node(x).Type, ir.None, m.pos)
	m.ir.Regs[len(m.ir.Regs)-1].Next = x
	return r
}

// emitMems connects the memories' ports. A port whose clock never ticks is left out.
func (m *module) emitMems() {
	for i := range m.mems {
		mem := &m.mems[i]
		if !mem.made() {
			continue
		}
		for _, at := range mem.ports {
			p := &m.mports[at]
			m.pos = p.pos
			if p.reads && p.out != ir.None {
				m.connectRead(p, mem)
			}
			if p.writes && !m.stopped(m.leaves[p.clk].val) {
				m.connectWrite(p, mem)
			}
		}
		if mem.regs != nil {
			m.connectWords(mem)
		}
	}
}

// field is the driver of a port's field.
func (m *module) field(leaf int32) ir.ID {
	lf := &m.leaves[leaf]
	return m.arg(lf.val, m.nodes[lf.node].width)
}

// connectRead gives a read port its address, enable and clock.
func (m *module) connectRead(p *mport, mem *memory) {
	addr := m.field(p.addr)
	if mem.read == 0 {
		m.ir.Args(p.from)[0] = addr
		return
	}
	clk := m.out.id[m.leaves[p.clk].val]
	en := m.field(p.en)
	// A read-write port reads when wmode is low.
	if p.writes {
		en = m.make(ir.And, kUInt, 1, en, m.make(ir.Not, kUInt, 1, m.field(p.wmode)))
	}

	// The registers of both kinds of delay get the port's clock.
	from := len(m.ir.Regs)
	if mem.under == syntax.New {
		for i := 1; i < mem.read; i++ {
			addr = m.later(addr, p.name+"_addr_"+itoa(int32(i)))
			en = m.later(en, p.name+"_en_"+itoa(int32(i)))
		}
	}
	for i := from; i < len(m.ir.Regs); i++ {
		m.ir.Regs[i].Clk = clk
	}
	for _, r := range p.delayed {
		m.ir.Regs[m.ir.Node(r).Aux].Clk = clk
	}
	out := &m.ir.Mems[mem.at].Reads[p.port]
	out.Clk, out.Addr, out.En = clk, addr, m.unlessTrue(en)
}

// unlessTrue drops an enable that is constantly high, by returning None.
func (m *module) unlessTrue(en ir.ID) ir.ID {
	if k := m.constOf(en, 0); k.ok && !k.v.IsZero() {
		return ir.None
	}
	return en
}

// connectWrite adds a write port. A write latency above 1 delays every field by registers.
func (m *module) connectWrite(p *mport, mem *memory) {
	w := ir.WritePort{Name: p.name, Clk: m.out.id[m.leaves[p.clk].val], Addr: m.field(p.addr), En: m.field(p.en), Pos: p.pos}

	// A read-write port writes when wmode is high.
	if p.reads {
		w.En = m.make(ir.And, kUInt, 1, w.En, m.field(p.wmode))
	}

	// The word in the order of layout.
	var data []ir.ID
	m.eachPacked(mem.elem, 0, func(leaf int32, _ *typ) {
		if id := m.field(p.wdata + leaf); id != ir.None {
			data = append(data, id)
		}
	})
	w.Data = m.cat2(data, mem.width)
	m.mask(p, mem, &w)

	// All fields are late by the same number of cycles, on the port's clock.
	if mem.write > 1 {
		from := len(m.ir.Regs)
		for i := 1; i < mem.write; i++ {
			for _, x := range []*ir.ID{&w.Addr, &w.En, &w.Data, &w.Mask} {
				if *x != ir.None {
					*x = m.later(*x, p.name+"_late_"+itoa(int32(len(m.ir.Regs)-from)))
				}
			}
		}
		for i := from; i < len(m.ir.Regs); i++ {
			m.ir.Regs[i].Clk = w.Clk
		}
	}
	w.En = m.unlessTrue(w.En)
	if mem.regs != nil {
		mem.writes = append(mem.writes, w)
		return
	}
	out := &m.ir.Mems[mem.at]
	out.Writes = append(out.Writes, w)
}

// mask gives a write port its mask. If all leaves of the word share one mask, it becomes
// part of the enable. Otherwise the lane width is the greatest common divisor of the
// leaves' widths.
func (m *module) mask(p *mport, mem *memory, w *ir.WritePort) {
	lane, same := int32(0), true
	first := int32(-1)
	for i, width := range mem.widths {
		if width == 0 {
			continue
		}
		val := m.leaves[p.mask+int32(i)].val
		if first < 0 {
			first = val
		}
		same = same && (val == first || m.isTrue(val) && m.isTrue(first))
		// Euclid's algorithm for lane = gcd(lane, width).
		for a := width; ; {
			if lane == 0 {
				lane = a
				break
			}
			lane, a = a, lane%a
			if a == 0 {
				break
			}
		}
	}

	// One mask for the whole word.
	if same {
		if !m.isTrue(first) {
			w.En = m.make(ir.And, kUInt, 1, w.En, m.arg(first, 1))
		}
		return
	}

	// A leaf's mask bit is repeated for each of its lanes.
	var lanes []ir.ID

	m.eachPacked(mem.elem, 0, func(leaf int32, _ *typ) {
		if width := mem.widths[leaf]; width > 0 {
			lanes = append(lanes, m.fit(m.field(p.mask+leaf), true, width/lane))
		}
	})
	w.Mask = m.cat2(lanes, mem.width/lane)
}

func (m *module) isTrue(n int32) bool {
	k := m.constOf(m.out.id[n], 0)
	return k.ok && !k.v.IsZero()
}
