package lower

import (
	"slices"

	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/pads"
)

// Analog signals become nets of ir. All leaves that are attached to each other form one
// net. The sets are a union-find over the module's leaves of type Analog, whose root is the
// leaf with the smallest number. Ports have the smallest numbers, so a net with a port has
// the port as its root.

// wires is a net under construction: leaves that are attached to each other.
type wires struct {
	leaves []int32
	port   int32 // flat port on the net, -1 if none
	id     ir.ID // its NetOut node, None until it is first used
}

// attach joins analog signals to one net. Surrounding whens do not matter: an attach is
// structural.
func (m *module) attach(s *syntax.StmtRow) {
	first := int32(-1)

	// All operands join the net of the first.
	for _, e := range m.l.c.Args[s.A : s.A+s.N] {
		p := m.operand(e)
		switch {
		case p.t == noTyp && len(m.l.errs) > 0:
			return
		// The location must be a single leaf, known at compile time.
		case !p.t.ground() || p.t.kind != kAnalog:
			m.fail("attach of what is not Analog")
			return
		case p.list || p.ndyn > 0 || p.port != nil:
			m.fail("attach of an Analog that a mux or an index chooses: which wires are one must be known")
			return
		case first < 0:
			first = p.base
		default:
			m.unite(first, p.base)
		}
	}
}

// unite joins the nets of two analog leaves and equates their widths.
func (m *module) unite(a, b int32) {
	x, y := &m.nodes[m.leaves[a].node], &m.nodes[m.leaves[b].node]
	switch {
	case x.width >= 0 && y.width >= 0 && x.width != y.width:
		m.fail("attach of %s, %d bits, and %s, %d bits", m.names[x.name], x.width, m.names[y.name], y.width)
		return
	case x.width < 0:
		m.l.widen(x.width, y.width)
	}
	if y.width < 0 {
		m.l.widen(y.width, x.width)
	}

	// The smaller leaf becomes the root: ports come first.
	if m.attached == nil {
		m.attached = map[int32]int32{}
	}
	if a, b = m.netRoot(a), m.netRoot(b); a != b {
		m.attached[max(a, b)] = min(a, b)
	}
}

// netRoot is find of the union-find: the root of an analog leaf's set.
func (m *module) netRoot(leaf int32) int32 {
	root := leaf
	for next, ok := m.attached[root]; ok; next, ok = m.attached[root] {
		root = next
	}
	for leaf != root { // path compression
		next := m.attached[leaf]
		m.attached[leaf] = root
		leaf = next
	}
	return root
}

// planNets gathers the nets of a module. Two ports on one net become one port: the other is
// marked (same) and left out, and each parent attaches its two signals to each other.
func (m *module) planNets(top bool) {
	// A child that merged two of its ports connects the signals around it.
	for i := range m.insts {
		in := &m.insts[i]
		for j := range in.mod.flat {
			if same := in.mod.flat[j].same; same > 0 {
				m.unite(in.leaf(int(same-1)), in.leaf(j))
			}
		}
	}

	m.netOf = map[int32]*wires{}
	for i := range m.leaves {
		lf := &m.leaves[i]
		if n := &m.nodes[lf.node]; lf.class == lfNode || n.kind != kAnalog || n.width == 0 {
			continue
		}
		root := m.netRoot(int32(i))
		w := m.netOf[root]
		if w == nil {
			w = &wires{port: -1}
			m.netOf[root] = w
		}
		w.leaves = append(w.leaves, int32(i))

		// The first port on the net is its pad. A further one is merged with it; the main
		// module's pads are separate wires of the board, so there it is an error.
		if lf.class != lfInput && lf.class != lfOutput {
			continue
		}
		switch first := w.port; {
		case first < 0:
			w.port = lf.of
		case top:
			m.l.fail(lf.line, "ports %s and %s of the main module are attached to each other: a pad has a wire of its own", m.flat[first].name, m.flat[lf.of].name)
		default:
			m.flat[lf.of].same = first + 1
		}
	}
}

// net returns the NetOut node of an analog leaf's net, adding it on first use.
func (m *module) net(leaf int32) ir.ID {
	w := m.netOf[m.netRoot(leaf)]
	if w.id == ir.None {
		// The net takes the name of a wire on it, or of its first leaf.
		named := m.leaves[w.leaves[0]]
		for _, at := range w.leaves {
			if m.leaves[at].class == lfWire {
				named = m.leaves[at]
				break
			}
		}
		n := &m.nodes[named.node]
		w.id = m.ir.AddNet(m.names[n.name], int(n.width), m.typeID(kUInt, n.width), n.pos)
	}
	return w.id
}

// pad adds an analog port, unless it was merged with another port of its net.
func (m *module) pad(i int32, p *flatPort) ir.ID {
	w := m.netOf[m.netRoot(m.nodes[p.node].a)]

	// A merged port stands on the pad of the port that it was merged with.
	if p.same == 0 {
		m.portAt[i] = int32(len(m.ir.Ports))
		w.id = m.ir.AddPad(p.name, int(p.width), m.typeID(kUInt, p.width), p.pos)
	}
	return w.id
}

// A cell is an external module that etch writes for operations on nets that FIRRTL cannot
// express: driving, reading, pulling. It is emitted as part of the net, not as an instance.

// findCell recognises a cell by its Verilog name, and checks its ports.
func (m *module) findCell() {
	k, ok := pads.CellOf(m.src.DefName)
	if m.src.Kind != syntax.External || !ok {
		return
	}

	// Names, kinds, directions and widths must all agree with ir/pads.
	ports := k.Ports()
	same := len(m.flat) == len(ports)
	for i := 0; same && i < len(ports); i++ {
		p, want := &m.flat[i], ports[i]
		kind := kUInt
		if want.Dir == ir.InOut {
			kind = kAnalog
		}
		same = p.name == want.Name && p.t.kind == kind && p.output == (want.Dir != ir.In) &&
			int(p.width) == want.WidthOf(int(m.flat[0].width))
	}
	if !same {
		m.l.fail(m.src.Line, "extmodule %s has the name of a cell of etch (defname %s) and other ports", m.l.name(m.src.Name), m.src.DefName)
		return
	}
	m.cell = &k
}

// emitCell adds a cell's driver or pull to its net. A reading cell adds nothing.
func (m *module) emitCell(in *instance) {
	ports := in.mod.cell.Ports()

	// The leaves of the instance are in the order of the cell's ports, as findCell has checked.
	port := func(name string) int32 {
		return in.leaf(slices.IndexFunc(ports, func(p pads.CellPort) bool { return p.Name == name }))
	}
	net := &m.ir.Nets[m.ir.Node(m.net(port(pads.PadPort))).Aux]

	m.pos = in.pos
	if *in.mod.cell == pads.DriveCell {
		value, enable := &m.leaves[port(pads.ValuePort)], &m.leaves[port(pads.EnablePort)]
		net.Drivers = append(net.Drivers, ir.Driver{Value: m.arg(value.val, m.nodes[value.node].width), En: m.arg(enable.val, 1), Pos: in.pos})
	} else if pull := in.mod.cell.Pull(); pull != ir.PullNone {
		if net.Pull != ir.PullNone && net.Pull != pull {
			m.l.fail(m.src.Line, "module %s: %s is pulled up and down", m.ir.Name, m.ir.NameOf(net.Node))
		}
		net.Pull = pull
	}
}
