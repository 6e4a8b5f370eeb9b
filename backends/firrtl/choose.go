package firrtl

import (
	"etch/ir"
)

// Long choices are split into parts, each on a line of its own.
const (
	armsPerPart  = 4
	partsPerPart = 8
)

// choose prints a case: comparisons for a few keys, a tree over the parts that prepareCase
// has printed for many.
func (p *module) choose(n ir.ID, as typ) {
	if parts := p.parts; len(parts) > 0 {
		p.parts = nil
		p.chooseParts(n, parts, 0, len(parts))
		return
	}
	p.chooseArms(n, 0, len(p.m.KeysOf(n)), as)
}

// chooseArms prints a chain of comparisons with keys lo to hi - 1.
func (p *module) chooseArms(n ir.ID, lo, hi int, as typ) {
	args, keys := p.m.Args(n), p.m.KeysOf(n)
	for i := lo; i < hi; i++ {
		p.str("mux(eq(")
		p.operand(args[0], unsigned)
		p.str(", ")
		p.constant(keys[i], unsigned)
		p.str("), ")
		p.operand(args[2+i], as)
		p.str(", ")
	}
	p.operand(args[1], as)
	for range hi - lo {
		p.str(")")
	}
}

// part is a named piece of a case, valid for selectors from key number first on.
type part struct {
	name  string
	first int
}

// chooseParts prints a binary search tree over the parts.
func (p *module) chooseParts(n ir.ID, parts []part, lo, hi int) {
	if hi-lo == 1 {
		p.str(parts[lo].name)
		return
	}
	mid := (lo + hi + 1) / 2

	// Selectors below the first key of the right half go left.
	p.str("mux(lt(")
	p.operand(p.m.Args(n)[0], unsigned)
	p.str(", ")
	p.constant(p.m.KeysOf(n)[parts[mid].first], unsigned)
	p.str("), ")
	p.chooseParts(n, parts, lo, mid)
	p.str(", ")
	p.chooseParts(n, parts, mid, hi)
	p.str(")")
}

// prepareCase prints the parts of a long choice; choose prints the last step. Each line
// stays short, and the depth is logarithmic.
func (p *module) prepareCase(n ir.ID) {
	keys := len(p.m.KeysOf(n))
	if keys <= 2*armsPerPart {
		return
	}

	// All parts of a choice have the type of the whole.
	t := unsigned
	if p.typ(n) == signed {
		t = signed
	}

	// Chains of a few arms,
	var parts []part
	for lo := 0; lo < keys; lo += armsPerPart {
		name := p.helper(n, "arm")
		p.chooseArms(n, lo, min(lo+armsPerPart, keys), t)
		p.end(p.m.Node(n).Pos)
		parts = append(parts, part{name, lo})
	}

	// then trees of a few parts, until one line takes the rest.
	for len(parts) > partsPerPart {
		var fewer []part
		for lo := 0; lo < len(parts); lo += partsPerPart {
			name := p.helper(n, "arms")
			p.chooseParts(n, parts, lo, min(lo+partsPerPart, len(parts)))
			p.end(p.m.Node(n).Pos)
			fewer = append(fewer, part{name, parts[lo].first})
		}
		parts = fewer
	}

	p.parts = parts
}

// helper begins a node statement that belongs to value n, and returns its name.
func (p *module) helper(n ir.ID, what string) string {
	// The name begins with an underscore, so that compilers may drop it.
	stem := p.names[n]
	if stem == "" || stem[0] != '_' {
		stem = "_" + stem
	}
	name := id(p.table.claim(stem + "_" + what))
	p.str("    node " + name + " = ")
	return name
}
