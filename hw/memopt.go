package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// MemOption sets a property of a memory that [Mem] makes, such as its contents at power-up.
type MemOption func(*Module, *ir.Memory)

// Contents gives a memory its first words at power-up; the rest are 0.
func Contents(words ...uint64) MemOption {
	return func(m *Module, mem *ir.Memory) {
		vs := make([]bits.Value, len(words))
		for i, w := range words {
			if mem.Width < 64 && w>>mem.Width != 0 {
				m.Errorf("literal", "Mem %s: word %d is %d and does not fit %s", mem.Name, i, w, plural(mem.Width, "bit"))
				return
			}
			vs[i] = bits.New(mem.Width, w)
		}
		contents(m, mem, vs)
	}
}

// Cleared gives a memory words of 0 at power-up, as block RAM of an FPGA has. Without
// it and without [Contents] a memory powers up holding anything, in test benches too.
func Cleared() MemOption { return Contents() }

// ContentsBits is [Contents] for words of any width; each must have the width of
// an element.
func ContentsBits(words ...bits.Value) MemOption {
	return func(m *Module, mem *ir.Memory) {
		for i, w := range words {
			if w.Width() != mem.Width {
				m.Errorf("width", "Mem %s: word %d has %s, an element %d", mem.Name, i, plural(w.Width(), "bit"), mem.Width)
				return
			}
		}
		contents(m, mem, words)
	}
}

func contents(m *Module, mem *ir.Memory, words []bits.Value) {
	if len(words) > mem.Depth {
		m.Errorf("range", "Mem %s: %d words of contents for %d elements", mem.Name, len(words), mem.Depth)
		return
	}
	mem.Init = append([]bits.Value{}, words...)
}

// Style asks for a kind of memory: "block" for block RAM, "ultra" for the large blocks
// that some devices have besides (UltraRAM; they take no [Contents]), "logic" for
// registers and LUTs. Without it the synthesis tool decides.
func Style(style string) MemOption {
	return func(m *Module, mem *ir.Memory) {
		if style != "block" && style != "ultra" && style != "logic" {
			m.Errorf("param", "Style: %q is none of block, ultra, logic", style)
			return
		}
		mem.Style = style
	}
}
