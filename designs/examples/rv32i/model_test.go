package rv32i

// machine is a model of the instruction set, written from the manual and not
// from the core.
type machine struct {
	pc     uint32
	x      [32]uint32
	mem    []uint32
	out    []uint32
	halted bool
}

func (c *machine) load(addr uint32, bytes int) uint32 {
	w := c.mem[addr/4%uint32(len(c.mem))] >> (8 * (addr & 3))
	return w & (1<<(8*bytes) - 1)
}

func (c *machine) store(addr, v uint32, bytes int) {
	if addr == OutAddress {
		c.out = append(c.out, v)
		return
	}
	m := uint32(1<<(8*bytes)-1) << (8 * (addr & 3))
	at := addr / 4 % uint32(len(c.mem))
	c.mem[at] = c.mem[at]&^m | v<<(8*(addr&3))&m
}

func sext(v uint32, bits int) uint32 { return uint32(int32(v<<(32-bits)) >> (32 - bits)) }

// step executes one instruction.
func (c *machine) step() {
	i := c.mem[c.pc/4%uint32(len(c.mem))]
	rd, f3, rs1, rs2, f7 := i>>7&31, i>>12&7, c.x[i>>15&31], c.x[i>>20&31], i>>25
	immI := sext(i>>20, 12)
	next, result, write := c.pc+4, uint32(0), true
	switch i & 0x7f {
	case 0x37:
		result = i &^ 0xfff
	case 0x17:
		result = c.pc + i&^0xfff
	case 0x6f:
		result = next
		next = c.pc + sext(i>>31<<20|i>>12&0xff<<12|i>>20&1<<11|i>>21&0x3ff<<1, 21)
	case 0x67:
		result, next = next, (rs1+immI)&^1
	case 0x63:
		write = false
		if (f3 < 2 && rs1 == rs2 || f3>>1 == 2 && int32(rs1) < int32(rs2) || f3>>1 == 3 && rs1 < rs2) != (f3&1 == 1) {
			next = c.pc + sext(i>>31<<12|i>>7&1<<11|i>>25&63<<5|i>>8&15<<1, 13)
		}
	case 0x03:
		bytes := 1 << (f3 & 3)
		result = c.load(rs1+immI, bytes)
		if f3&4 == 0 {
			result = sext(result, 8*bytes)
		}
	case 0x23:
		write = false
		c.store(rs1+sext(f7<<5|rd, 12), rs2, 1<<(f3&3))
	case 0x13:
		if f3 == 1 || f3 == 5 {
			result = compute(f3, f7, rs1, i>>20&31)
		} else {
			result = compute(f3, 0, rs1, immI)
		}
	case 0x33:
		result = compute(f3, f7, rs1, rs2)
	case 0x0f:
		write = false
	default:
		c.halted = true
		return
	}
	if write && rd != 0 {
		c.x[rd] = result
	}
	c.pc = next
}

func compute(f3, f7, x, y uint32) uint32 {
	truth := map[bool]uint32{true: 1}
	switch f3 {
	case 0:
		if f7 == 0x20 {
			return x - y
		}
		return x + y
	case 1:
		return x << (y & 31)
	case 2:
		return truth[int32(x) < int32(y)]
	case 3:
		return truth[x < y]
	case 4:
		return x ^ y
	case 5:
		if f7 == 0x20 {
			return uint32(int32(x) >> (y & 31))
		}
		return x >> (y & 31)
	case 6:
		return x | y
	}
	return x & y
}
