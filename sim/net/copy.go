package net

// Copy makes a copy of node x of another net. arg maps its arguments to nodes of this net, None
// to None. x is no Leaf.
func (n *Net) Copy(from *Net, x ID, arg func(ID) ID) ID {
	nd := &from.N[x]
	operands := func() []ID {
		var in []ID
		for _, y := range from.Operands(x) {
			in = append(in, arg(y))
		}
		return in
	}

	// Ops outside of Make's domain have their own constructors.
	switch nd.Op {
	case Const:
		return n.Const(nd.Imm)
	case Read:
		return n.Read(int32(nd.Imm), arg(nd.A))
	case Lut:
		return n.Lut(nd.Imm, operands())
	case Tables:
		return n.Tables(from.Banks[nd.Imm], operands())
	case TableWord:
		return n.TableWord(arg(nd.A), int(nd.Imm))
	}
	return n.Make(nd.Op, nd.W, arg(nd.A), arg(nd.B), arg(nd.C), nd.Imm)
}
