package vector

// ElementAt is where a value of bits bits, 16, 32 or 64, of an instance is among
// the vectors of a value in word form: which vector, and which element of it. Each
// step to wider elements takes the low half of every block of 128 bits to one
// vector and the high half to the next, so that an instance's number is, from its top,
// the block, the vector, and the element of the block.
func ElementAt(lane, bits int) (vec, elem int) {
	switch bits {
	case 16:
		return 0, lane
	case 32:
		return lane >> 2 & 1, lane>>3<<2 | lane&3
	}
	return lane >> 1 & 3, lane>>3<<1 | lane&1
}

// ReadWords is Read in word form: addr is vectors of addresses of so many bits, 16
// or 32, and the result vectors of words of 8·a.Elem bits. Addresses are counted in
// elements: that of word k of a memory in rows is k times the instances.
func (c *Code) ReadWords(a Access, addr []Value, bits int) []Value {
	a.addrWidth = bits
	a.addrAt = c.put(&a, addr, len(addr))
	a.outs = a.Elem / 2
	a.dataAt = c.Scratch(a.outs)
	a.outAt = a.dataAt
	c.setCond(&a)
	return c.Access(a)
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

// ByteOf is the byte, behind the first slot at, of an instance's element of bits
// bits in vectors of size bytes.
func ByteOf(lane, bits, size int) int {
	vec, elem := ElementAt(lane, bits)
	return vec*size + elem*bits/8
}

// accessWords executes a macro of word form.
func (m *Machine) accessWords(a *Access, scratch, mems []uint64) {
	elem := func(at int32, lane, bits int) (word *uint64, sh int) {
		b := int(^at)*8*m.Words + ByteOf(lane, bits, 8*m.Words)
		return &scratch[b/8], b % 8 * 8
	}
	get := func(at int32, lane, bits int) uint64 {
		word, sh := elem(at, lane, bits)
		return *word >> sh & (1<<bits - 1)
	}
	width := 8 * a.Elem
	ones := ^uint64(0) >> (64 - width)
	for lane := range 4 * m.Words {
		at := a.Offset + int(get(a.addrAt, lane, a.addrWidth))*a.Elem + a.inRow(lane, 8*m.Words)
		word, sh := &mems[at/8], at%8*8
		if !a.Write {
			to, s := elem(a.dataAt, lane, width)
			*to = *to&^(ones<<s) | *word>>sh&ones<<s
			continue
		}
		mask := ones
		if a.Masked {
			mask = get(a.maskAt, lane, width)
		}
		*word = *word&^(mask<<sh) | get(a.dataAt, lane, width)&mask<<sh
	}
}

// inRow is the byte of an instance in a row of a memory, with vectors of size
// bytes.
func (a *Access) inRow(lane, size int) int {
	if !a.Rows {
		return 0
	}
	return ByteOf(lane, 8*a.Elem, size)
}
