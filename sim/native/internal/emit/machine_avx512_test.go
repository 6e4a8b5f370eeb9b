package emit

import (
	"encoding/binary"
	"fmt"
)

// machine executes the instructions of a bank's AVX-512 code, for processors
// without them. It reads the machine code itself; what it does not know is an
// error. Semantics are those of Intel's manual, element by element.
type machine struct {
	g     [16]uint64
	z     [32][64]byte
	k     [8]uint64
	zero  bool
	code  []byte
	pc    int
	mem   []byte // from memBase on
	steps int
	seen  map[string]int // vector instructions by name
}

const (
	codeBase = 0x10000000
	memBase  = 0x20000000
)

// bytes is n bytes of memory at an address.
func (m *machine) bytes(addr uint64, n int) []byte {
	if addr >= memBase && addr+uint64(n) <= memBase+uint64(len(m.mem)) {
		return m.mem[addr-memBase:][:n]
	}
	if addr >= codeBase && addr+uint64(n) <= codeBase+uint64(len(m.code)) {
		return m.code[addr-codeBase:][:n:n]
	}
	panic(fmt.Sprintf("address %#x", addr))
}

// form is the decoded prefixes of an instruction.
type form struct {
	rex, r, x, b uint8 // rex: W; the others are bits 3 (and 4) of register numbers
	pp, mmap     uint8 // mandatory prefix 0, 66, F3, F2; opcode map
	v            uint8
	mask         uint8
	zeroing      bool
	length       int // bytes of the vectors
	unit         int // what a displacement of one byte counts in
	evex         bool
}

func (m *machine) next() byte {
	m.pc++
	return m.code[m.pc-1]
}

func (m *machine) imm32() uint64 {
	m.pc += 4
	return uint64(int64(int32(binary.LittleEndian.Uint32(m.code[m.pc-4:]))))
}

// operands reads ModRM and what follows; imm is the immediate's bytes behind it,
// which RIP-relative addresses count from. A register as the second operand has
// no address.
func (m *machine) operands(f form, imm int) (reg, rm uint8, addr uint64, isMem bool) {
	modrm := m.next()
	reg, rm = modrm>>3&7|f.r, modrm&7
	mod := modrm >> 6
	if mod == 3 {
		if f.evex {
			return reg, rm | f.b | f.x<<1, 0, false
		}
		return reg, rm | f.b, 0, false
	}
	switch {
	case rm == 4:
		sib := m.next()
		if index := sib>>3&7 | f.x; index != 4 {
			addr = m.g[index] << (sib >> 6)
		}
		base := sib & 7
		if base == 5 && mod == 0 {
			addr += m.imm32()
		} else {
			addr += m.g[base|f.b]
		}
	case rm == 5 && mod == 0:
		d := m.imm32()
		return reg, 0, codeBase + uint64(m.pc+imm) + d, true
	default:
		addr = m.g[rm|f.b]
	}
	switch mod {
	case 1:
		d := int64(int8(m.next()))
		d *= int64(f.unit)
		addr += uint64(d)
	case 2:
		addr += m.imm32()
	}
	return reg, rm, addr, true
}

// run executes from the start of the code to a return.
func (m *machine) run() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("at %#x: %v", m.pc, r)
		}
	}()
	for m.steps = 0; m.steps < 1e6; m.steps++ {
		if m.step() {
			return nil
		}
	}
	return fmt.Errorf("no end")
}

// step executes one instruction.
func (m *machine) step() (end bool) {
	f := form{unit: 1}
	op := m.next()
	for ; op == 0x66 || op == 0xf2 || op == 0xf3; op = m.next() {
		f.pp = op
	}
	switch {
	case op == 0x62:
		m.vector(m.evex())
		return false
	case op == 0xc5 || op == 0xc4:
		m.masks(op)
		return false
	case op>>4 == 4:
		f.rex, f.r, f.x, f.b = op>>3&1, op>>2&1*8, op>>1&1*8, op&1*8
		op = m.next()
	}
	switch {
	case op == 0x0f:
		m.twoBytes(f, m.next())
	case op == 0x75:
		m.unlessZero(int(int8(m.next())))
	case op == 0x90: // NOP
	case op == 0xc3:
		return true
	default:
		m.integer(f, op)
	}
	return false
}

