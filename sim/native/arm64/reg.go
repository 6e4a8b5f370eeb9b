package arm64

// Reg is a general register by its hardware number. Number 31 is the stack
// pointer to some instructions and a register of zeros to others.
type Reg uint8

// The general registers. R18 is some systems' own, R28 is Go's goroutine, R29 the
// frame pointer and R30 the return address.
const (
	R0 Reg = iota
	R1
	R2
	R3
	R4
	R5
	R6
	R7
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	R16
	R17
	R18
	R19
	R20
	R21
	R22
	R23
	R24
	R25
	R26
	R27
	R28
	R29
	R30

	ZR Reg = 31 // reads as 0, writes are lost
	SP Reg = 31 // the stack pointer: base of memory, and of RRI that sets no flags
)

// Vec is a vector register of 128 bits.
type Vec uint8

// Size is the size of an operation on general registers.
type Size uint8

// The sizes of 32 and 64 bits. A result of W clears the upper half of its register.
const (
	W Size = iota
	X
)

func (s Size) bits() uint8 { return 32 << s }

// sf is the size in the bit that most instructions have it in.
func (s Size) sf() uint32 { return uint32(s) << 31 }

// Cond is a condition by its hardware number; flipping bit 0 negates it.
type Cond uint8

// The conditions: CC, CS, HI, LS compare unsigned and LT, GE, LE, GT signed
// numbers; MI and PL are the sign, VS and VC the overflow.
const (
	EQ Cond = iota
	NE
	CS // unsigned ≥
	CC // unsigned <
	MI
	PL
	VS
	VC
	HI
	LS
	GE
	LT
	GT
	LE
)

// Not is the opposite condition.
func (c Cond) Not() Cond { return c ^ 1 }
