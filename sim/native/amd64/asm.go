package amd64

import (
	"encoding/binary"
	"slices"
)

// Asm appends instructions to Code. The zero value is ready.
type Asm struct {
	Code   []byte
	labels []labelState
}

// Reset forgets code and labels and keeps their memory.
func (a *Asm) Reset() { a.Code, a.labels = a.Code[:0], a.labels[:0] }

// longest is the room that put wants: an instruction has 15 bytes at most, and it
// writes whole words.
const longest = 32

// put appends n bytes of head, tailN of tail and immN of imm.
func (a *Asm) put(head uint64, n int, tail uint64, tailN int, imm uint64, immN int) {
	// Whole words are written, longer than needed. The next instruction overwrites the rest. The
	// masks of n spare checks of bounds.
	at := len(a.Code)
	if cap(a.Code)-at < longest {
		a.Code = slices.Grow(a.Code, longest)
	}
	c := a.Code[at : at+longest]
	binary.LittleEndian.PutUint64(c, head)
	binary.LittleEndian.PutUint64(c[n&7:], tail)
	n = n&7 + tailN
	binary.LittleEndian.PutUint64(c[n&15:], imm)
	a.Code = a.Code[:at+n+immN]
}

// bytes appends the low n bytes of head.
func (a *Asm) bytes(head uint64, n int) {
	at := len(a.Code)
	if cap(a.Code)-at < longest {
		a.Code = slices.Grow(a.Code, longest)
	}
	binary.LittleEndian.PutUint64(a.Code[at:at+8], head)
	a.Code = a.Code[:at+n]
}

// op is an opcode of the integer instructions: the byte itself, the escape bytes
// in front of it in bits 8 to 23, their count of bits in 24 to 28, whether there is
// a form for bytes with bit 0 clear, and a mandatory prefix.
type op uint32

const (
	map0F   op = 8<<24 | 0x0f<<8
	map0F38 op = 16<<24 | 0x380f<<8
	bytesOK op = 1 << 29
	pre66   op = 1 << 30
	preF3   op = 2 << 30
	preF2   op = 3 << 30
)

var prefixes = [4]uint8{1: 0x66, 2: 0xf3, 3: 0xf2}

// lowREX tells whether a byte register needs REX to be SPL … DIL, not AH … BH.
func lowREX(r uint8) bool { return r-4 < 4 }

// emit appends prefixes, opcode, tail and immediate; rex is RXB of the registers,
// force asks for REX without any of its bits. Nearly every integer instruction
// comes here, so that it is one function, not three.
func (a *Asm) emit(o op, s Size, rex uint8, force bool, tail uint64, tailN int, imm uint64, immN int) {
	// The form for bytes has bit 0 of the opcode clear.
	if s == S8 {
		if o&bytesOK == 0 {
			panic("amd64: an instruction without a form for bytes")
		}

		o &^= 1
	}

	// The head grows from its end to its front: escape bytes and opcode, then REX, then prefixes.
	// REX must stand right before the opcode, or it is ignored.
	escape := o >> 24 & 31
	head := uint64(o&0xff)<<escape | uint64(o>>8&0xffff)
	n := int(escape/8) + 1
	rex |= uint8(s+1) & 4 << 1 // W for S64
	if rex != 0 || force {
		head = head<<8 | uint64(rex|0x40)
		n++
	}

	if o>>30 != 0 {
		head = head<<8 | uint64(prefixes[o>>30])
		n++
	}

	if s == S16 {
		head = head<<8 | 0x66
		n++
	}

	// Write whole words, as in put.
	at := len(a.Code)
	if cap(a.Code)-at < longest {
		a.Code = slices.Grow(a.Code, longest)
	}

	c := a.Code[at : at+longest]
	binary.LittleEndian.PutUint64(c, head)
	binary.LittleEndian.PutUint64(c[n&7:], tail)
	n = n&7 + tailN
	binary.LittleEndian.PutUint64(c[n&15:], imm)
	a.Code = a.Code[:at+n+immN]
}

// modRR is a ModRM byte of two registers.
func modRR(reg, rm uint8) uint64 { return uint64(0xc0 | reg&7<<3 | rm&7) }

// rr appends an instruction of two registers, with an immediate of immN bytes.
func (a *Asm) rr(o op, s Size, reg, rm uint8, imm uint64, immN int) {
	// SPL to DIL need REX: without it their numbers mean AH to BH.
	force := s == S8 && (lowREX(reg) || lowREX(rm))
	a.emit(o, s, reg>>3<<2|rm>>3, force, modRR(reg, rm), 1, imm, immN)
}

// rrFrom is rr where rm is of the size from.
func (a *Asm) rrFrom(o op, s, from Size, reg, rm uint8) {
	a.emit(o, s, reg>>3<<2|rm>>3, from == S8 && lowREX(rm), modRR(reg, rm), 1, 0, 0)
}

// ext is rr with an extension of the opcode in place of reg.
func (a *Asm) ext(o op, s Size, ext, rm uint8, imm uint64, immN int) {
	a.emit(o, s, rm>>3, s == S8 && lowREX(rm), modRR(ext, rm), 1, imm, immN)
}

// rm appends an instruction of a register and memory.
func (a *Asm) rm(o op, s Size, reg uint8, m Mem, imm uint64, immN int) {
	x := m.addr(0)
	a.emit(o, s, reg>>3<<2|x.bx, s == S8 && lowREX(reg), x.tail|uint64(reg&7<<3), x.n, imm, immN)
}

// extM is ext with memory.
func (a *Asm) extM(o op, s Size, ext uint8, m Mem, imm uint64, immN int) {
	x := m.addr(0)
	a.emit(o, s, x.bx, false, x.tail|uint64(ext<<3), x.n, imm, immN)
}

// immBytes is the length of an immediate of an operand of size s: 1, 2 or 4.
func immBytes(s Size) int { return 1 << min(s, S32) }

// fits8 tells whether imm is a sign-extended byte in an operand of size s.
func fits8(s Size, imm int32) bool {
	// An immediate of a 16-bit operand is extended within these bits only.
	if s == S16 {
		imm = int32(int16(imm))
	}
	return imm == int32(int8(imm))
}
