package equiv

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes/aig"
)

// place is a register or a memory of an instance.
type place struct {
	path string
	m    *ir.Module
	at   int // in Regs or Mems
}

// placesOf lists the registers and the memories of a design, in the order of Flatten.
func placesOf(top *ir.Module) (regs, mems []place) {
	var visit func(m *ir.Module, path string)
	visit = func(m *ir.Module, path string) {
		for i := range m.Regs {
			regs = append(regs, place{path, m, i})
		}
		for i := range m.Mems {
			mems = append(mems, place{path, m, i})
		}
		for _, inst := range m.Insts {
			if inst.Mod.Extern == nil {
				visit(inst.Mod, joined(path, inst.Name))
			}
		}
	}
	visit(top, "")
	return regs, mems
}

// powerUp sets all state to the start of the trace. It visits the instances in the order of
// Flatten, in which the circuit has its states: registers, then memories.
func (r *replay) powerUp() error {
	regs, mems := placesOf(r.d.Top)

	// Take the starts one by one.
	next := 0
	take := func() bits.Value {
		next++
		return value(r.v, r.p.start[next-1])
	}

	for _, g := range regs {
		if err := r.poke(g.path, g.m.Regs[g.at].Node, take()); err != nil {
			return err
		}
	}

	addrs := map[int][]int{}
	for _, g := range mems {
		mem := &g.m.Mems[g.at]
		if model, ok := r.p.models[joined(g.path, mem.Name)]; ok {
			if err := r.cells(joined(g.path, mem.Name), model, addrs, take); err != nil {
				return err
			}
		} else if len(mem.Writes) > 0 || mem.Init == nil {
			h, err := r.s.Mem(joined(g.path, mem.Name))
			if err != nil {
				return err
			}
			for a := range mem.Depth {
				if err := h.Write(a, take()); err != nil {
					return err
				}
			}
		}
		for _, port := range mem.Reads {
			if err := r.poke(g.path, port.Node, take()); err != nil {
				return err
			}
		}
	}

	return nil
}

// cells sets the kept words of a memory; addrs has their addresses by group, which the first
// memory of a group takes.
func (r *replay) cells(name string, model aig.Model, addrs map[int][]int, take func() bits.Value) error {
	if addrs[model.Group] == nil {
		for range model.Cells {
			addrs[model.Group] = append(addrs[model.Group], int(take().Uint64()))
		}
	}
	h, err := r.s.Mem(name)
	if err != nil {
		return err
	}
	for _, a := range addrs[model.Group] {
		v := take()
		if a >= h.Depth() {
			return fmt.Errorf("word %d of %s is past the end", a, name)
		}
		if err := h.Write(a, v); err != nil {
			return err
		}
	}
	return nil
}

// poke sets a node's value.
func (r *replay) poke(path string, id ir.ID, v bits.Value) error {
	sig, err := r.s.NodeOf(path, id)
	if err != nil {
		return err
	}
	return r.s.Poke(sig, v)
}

// joined returns the path of a name in an instance.
func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
