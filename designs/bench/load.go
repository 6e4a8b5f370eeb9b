package bench

import (
	"fmt"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/hexfile"
)

// mostContents bounds a file of memory contents.
const mostContents = 1 << 30

// Load gives a memory of d contents at power-up from a hex file, or a .bin file of raw bytes. name
// is the path of instances from the top and the memory, with dots between. All instances of a
// module share its memories' contents. Errors: there is no such memory; those of the file.
func Load(d *ir.Design, name, file string) error {
	path := strings.Split(name, ".")
	m := d.Top
	for _, step := range path[:len(path)-1] {
		at := -1
		for i := range m.Insts {
			if m.Insts[i].Name == step {
				at = i
			}
		}
		if at < 0 {
			return fmt.Errorf("memory %s: module %s has no instance %s", name, m.Name, step)
		}
		m = m.Insts[at].Mod
	}
	for i := range m.Mems {
		if mem := &m.Mems[i]; mem.Name == path[len(path)-1] {
			return fill(mem, file)
		}
	}
	return fmt.Errorf("memory %s: module %s has no memory %s", name, m.Name, path[len(path)-1])
}

// fill reads the contents of a memory.
func fill(mem *ir.Memory, file string) error {
	mem.Init = nil
	return hexfile.ReadFile(file, mostContents, hexfile.Memory{Name: mem.Name, Width: mem.Width, Depth: mem.Depth}, func(addr int, v bits.Value) error {
		for len(mem.Init) <= addr {
			mem.Init = append(mem.Init, bits.Zero(mem.Width))
		}
		mem.Init[addr] = v
		return nil
	})
}
