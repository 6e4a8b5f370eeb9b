package hw

// RisingEdge is high in the cycles in which x is high and was low at the previous clock
// edge. It makes a register of x called name_was, of m's clock and clock enable. The
// literal before is its value in reset; without it the register is not reset and the first
// cycle tells nothing. In assertions use Rose, which handles the first cycle and makes no
// hardware.
func RisingEdge(m *Module, name string, x Bit, before ...Bit) Bit {
	return Named(m, name, x.AndNot(m.was("RisingEdge", name, x, before)))
}

// FallingEdge is high in the cycles in which x is low and was high at the clock
// edge before; see [RisingEdge].
func FallingEdge(m *Module, name string, x Bit, before ...Bit) Bit {
	return Named(m, name, m.was("FallingEdge", name, x, before).AndNot(x))
}

// was is x at the previous clock edge. The past of a literal is the literal itself.
func (m *Module) was(what, name string, x Bit, before []Bit) Bit {
	if onlyLiterals(&x) && (len(before) == 0 || sameLiterals(&x, &before[0])) {
		return x
	}
	return stageOf(m, what, name+"_was", private, x, before)
}
