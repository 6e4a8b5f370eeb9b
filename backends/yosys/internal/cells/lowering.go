package cells

import (
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
	"etch/ir/bits"
)

// lowering makes one module.
type lowering struct {
	builder
	r *reader
	j *jsonModule

	nets   int
	drv    []driver // by net: the node that holds it
	owner  []int32  // by net: the cell that makes it, plus 1
	inPort []int32  // by net: the input port that it is, plus 1
	init   []byte   // by net: its value at power-up, 0 when it has none
	rams   []*ram
	later  []func() // connect state to logic, once the logic exists

	apart   []bool        // by port: an input of several bits, of which some are clocks
	clocks  []bool        // by net: it is an input port and a clock
	gating  []bool        // by net: only clocks are made of it
	isMade  []bool        // by net: a clock that is made of logic
	tried   []*bool       // the marks of a trace
	made    []*madeEdges  // users of made clocks
	levels  []clockLevel  // of clocks that are read
	roots   []bit         // inputs of clock gates, and made clocks
	latches map[bit]ir.ID // registers that stand for latches of gates
	inverse map[ir.ID]ir.ID
	slices  map[sliceKey]ir.ID
	index   nameIndex
	netOf   map[bit]*net // nets with several drivers, by bit
	allNets []*net
	cone    *driveCone
	reading *cell // for errors
}

// driver is where a net is: a bit of a node.
type driver struct {
	node ir.ID
	at   int32
}

type sliceKey struct {
	node      ir.ID
	lo, width int32
}

// place is where a cell is, for an error.
func (l *lowering) place(attrs []attribute.Pair) string {
	if s := attribute.Where(attrs); s != "" {
		return s
	}
	return l.r.file + ": module " + userName(l.j) + ": "
}

func (l *lowering) fail(c *cell, format string, args ...any) {
	l.r.fail(l.place(c.attrs), format, args...)
}

// posOf returns the position in a cell's or net's attributes.
func (l *lowering) posOf(attrs []attribute.Pair) ir.Pos {
	file, n := attribute.Line(attrs)
	return l.m.Src.Line(file, n)
}

func (l *lowering) run() {
	l.m.Origin, l.m.Pos = userName(l.j), l.posOf(l.j.attrs)
	l.nets = l.j.renumber()
	l.drv, l.owner = make([]driver, l.nets), make([]int32, l.nets)
	l.inPort, l.init = make([]int32, l.nets), make([]byte, l.nets)
	l.clocks, l.gating, l.isMade = make([]bool, l.nets), make([]bool, l.nets), make([]bool, l.nets)
	l.apart = make([]bool, len(l.j.ports))
	l.inverse, l.slices, l.latches = map[ir.ID]ir.ID{}, map[sliceKey]ir.ID{}, map[bit]ir.ID{}
	if isBlackBox(l.j) {
		l.r.fail(l.place(l.j.attrs), "module %s has no body", userName(l.j))
		return
	}
	l.index.build(l.j, l.nets)
	l.inits()

	// Each step relies on those before; the first that fails ends the module.
	steps := []func(){l.memories, l.own, l.children, l.findClocks, l.splitPorts, l.findNets, l.ports, l.makeNets, l.state, l.addMemories, l.instances, l.logic, l.connect, l.statements, l.makeEdges, l.ownOpens, l.outputs, l.nameNets}
	before := len(l.r.errs)
	for _, step := range steps {
		if step(); len(l.r.errs) > before {
			return
		}
	}
}

// inits notes the values that nets have at power-up.
func (l *lowering) inits() {
	for i := range l.j.names {
		n := &l.j.names[i]
		v := attribute.Find(n.attrs, "init")
		if !v.IsBits() {
			continue
		}
		for k, b := range n.bits {
			if c := v.Bit(k); k < len(v) && b >= firstNet && (c == '0' || c == '1') {
				l.init[b] = c
			}
		}
	}
}

