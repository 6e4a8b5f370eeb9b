package hw

// RisingEdge is high in the cycles in which x is high and was low at the clock
// edge before. Its register of x, of m's clock and clock enable, is called
// name_was; before, a literal, stands for x in reset, without
// which the register is not reset and the first cycle tells nothing. In assertions
// use Rose, which takes care of the first cycle and makes no hardware.
func RisingEdge(m *Module, name string, x Bit, before ...Bit) Bit {
	return Named(m, name, x.AndNot(m.was("RisingEdge", name, x, before)))
}

// FallingEdge is high in the cycles in which x is low and was high at the clock
// edge before; see [RisingEdge].
func FallingEdge(m *Module, name string, x Bit, before ...Bit) Bit {
	return Named(m, name, m.was("FallingEdge", name, x, before).AndNot(x))
}

// was is x at the clock edge before; of a literal, the literal itself.
func (m *Module) was(what, name string, x Bit, before []Bit) Bit {
	if onlyLiterals(&x) && (len(before) == 0 || sameLiterals(&x, &before[0])) {
		return x
	}
	return stageOf(m, what, name+"_was", private, x, before)
}
