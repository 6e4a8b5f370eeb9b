package vector

import "math/bits"

// MaxWords is the length of the longest vector, in 64-bit words.
const MaxWords = 8

// Machine executes programs in Go.
type Machine struct {
	Words int // of a vector: 4 or 8
	regs  [maxRegs][MaxWords]uint64

	moved int // slots by which pool constants are moved

	slices   []uint64 // of the group, while a subgroup runs
	subgroup int
}

// Lanes returns the number of bits of a vector.
func (m *Machine) Lanes() int { return 64 * m.Words }

// Fill stores the constants of p in scratch, which has p.Scratch vectors of words 64-bit words.
func (p *Program) Fill(scratch []uint64, words int) { fill(p.Consts, 0, scratch, words) }

// fill stores constants, moved by so many slots.
func fill(consts []Const, moved int, scratch []uint64, words int) {
	for _, c := range consts {
		// Without elements, it is the powers of two for subgroups.
		if c.Bits == 0 {
			fillPlaces(scratch[int(^c.Slot)*words:][:words])
			continue
		}

		v := c.V

		// Repeat the element until it fills a word.
		for b := c.Bits; b < 64; b *= 2 {
			v |= v << b
		}
		at := (int(^c.Slot) + moved) * words
		for k := range words {
			scratch[at+k] = v
		}
	}
}

// fillPlaces sets the 16-bit element i to 1<<(i%16).
func fillPlaces(v []uint64) {
	for i := range 4 * len(v) {
		v[i/4] |= 1 << (i%4*16 + i%16)
	}
}

// Run runs up to cycles cycles of one group, and returns how many are left: more than 0 only if
// a Stop ended the run before the next cycle. With force it runs one cycle whatever Stop says.
// mems is the group's memories.
func (m *Machine) Run(p *Program, state, scratch, mems []uint64, cycles int, force bool) (left int) {
	for cycles > 0 {
		done := m.cycle(p, state, scratch, mems, cycles, force)
		if done == 0 {
			break
		}
		cycles -= done
	}
	return cycles
}

// slot is the vector of a slot.
func (m *Machine) slot(state, scratch []uint64, slot int32) []uint64 {
	// Pool constants lie behind the other scratch slots.
	if k := int(^slot); slot < 0 {
		if k >= pooled {
			k += m.moved
		}
		return scratch[k*m.Words:][:m.Words]
	}
	return state[int(slot)*m.Words:][:m.Words]
}

// cycle runs one cycle, or as many as the program runs at once, and returns how many: 0 if it
// stops, the complement of the way if it leaves by one.
func (m *Machine) cycle(p *Program, state, scratch, mems []uint64, cycles int, force bool) int {
	for i := 0; i < len(p.Instrs); i++ {
		in := &p.Instrs[i]
		switch in.Op {
		// Control flow only goes forwards, to the end of a block.
		case Skip:
			// Blocks do not nest, so the next end is that of this block.
			if zero(m.regs[in.A][:m.Words]) {
				for p.Instrs[i].Op != EndSkip {
					i++
				}
			}

		case Branch:
			if cycles < int(in.Imm) || !zero(m.regs[in.A][:m.Words]) {
				for p.Instrs[i].Op != Label {
					i++
				}
			}
		case Again:
			return int(in.Imm)
		case EndSkip, Label:
		case Load:
			copy(m.regs[in.D][:], m.slot(state, scratch, in.Slot))
		case Store:
			copy(m.slot(state, scratch, in.Slot), m.regs[in.A][:])
		case Row:
			copy(m.regs[in.D][:m.Words], mems[int(in.Slot)*m.Words:])
		case StoreRow:
			copy(mems[int(in.Slot)*m.Words:], m.regs[in.A][:m.Words])
		case Bits:
			m.bits(m.regs[in.D][:m.Words], in.Slot)
		case StoreBits:
			m.storeBits(m.regs[in.A][:m.Words], in.Slot)
		case Move:
			m.regs[in.D] = m.regs[in.A]
		case Stop:
			a := m.regs[in.A][:m.Words]

			// As in machine code, the mask stays in the first scratch slot.
			copy(scratch, a)
			if !zero(a) && !force {
				return 0
			}

		case Expect:
			if !zero(m.regs[in.A][:m.Words]) {
				return ^int(in.Slot)
			}
		case Gather:
			m.gather(m.regs[in.D][:m.Words], &p.Macros[in.Slot], int(in.Imm), scratch, mems)
		case Macro:
			m.access(&p.Macros[in.Slot], scratch, mems)
		default:
			// Mem is no register, so its number is cut to a valid index.
			b := m.regs[in.B&31][:m.Words]
			if in.B == Mem {
				b = m.slot(state, scratch, in.Slot)
			}
			m.operate(in, m.regs[in.A][:m.Words], b)
		}
	}
	return 1
}

