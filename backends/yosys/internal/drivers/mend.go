package drivers

import (
	"fmt"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/backends/yosys/internal/cells"
)

// mend is changes to a text in RTLIL, made of whole lines.
type mend struct {
	instead map[int]string   // lines, from 1
	behind  map[int][]string // new lines after a line
	added   int              // wires and cells
	open    []*ilWire        // outputs that have to be inouts
}

func newMend(lines map[int]string) *mend {
	e := &mend{instead: map[int]string{}, behind: map[int][]string{}}
	for n, s := range lines {
		e.instead[n] = s
	}
	return e
}

func (e *mend) isEmpty() bool { return len(e.instead) == 0 && len(e.behind) == 0 }

// lead diverts the drivers of some bits of a module to new wires that go nowhere.
func (e *mend) lead(c *driverCheck, bits map[ilBit]bool) {
	if len(bits) > 0 {
		e.eachDriver(c, bits, func(source, []ilBit, string) {})
	}
}

// share puts a driveCell between each driver of some bits of a module and the net.
func (e *mend) share(c *driverCheck, bits map[ilBit]bool) {
	if len(bits) == 0 {
		return
	}
	var used []string
	e.eachDriver(c, bits, func(s source, left []ilBit, wire string) {
		var to, from []string
		net := ""

		// Only the shared bits go through the cell, listed from the top.
		for i, b := range slices.Backward(left) {
			if bits[b] {
				to, from = append(to, c.m.text(b)), append(from, fmt.Sprintf("%s [%d]", wire, i))
				net = c.m.wireOf(b).name
			}
		}
		e.drive(c.m, c.placeNew(s, strings.TrimPrefix(net, `\`), &used), from, to)
	})

	for i := range c.m.cells {
		cell := &c.m.cells[i]
		for _, p := range cell.pins {
			switch {
			case c.isPad(cell, p.name):
				e.pin(c, cell, p)
			case c.isOutput(cell, p.name) && c.mods[cell.kind] != nil:
				// An instance that drives the net and lets go does so through an inout.
				list := c.m.signal(p.signal)
				for k, b := range list {
					if bits[b] && c.cellLetsGo(cell, k, maxChoices) {
						sub := c.mods[cell.kind]
						w := &sub.wires[sub.at[`\`+p.name]]
						if attribute.Find(sub.attrs, "blackbox") == "" && !slices.Contains(e.open, w) {
							e.open = append(e.open, w)
						}
						break
					}
				}
			}
		}
	}
}

// pin gives an inout of an instance a net of its own for the constants and inputs that
// it is connected to.
func (e *mend) pin(c *driverCheck, cell *ilCell, p ilPin) {
	list := c.m.signal(p.signal)
	other := map[ilBit]bool{}
	for _, b := range list {
		if b < 0 || slices.ContainsFunc(c.all[b], func(s source) bool { return s.kind == fromInput }) {
			other[b] = true
		}
	}

	// The pin gets a new wire, and a driver carries the constants and inputs onto it.
	wire := e.divert(c.m, p.line, `connect \`+p.name+" ", p.signal, "", other)
	if wire == "" {
		return
	}
	var to, from []string
	for i, b := range slices.Backward(list) {
		if other[b] && b != ilNone {
			to, from = append(to, fmt.Sprintf("%s [%d]", wire, i)), append(from, c.m.text(b))
		}
	}
	if len(to) > 0 {
		e.drive(c.m, strings.TrimSuffix(attribute.Where(cell.attrs), ": "), from, to)
	}
}

// drive adds a driveCell.
func (e *mend) drive(m *ilModule, place string, from, to []string) {
	e.added++
	at := m.end - 1
	e.behind[at] = append(e.behind[at], fmt.Sprintf("attribute \\src %q", place), `attribute \keep 1`,
		fmt.Sprintf("cell \\%s $etch$%d", cells.DriveCell, e.added),
		"connect \\A { "+strings.Join(from, " ")+" }", "connect \\Y { "+strings.Join(to, " ")+" }", "end")
}

// placeNew is where a driver is; of assigns whose line is not known each takes the
// next one that assigns to the net.
func (c *driverCheck) placeNew(s source, net string, used *[]string) string {
	at := c.place(s)
	if at == "" {
		for _, line := range assignments(c.m, net) {
			if !slices.Contains(*used, line) {
				at = line
				break
			}
		}
	}
	*used = append(*used, at)
	if at == "" {
		at = strings.TrimSuffix(attribute.Where(c.m.attrs), ": ")
	}
	return at
}

// eachDriver diverts all that drives some bits, and calls f with each such driver, its
// whole left side, and the wire that takes the bits instead.
func (e *mend) eachDriver(c *driverCheck, bits map[ilBit]bool, f func(s source, left []ilBit, wire string)) {
	divert := func(s source, line int, before, signal, after string) {
		if wire := e.divert(c.m, line, before, signal, after, bits); wire != "" {
			f(s, c.m.signal(signal), wire)
		}
	}

	// Assigns, always blocks, outputs of cells.
	for i, k := range c.m.conns {
		s := source{kind: fromAssign, at: int32(i), bit: ilNone}
		if right := c.m.signal(k.right); len(right) > 0 {
			s.bit = right[0]
		}
		divert(s, k.line, "connect ", k.left, " "+k.right)
	}
	for i := range c.m.procs {
		for _, k := range c.m.procs[i].updates {
			divert(source{kind: fromBlock, at: int32(i)}, k.line, "update ", k.left, " "+k.right)
		}
	}
	for i := range c.m.cells {
		for _, p := range c.m.cells[i].pins {
			if c.isOutput(&c.m.cells[i], p.name) {
				divert(source{kind: fromCell, at: int32(i)}, p.line, `connect \`+p.name+" ", p.signal, "")
			}
		}
	}
}

// divert writes a line anew whose signal has some of the bits: a new wire takes them,
// whose name it returns; "" if it has none.
func (e *mend) divert(m *ilModule, line int, before, signal, after string, bits map[ilBit]bool) string {
	list := m.signal(signal)
	if !slices.ContainsFunc(list, func(b ilBit) bool { return bits[b] }) {
		return ""
	}

	// The new wire is declared at the head of the module; the line keeps its other bits.
	e.added++
	name := fmt.Sprintf("$etch$%d", e.added)
	e.behind[m.line] = append(e.behind[m.line], fmt.Sprintf("wire width %d %s", len(list), name))

	parts := make([]string, 0, len(list))

	// RTLIL lists the top bit first.
	for i, b := range slices.Backward(list) {
		if bits[b] {
			parts = append(parts, fmt.Sprintf("%s [%d]", name, i))
		} else {
			parts = append(parts, m.text(b))
		}
	}
	e.instead[line] = before + "{ " + strings.Join(parts, " ") + " }" + after
	return name
}

// text is one bit as RTLIL has it.
func (m *ilModule) text(b ilBit) string {
	switch b {
	case ilZero:
		return "1'0"
	case ilOne:
		return "1'1"
	case ilNone:
		return "1'x"
	}
	w := m.wireOf(b)
	return fmt.Sprintf("%s [%d]", w.name, b-ilBit(w.base))
}

// apply makes the changes.
func (e *mend) apply(text string) string {
	var b strings.Builder
	n := 0

	// Lines are counted as the parser has counted them.
	for line := range strings.Lines(text) {
		n++
		if s, ok := e.instead[n]; ok {
			line = s + "\n"
		}
		b.WriteString(line)
		for _, s := range e.behind[n] {
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}
