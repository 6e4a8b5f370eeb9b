package program

import "etch/ir"

// Class is the instances of one module that share machine code. Their states have equal layouts
// at equal distances (the stride), so code moves from one instance to the next by moving its
// base.
type Class struct {
	Mod   *ir.Module
	Roots []int32   // the instances
	Trees [][]int32 // by instance of the class: it and all instances below it, parents first, in the same order
	In    []bool    // by instance of the design: it belongs to a tree

	Next   uint32 // slot of the first instance reserved for the engine
	Ports  uint32 // slot of the first instance's inputs
	Stride uint32
}

// Limits of classes. Others would not do most of the work. Chosen, not measured. They are not in
// choose.Policy, because a Program is made before engines are chosen.
const (
	leastClassNodes = 100
	leastClassShare = 2  // at least one in so many of all nodes
	leastChoices    = 20 // at least one in so many of its nodes makes a choice: modules without choices are for vectors
)

// findClass chooses the module whose instances have most of the nodes. It returns nil if the
// module has a single instance or few nodes.
func (p *Program) findClass() *Class {
	if len(p.Boxes) > 0 {
		return nil
	}

	var best *Kind

	// The largest product of nodes and instances wins. Kind 0 is the top, which counts all nodes.
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
	c := &Class{Mod: best.mod, In: make([]bool, len(p.Insts))}
	for i := range p.Insts {
		if p.Insts[i].kind == best.number {
			c.Roots = append(c.Roots, int32(i))
			tree := p.Below(int32(i), nil)
			c.Trees = append(c.Trees, tree)
			for _, k := range tree {
				c.In[k] = true
			}
		}
	}
	return c
}

// Below appends an instance and all instances below it, parents first.
func (p *Program) Below(i int32, to []int32) []int32 {
	to = append(to, i)
	for k := range p.Insts[i].Mod.Insts {
		to = p.Below(p.Insts[i].Kids+int32(k), to)
	}
	return to
}

// classLeaves allocates the state of the class's instances, one after the other, each behind its
// inputs.
func (c *compiler) classLeaves() error {
	cl := c.p.Class
	if cl == nil {
		return nil
	}

	first := uint32(c.next)
	for i, tree := range cl.Trees {
		if _, err := c.alloc(64); err != nil { // for class.next
			return err
		}

		// Inputs come first, so that the class's net addresses them like registers.
		for _, port := range cl.Mod.Ports {
			if port.Dir == ir.In {
				if _, err := c.alloc(port.Width); err != nil {
					return err
				}
			}
		}

		for _, inst := range tree {
			for _, id := range c.p.KindOf(inst).State {
				if _, err := c.give(Ref{inst, id}); err != nil {
					return err
				}
			}
		}
		if i == 0 {
			// All trees take equally many words, so the first one gives the stride.
			cl.Next, cl.Ports, cl.Stride = first, first+1, uint32(c.next)-first
		}
	}
	return nil
}

// placeMemories lays out the memories. Memories of the class come first, instance by instance,
// so that they too lie at equal distances.
func (p *Program) placeMemories() {
	p.memAt = make([]uint32, len(p.Mems))
	placed := make([]bool, len(p.Mems))

	put := func(i int) {
		p.memAt[i], placed[i] = p.memTo, true
		p.memTo += uint32(p.Mems[i].Room())
	}

	if p.Class != nil {
		of := map[int32][]int{}
		for i := range p.Mems {
			of[p.Mems[i].Inst] = append(of[p.Mems[i].Inst], i)
		}
		for _, tree := range p.Class.Trees {
			for _, inst := range tree {
				for _, i := range of[inst] {
					put(i)
				}
			}
		}
	}

	// All other memories follow in their order.
	for i := range p.Mems {
		if !placed[i] {
			put(i)
		}
	}
}
