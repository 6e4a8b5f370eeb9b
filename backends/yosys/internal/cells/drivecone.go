package cells

import (
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
)

// cellBit is an output bit of a cell.
type cellBit struct {
	c  *cell
	at int
}

// driveCone finds the cells that drive the bits of a module, back to where z can come from.
type driveCone struct {
	owner  map[bit]cellBit // of cells that let z through, and of registers
	driven map[bit]bool
}

func (r *reader) coneOf(j *jsonModule) *driveCone {
	k := &driveCone{owner: map[bit]cellBit{}, driven: map[bit]bool{}}

	// Inputs and inouts are driven from outside.
	for i := range j.ports {
		if p := &j.ports[i]; p.dir != "output" {
			for _, b := range p.bits {
				k.driven[b] = true
			}
		}
	}

	// z passes through these cells; registers matter because they may keep it.
	for i := range j.cells {
		c := &j.cells[i]
		out := "Y"
		switch c.kind {
		case "$mux", "$pmux", "$tribuf", "$pos", "$buf", "$_MUX_", "$_TBUF_":
		default:
			if f, _ := flipFlop(c); f == nil {
				out = ""
			} else {
				out = "Q"
			}
		}
		if out != "" {
			for n, b := range c.port(out) {
				k.owner[b] = cellBit{c, n}
			}
		}

		// Driven by an output, or by the driver of a net.
		for _, n := range c.conns {
			if c.kind == DriveCell && n.port == "Y" || r.isOutput(c, n.port) {
				for _, b := range n.bits {
					k.driven[b] = true
				}
			}
		}
	}
	return k
}

// isOutput reports whether a cell may drive the net at a port.
func (r *reader) isOutput(c *cell, port string) bool {
	if info, ok := kinds[c.kind]; ok && !strings.HasPrefix(c.kind, "$mem") {
		return slices.Contains(info.out, port)
	}
	if f, ok := flipFlop(c); ok && f != nil {
		return port == "Q"
	}
	if j := r.mods[c.kind]; j != nil {
		return slices.ContainsFunc(j.ports, func(p jsonPort) bool { return p.name == port && p.dir != "input" })
	}

	// Data of memories, and ports that an unknown module declares as outputs.
	return strings.HasSuffix(port, "DATA") || attribute.Find(c.dirs, port) == "output" || attribute.Find(c.dirs, port) == "inout"
}

// behind returns the bits behind buffers.
func (k *driveCone) behind(word []bit) []bit {
	out := slices.Clone(word)
	for i := range out {
		for range maxFormula {
			o := k.owner[out[i]]
			if o.c == nil || o.c.kind != "$pos" && o.c.kind != "$buf" {
				break
			}

			// The bit of the operand, or of its extension.
			a := o.c.port("A")
			switch {
			case o.at < len(a):
				out[i] = a[o.at]
			case o.c.flag("A_SIGNED") && len(a) > 0:
				out[i] = a[len(a)-1]
			default:
				out[i] = bit0
			}
		}
	}
	return out
}

// none reports whether nothing drives a bit.
func (k *driveCone) none(b bit) bool {
	return b == bitX || b == bitZ || b >= firstNet && !k.driven[b]
}

// open reports whether a bit is z some time.
func (k *driveCone) open(b bit, depth int) bool {
	if b = k.behind([]bit{b})[0]; k.none(b) || depth == 0 {
		return k.none(b)
	}

	// A tristate buffer can let go. A multiplexer can if one of its arms can.
	o := k.owner[b]
	if o.c == nil {
		return false
	}
	if o.c.kind == "$tribuf" || o.c.kind == "$_TBUF_" {
		return true
	}
	arms := o.arms()
	return slices.ContainsFunc(arms, func(a bit) bool { return k.open(a, depth-1) })
}

// arms is the bits that a multiplexer chooses from, for one of its outputs.
func (o cellBit) arms() (arms []bit) {
	switch o.c.kind {
	case "$mux", "$pmux", "$_MUX_":
		a, b := o.c.port("A"), o.c.port("B")
		if o.at < len(a) {
			arms = append(arms, a[o.at])
		}

		// B of a pmux holds an arm for each bit of S, one behind the other.
		for at := o.at; at < len(b); at += max(1, len(o.c.port("Y"))) {
			arms = append(arms, b[at])
		}
	case "$tribuf", "$_TBUF_":
		if a := o.c.port("A"); o.at < len(a) {
			arms = append(arms, a[o.at])
		}
	}
	return arms
}

// sameCell is the cell that makes all bits of a word, nil for several.
func (k *driveCone) sameCell(word []bit) *cell {
	c := k.owner[word[0]].c
	for _, b := range word {
		if k.owner[b].c != c {
			return nil
		}
	}
	return c
}

// arm is arm n of a word that one multiplexer makes.
func (k *driveCone) arm(word []bit, n int) []bit {
	out := make([]bit, len(word))
	for i, b := range word {
		if arms := k.owner[b].arms(); n < len(arms) {
			out[i] = arms[n]
		}
	}
	return out
}

// isWhole reports whether all bits of a word are z at the same times.
func (k *driveCone) isWhole(word []bit, depth int) bool {
	word = k.behind(word)
	open := func(b bit) bool { return k.open(b, maxFormula) }
	if len(word) == 1 || !slices.ContainsFunc(word, open) || !slices.ContainsFunc(word, func(b bit) bool { return !k.none(b) }) {
		return true
	}

	// One multiplexer must decide for all bits, and each of its arms be whole.
	c := k.sameCell(word)
	if c == nil || depth == 0 {
		return false
	}
	for n := range k.owner[word[0]].arms() {
		if !k.isWhole(k.arm(word, n), depth-1) {
			return false
		}
	}
	return true
}
