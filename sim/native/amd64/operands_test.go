package amd64

import "fmt"

var regNames = [4][16]string{
	{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"},
	{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"},
	{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"},
	{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"},
}

func init() {
	for s, suffix := range []string{"b", "w", "d", ""} {
		for i := 8; i < 16; i++ {
			regNames[s][i] = fmt.Sprintf("r%d%s", i, suffix)
		}
	}
}

func (r Reg) in(s Size) string { return regNames[s][r] }

func (v Vec) of(l VLen) string { return fmt.Sprintf("%cmm%d", "xyz"[l], v) }

var ccNames = [16]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}

var ptrNames = map[int]string{1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword", 64: "zmmword"}

// plain is the address without a size.
func (m Mem) plain() string {
	index := ""
	if m.indexed() {
		index = fmt.Sprintf("+%s*%d", m.Index.in(S64), m.Scale)
	}
	if m.Base == NoReg {
		if index == "" {
			return fmt.Sprintf("ds:[%d]", m.Disp)
		}
		return fmt.Sprintf("[%s%+d]", index[1:], m.Disp)
	}
	if m.Disp == 0 {
		return fmt.Sprintf("[%s%s]", m.Base.in(S64), index)
	}
	return fmt.Sprintf("[%s%s%+d]", m.Base.in(S64), index, m.Disp)
}

// of is the address of n bytes.
func (m Mem) of(n int) string { return ptrNames[n] + " ptr " + m.plain() }

func (m Mem) in(s Size) string { return m.of(1 << s) }

// pairs of registers that reach every REX bit, the byte registers that want REX
// and those without.
var pairs = [][2]Reg{{RAX, RCX}, {RSP, RBX}, {RDX, RDI}, {R8, RAX}, {RSI, R13}, {R12, R15}, {RBP, RSP}}

// someMems reach every special case of a base.
var someMems = []Mem{
	At(RAX, 0), At(RSP, 8), At(RBP, 0), At(R12, 0), At(R13, 0), At(R9, -128), At(RDI, 128),
	At(R15, 0x12345678), At(NoReg, 0x1234), AtIndex(RAX, RCX, 1, 0), AtIndex(RSP, R12, 4, 127),
	AtIndex(R13, RBP, 2, 0), AtIndex(RBP, R13, 8, -129), AtIndex(NoReg, R14, 8, -4),
}

// manyMems are all of them.
func manyMems() []Mem {
	var out []Mem
	bases := []Reg{RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15}
	for _, base := range bases {
		for _, disp := range []int32{0, 8, 127, -128, 128, -129, 0x7fffffff, -0x80000000} {
			out = append(out, At(base, disp))
		}
	}
	for _, base := range []Reg{RAX, RSP, RBP, R12, R13, R15, NoReg} {
		for _, index := range []Reg{RAX, RBP, R8, R12, R13} {
			for _, scale := range []uint8{1, 2, 4, 8} {
				if base == NoReg && scale == 1 {
					continue // as makes the index the base
				}
				out = append(out, AtIndex(base, index, scale, int32(scale)*97-98))
			}
		}
	}
	return out
}

// mem is the next one of someMems.
func (c *cases) mem() Mem {
	c.turn++
	return someMems[c.turn%len(someMems)]
}

var immediates = []int32{0, 1, 127, -128, 128, -129, 0x1234, 0x12345678, -0x80000000}

// immIn is the immediate as an operand of size s has it, for as would refuse more.
func immIn(s Size, imm int32) int32 {
	switch s {
	case S8:
		return int32(int8(imm))
	case S16:
		return int32(int16(imm))
	}
	return imm
}
