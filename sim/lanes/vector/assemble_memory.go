package vector

import "etch/sim/native/amd64"

// access writes a macro: addresses, and data to write, are transposed to words;
// scalar code goes from instance to instance; data read is transposed back.
func (a *assembler) access(m *Access) {
	if m.HasCond {
		skip := a.NewLabel()
		a.load(0, a.slot(m.condAt))
		a.test(0)
		a.Jcc(amd64.E, skip)
		defer a.Bind(skip)
	}
	if m.addrWidth > 0 {
		a.accessWords(m)
		return
	}
	wide := rows(m.Addr)
	a.zeroRows(m.addrAt, m.Addr, wide)
	a.transpose(m.addrAt, wide)
	if m.Write {
		a.transposeData(m, m.dataAt)
		if m.Masked {
			a.transposeData(m, m.maskAt)
		}
	}
	a.eachLane(m, wide)
	if !m.Write {
		a.transposeData(m, m.dataAt)
	}
}

// zeroRows clears rows from first to count-1 behind at.
func (a *assembler) zeroRows(at int32, first, count int) {
	if first >= count {
		return
	}
	a.V3(amd64.VPXOR, amd64.V128, 0, 0, 0)
	for k := first; k < count; k++ {
		a.store(a.slot(at-int32(k)), 0)
	}
}

func (a *assembler) transposeData(m *Access, at int32) {
	a.transpose(at, min(8*m.Elem, 32))
	if m.Elem == 8 {
		a.transpose(at-32, 32)
	}
}

// transpose calls the subroutine for so many rows.
func (a *assembler) transpose(at int32, rows int) {
	a.Lea(amd64.S64, amd64.RAX, a.slot(at))
	if rows == 16 {
		a.uses[0] = true
		a.Call(a.t16)
	} else {
		a.uses[1] = true
		a.Call(a.t32)
	}
}

// eachLane loops over 16 rows; lane 16c + r is handled in round r by the code
// number c. A number of 16 bits is in row r, column c; one of 32 in row
// 16·(c mod 2) + r, column c/2.
func (a *assembler) eachLane(m *Access, wide int) {
	const addr, mem, data, mask, count = amd64.RSI, amd64.RDI, amd64.RDX, amd64.R8, amd64.RCX
	a.Lea(amd64.S64, addr, a.slot(m.addrAt))
	a.Lea(amd64.S64, data, a.slot(m.dataAt))
	if m.Masked {
		a.Lea(amd64.S64, mask, a.slot(m.maskAt))
	}
	a.Lea(amd64.S64, mem, amd64.At(regMems, int32(m.Offset)))
	a.MovRI(count, 16)
	a.Align(32)
	loop := a.NewLabel()
	a.Bind(loop)
	size := m.Stride * m.Elem
	for c := range a.bytes * 8 / 16 {
		n16, n32 := int32(2*c), int32(16*(c&1)*a.bytes+c>>1*4)
		if wide == 16 {
			a.MovRM(amd64.S16, amd64.RAX, amd64.At(addr, n16))
		} else {
			a.MovRM(amd64.S32, amd64.RAX, amd64.At(addr, n32))
		}
		at := n32
		if m.Elem == 2 {
			at = n16
		}
		word := amd64.AtIndex(mem, amd64.RAX, uint8(m.Elem), int32(16*c*size))
		a.element(m, word, amd64.At(data, at), amd64.At(mask, at))
		if m.Elem == 8 {
			high := int32(32 * a.bytes)
			a.element(m, word.Plus(4), amd64.At(data, at+high), amd64.At(mask, at+high))
		}
	}
	a.RI(amd64.ADD, amd64.S64, addr, int32(a.bytes))
	a.RI(amd64.ADD, amd64.S64, data, int32(a.bytes))
	if m.Masked {
		a.RI(amd64.ADD, amd64.S64, mask, int32(a.bytes))
	}
	if size > 0 {
		a.RI(amd64.ADD, amd64.S64, mem, int32(size))
	}
	a.RI(amd64.SUB, amd64.S32, count, 1)
	a.Jcc(amd64.NE, loop)
}

