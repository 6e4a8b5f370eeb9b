package arm64

import "fmt"

var sizes = []Size{W, X}

// in is a register's name where number 31 is zeros.
func (r Reg) in(s Size) string {
	if r == ZR {
		return [...]string{"wzr", "xzr"}[s]
	}
	return fmt.Sprintf("%c%d", "wx"[s], r)
}

// orSP is a register's name where number 31 is the stack pointer.
func (r Reg) orSP(s Size) string {
	if r == SP {
		return [...]string{"wsp", "sp"}[s]
	}
	return r.in(s)
}

var condNames = [...]string{"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"}

func (c Cond) String() string { return condNames[c] }

var shiftNames = [...]string{"lsl", "lsr", "asr", "ror"}

func (s Shift) String() string { return shiftNames[s] }

var extendNames = [...]string{"uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"}

func (e Extend) String() string { return extendNames[e] }

var aluNames = [...]string{"add", "adds", "sub", "subs", "and", "bic", "orr", "orn", "eor", "eon", "ands", "bics"}

func (o ALU) String() string { return aluNames[o] }

// triples of registers that reach every bit of every place.
var triples = [][3]Reg{{R0, R1, R2}, {R30, R15, R27}, {R17, R29, R8}, {R5, ZR, R20}, {ZR, R10, ZR}}

// some is the next of the triples without number 31.
func (c *cases) some() (d, n, m Reg) {
	c.turn++
	t := triples[c.turn%3]
	return t[0], t[1], t[2]
}
