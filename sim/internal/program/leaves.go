package program

import (
	"etch/ir"
	"etch/ir/bits"
)

// leaves allocates slots for inputs of the top, state and constants.
func (c *compiler) leaves() error {
	p := c.p

	// Words of the simulator come first, then inputs, state, and constants, each in one range.
	c.next = int(firstSlot)
	if !c.alone && p.says(ir.Print) {
		p.Journal.State = uint32(c.next)
		c.next += 2
	}
	if !c.alone && p.says(ir.Assert, ir.Assume, ir.Stop) {
		p.Mute = uint32(c.next)
		c.next++
	}
	if err := c.inputs(); err != nil {
		return err
	}

	p.State.Lo = uint32(c.next)
	if err := c.classLeaves(); err != nil {
		return err
	}
	if err := c.stateLeaves(); err != nil {
		return err
	}
	p.State.Hi = uint32(c.next)
	if err := c.constants(); err != nil {
		return err
	}
	p.Leaves = uint32(c.next)
	return nil
}

// inputs allocates slots for the inputs of the top.
func (c *compiler) inputs() error {
	p := c.p
	p.Inputs.Lo = uint32(c.next)
	for i, port := range p.Design.Top.Ports {
		if port.Dir != ir.In {
			continue
		}
		if _, err := c.give(Ref{0, port.Node}); err != nil {
			return err
		}

		// Every word of the inputs gets an entry in clockOf.
		clock := int32(-1)
		switch p.Design.Top.TypeOf(port.Type).Kind {
		case ir.Clock:
			clock = int32(len(p.Clocks))
			p.Clocks = append(p.Clocks, int32(i))
		case ir.Reset, ir.AsyncReset:
			p.Resets = append(p.Resets, int32(i))
		}
		for range bits.WordCount(port.Width) {
			p.clockOf = append(p.clockOf, clock)
		}
	}
	p.Inputs.Hi = uint32(c.next)
	return nil
}

// stateLeaves allocates slots for registers and read data. Instances of one module have theirs
// side by side, register by register: engines that compute several instances at once find their
// values in neighbouring words.
func (c *compiler) stateLeaves() error {
	p := c.p
	left := func(i int) bool { return p.Insts[i].Box < 0 && (p.Class == nil || !p.Class.In[i]) } // or it has its slots

	// Count the instances of each kind, reserve the words of each register for all of them, then
	// deal them out.
	count := make([]int, len(p.kinds))
	for i := range p.Insts {
		if left(i) {
			count[p.Insts[i].kind]++
		}
	}
	next := make([][]uint32, len(p.kinds)) // by kind and state node: the slot for the next instance
	for n, k := range p.kinds {
		for _, id := range k.State {
			slot, err := c.take(count[n] * bits.WordCount(k.mod.Width(id)))
			if err != nil {
				return err
			}
			next[n] = append(next[n], slot)
		}
	}

	for i := range p.Insts {
		if !left(i) {
			continue
		}
		in := &p.Insts[i]
		slots := p.slots[in.base:]
		for s, id := range p.kinds[in.kind].State {
			slots[id] = next[in.kind][s]
			next[in.kind][s] += uint32(bits.WordCount(in.Mod.Width(id)))
		}
	}
	return nil
}

// constants allocates slots for constants, shared by all instances of a kind.
func (c *compiler) constants() error {
	p, count := c.p, 0
	for _, k := range p.kinds {
		count += len(k.consts)
	}

	// The image of the first slots is the same for all instances; a slot is shared by equal
	// constants of a kind.
	p.Image = make([]uint64, c.next, c.next+count)
	p.Image[oneSlot] = 1

	for _, k := range p.kinds {
		if k.run == 0 {
			continue
		}
		for _, id := range k.consts {
			slot, err := c.constant(k.mod.ConstOf(id))
			if err != nil {
				return err
			}
			k.slots = append(k.slots, slot)
		}
	}

	// Every instance refers to the slots of its kind.
	for i := range p.Insts {
		in := &p.Insts[i]
		if in.Box >= 0 {
			continue
		}
		k, slots := p.kinds[in.kind], p.slots[in.base:]
		for s, id := range k.consts {
			slots[id] = k.slots[s]
		}
	}
	return nil
}

// constant allocates a constant's slot. Narrow constants of equal value share one.
func (c *compiler) constant(v bits.Value) (uint32, error) {
	narrow := v.Width() <= 64
	if narrow {
		if slot, ok := c.narrow[v.Uint64()]; ok {
			return slot, nil
		}
	}
	slot, err := c.alloc(v.Width())
	if err != nil {
		return 0, err
	}
	if narrow {
		c.narrow[v.Uint64()] = slot
	}

	// The image grows with the slots: constants are the last leaves.
	c.p.Image = append(c.p.Image, v.Words()...)
	return slot, nil
}