// element moves one element, of up to 32 bits, between memory and its row.
func (a *assembler) element(m *Access, word, data, mask amd64.Mem) {
	const x, old = amd64.R9, amd64.R10
	size := amd64.S32
	get := a.Asm.MovRM
	if m.Elem == 2 {
		size = amd64.S16
		get = func(_ amd64.Size, d amd64.Reg, at amd64.Mem) { a.MovRM(amd64.S16, d, at) }
	}
	switch {
	case !m.Write:
		get(size, x, word)
		a.MovMR(size, data, x)
	case !m.Masked:
		get(size, x, data)
		a.MovMR(size, word, x)
	default:
		get(size, old, word)
		get(size, x, data)
		a.RR(amd64.XOR, amd64.S32, x, old)
		if m.Elem == 2 {
			a.MovRM(amd64.S16, amd64.R11, mask)
			a.RR(amd64.AND, amd64.S32, x, amd64.R11)
		} else {
			a.RM(amd64.AND, amd64.S32, x, mask)
		}
		a.RR(amd64.XOR, amd64.S32, x, old)
		a.MovMR(size, word, x)
	}
}

// transposers writes the subroutines that are called: the vectors from RAX on
// are rows, and each of their columns of 16 or 32 bits is a square of bits.
func (a *assembler) transposers() {
	if a.uses[0] {
		a.Bind(a.t16)
		a.rounds(16)
		a.Ret()
	}
	if a.uses[1] {
		a.Bind(a.t32)
		a.rounds(32)
		a.Ret()
	}
}

// swapMasks are the bits that stay in the first of two rows when blocks of 16, 8,
// 4, 2 and 1 are exchanged.
var swapMasks = [5]uint64{0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555}

// rounds exchanges blocks of half the rows, then of a quarter, and so on; four or
// eight rows are in registers at a time.
func (a *assembler) rounds(rows int) {
	row := func(r int) amd64.Mem { return amd64.At(amd64.RAX, int32(r*a.bytes)) }
	far := rows / 8 // rows that are loaded together in the first pass
	for k := range 5 {
		a.load(amd64.Vec(11+k), a.slot(a.p.masks[k]))
	}
	for g := range 8 {
		for i := range far {
			a.load(amd64.Vec(i), row(g+8*i))
		}
		for s := far / 2; s >= 1; s /= 2 {
			a.exchange(far, s, 8*s)
		}
		for i := range far {
			a.store(row(g+8*i), amd64.Vec(i))
		}
	}
	for g := 0; g < rows; g += 8 {
		for i := range 8 {
			a.load(amd64.Vec(i), row(g+i))
		}
		for s := 4; s >= 1; s /= 2 {
			a.exchange(8, s, s)
		}
		for i := range 8 {
			a.store(row(g+i), amd64.Vec(i))
		}
	}
}

// exchange exchanges blocks of size bits between registers that are step apart,
// of n.
func (a *assembler) exchange(n, step, size int) {
	level := 0
	for 16>>level != size {
		level++
	}
	mask := amd64.Vec(11 + level)
	for i := range n {
		if i&step != 0 {
			continue
		}
		x, y := amd64.Vec(i), amd64.Vec(i+step)
		const t, u = amd64.Vec(8), amd64.Vec(9)
		if a.l == amd64.V512 { // x = m ? x : y<<s, y = m ? x>>s : y
			a.V2I(amd64.VPSLLDI, a.l, t, y, uint8(size))
			a.V2I(amd64.VPSRLDI, a.l, u, x, uint8(size))
			a.V3I(amd64.VPTERNLOGQ, a.l, x, mask, t, 0xe2)
			a.V3I(amd64.VPTERNLOGQ, a.l, y, mask, u, 0xb8)
			continue
		}
		a.V2I(amd64.VPSRLDI, a.l, t, x, uint8(size))
		a.V3(amd64.VPXOR, a.l, t, t, y)
		a.V3(amd64.VPAND, a.l, t, t, mask)
		a.V3(amd64.VPXOR, a.l, y, y, t)
		a.V2I(amd64.VPSLLDI, a.l, t, t, uint8(size))
		a.V3(amd64.VPXOR, a.l, x, x, t)
	}
}
