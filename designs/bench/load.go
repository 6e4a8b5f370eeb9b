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

// Load gives a memory of d contents at power-up from a hex file, or a .bin file of raw bytes, and
// returns it with its module. name is the path of instances from the top and the memory with dots
// between. Names may have dots too, since import flattens modules in which clocks are derived. All
// instances of a module share its memories' contents. Errors: there is no such memory; the file
// cannot be read, or does not fit it.
func Load(d *ir.Design, name, file string) (*ir.Module, *ir.Memory, error) {
	m, mem, err := findMemory(d, name)
	if err != nil {
		return nil, nil, err
	}
	return m, mem, fill(mem, file)
}

// Instances are the paths of instances of a module from the top of d, with dots between; "" is the
// top itself.
func Instances(d *ir.Design, m *ir.Module) (paths []string) {
	// Shared modules are walked once for each instance.
	var walk func(at *ir.Module, path string)
	walk = func(at *ir.Module, path string) {
		if at == m {
			paths = append(paths, path)
		}
		for i := range at.Insts {
			below := at.Insts[i].Name
			if path != "" {
				below = path + "." + below
			}
			walk(at.Insts[i].Mod, below)
		}
	}
	walk(d.Top, "")
	return paths
}

// findMemory follows a name of Load.
func findMemory(d *ir.Design, name string) (*ir.Module, *ir.Memory, error) {
	// Follow the instances until the rest of the name is a memory of the module.
	m, rest := d.Top, name
	for {
		for i := range m.Mems {
			if mem := &m.Mems[i]; mem.Name == rest {
				return m, mem, nil
			}
		}

		// An instance's name may have dots too, so it is a prefix rather than a step.
		at, below := -1, ""
		for i := range m.Insts {
			if tail, ok := strings.CutPrefix(rest, m.Insts[i].Name+"."); ok {
				at, below = i, tail
			}
		}
		if at < 0 {
			break
		}
		m, rest = m.Insts[at].Mod, below
	}

	step, _, inside := strings.Cut(rest, ".")
	if inside {
		return nil, nil, fmt.Errorf("memory %s: module %s has no instance %s", name, m.Name, step)
	}
	return nil, nil, fmt.Errorf("memory %s: module %s has no memory %s", name, m.Name, rest)
}

// fill reads the contents of a memory.
func fill(mem *ir.Memory, file string) error {
	mem.Init = nil
	return hexfile.ReadFile(file, mostContents, hexfile.Memory{Name: mem.Name, Width: mem.Width, Depth: mem.Depth}, func(addr int, v bits.Value) error {
		// Words that the file leaves out are 0.
		for len(mem.Init) <= addr {
			mem.Init = append(mem.Init, bits.Zero(mem.Width))
		}
		mem.Init[addr] = v
		return nil
	})
}
