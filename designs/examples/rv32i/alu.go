package rv32i

import "etch/hw"

// ALU computes one result from two words.
type ALU struct{}

type ALUPorts struct {
	Op   hw.Enum[ALUOp] `dir:"in"`
	X, Y hw.UInt        `dir:"in"`
	Out  hw.UInt        `dir:"out"`
}

func (ALU) Ports() ALUPorts {
	word := hw.Unsigned(32)
	return ALUPorts{Op: control.ALU, X: word, Y: word, Out: word}
}

func (ALU) Build(m *hw.Module, p ALUPorts) {
	x, y := p.X, p.Y
	by := y.Trunc(5)

	// Shifts take the low five bits of the second operand, as the standard says; Cases makes the
	// unlisted codes behave like the last case.
	for op := range p.Op.Cases() {
		switch op {
		case Add:
			p.Out.Set(x.Add(y))
		case Sub:
			p.Out.Set(x.Sub(y))
		case Sll:
			p.Out.Set(x.ShlBy(by))
		case Slt:
			p.Out.Set(x.AsSigned().Lt(y.AsSigned()).UInt().Extend(32))
		case Sltu:
			p.Out.Set(x.Lt(y).UInt().Extend(32))
		case Xor:
			p.Out.Set(x.Xor(y))
		case Srl:
			p.Out.Set(x.ShrBy(by))
		case Sra:
			p.Out.Set(x.AsSigned().ShrBy(by).AsUnsigned())
		case Or:
			p.Out.Set(x.Or(y))
		case And:
			p.Out.Set(x.And(y))
		case Pass:
			p.Out.Set(y)
		}
	}
}
