package drivers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/backends/yosys/internal/cells"
)

// A net of Verilog may have several drivers, and yosys joins all that an assign
// joins: of two drivers one stays, or the inputs that they come from are one from
// then on. So the drivers of each bit are counted before yosys works on the netlist.
// Several may be there if each of them can let go (z), if they are the same bit, or if
// nobody reads it: the variable of a loop is often shared by always blocks. yosys
// would join everything assigned to it, so its drivers are diverted (mend.go).

// Who drives a bit: an input port, an assign, a cell or an always block.
type driverKind uint8

const (
	fromInput driverKind = iota
	fromAssign
	fromCell
	fromBlock
)

const (
	maxErrors  = 10 // told at once
	maxChoices = 20 // multiplexers behind a bit that are followed
)

var errTooMany = errors.New("and more")

// source is a driver of a bit: number at of its kind, and the bit that it takes, if its
// kind takes one.
type source struct {
	kind driverKind
	at   int32
	bit  ilBit
}

// driverCheck looks at the drivers of one module.
type driverCheck struct {
	m    *ilModule
	mods map[string]*ilModule
	mend *mend

	first []uint32           // by bit: the driver that came first, as kind<<28 | at, plus 1
	more  map[ilBit][]source // all drivers of bits that have several
	all   map[ilBit][]source // of every bit, made when some bit has several
	assig map[ilBit][]ilBit  // by bit: all that always blocks assign to it inside
}

// Mend returns a netlist, as write_rtlil prints it, in which yosys does not join
// nets that only look joined; the text as it is if there are none. It fails if nets have
// drivers that fight.
func Mend(text string) (string, error) {
	mods, err := parseRTLIL(text)
	if err != nil {
		return "", err
	}
	m, err := checkDrivers(mods)
	if err != nil || m.isEmpty() {
		return text, err
	}
	return m.apply(text), nil
}

// checkDrivers fails if a net of a module has drivers that fight. Others are mended.
func checkDrivers(mods []*ilModule) (*mend, error) {
	byName := make(map[string]*ilModule, len(mods))
	for _, m := range mods {
		byName[m.name] = m
	}
	opened := map[int]string{}
	for {
		// An output that becomes an inout changes who lets go, so all modules are checked again.
		mend := newMend(opened)
		var errs []error
		for _, m := range mods {
			if attribute.Find(m.attrs, "blackbox") != "" {
				continue
			}
			c := &driverCheck{m: m, mods: byName, mend: mend}
			for _, err := range c.run() {
				if len(errs) == maxErrors {
					return nil, errors.Join(append(errs, errTooMany)...)
				}
				if !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) { // a module with other parameters
					errs = append(errs, err)
				}
			}
		}
		if len(errs) > 0 {
			return nil, errors.Join(errs...)
		}
		if len(mend.open) == 0 {
			return mend, nil
		}
		// Outputs that share a net with others are inouts from now on.
		for _, w := range mend.open {
			w.dir = "inout"
			opened[w.line] = fmt.Sprintf("wire width %d inout %d %s", w.width, w.number, w.name)
		}
	}
}

// run is one error for each wire that has drivers that fight.
func (c *driverCheck) run() []error {
	// Nearly all modules end here.
	c.count()
	if len(c.more) == 0 && !c.hasPads() {
		return nil
	}

	// Few modules come here: now all that drives is kept, to see who lets go.
	c.all = map[ilBit][]source{}
	c.eachDriver(func(s source, to ilBit) {
		if to >= 0 && !slices.Contains(c.all[to], s) {
			c.all[to] = append(c.all[to], s)
		}
	})

	c.inside()
	read := c.reads()
	var bad []ilBit

	// Loose bits are read by nothing, shared ones have drivers that let go, bad ones have drivers
	// that fight.
	loose, shared := map[ilBit]bool{}, map[ilBit]bool{}
	for b := range c.more {
		switch same, open := c.agree(b); {
		case !read[b]:
			loose[b] = true
		case !same && !open:
			bad = append(bad, b)
		case !same:
			shared[b] = true
		}
	}

	c.mend.lead(c, loose)
	c.sharedByPads(shared)
	c.mend.share(c, shared)
	return c.fights(bad)
}

// count finds the bits that have several drivers. Nearly all modules have one driver per bit, so
// this pass keeps only the first one of each.
func (c *driverCheck) count() {
	c.first = make([]uint32, c.m.bits)
	c.eachDriver(func(s source, to ilBit) {
		if to < 0 {
			return
		}

		id := uint32(s.kind)<<28 | uint32(s.at) + 1
		switch c.first[to] {
		case 0:
			c.first[to] = id
		case id:
		default:
			if c.more == nil {
				c.more = map[ilBit][]source{}
			}
			c.more[to] = nil
		}
	})
}

