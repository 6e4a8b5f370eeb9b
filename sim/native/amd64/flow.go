package amd64

// JmpR jumps to the address in r.
func (a *Asm) JmpR(r Reg) { a.ext(0xff, S32, 4, uint8(r), 0, 0) }

// JmpM jumps to the address in memory.
func (a *Asm) JmpM(m Mem) { a.extM(0xff, S32, 4, m, 0, 0) }

// CallR calls the address in r.
func (a *Asm) CallR(r Reg) { a.ext(0xff, S32, 2, uint8(r), 0, 0) }

// CallM calls the address in memory.
func (a *Asm) CallM(m Mem) { a.extM(0xff, S32, 2, m, 0, 0) }

// Ret is ret, a near return.
func (a *Asm) Ret() { a.bytes(0xc3, 1) }

// Int3 is a breakpoint.
func (a *Asm) Int3() { a.bytes(0xcc, 1) }

// Ud2 traps as an undefined instruction.
func (a *Asm) Ud2() { a.bytes(0x0b0f, 2) }

// Vzeroupper clears all vectors above their low 128 bits; code that used more
// must do so before it returns, or SSE code is slow from there on.
func (a *Asm) Vzeroupper() { a.bytes(0x77f8c5, 3) }

// nops are the forms that Intel recommends, by their length.
var nops = [9]uint64{
	1: 0x90,
	2: 0x9066,
	3: 0x001f0f,
	4: 0x00401f0f,
	5: 0x0000441f0f,
	6: 0x0000441f0f66,
	7: 0x00000000801f0f,
	8: 0x0000000000841f0f,
}

// Nop appends n bytes that do nothing, in few instructions.
func (a *Asm) Nop(n int) {
	for ; n > 0; n -= 8 {
		k := min(n, 8)
		a.bytes(nops[k], k)
	}
}

// Align fills up with Nop until the length of Code is a multiple of n, a power of
// two.
func (a *Asm) Align(n int) { a.Nop(-len(a.Code) & (n - 1)) }
