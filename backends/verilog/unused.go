package verilog

import (
	"strconv"

	"etch/ir"
)

// unused prints a wire that reads what nothing else does, so that linters see
// that it is known. Synthesis removes it.
func (p *module) unused(sim bool) {
	m := p.m
	var list []string
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if p.is(id, simOnly) != sim || p.is(id, read|isOutput) || !(p.is(id, named) || p.is(id, net)) || !p.isState(id) && p.is(id, live) && !p.is(id, done) {
			continue
		}
		list = p.appendUnread(list, id)
	}
	if len(list) == 0 {
		return
	}
	name := string(p.table.get(p.table.claim([]byte("unused"))))
	if !sim {
		p.blank()
	}
	p.line(2, "// What nothing reads.")
	p.str("  wire " + name + " = &{1'b0")
	for _, s := range list {
		p.ch(',')
		p.wrap(6)
		p.str(s)
	}
	p.str("};")
	p.nl()
}

// appendUnread lists the bits of a value that no text reads.
func (p *module) appendUnread(list []string, id ir.ID) []string {
	name, w := string(p.table.get(p.names[id])), p.m.Width(id)
	if p.rangeFlag(id) != 0 { // the data register is read, but not what comes of it
		return append(list, name)
	}
	used, ok := p.bits[id]
	if !ok {
		return append(list, name)
	}
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
