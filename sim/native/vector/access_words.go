package vector

// ElementAt is the place of an instance's element of 16, 32 or 64 bits among the vectors of a
// value in word form: the vector, and the element in it. Each step to wider elements puts the
// low half of every 128-bit block in one vector and the high half in the next. So an instance's
// number is, from the top: the block, the vector, the element of the block.
func ElementAt(lane, bits int) (vec, elem int) {
	switch bits {
	case 16:
		return 0, lane
	case 32:
		return lane >> 2 & 1, lane>>3<<2 | lane&3
	}
	return lane >> 1 & 3, lane>>3<<1 | lane&1
}

// ReadWords is Read in word form. addr is vectors of addresses of so many bits, 16 or 32; the
// result is vectors of words of 8·a.Elem bits. Addresses count elements: word k of a memory in
// rows has address k times the number of instances. Reads before all writes of the cycle give
// the old words.
func (c *Code) ReadWords(a Access, addr []Value, bits int) []Value {
	// Addresses go to scratch, one gather per result vector.
	a.addrWidth = bits
	a.addrAt = c.Scratch(len(addr))
	for k, v := range addr {
		c.Store(v, a.addrAt-int32(k))
	}

	in := Inst{Op: Gather, A: None, B: None, C: None, Slot: int32(len(c.Macros))}
	if a.HasCond {
		in.A = a.Cond
	}

	c.Macros = append(c.Macros, a)
	out := make([]Value, a.Elem/2)
	for k := range out {
		in.Imm, in.D = uint8(k), c.value(NoSlot)
		out[k] = in.D
		c.Insts = append(c.Insts, in)
	}
	return out
}

// WriteWords is Write in word form.
func (c *Code) WriteWords(a Access, addr []Value, bits int, data, mask []Value) {
	a.Write, a.addrWidth = true, bits
	a.addrAt = c.put(&a, addr, len(addr))
	a.dataAt = c.put(&a, data, len(data))
	if mask != nil {
		a.Masked = true
		a.maskAt = c.put(&a, mask, len(mask))
	}
	c.setCond(&a)
	c.Access(a)
}

// ByteOf is the offset, in bytes from the first slot, of an instance's element of bits bits in
// vectors of size bytes.
func ByteOf(lane, bits, size int) int {
	vec, elem := ElementAt(lane, bits)
	return vec*size + elem*bits/8
}

// element is an instance's element of bits bits in the scratch slots from at on.
func (m *Machine) element(scratch []uint64, at int32, lane, bits int) uint64 {
	b := int(^at)*8*m.Words + ByteOf(lane, bits, 8*m.Words)
	return scratch[b/8] >> (b % 8 * 8) & (1<<bits - 1)
}

// word is an instance's word in the memories, and its position in that 64-bit word.
func (m *Machine) word(a *Access, scratch, mems []uint64, lane int) (word *uint64, shift int) {
	at := a.Offset + int(m.element(scratch, a.addrAt, lane, a.addrWidth))*a.Elem + a.inRow(lane, 8*m.Words)
	return &mems[at/8], at % 8 * 8
}

// gather makes vector k of the result of a read in word form.
func (m *Machine) gather(d []uint64, a *Access, k int, scratch, mems []uint64) {
	width := 8 * a.Elem
	clear(d)
	// Only instances whose element is in this vector.
	for lane := range 4 * m.Words {
		vec, elem := ElementAt(lane, width)
		if vec != k {
			continue
		}
		word, shift := m.word(a, scratch, mems, lane)
		bit := elem * width
		d[bit/64] |= *word >> shift & (^uint64(0) >> (64 - width)) << (bit % 64)
	}
}

// writeWords executes a write in word form.
func (m *Machine) writeWords(a *Access, scratch, mems []uint64) {
	width := 8 * a.Elem
	for lane := range 4 * m.Words {
		mask := ^uint64(0) >> (64 - width)
		if a.Masked {
			mask = m.element(scratch, a.maskAt, lane, width)
		}
		word, shift := m.word(a, scratch, mems, lane)
		*word = *word&^(mask<<shift) | m.element(scratch, a.dataAt, lane, width)&mask<<shift
	}
}

// inRow is the offset of an instance in a row of a memory, in bytes, with vectors of size bytes.
func (a *Access) inRow(lane, size int) int {
	if !a.Rows {
		return 0
	}
	return ByteOf(lane, 8*a.Elem, size)
}
