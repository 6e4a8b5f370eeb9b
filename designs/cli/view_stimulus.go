package cli

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"etch/backends/yosys"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/view"
)

// The page has a simulator of its own, which starts from the netlist. So -mem of view becomes the
// contents of the netlist's memories at power-up, and -set a set by a user of the page at
// cycle 0. A simulator as that of etch sim takes both first: it has the checks and the messages.

// filled gives the memories of a design the contents that -mem tells, and checks -set.
func (r *runner) filled(d *ir.Design) error {
	if len(r.mems)+len(r.sets) == 0 {
		return nil
	}
	if err := r.prepare(d); err != nil {
		return err
	}
	defer r.s.Close()

	// All are read before the netlist that the simulator runs is changed.
	contents := map[string][]bits.Value{}
	for _, pair := range r.mems {
		name, _, _ := strings.Cut(pair, "=")
		mem, err := r.s.Mem(name)
		if err != nil {
			return err
		}
		contents[mem.Name()] = wordsIn(mem)
	}
	for _, name := range sorted(contents) {
		ownMemory(d, name).Init = contents[name]
	}
	return nil
}

// wordsIn is the words of a memory up to the last one that is not 0: the others are 0 by
// themselves.
func wordsIn(mem sim.Mem) (list []bits.Value) {
	for a := range mem.Depth() {
		if word := mem.Read(a); a == 0 || !word.IsZero() {
			for len(list) < a {
				list = append(list, bits.Zero(mem.Width()))
			}
			list = append(list, word)
		}
	}
	return list
}

// ownMemory finds a memory of a design by its full name. Modules on the way that have other
// instances, too, are copied, so that only this instance has the memory.
func ownMemory(d *ir.Design, name string) *ir.Memory {
	var find func(m *ir.Module, rest string) *ir.Memory
	find = func(m *ir.Module, rest string) *ir.Memory {
		if i := slices.IndexFunc(m.Mems, func(mem ir.Memory) bool { return mem.Name == rest }); i >= 0 {
			return &m.Mems[i]
		}

		// Names of instances may have dots: every one that the name begins with is tried.
		for i := range m.Insts {
			inst := &m.Insts[i]
			below, ok := strings.CutPrefix(rest, inst.Name+".")
			if !ok || !hasMemory(inst.Mod, below) {
				continue
			}
			if uses(d, inst.Mod) > 1 {
				inst.Mod = copied(d, inst.Mod)
			}
			return find(inst.Mod, below)
		}
		return nil
	}
	return find(d.Top, name)
}

// hasMemory reports whether a memory is in a module or below it.
func hasMemory(m *ir.Module, name string) bool {
	return slices.ContainsFunc(m.Mems, func(mem ir.Memory) bool { return mem.Name == name }) ||
		slices.ContainsFunc(m.Insts, func(inst ir.Instance) bool {
			below, ok := strings.CutPrefix(name, inst.Name+".")
			return ok && hasMemory(inst.Mod, below)
		})
}

// uses counts the instances of a module in the text of a design.
func uses(d *ir.Design, of *ir.Module) (n int) {
	for _, m := range d.Modules {
		for _, inst := range m.Insts {
			if inst.Mod == of {
				n++
			}
		}
	}
	return n
}

// copied puts a copy of a module behind it in the design's list, which has modules before their
// users. Its name is a new one that ends in _own.
func copied(d *ir.Design, m *ir.Module) *ir.Module {
	c := m.Clone()
	for taken := true; taken; {
		c.Name += "_own"
		taken = slices.ContainsFunc(d.Modules, func(other *ir.Module) bool { return other.Name == c.Name })
	}
	d.Modules = slices.Insert(d.Modules, slices.Index(d.Modules, m)+1, c)
	return c
}

// resetsOf notes the inputs of the top that reset: by their type, which the page holds high in
// cycle 0 itself, and by their names, as etch sim has it.
func (w *viewer) resetsOf(d *ir.Design) {
	for _, p := range d.Top.Ports {
		if k := d.Top.TypeOf(p.Type).Kind; p.Dir == ir.In && (k == ir.Reset || k == ir.AsyncReset) {
			w.resets = append(w.resets, p.Name)
		}
	}

	// An input that -set holds is no reset, whatever its name.
	for _, r := range namedResets([]*ir.Design{d}) {
		if w.isSet(r.name) {
			continue
		}
		if r.level == yosys.Low {
			fmt.Fprintf(w.out.Err, "note: %s is taken for a reset that acts when low\n", r.name)
		}
		w.named = append(w.named, r)
	}
}

// drive sets the inputs of -set from cycle 0 on, and resets by name in it, by the page's own commands.
// A set drops the run after its cycle: the end of the resets is set again.
func (w *viewer) drive(v *view.View) error {
	if len(w.sets)+len(w.named) == 0 || w.broken {
		return nil
	}
	for _, r := range w.named {
		if err := give(v, 0, r.name, r.value(true)); err != nil {
			return err
		}
	}
	for _, s := range w.sets {
		name, value, _ := strings.Cut(s, "=")
		if err := give(v, 0, name, value); err != nil {
			return usagef("-set: %v", err)
		}
	}

	// The reset ends at cycle 1, as that of etch sim does.
	if len(w.resets)+len(w.named) == 0 {
		return nil
	}
	if err := v.Do("run", url.Values{"to": {"1"}}); err != nil {
		return err
	}
	for _, name := range w.resets {
		if w.isSet(name) {
			continue
		}
		if err := give(v, 1, name, "0"); err != nil {
			return err
		}
	}
	for _, r := range w.named {
		if err := give(v, 1, r.name, r.value(false)); err != nil {
			return err
		}
	}
	return nil
}

// give sets an input of the page at a cycle.
func give(v *view.View, cycle int, name, value string) error {
	return v.Do("set", url.Values{"cycle": {strconv.Itoa(cycle)}, "name": {name}, "value": {value}})
}
