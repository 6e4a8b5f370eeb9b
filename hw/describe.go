package hw

import (
	"fmt"
	"strings"

	"etch/ir"
)

// describe names a value the way its designer would.
func describe(s sig) string {
	// A live value has a name or an expression; the rest is described by its prototype.
	switch {
	case !s.isSet():
		return "an unset value"
	case s.x == nil:
		return s.b.describe(s.id, 2)
	}
	switch s.x.is {
	case padEnd:
		return s.b.describe(s.id, 1)
	case shape:
		if s.x.dir == ir.InOut {
			return "the shape of a pad of " + plural(s.x.width, "bit")
		}
		return "a shape of " + plural(s.x.width, "bit")
	case literal:
		return litText(s.x)
	case dynamic:
		return "an element chosen by " + describe(s.x.dyn.index)
	}
	return "a mistaken value"
}

// nameOf is the design's name for a node, "" if it has none.
func (b *body) nameOf(id ir.ID) string {
	m := b.m

	// Names by rank: the user's, then the text a part was read by, then the port that the node
	// stands for.
	switch n := m.Node(id); {
	case m.NameOf(id) != "":
		return m.NameOf(id)
	case b.parts.reads[id] != "":
		return b.parts.reads[id]
	case n.Op == ir.InstOut:
		inst := &m.Insts[n.Aux]
		return inst.Name + "." + inst.Mod.Ports[n.Aux2].Name
	case b.done:
		if at, ok := b.outs[id]; ok {
			return m.Ports[at].Name
		}
	case n.Op == ir.Wire: // perhaps an input of an instance
		for i := range b.targets.n {
			if t := b.targets.at(i); t.id == id && t.kind == instTarget {
				inst := &m.Insts[t.inst]
				return inst.Name + "." + inst.Mod.Ports[t.port].Name
			}
		}
	}
	return ""
}

// describe names a node. An expression is shown to the given depth; below it stands "…". At
// most three operands are shown.
func (b *body) describe(id ir.ID, depth int) string {
	m := b.m
	n := m.Node(id)

	name := b.nameOf(id)

	// The past goes before the name: a register of the past has a name that its designer never
	// wrote.
	if past := b.describePast(id, depth); past != "" {
		return past
	}

	switch {
	case name != "":
		return name
	case n.Op == ir.Const:
		v := m.ConstOf(id)
		if t := m.TypeOf(n.Type); t.Kind == ir.EnumKind && t.Enum.NameOf(v.Uint64()) != "" {
			return t.Enum.NameOf(v.Uint64())
		}
		return v.Dec()
	case n.Op == ir.MemOut || n.Op == ir.MemRead:
		return "a word of " + m.Mems[n.Aux].Name
	case depth == 0:
		return "…"
	}

	// Three operands are shown, and more of them as one ellipsis.
	var args []string
	for _, a := range m.Args(id) {
		text := "…"
		if a != ir.None && len(args) < 3 {
			text = b.describe(a, depth-1)
		}
		if args = append(args, text); len(args) == 4 {
			break
		}
	}

	// Operators that read well are written as in Go.
	switch n.Op {
	case ir.Slice:
		if n.Width == 1 {
			return fmt.Sprintf("%s[%d]", args[0], n.Aux)
		}
		return fmt.Sprintf("%s[%d:%d]", args[0], n.Aux+n.Width-1, n.Aux)
	case ir.Eq:
		return args[0] + " == " + args[1]
	case ir.Lt, ir.LtS:
		return args[0] + " < " + args[1]
	case ir.Not:
		return "!(" + args[0] + ")"
	}
	return fmt.Sprintf("%s(%s)", n.Op, strings.Join(args, ", "))
}
