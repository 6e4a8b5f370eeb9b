package vector

import "encoding/binary"

// Memories are the memories of a piece executed in Go, by base.
type Memories [][]byte

// RunPiece executes a piece in Go, as the reference for the encoders. Bases point to byte origin
// of their memories. Parts that an op leaves undefined are 0.
func (m *Machine) RunPiece(p *Program, mem Memories, origin int, pool, spill Place) {
	m.Words = 4

	// The address of a slot, as the assembler has it.
	a := assembler{p: p, bytes: 32, pool: pool.place(), scratch: spill.place()}
	at := func(slot int32) []byte {
		q := a.slot(slot)
		return mem[q.base][origin+q.at:]
	}

	for i := range p.Instrs {
		in := &p.Instrs[i]
		d, x := m.regs[in.D&31][:m.Words], m.regs[in.A&31][:m.Words]
		switch {
		case in.Op == Move:
			copy(d, x)
		case in.Op == Load || in.Op.fetches():
			m.regs[in.D] = fetched(in.Op, at(in.Slot))
		case in.Op == Store || in.Op.stores():
			putWords(at(in.Slot), x[:map[Op]int{Store64: 1, Store128: 2, Store: 4}[in.Op]])
		case in.B == Mem:
			b := fetched(Load, at(in.Slot))
			m.operate(in, x, b[:m.Words])
		default:
			m.operate(in, x, m.regs[in.B&31][:m.Words])
		}
	}
}

// fetched is the vector that an op makes of memory.
func fetched(op Op, b []byte) (v [MaxWords]uint64) {
	// element is element i of size bytes.
	element := func(i, size int) (x uint64) {
		for k := range size {
			x |= uint64(b[i*size+k]) << (8 * k)
		}
		return x
	}

	size := map[Op]int{Widen8: 1, Widen16: 2, Spread32: 4}[op]
	switch op {
	case Load64, Load128, Load:
		for k := range map[Op]int{Load64: 1, Load128: 2, Load: 4}[op] {
			v[k] = element(k, 8)
		}
	case Spread32:
		for k := range 4 {
			v[k] = element(0, size) * 0x100000001
		}
	default:
		for k := range 4 {
			v[k] = element(2*k, size) | element(2*k+1, size)<<32
		}
	}
	return v
}

func putWords(b []byte, v []uint64) {
	for k, w := range v {
		binary.LittleEndian.PutUint64(b[8*k:], w)
	}
}
