package sim

import "etch/ir"

// class is the instances of one module that share machine code. Their states have equal layouts
// at equal distances (the stride), so code moves from one instance to the next by moving its
// base.
type class struct {
	mod   *ir.Module
	roots []int32   // the instances
	trees [][]int32 // by instance of the class: it and all instances below it, parents first, in the same order
	in    []bool    // by instance of the design: it belongs to a tree

	next   uint32 // slot of the first instance reserved for the engine
	ports  uint32 // slot of the first instance's inputs
	stride uint32
}

// Limits of classes. Others would not do most of the work.
const (
	leastClassNodes = 100
	leastClassShare = 2  // at least one in so many of all nodes
	leastChoices    = 20 // at least one in so many of its nodes makes a choice: modules without choices are for vectors
)

// findClass chooses the module whose instances have most of the nodes. It returns nil if the
// module has a single instance or few nodes.
func (p *program) findClass() *class {
	if len(p.boxes) > 0 {
		return nil
	}

	var best *kind
	most := p.kinds[0].nodes/leastClassShare - 1
	for _, k := range p.kinds[1:] {
		if k.run > 1 && k.nodes >= leastClassNodes && k.choices >= k.nodes/leastChoices && k.nodes*k.run > most {
			best, most = k, k.nodes*k.run
		}
	}
	if best == nil {
		return nil
	}

	// Collect its instances, with all instances below them.
	c := &class{mod: best.mod, in: make([]bool, len(p.insts))}
	for i := range p.insts {
		if p.insts[i].kind == best.number {
			c.roots = append(c.roots, int32(i))
			tree := p.below(int32(i), nil)
			c.trees = append(c.trees, tree)
			for _, k := range tree {
				c.in[k] = true
			}
		}
	}
	return c
}

// below appends an instance and all instances below it, parents first.
func (p *program) below(i int32, to []int32) []int32 {
	to = append(to, i)
	for k := range p.insts[i].mod.Insts {
		to = p.below(p.insts[i].kids+int32(k), to)
	}
	return to
}

// classLeaves allocates the state of the class's instances, one after the other, each behind its
// inputs.
func (c *compiler) classLeaves() error {
	cl := c.p.class
	if cl == nil {
		return nil
	}

	first := uint32(c.next)
	for i, tree := range cl.trees {
		if _, err := c.alloc(64); err != nil { // for class.next
			return err
		}

		// Inputs come first, so that the class's net addresses them like registers.
		for _, port := range cl.mod.Ports {
			if port.Dir == ir.In {
				if _, err := c.alloc(port.Width); err != nil {
					return err
				}
			}
		}

		for _, inst := range tree {
			for _, id := range c.p.kindOf(inst).state {
				if _, err := c.give(ref{inst, id}); err != nil {
					return err
				}
			}
		}
		if i == 0 {
			cl.next, cl.ports, cl.stride = first, first+1, uint32(c.next)-first
		}
	}
	return nil
}

// placeMemories lays out the memories. Memories of the class come first, instance by instance,
// so that they too lie at equal distances.
func (p *program) placeMemories() {
	p.memAt = make([]uint32, len(p.mems))
	placed := make([]bool, len(p.mems))

	put := func(i int) {
		p.memAt[i], placed[i] = p.memTo, true
		p.memTo += uint32(p.mems[i].room())
	}

	if p.class != nil {
		of := map[int32][]int{}
		for i := range p.mems {
			of[p.mems[i].inst] = append(of[p.mems[i].inst], i)
		}
		for _, tree := range p.class.trees {
			for _, inst := range tree {
				for _, i := range of[inst] {
					put(i)
				}
			}
		}
	}

	for i := range p.mems {
		if !placed[i] {
			put(i)
		}
	}
}
