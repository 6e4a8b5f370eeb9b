package vector

// access writes a macro. In sliced form addresses and data are transposed to words, scalar code
// visits the instances, and read data is transposed back. In word form only the scalar code is
// needed.
func (a *assembler) access(m *Access) {
	// Without any instance under the condition, all of it is skipped.
	if m.HasCond {
		skip := a.newLabel()
		a.load(0, a.slot(m.condAt))
		a.test(0, false, skip)
		defer a.bind(skip)
	}
	if m.addrWidth > 0 {
		a.writeWords(m)
		return
	}

	// The rows above the address bits must be 0, since the transposition reads them.
	wide := rows(m.Addr)
	a.zeroRows(m.addrAt, m.Addr, wide)
	a.transpose(m.addrAt, wide)
	if m.Write {
		a.transposeData(m, m.dataAt)
		if m.Masked {
			a.transposeData(m, m.maskAt)
		}
	}

	// A read transposes after the accesses, a write before.
	a.eachRow(m, wide)
	if !m.Write {
		a.transposeData(m, m.dataAt)
	}
}

// zeroRows clears rows first to count-1 behind at.
func (a *assembler) zeroRows(at int32, first, count int) {
	if first >= count {
		return
	}
	a.zero(0)
	for k := first; k < count; k++ {
		a.store(a.slot(at-int32(k)), 0)
	}
}

// transposeData transposes the rows of data or mask; 64 rows are two squares of 32.
func (a *assembler) transposeData(m *Access, at int32) {
	a.transpose(at, min(8*m.Elem, 32))
	if m.Elem == 8 {
		a.transpose(at-32, 32)
	}
}

// transpose calls the subroutine for so many rows.
func (a *assembler) transpose(at int32, rows int) {
	a.aim(ofRows, a.slot(at))
	a.uses[rows/32] = true
	a.call(a.rows[rows/32])
}

// aimAll points the macros' bases to the rows of m.
func (a *assembler) aimAll(m *Access) {
	a.aim(ofAddr, a.slot(m.addrAt))
	a.aim(ofData, a.slot(m.dataAt))
	if m.Masked {
		a.aim(ofMask, a.slot(m.maskAt))
	}
	a.aim(ofWord, place{ofMems, m.Offset})
}

// eachRow loops over 16 rows. Lane 16c + r is handled in round r by code number c. After
// transposition a 16-bit number is in row r, column c, a 32-bit number in row 16·(c mod 2) + r,
// column c/2.
func (a *assembler) eachRow(m *Access, wide int) {
	a.aimAll(m)
	loop := a.repeat(16)

	size := m.Stride * m.Elem
	// Offsets of one code; they advance with the rows.
	for c := range a.bytes * 8 / 16 {
		n16, n32 := 2*c, 16*(c&1)*a.bytes+c>>1*4
		e := wordAt{index: n16, indexBits: wide, word: 16 * c * size, data: n32}
		if wide == 32 {
			e.index = n32
		}

		switch m.Elem {
		case 2:
			e.data = n16
		case 8:
			e.high = 32 * a.bytes
		}
		a.element(m, e)
	}

	a.advance(ofAddr, a.bytes)
	a.advance(ofData, a.bytes)
	if m.Masked {
		a.advance(ofMask, a.bytes)
	}
	if size > 0 {
		a.advance(ofWord, size)
	}
	a.again(loop)
}

// writeWords writes a write in word form: scalar code for each instance.
func (a *assembler) writeWords(m *Access) {
	a.aimAll(m)
	for lane := range a.bytes / 2 {
		a.element(m, wordAt{
			index: ByteOf(lane, m.addrWidth, a.bytes), indexBits: m.addrWidth,
			word: m.inRow(lane, a.bytes), data: ByteOf(lane, 8*m.Elem, a.bytes),
		})
	}
}

// gatherIf writes a read in word form: it gathers a vector of words, unless no instance needs
// it.
func (a *assembler) gatherIf(in *Instr) {
	m := &a.p.Macros[in.Slot]
	if m.HasCond {
		skip := a.newLabel()
		a.test(in.A, false, skip)
		defer a.bind(skip)
	}

	// Find the instances whose elements are in this vector.
	from := make([]wordAt, a.bytes/m.Elem)
	for lane := range a.bytes / 2 {
		if vec, elem := ElementAt(lane, 8*m.Elem); vec == int(in.Imm) {
			from[elem] = wordAt{index: ByteOf(lane, m.addrWidth, a.bytes), indexBits: m.addrWidth, word: m.inRow(lane, a.bytes)}
		}
	}

	a.gather(in.D, in.C, m, a.slot(m.addrAt), from)
}

// transposers writes the subroutines that were used. The vectors from ofRows on are rows, and
// each column of 16 or 32 bits of them is a square of bits.
func (a *assembler) transposers() {
	for k, used := range a.uses {
		if used {
			a.bind(a.rows[k])
			a.rounds(16 << k)
			a.ret()
		}
	}
}

// swapMasks are the bits that stay in the first of two rows when blocks of 16, 8, 4, 2 and 1
// bits are exchanged.
var swapMasks = [5]uint64{0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555}

// swapReg is the register of the first mask.
const swapReg = 10

// rounds exchanges blocks of half the rows, then of a quarter, and so on (Hacker's Delight,
// 7-3), with four or eight rows in registers at a time.
func (a *assembler) rounds(rows int) {
	row := func(r int) place { return place{ofRows, r * a.bytes} }
	far := rows / 8 // rows loaded together in the first pass
	// Masks stay in registers.
	for k := range 5 {
		a.load(uint8(swapReg+k), a.slot(a.p.masks[k]))
	}

	// First pass: exchanges over distances of 8 rows and more.
	for g := range 8 {
		for i := range far {
			a.load(uint8(i), row(g+8*i))
		}
		for s := far / 2; s >= 1; s /= 2 {
			a.exchange(far, s, 8*s)
		}
		for i := range far {
			a.store(row(g+8*i), uint8(i))
		}
	}

	// Second pass: distances of 4, 2 and 1 within groups of eight rows.
	for g := 0; g < rows; g += 8 {
		for i := range 8 {
			a.load(uint8(i), row(g+i))
		}
		for s := 4; s >= 1; s /= 2 {
			a.exchange(8, s, s)
		}
		for i := range 8 {
			a.store(row(g+i), uint8(i))
		}
	}
}

// exchange exchanges blocks of size bits between registers at a distance of step, among n.
func (a *assembler) exchange(n, step, size int) {
	// Mask number level belongs to blocks of 16>>level bits.
	level := 0
	for 16>>level != size {
		level++
	}

	for i := range n {
		if i&step == 0 {
			a.swap(uint8(i), uint8(i+step), size, uint8(swapReg+level))
		}
	}
}