func (m *machine) unlessZero(rel int) {
	if !m.zero {
		m.pc += rel
	}
}

func (m *machine) twoBytes(f form, op byte) {
	switch op {
	case 0x85:
		m.unlessZero(int(int32(m.imm32())))
	case 0x1f: // NOP
		m.operands(f, 0)
	default:
		panic(fmt.Sprintf("opcode 0F %#x", op))
	}
}

// load and store have operands of 4 or 8 bytes; 4 clear the rest of a register.
func (m *machine) load(f form, rm uint8, addr uint64, isMem bool) uint64 {
	v := m.g[rm&15]
	if isMem {
		var b [8]byte
		copy(b[:], m.bytes(addr, 4+4*int(f.rex)))
		v = binary.LittleEndian.Uint64(b[:])
	}
	if f.rex == 0 {
		v = uint64(uint32(v))
	}
	return v
}

func (m *machine) store(f form, rm uint8, addr uint64, isMem bool, v uint64) {
	if f.rex == 0 {
		v = uint64(uint32(v))
	}
	if !isMem {
		m.g[rm] = v
		return
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(m.bytes(addr, 4+4*int(f.rex)), b[:])
}

// integer executes moves, LEA, ADD of an immediate, DEC, and XOR as a zero.
func (m *machine) integer(f form, op byte) {
	if op&^7 == 0xb8 {
		if f.rex == 0 {
			m.g[op&7|f.b] = uint64(uint32(m.imm32()))
			return
		}
		m.g[op&7|f.b] = binary.LittleEndian.Uint64(m.code[m.pc:])
		m.pc += 8
		return
	}
	imm := map[byte]int{0xc7: 4, 0x81: 4, 0x83: 1}[op]
	reg, rm, addr, isMem := m.operands(f, imm)
	var v uint64
	switch imm {
	case 4:
		v = m.imm32()
	case 1:
		v = uint64(int64(int8(m.next())))
	}
	switch {
	case op == 0x89:
		m.store(f, rm, addr, isMem, m.g[reg])
	case op == 0x8b:
		m.store(f, reg, 0, false, m.load(f, rm, addr, isMem))
	case op == 0xc7:
		m.store(f, rm, addr, isMem, v)
	case op == 0x8d:
		m.store(f, reg, 0, false, addr)
	case (op == 0x81 || op == 0x83) && reg&7 == 0:
		m.store(f, rm, addr, isMem, m.load(f, rm, addr, isMem)+v)
	case op == 0xff && reg&7 == 1:
		v := m.load(f, rm, addr, isMem) - 1
		m.store(f, rm, addr, isMem, v)
		m.zero = m.load(f, rm, addr, isMem) == 0
	case (op == 0x31 || op == 0x33) && !isMem && reg == rm:
		m.g[reg] = 0
	default:
		panic(fmt.Sprintf("opcode %#x with %d", op, reg))
	}
}

// masks executes KMOVQ and VZEROUPPER.
func (m *machine) masks(op byte) {
	f := form{unit: 1}
	b := m.next()
	f.r = ^b >> 7 << 3
	if op == 0xc4 {
		f.x, f.b, f.mmap = ^b>>6&1*8, ^b>>5&1*8, b&31
		b = m.next()
		f.rex = b >> 7
	} else {
		f.mmap = 1
	}
	f.pp = b & 3
	op = m.next()
	switch {
	case op == 0x77 && f.mmap == 1 && f.pp == 0:
		m.seen["vzeroupper"]++
		for i := range m.z[:16] {
			clear(m.z[i][16:])
		}
	case op == 0x90 && f.mmap == 1 && f.pp == 0 && f.rex == 1:
		reg, _, addr, isMem := m.operands(f, 0)
		if !isMem {
			panic("KMOVQ of registers")
		}
		m.k[reg] = binary.LittleEndian.Uint64(m.bytes(addr, 8))
		m.seen["kmovq"]++
	case op == 0x91 && f.mmap == 1 && f.pp == 0 && f.rex == 1:
		reg, _, addr, _ := m.operands(f, 0)
		binary.LittleEndian.PutUint64(m.bytes(addr, 8), m.k[reg])
		m.seen["kmovq store"]++
	default:
		panic(fmt.Sprintf("VEX opcode %#x of map %d", op, f.mmap))
	}
}

func (m *machine) evex() form {
	p0, p1, p2 := m.next(), m.next(), m.next()
	if p0&0x0c != 0 || p1&4 == 0 || p2&0x10 != 0 {
		panic("EVEX with broadcast or reserved bits")
	}
	return form{
		evex: true, rex: p1 >> 7, mmap: p0 & 3, pp: p1 & 3,
		r: ^p0>>7&1*8 | ^p0>>4&1*16, x: ^p0 >> 6 & 1 * 8, b: ^p0 >> 5 & 1 * 8,
		v: ^p1>>3&15 | ^p2>>3&1*16, mask: p2 & 7, zeroing: p2>>7 != 0, length: 16 << (p2 >> 5 & 3),
	}
}

// vector executes an EVEX instruction on vectors of 64 bytes.
func (m *machine) vector(f form) {
	op := m.next()
	broadcast := f.mmap == 2 && f.pp == 1 && op == 0x5a
	if f.unit = 64; broadcast {
		f.unit = 16
	}
	reg, rm, addr, isMem := m.operands(f, 0)
	var src [64]byte
	if f.length != 64 || f.rex != 0 {
		panic("a length or W that banks do not use")
	}
	switch {
	case broadcast && isMem:
		for i := range 4 {
			copy(src[16*i:], m.bytes(addr, 16))
		}
	case isMem:
		copy(src[:], m.bytes(addr, 64))
	default:
		src = m.z[rm]
	}
	a, old := m.z[f.v], m.z[reg]
	var to [64]byte
	name := ""
	switch uint32(f.mmap)<<16 | uint32(f.pp)<<8 | uint32(op) {
	case 1<<16 | 3<<8 | 0x6f:
		name, to = "vmovdqu8", src
	case 2<<16 | 1<<8 | 0x5a:
		name, to = "vbroadcasti32x4", src
	case 1<<16 | 1<<8 | 0xfc:
		name = "vpaddb"
		for i := range to {
			to[i] = a[i] + src[i]
		}
	case 2<<16 | 1<<8 | 0x00:
		name = "vpshufb"
		for i := range to {
			if src[i] < 0x80 {
				to[i] = a[i&^15|int(src[i]&15)]
			}
		}
	case 2<<16 | 1<<8 | 0x75:
		name = "vpermi2b"
		for i := range to {
			if j := old[i] & 127; j < 64 {
				to[i] = a[j]
			} else {
				to[i] = src[j-64]
			}
		}
	case 2<<16 | 1<<8 | 0x26:
		var k uint64
		for i := range src {
			if a[i]&src[i] != 0 {
				k |= 1 << i
			}
		}
		if f.mask != 0 {
			k &= m.k[f.mask]
		}
		m.k[reg&7] = k
		m.seen["vptestmb"]++
		return
	default:
		panic(fmt.Sprintf("EVEX opcode %#x of map %d with prefix %d", op, f.mmap, f.pp))
	}
	m.seen[name]++
	for i := range to {
		if f.mask == 0 || m.k[f.mask]>>i&1 != 0 {
			m.z[reg][i] = to[i]
		} else if f.zeroing {
			m.z[reg][i] = 0
		}
	}
}
