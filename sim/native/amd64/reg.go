package amd64

// Reg is a general register by its hardware number.
type Reg uint8

// The general registers.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15

	NoReg Reg = 0xff // no base, or no index
)

// Vec is a vector register; V16 to V31 exist in EVEX encodings alone.
type Vec uint8

// The vector registers.
const (
	V0 Vec = iota
	V1
	V2
	V3
	V4
	V5
	V6
	V7
	V8
	V9
	V10
	V11
	V12
	V13
	V14
	V15
	V16
	V17
	V18
	V19
	V20
	V21
	V22
	V23
	V24
	V25
	V26
	V27
	V28
	V29
	V30
	V31
)

// KReg is a mask register of AVX-512.
type KReg uint8

// The mask registers. As Evex.Mask, K0 means no mask.
const (
	K0 KReg = iota
	K1
	K2
	K3
	K4
	K5
	K6
	K7
)

// Size is the size of an operand: 1<<Size bytes.
type Size uint8

// The sizes of 8, 16, 32 and 64 bits. A result of S32 clears the upper half of
// its register; one of S8 or S16 leaves the rest of it alone.
const (
	S8 Size = iota
	S16
	S32
	S64
)

// Bytes is the number of bytes of an operand of size s.
func (s Size) Bytes() uint8 { return 1 << s }

// Cond is a condition by its hardware number; flipping bit 0 negates it.
type Cond uint8

// The conditions: B, AE, BE, A compare unsigned and L, GE, LE, G signed numbers.
const (
	O Cond = iota
	NO
	B
	AE
	E
	NE
	BE
	A
	S
	NS
	P
	NP
	L
	GE
	LE
	G
)

// Not is the opposite condition.
func (c Cond) Not() Cond { return c ^ 1 }
