package drivers

import "etch/backends/yosys/internal/attribute"

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
			// The output of a cell is its own root, as a number below the constants' numbers.
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
