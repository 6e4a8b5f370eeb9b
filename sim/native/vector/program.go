package vector

import "fmt"

// Mem, in place of a register, stands for the instruction's slot.
const Mem = 0xff

// Instr is an instruction of a Program. D, A, B and C are registers; B may be Mem. Ternary reads
// D, A and B and writes D; Choose8 reads A, B and C.
type Instr struct {
	Op         Op
	Imm        uint8
	D, A, B, C uint8
	Slot       int32
}

// Program is code for one cycle over registers.
type Program struct {
	Instrs  []Instr
	Macros  []Access
	Consts  []Const
	Scratch int      // number of scratch slots
	outer   []Place  // of a piece
	masks   [5]int32 // scratch slots of swapMasks, if there are macros
	places  int32    // a scratch slot in code for subgroups, else NoSlot
}

// String lists the program, for debugging.
func (p *Program) String() string {
	var s []byte
	for i := range p.Instrs {
		in := &p.Instrs[i]
		s = fmt.Appendf(s, "r%d = %s #%#x r%d r%d r%d @%d\n", in.D, in.Op, in.Imm, in.A, in.B, in.C, in.Slot)
	}
	return string(s)
}
