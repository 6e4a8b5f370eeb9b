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

// source is a driver of a bit: number at of its kind, and the bit that it takes, for
// those that take one.
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
func (c *driverCheck) run() (errs []error) {
	// Nearly all modules have one driver per bit: the first pass keeps only that.
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
	slices.Sort(bad)
	var last *ilWire
	for _, b := range bad {
		// A net without a name of the user's is in the way between nets that have one.
		if w := c.m.wireOf(b); w != last && w.name[0] == '\\' {
			last = w
			errs = append(errs, c.explain(b, w))
		}
	}

	// If only nets without names have such drivers, the first is reported all the same.
	if len(errs) == 0 && len(bad) > 0 {
		errs = append(errs, c.explain(bad[0], c.m.wireOf(bad[0])))
	}

	return errs
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

// agree reports whether all drivers of a bit are the same, and whether each of them
// lets go some time.
func (c *driverCheck) agree(b ilBit) (same, open bool) {
	list := c.all[b]
	same, open = true, true
	for _, s := range list {
		same = same && c.root(s) == c.root(list[0])
		open = open && c.letsGo(s, maxChoices)
	}
	return same, open
}

// root is the bit that a driver passes on, behind assigns.
func (c *driverCheck) root(s source) ilBit {
	// The bound ends assigns in a circle.
	for range 100 {
		if s.kind == fromCell {
			// The output of a cell is its own root, as a number below those of the constants.
			return -100 - ilBit(s.at)<<6 - s.bit
		}
		next := c.all[s.bit]
		if s.kind != fromAssign || s.bit < 0 || len(next) != 1 {
			break
		}
		s = next[0]
	}
	return s.bit
}

// letsGo reports whether a driver is z some time.
func (c *driverCheck) letsGo(s source, depth int) bool {
	if s.kind == fromCell {
		return c.cellLetsGo(&c.m.cells[s.at], int(s.bit), depth)
	}
	return s.kind != fromInput && c.isOpen(s.bit, depth)
}

// isOpen reports whether a bit is z some time: it is, if nothing drives it.
func (c *driverCheck) isOpen(b ilBit, depth int) bool {
	// A constant, or the end of the search: only z itself is open.
	if b < 0 || depth == 0 {
		return b == ilNone
	}
	for _, x := range c.assig[b] {
		if c.isOpen(x, depth-1) {
			return true
		}
	}
	for _, s := range c.all[b] {
		if !c.letsGo(s, depth-1) {
			return false
		}
	}
	return len(c.assig[b]) == 0
}

// cellLetsGo reports whether output bit k of a cell is z some time.
func (c *driverCheck) cellLetsGo(cell *ilCell, k, depth int) bool {
	if depth == 0 {
		return false
	}

	open := func(pin string, k int) bool {
		bits := c.m.signal(cell.pin(pin))
		return k < len(bits) && c.isOpen(bits[k], depth-1)
	}
	switch cell.kind {
	case "$tribuf":
		return true
	case "$pos", "$buf":
		return open("A", k)
	case "$mux", "$pmux":
		width := len(c.m.signal(cell.pin("Y")))

		// One open arm is enough.
		for at := k; at < len(c.m.signal(cell.pin("B"))); at += width {
			if open("B", at) {
				return true
			}
		}
		return open("A", k)
	}

	// An instance lets go where its output does.
	sub := c.mods[cell.kind]
	if sub == nil || attribute.Find(sub.attrs, "blackbox") != "" {
		return false
	}

	d := &driverCheck{m: sub, mods: c.mods, all: map[ilBit][]source{}}
	d.eachDriver(func(s source, to ilBit) {
		if to >= 0 {
			d.all[to] = append(d.all[to], s)
		}
	})
	d.inside()
	for _, p := range cell.pins {
		if !c.isOutput(cell, p.name) {
			continue
		}
		if w := &sub.wires[sub.at[`\`+p.name]]; k < int(w.width) && !d.isOpen(ilBit(w.base+int32(k)), depth-1) {
			return false
		}
	}
	return true
}

// explain names a net and two of the drivers that fight.
func (c *driverCheck) explain(b ilBit, w *ilWire) error {
	name := strings.TrimPrefix(w.name, `\`)
	if w.width > 1 {
		name = fmt.Sprintf("%s[%d]", name, b-ilBit(w.base))
	}
	places := c.places(c.all[b], strings.TrimPrefix(w.name, `\`))
	module := strings.TrimSuffix(attribute.Where(c.m.attrs), ": ")
	declared := strings.TrimSuffix(attribute.Where(w.attrs), ": ")
	switch {
	case len(places) == 0 && declared != "":
		return fmt.Errorf("%s: net %s has two drivers", declared, name)
	case len(places) == 0:
		return fmt.Errorf("%s: net %s has two drivers", module, name)
	case len(places) == 1:
		return fmt.Errorf("%s: net %s is driven here twice", places[0], name)
	case w.dir == "input":
		return fmt.Errorf("%s: net %s is driven here and is the input at %s", places[1], name, places[0])
	}
	return fmt.Errorf("%s: net %s is driven here and at %s", places[1], name, places[0])
}

// places is where drivers are, without repeats, in the order of the text: where place
// knows it, else the next lines that assign to the net and that no other driver has.
func (c *driverCheck) places(list []source, net string) (places []string) {
	// The input stands first, whatever its line.
	unknown := 0
	var input string
	for _, s := range list {
		at := c.place(s)

		// An input is kept apart, to stand first; drivers without a line are counted.
		switch {
		case s.kind == fromInput:
			input = at
		case at == "":
			unknown++
		case !slices.Contains(places, at):
			places = append(places, at)
		}
	}

	// RTLIL has no line for some assigns: the text may have as many others.
	for _, at := range assignments(c.m, net) {
		if unknown > 0 && !slices.Contains(places, at) {
			places = append(places, at)
			unknown--
		}
	}
	slices.SortStableFunc(places, comparePlaces)
	if input != "" {
		places = append([]string{input}, places...)
	}
	return places
}

// place is where a driver is, "" when that is not known: RTLIL has no line of an
// assign, so it is that of the operation that it takes.
func (c *driverCheck) place(s source) string {
	var attrs []attribute.Pair
	switch s.kind {
	case fromInput:
		attrs = c.m.wires[s.at].attrs
	case fromCell:
		attrs = c.m.cells[s.at].attrs
	case fromBlock:
		attrs = c.m.procs[s.at].attrs
	case fromAssign:
		if s.bit < 0 || c.m.wireOf(s.bit).name[0] != '$' {
			break
		}
		if from := c.all[s.bit]; len(from) == 1 && from[0].kind == fromCell {
			attrs = c.m.cells[from[0].at].attrs
		}
	}

	// yosys writes line 0 where it knows none.
	at := strings.TrimSuffix(attribute.Where(attrs), ": ")
	if strings.HasSuffix(at, ":0") {
		return ""
	}
	return at
}
