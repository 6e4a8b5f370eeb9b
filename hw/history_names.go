package hw

import (
	"strings"

	"etch/ir"
)

// namePasts names registers of the past after the value that they hold: count_past,
// count_past_2. Names depend on structure only, and give way to the user's.
func (b *body) namePasts() {
	h := b.history
	for _, p := range h.list {
		// The name at the call of Past counts; a name given later is used if there was none.
		stem := or(p.stem, b.m.NameOf(p.root))
		if stem == "" {
			stem = b.stemOf(p.root, 2)
		}

		name := legalStem(stem) + "_past"
		if p.depth > 1 {
			name = Name(name, p.depth)
		}
		b.m.SetName(p.reg, b.freeName(b.suffixOf(name, p.view), b.m.Node(p.reg).Pos))
	}
}

// nameFlags names the flags that there are, and the counters of After.
func (b *body) nameFlags() {
	h := b.history
	for _, f := range h.order {
		info := h.made[f]
		b.m.SetName(f, b.freeName(b.suffixOf(Name("after", info.depth), info.view), b.m.Node(f).Pos))
	}

	for _, c := range h.counts {
		b.m.SetName(c.reg, b.freeName(b.suffixOf(Name("edges", c.n), c.view), b.m.Node(c.reg).Pos))
	}
}

// suffixOf adds the clock, reset and enable of a view to a name, where they are not
// the module's own; free is a view without reset.
func (b *body) suffixOf(name string, v view) string {
	if v.clk != b.clk.id {
		name = join(name, legalStem(b.stemOf(v.clk, 1)))
	}

	switch {
	case v.rst == ir.None:
		name = join(name, "free")
	case v.rst != b.rst.id:
		name = join(name, legalStem(b.stemOf(v.rst, 1)))
	}

	if v.gate != ir.None {
		name = join(name, legalStem(b.stemOf(v.gate, 2)))
	}
	return name
}

// freeName takes a name, with a number if it is taken.
func (b *body) freeName(name string, pos ir.Pos) string {
	try := name
	for n := 2; ; n++ {
		if _, taken := b.names.of(try, claimed, pos); !taken {
			return try
		}
		try = name + "_v" + itoa(n)
	}
}

// stemOf writes a value in words, to the given depth of operations: count_add_1.
func (b *body) stemOf(id ir.ID, depth int) string {
	m := b.m
	n := m.Node(id)
	name := b.nameOf(id)
	switch {
	case name != "":
		return name
	case n.Op == ir.Const:
		return m.ConstOf(id).Dec()
	case n.Op == ir.MemOut || n.Op == ir.MemRead:
		return m.Mems[n.Aux].Name + "_word"
	case n.Op == ir.Wire:
		return b.stemOf(m.Args(id)[0], depth)
	case n.Op == ir.Slice:
		return strings.Join([]string{b.stemOf(m.Args(id)[0], depth), itoa(int(n.Aux + n.Width - 1)), itoa(int(n.Aux))}, "_")
	case depth == 0 || n.Op.Info().Leaf:
		return n.Op.String()
	}

	// The operation stands behind its first operand.
	var words []string
	for i, a := range m.Args(id) {
		if i == 3 {
			break
		}
		if words = append(words, b.stemOf(a, depth-1)); i == 0 {
			words = append(words, n.Op.String())
		}
	}
	return strings.Join(words, "_")
}

// maxStem is the number of letters of a value in words.
const maxStem = 40

// legalStem turns the words of a value into a legal name of at most maxStem letters.
func legalStem(s string) string {
	s = strings.Map(func(r rune) rune {
		if isName("a" + string(r)) {
			return r
		}
		return '_'
	}, s)
	if !isName(s) {
		// A word may begin with a digit, a name may not.
		s = "v" + s
	}
	return strings.Trim(s[:min(len(s), maxStem)], "_")
}
