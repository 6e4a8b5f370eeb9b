package vector

// rearrange executes an op that moves elements across blocks.
func (m *Machine) rearrange(in *Instr, a, b []uint64) {
	// e is 32-bit element k of the operands, the second one behind the first.
	var out [MaxWords]uint64
	ab := append(append([]uint64(nil), a...), b...)
	e := func(k int) uint64 { return ab[k/2] >> (k % 2 * 32) & 0xffffffff }

	// Elements of the result, one by one.
	for k := range 8 {
		at := k % 2 * 32
		switch in.Op {
		case Blend32:
			out[k/2] |= e(k+8*int(in.Imm>>k&1)) << at
		case Mul16S:
			out[k/2] |= uint64(signed(e(k), 16)*signed(e(k+8), 16)) & 0xffffffff << at
		case Narrow64:
			out[k/2] |= e(2*k) << at
		case Narrow32:
			out[k/4] |= e(k) & 0xffff << (k % 4 * 16)
		case Narrow16:
			out[0] |= a[k/4] >> (k % 4 * 16) & 0xff << (k * 8)
		case Widen32:
			out[k/2] = e(k/2 + 4*int(in.Imm))
		}
	}
	copy(m.regs[in.D][:m.Words], out[:])
}
