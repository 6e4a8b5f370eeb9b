package hw

import "etch/ir"

// suggestion is a name for a value, used if nothing else has it in the end.
type suggestion struct {
	id   ir.ID
	name string
}

// Suggest gives the value a name in netlists and waves if the design does not name it, and
// if nothing else uses the name; it returns the value. Libraries suggest the names under which their
// users would look for a signal in a wave.
func (b Bit) Suggest(name string) Bit {
	if in := moduleOf(b.sig); in != nil && b.isPlain() && isName(name) && !in.m.Op(b.id).Info().Leaf {
		in.wishes = append(in.wishes, suggestion{b.id, name})
	}
	return b
}

// suggest gives out the suggested names that are free; of equal ones the first counts.
func (b *body) suggest() {
	for _, s := range b.wishes {
		if b.m.NameOf(s.id) != "" || b.m.Op(s.id) == ir.Wire {
			continue
		}
		if _, taken := b.names.of(s.name, claimed, b.m.Node(s.id).Pos); !taken {
			b.m.SetName(s.id, s.name)
		}
	}
	b.wishes = nil
}

// NameOf is the design's name for a signal, as messages show it; "" for an
// expression, a shape or a literal.
func NameOf(s Signal) string {
	if s == nil {
		return ""
	}
	if h := s.handle(); h.isLive() && h.id != ir.None {
		return h.b.nameOf(h.id)
	}
	return ""
}