func zero(v []uint64) bool {
	var any uint64
	for _, x := range v {
		any |= x
	}
	return any == 0
}

// operate executes an instruction with a result; b is its second operand.
func (m *Machine) operate(in *Instr, a, b []uint64) {
	d := m.regs[in.D][:m.Words]
	switch in.Op {
	case And:
		for k := range d {
			d[k] = a[k] & b[k]
		}
	case Or:
		for k := range d {
			d[k] = a[k] | b[k]
		}
	case Xor:
		for k := range d {
			d[k] = a[k] ^ b[k]
		}
	case Andn:
		for k := range d {
			d[k] = ^a[k] & b[k]
		}
	case Ternary:
		ternary(in.Imm, d, a, b)
	case Choose8:
		c := m.regs[in.C][:m.Words]
		for k := range d {
			// Spread the top bit of each byte over the byte.
			mask := c[k] >> 7 & 0x0101010101010101 * 0xff
			d[k] = a[k]&^mask | b[k]&mask
		}
	case Choose32:
		c := m.regs[in.C][:m.Words]
		for k := range d {
			// The same for elements of 32 bits.
			mask := c[k] >> 31 & 0x0000000100000001 * 0xffffffff
			d[k] = a[k]&^mask | b[k]&mask
		}
	default:
		if in.Op >= Blend32 && in.Op <= Widen32 {
			m.rearrange(in, a, b)
			return
		}

		// All other operations work on blocks of 128 bits.
		var out [MaxWords]uint64
		for k := 0; k < m.Words; k += 2 {
			out[k], out[k+1] = block(in.Op, in.Imm, [2]uint64{a[k], a[k+1]}, [2]uint64{b[k], b[k+1]})
		}
		copy(d, out[:])
	}
}

// ternary applies a three-operand function of d, a and b to d, bit by bit: a multiplexer of its
// table's bits by b, a and d.
func ternary(fn uint8, d, a, b []uint64) {
	var bit [8]uint64
	for i := range bit {
		bit[i] = -uint64(fn >> i & 1)
	}
	of := func(low, high, by uint64) uint64 { return low ^ (low^high)&by }

	for k, x := range d {
		without := of(of(bit[0], bit[1], b[k]), of(bit[2], bit[3], b[k]), a[k])
		with := of(of(bit[4], bit[5], b[k]), of(bit[6], bit[7], b[k]), a[k])
		d[k] = of(without, with, x)
	}
}

// block executes an operation on a block of 128 bits.
func block(op Op, imm uint8, a, b [2]uint64) (lo, hi uint64) {
	switch op {
	case Low16, High16, Low32, High32, Pack32, PackS32, Even32, Shuffle8:
		return shuffled(op, a, b)
	}
	return element(op, imm, a[0], b[0]), element(op, imm, a[1], b[1])
}

// elements is the element width of an op.
func elements(op Op) int {
	switch op {
	case Add16, Sub16, Mul16, MulHi16, MulHiS16, Eq16, Gt16, Shl16, Shr16, Sar16:
		return 16
	case Add32, Sub32, Mul32, MulAdd16, Min32, Eq32, Gt32, Shl32, Shr32, Sar32, ShlBy32, ShrBy32, SarBy32:
		return 32
	}
	return 64
}

// element executes an operation on the elements of a word.
func element(op Op, imm uint8, a, b uint64) (out uint64) {
	w := elements(op)
	ones := ^uint64(0) >> (64 - w)
	for at := 0; at < 64; at += w {
		out |= (scalar(op, uint(imm), a>>at&ones, b>>at&ones, w) & ones) << at
	}
	return out
}

func signed(v uint64, w int) int64 { return int64(v<<(64-w)) >> (64 - w) }

func truth(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}

// scalar executes an operation on one element of w bits.
func scalar(op Op, imm uint, a, b uint64, w int) uint64 {
	switch op {
	case Add16, Add32, Add64:
		return a + b
	case Sub16, Sub32, Sub64:
		return a - b
	case Mul16, Mul32:
		return a * b
	case MulHi16:
		return a * b >> 16
	case MulHiS16:
		return uint64(signed(a, 16) * signed(b, 16) >> 16)
	case MulAdd16:
		// The halves of the element are two signed numbers, and the sum wraps around.
		return uint64(signed(a, 16)*signed(b, 16) + signed(a>>16, 16)*signed(b>>16, 16))
	case MulEven32:
		return a & 0xffffffff * (b & 0xffffffff)
	case Min32:
		return min(a, b)
	case Eq16, Eq32, Eq64:
		return truth(a == b)
	case Gt16, Gt32, Gt64:
		return truth(signed(a, w) > signed(b, w))
	case Shl16, Shl32, Shl64:
		return a << imm
	case Shr16, Shr32, Shr64:
		return a >> imm
	case Sar16, Sar32:
		return uint64(signed(a, w) >> imm)
	case ShlBy32, ShlBy64:
		// A shift by the width or more gives 0, since element cuts the upper bits.
		return a << b
	case ShrBy32, ShrBy64:
		return a >> b
	case SarBy32:
		return uint64(signed(a, w) >> b)
	case Sum8:
		// The sum of the absolute differences of bytes.
		var sum uint64
		for at := 0; at < 64; at += 8 {
			x, y := int(a>>at&0xff), int(b>>at&0xff)
			sum += uint64(max(x-y, y-x))
		}
		return sum
	}
	panic("vector: no meaning of op " + op.String())
}

