package verilog

import (
	"strconv"

	"etch/ir"
)

// unused prints a wire that reads the values marked as unused, and the unread bits of
// values that are partly read. Linters then see that both are known. A value that is read
// nowhere and has no mark is left for the linter to report. Synthesis removes the wire.
func (p *module) unused(sim bool) {
	m := p.m
	marked := make([]bool, m.Len())
	ir.Cone(m, marked, m.Unused)
	// Values that are printed here and not read in full.
	var list []string
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if p.is(id, simOnly) != sim || p.is(id, isOutput) || p.used(id, read) || !p.is(id, named) && !p.used(id, net) || !p.isState(id) && p.is(id, live) && !p.is(id, done) {
			continue
		}
		list = p.appendUnread(list, id, marked[id] || p.isOwn(id))
	}
	if len(list) == 0 {
		return
	}

	// The name is claimed last, so that it displaces none.
	name := p.text(p.table.Claim("unused"))
	if !sim {
		p.Blank()
	}
	p.Line(2, "// Read nowhere, on purpose.")
	p.Str("  wire " + name + " = &{1'b0")
	for _, s := range list {
		p.Ch(',')
		p.Wrap(6)
		p.Str(s)
	}
	p.Str("};")
	p.NL()
}

// appendUnread lists the bits of a value that no text reads. A value that is not read at
// all is listed only if it is marked.
func (p *module) appendUnread(list []string, id ir.ID, marked bool) []string {
	name, w := p.text(p.names[id]), p.m.Width(id)
	if p.flags[id] != 0 { // the data register is read, but not what comes of it
		return append(list, name)
	}
	used, ok := p.bits[id]
	switch {
	case !ok && marked:
		return append(list, name)
	case !ok:
		return list
	}

	// Runs of unread bits, from the top.
	for hi := w - 1; hi >= 0; {
		if used.Bit(hi) == 1 {
			hi--
			continue
		}
		lo := hi
		for lo > 0 && used.Bit(lo-1) == 0 {
			lo--
		}
		part := name + "[" + strconv.Itoa(hi)
		if hi != lo {
			part += ":" + strconv.Itoa(lo)
		}
		list = append(list, part+"]")
		hi = lo - 1
	}
	return list
}

// isOwn reports whether a value was introduced by the writer, so that no user can mark it.
func (p *module) isOwn(id ir.ID) bool {
	return p.m.NameOf(id) == "" && !p.m.Op(id).Info().Leaf && p.m.Op(id) != ir.InstOut
}
