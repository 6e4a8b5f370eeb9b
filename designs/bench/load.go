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
// is as in [FindMemory]. All instances of a module share its memories' contents. Errors: there is
// no such memory; those of the file.
func Load(d *ir.Design, name, file string) error {
	_, mem, err := FindMemory(d, name)
	if err != nil {
		return err
	}
	return fill(mem, file)
}

// FindMemory is the memory of d with a name, and its module: the name is the path of instances from
// the top and the memory with dots between. Names may have dots too, since import flattens modules in which clocks are
// derived.
func FindMemory(d *ir.Design, name string) (*ir.Module, *ir.Memory, error) {
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
