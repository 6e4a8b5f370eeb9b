package cli

import (
	"fmt"
	"slices"

	"etch/ir"
)

// maxListed is how many names an error lists.
const maxListed = 20

// memoryList lists the memories of a design by full name: "; there are a (16 words
// of 8 bits), …".
func memoryList(d *ir.Design) string {
	// Every instance counts: one module's memory may appear under several paths.
	var names []string
	var walk func(m *ir.Module, path string)
	walk = func(m *ir.Module, path string) {
		for i := range m.Mems {
			mem := &m.Mems[i]
			names = append(names, fmt.Sprintf("%s%s (%d words of %d bits)", path, mem.Name, mem.Depth, mem.Width))
		}
		for i := range m.Insts {
			walk(m.Insts[i].Mod, path+m.Insts[i].Name+".")
		}
	}

	walk(d.Top, "")
	if len(names) == 0 {
		return "; it has no memories"
	}
	slices.Sort(names)

	// Only the first ones: a design of a thousand memories must not fill the screen.
	return "; there are " + list(names)
}