// own finds the cell or port that makes each net.
func (l *lowering) own() {
	// Inputs own their nets,
	for i := range l.j.ports {
		p := &l.j.ports[i]
		switch p.dir {
		case "input":
			for _, b := range p.bits {
				if b >= firstNet {
					l.inPort[b] = int32(i) + 1
				}
			}
		case "output", "inout":
		default:
			l.r.fail(l.portPlace(p), "port %s is an %s", p.name, p.dir)
		}
	}

	// then cells, after the nets with several drivers are joined. A net has one owner.
	l.mergeTristates()
	for i := range l.rams {
		l.rams[i].own(l)
	}
	for i := range l.j.cells {
		c := &l.j.cells[i]
		l.outputsOf(c, func(port string) {
			for _, b := range c.port(port) {
				if b < firstNet {
					continue
				}
				if o := l.owner[b]; o != 0 {
					l.fail(c, "net %s is driven here and at %s", l.netText(b), strings.TrimSuffix(l.place(l.j.cells[o-1].attrs), ": "))
					return
				}
				if p := l.inPort[b]; p != 0 {
					l.fail(c, "net %s is driven here and is the input %s", l.netText(b), l.j.ports[p-1].name)
					return
				}
				l.owner[b] = int32(i) + 1
			}
		})
	}
}

// portPlace is where a port is declared: its net has the same name.
func (l *lowering) portPlace(p *jsonPort) string {
	for i := range l.j.names {
		if n := &l.j.names[i]; n.name == p.name {
			return l.place(n.attrs)
		}
	}
	return l.place(l.j.attrs)
}

// netText names a net for an error.
func (l *lowering) netText(b bit) string {
	if name := l.index.bitName(b); name != "" {
		return name
	}
	return "without a name"
}

// outputsOf calls f with the output ports of a cell.
func (l *lowering) outputsOf(c *cell, f func(port string)) {
	if info, ok := kinds[c.kind]; ok {
		for _, p := range info.out {
			f(p)
		}
		return
	}

	// State, then modules of the design, then cells that say their directions.
	if ff, ok := flipFlop(c); ok && ff != nil {
		f("Q")
		return
	}
	if j := l.r.mods[c.kind]; j != nil {
		for i := range j.ports {
			if j.ports[i].dir == "output" {
				f(j.ports[i].name)
			}
		}
		return
	}
	for _, d := range c.dirs {
		if d.Value == "output" {
			f(d.Name)
		}
	}
}

// ports makes the input ports; outputs come when their drivers exist, so
// the list of ports is put in order at the end.
func (l *lowering) ports() {
	for i := range l.j.ports {
		p := &l.j.ports[i]
		if len(p.bits) == 0 || len(p.bits) > bits.MaxWidth {
			l.r.fail(l.portPlace(p), "port %s has %d bits", p.name, len(p.bits))
			return
		}
		typ := ir.TypeID(ir.UInt)
		if p.signed {
			typ = ir.TypeID(ir.SInt)
		}
		l.pos = l.portPos(p)
		switch p.dir {
		case "output":
			l.m.AddOutput(p.name, len(p.bits), typ, ir.None, l.pos)
			continue
		case "inout":
			// The bits of a pad are one net, see findNets.
			n := l.netOf[p.bits[0]]
			n.id = l.m.AddPad(p.name, len(p.bits), typ, l.pos)
			l.drive(n.id, n.bits)
			continue
		}

		// An input of one bit may be a clock.
		if b := p.bits[0]; len(p.bits) == 1 && b >= firstNet && l.clocks[b] {
			typ = ir.TypeID(ir.Clock)
		}
		id := l.m.AddInput(p.name, len(p.bits), typ, l.pos)
		l.drive(id, p.bits)
	}
}

func (l *lowering) portPos(p *jsonPort) ir.Pos {
	for i := range l.j.names {
		if n := &l.j.names[i]; n.name == p.name {
			return l.posOf(n.attrs)
		}
	}
	return l.m.Pos
}

// drive says that a node makes these nets.
func (l *lowering) drive(id ir.ID, nets []bit) {
	for i, b := range nets {
		if b >= firstNet {
			l.drv[b] = driver{id, int32(i)}
		}
	}
}

// outputs connects the output ports.
func (l *lowering) outputs() {
	for i := range l.j.ports {
		p := &l.j.ports[i]
		if p.dir != "output" {
			continue
		}
		l.pos = l.m.Ports[i].Pos

		// A clock that comes in as a port goes out as a clock.
		if b := p.bits[0]; len(p.bits) == 1 && b >= firstNet && l.clocks[b] {
			l.m.Ports[i].Type, l.m.Ports[i].Node = ir.TypeID(ir.Clock), l.drv[b].node
			continue
		}
		l.m.Ports[i].Node = l.signal(p.bits)
	}
}

// connect fills in the inputs of state.
func (l *lowering) connect() {
	for _, f := range l.later {
		f()
	}
}
