package arm64

// Mov is d = m. The stack pointer is none of them.
func (a *Asm) Mov(s Size, d, m Reg) { a.RRR(ORR, s, d, ZR, m) }

// wide appends a move of 16 bits to bits 16*at and up.
func (a *Asm) wide(op uint32, s Size, d Reg, imm uint16, at uint8) {
	check(at < 2<<s, "a move beyond the register")
	a.Word(op | s.sf() | uint32(at)<<21 | uint32(imm)<<5 | uint32(d))
}

// MovZ is d = imm << 16*at.
func (a *Asm) MovZ(s Size, d Reg, imm uint16, at uint8) { a.wide(0x52800000, s, d, imm, at) }

// MovN is d = ^(imm << 16*at).
func (a *Asm) MovN(s Size, d Reg, imm uint16, at uint8) { a.wide(0x12800000, s, d, imm, at) }

// MovK puts imm into the bits of d from 16*at on and leaves the others.
func (a *Asm) MovK(s Size, d Reg, imm uint16, at uint8) { a.wide(0x72800000, s, d, imm, at) }

// MovRI is d = v, in as few instructions as it takes: 1 to 4.
func (a *Asm) MovRI(d Reg, v uint64) {
	// Count the chunks of 16 bits that a background of zeros or ones gives for free.
	zeros, ones := 0, 0
	for at := range 4 {
		switch uint16(v >> (16 * at)) {
		case 0:
			zeros++
		case 0xffff:
			ones++
		}
	}

	// One instruction where possible: a chunk over a background, or a pattern of bits. Otherwise
	// the background that leaves fewer chunks.
	switch {
	case zeros >= 3:
		a.movChunks(X, d, v, 0)
	case ones >= 3:
		a.movChunks(X, d, v, 0xffff)
	case v>>32 == 0 && v>>16 == 0xffff: // W clears the upper half
		a.movChunks(W, d, v, 0xffff)
	case v>>32 == 0 && v&0xffff == 0xffff:
		a.movChunks(W, d, v, 0xffff)
	case FitsLogic(X, v):
		a.RRI(ORR, X, d, ZR, v)
	case v>>32 == 0 && FitsLogic(W, v):
		a.RRI(ORR, W, d, ZR, v)
	case ones > zeros:
		a.movChunks(X, d, v, 0xffff)
	default:
		a.movChunks(X, d, v, 0)
	}
}

// movChunks moves v by 16 bits at a time over a background of zeros or ones.
func (a *Asm) movChunks(s Size, d Reg, v uint64, background uint16) {
	// The first chunk sets the background too; the others leave it.
	first := true
	for at := range uint8(2 << s) {
		chunk := uint16(v >> (16 * at))
		switch {
		case chunk == background:
		case !first:
			a.MovK(s, d, chunk, at)
		case background == 0:
			a.MovZ(s, d, chunk, at)
		default:
			a.MovN(s, d, ^chunk, at)
		}
		first = first && chunk == background
	}

	// No chunk differs from the background.
	switch {
	case !first:
	case background == 0:
		a.MovZ(s, d, 0, 0)
	default:
		a.MovN(s, d, 0, 0)
	}
}