// shuffled executes an operation that moves parts of a block.
func shuffled(op Op, a, b [2]uint64) (lo, hi uint64) {
	// h is a 16-bit element of a block, d a 32-bit one.
	h := func(x [2]uint64, k int) uint64 { return x[k/4] >> (k % 4 * 16) & 0xffff }
	d := func(x [2]uint64, k int) uint64 { return x[k/2] >> (k % 2 * 32) & 0xffffffff }
	switch op {
	case Low16:
		return h(a, 0) | h(b, 0)<<16 | h(a, 1)<<32 | h(b, 1)<<48, h(a, 2) | h(b, 2)<<16 | h(a, 3)<<32 | h(b, 3)<<48
	case High16:
		return h(a, 4) | h(b, 4)<<16 | h(a, 5)<<32 | h(b, 5)<<48, h(a, 6) | h(b, 6)<<16 | h(a, 7)<<32 | h(b, 7)<<48
	case Low32:
		return d(a, 0) | d(b, 0)<<32, d(a, 1) | d(b, 1)<<32
	case High32:
		return d(a, 2) | d(b, 2)<<32, d(a, 3) | d(b, 3)<<32
	case Even32:
		return d(a, 0) | d(a, 2)<<32, d(b, 0) | d(b, 2)<<32
	case Pack32:
		return packed(fits16, a), packed(fits16, b)
	case PackS32:
		return packed(fitsS16, a), packed(fitsS16, b)
	}

	at := func(k int) uint64 { // Shuffle8
		i := b[k/8] >> (k % 8 * 8) & 0xff

		// The top bit of an index clears the byte.
		if i >= 0x80 {
			return 0
		}
		i &= 15
		return a[i/8] >> (i % 8 * 8) & 0xff
	}
	for k := range 8 {
		lo |= at(k) << (8 * k)
		hi |= at(k+8) << (8 * k)
	}
	return lo, hi
}

// fits16 saturates the signed 32-bit number v to unsigned 16 bits.
func fits16(v uint64) uint64 { return uint64(min(max(int32(v), 0), 0xffff)) }

// fitsS16 saturates it to signed 16 bits.
func fitsS16(v uint64) uint64 { return uint64(min(max(int32(v), -1<<15), 1<<15-1)) & 0xffff }

// packed is the 32-bit elements of a block, saturated to 16 bits.
func packed(fit func(v uint64) uint64, x [2]uint64) uint64 {
	return fit(x[0]&0xffffffff) | fit(x[0]>>32)<<16 | fit(x[1]&0xffffffff)<<32 | fit(x[1]>>32)<<48
}

// access executes a macro, lane by lane.
func (m *Machine) access(a *Access, scratch, mems []uint64) {
	if a.HasCond && zero(scratch[int(^a.condAt)*m.Words:][:m.Words]) {
		return
	}
	if a.addrWidth > 0 {
		m.writeWords(a, scratch, mems)
		return
	}

	// Sliced: a number is collected from its bits in consecutive rows.
	words := m.Words
	bit := func(row int32, k, lane int) uint64 {
		return scratch[(int(^row)+k)*words+lane/64] >> (lane % 64) & 1
	}
	number := func(row int32, n, lane int) (v uint64) {
		for k := range n {
			v |= bit(row, k, lane) << k
		}
		return v
	}

	// Rows of a result start as 0, so only ones are stored.
	if !a.Write {
		clear(scratch[int(^a.dataAt)*words:][:a.Width*words])
	}

	for lane := range m.Lanes() {
		// The lane's word in its own part of the memory.
		at := a.Offset + (lane*a.Stride+int(number(a.addrAt, a.Addr, lane)))*a.Elem
		word, sh := &mems[at/8], at%8*8
		if !a.Write {
			for v := *word >> sh & (1<<a.Width - 1); v != 0; v &= v - 1 {
				scratch[(int(^a.dataAt)+bits.TrailingZeros64(v))*words+lane/64] |= 1 << (lane % 64)
			}
			continue
		}

		// Without a mask, all bits of the element are written.
		mask := ^uint64(0) >> (64 - 8*a.Elem)
		if a.Masked {
			mask = number(a.maskAt, a.Width, lane)
		}
		*word = *word&^(mask<<sh) | number(a.dataAt, a.Width, lane)&mask<<sh
	}
}