// eachDriver calls f with each driver of each bit.
func (c *driverCheck) eachDriver(f func(s source, to ilBit)) {
	m := c.m

	// Inputs.
	for i := range m.wires {
		if w := &m.wires[i]; w.dir == "input" {
			for k := range w.width {
				f(source{fromInput, int32(i), ilBit(w.base + k)}, ilBit(w.base+k))
			}
		}
	}

	// Assigns and always blocks, bit by bit.
	joined := func(kind driverKind, at int, conns []ilConn) {
		for _, k := range conns {
			left, right := m.signal(k.left), m.signal(k.right)
			for i, b := range left {
				if i < len(right) {
					f(source{kind, int32(at), right[i]}, b)
				}
			}
		}
	}
	for i := range m.conns {
		joined(fromAssign, i, m.conns[i:i+1])
	}
	for i := range m.procs {
		joined(fromBlock, i, m.procs[i].updates)
	}

	// Outputs of cells.
	for i := range m.cells {
		for _, p := range m.cells[i].pins {
			if c.isOutput(&m.cells[i], p.name) {
				for k, b := range m.signal(p.signal) {
					f(source{fromCell, int32(i), ilBit(k)}, b)
				}
			}
		}
	}
}

// isOutput reports whether a cell drives the net at a pin.
func (c *driverCheck) isOutput(cell *ilCell, pin string) bool {
	if m := c.mods[cell.kind]; m != nil {
		at, ok := m.at[`\`+pin]
		return ok && m.wires[at].dir == "output"
	}
	return cells.Drives(cell.kind, pin)
}

// inside collects the assignments inside always blocks, by which updates are explained.
func (c *driverCheck) inside() {
	c.assig = map[ilBit][]ilBit{}
	for i := range c.m.procs {
		for _, k := range c.m.procs[i].assigns {
			left, right := c.m.signal(k.left), c.m.signal(k.right)
			for j, b := range left {
				if j < len(right) && b >= 0 {
					c.assig[b] = append(c.assig[b], right[j])
				}
			}
		}
	}
}

// reads marks the bits that something reads. An always block that keeps the value of
// a variable does not read it: $0\i <- \i.
func (c *driverCheck) reads() []bool {
	m := c.m
	read := make([]bool, m.bits)
	mark := func(s string) {
		for _, b := range m.signal(s) {
			if b >= 0 {
				read[b] = true
			}
		}
	}

	// Outputs of the module are read from outside.
	for i := range m.wires {
		if w := &m.wires[i]; w.dir == "output" || w.dir == "inout" {
			mark(w.name)
		}
	}
	for i := range m.cells {
		for _, p := range m.cells[i].pins {
			if !c.isOutput(&m.cells[i], p.name) {
				mark(p.signal)
			}
		}
	}
	for _, k := range m.conns {
		mark(k.right)
	}

	// Of an always block its conditions and right sides count, but not a bit that keeps its own
	// value.
	for i := range m.procs {
		for _, s := range m.procs[i].reads {
			mark(s)
		}
		for _, k := range m.procs[i].assigns {
			left, right := m.signal(k.left), m.signal(k.right)
			for j, b := range right {
				if b >= 0 && j < len(left) && !m.keeps(left[j], b) {
					read[b] = true
				}
			}
		}
	}
	return read
}

// keeps reports whether a bit of an always block, left, stands for the bit b.
func (m *ilModule) keeps(left, b ilBit) bool {
	if left < 0 {
		return false
	}
	inside, w := m.wireOf(left), m.wireOf(b)

	// The value inside a block is named after its variable: $0\i[3:0].
	_, name, _ := strings.Cut(inside.name, `\`)
	if i := strings.LastIndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	return inside.name[0] == '$' && `\`+name == w.name && left-ilBit(inside.base) == b-ilBit(w.base)
}

// hasPads reports whether the module has an inout or connects one.
func (c *driverCheck) hasPads() bool {
	pad := func(w ilWire) bool { return w.dir == "inout" }
	if slices.ContainsFunc(c.m.wires, pad) {
		return true
	}
	return slices.ContainsFunc(c.m.cells, func(x ilCell) bool {
		sub := c.mods[x.kind]
		return sub != nil && slices.ContainsFunc(sub.wires, pad)
	})
}

// sharedByPads adds the bits of inouts and of all nets connected to them.
func (c *driverCheck) sharedByPads(shared map[ilBit]bool) {
	mark := func(bits []ilBit) {
		for _, b := range bits {
			if b >= 0 {
				shared[b] = true
			}
		}
	}
	for i := range c.m.wires {
		if w := &c.m.wires[i]; w.dir == "inout" {
			mark(c.m.signal(w.name))
		}
	}

	// Pads of instances too.
	for i := range c.m.cells {
		for _, p := range c.m.cells[i].pins {
			if c.isPad(&c.m.cells[i], p.name) {
				mark(c.m.signal(p.signal))
			}
		}
	}
}

// isPad reports whether a pin of a cell is an inout.
func (c *driverCheck) isPad(cell *ilCell, pin string) bool {
	// A cell of the library has no module here, and no inout.
	m := c.mods[cell.kind]
	if m == nil {
		return false
	}
	at, ok := m.at[`\`+pin]
	return ok && m.wires[at].dir == "inout"
}
