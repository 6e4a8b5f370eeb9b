package rv32i

import "etch/hw"

// ALUOp is an operation of the arithmetic unit.
type ALUOp string

// The operations, named as in the instruction set.
const (
	Add  ALUOp = "add"
	Sub  ALUOp = "sub"
	Sll  ALUOp = "sll"
	Slt  ALUOp = "slt"
	Sltu ALUOp = "sltu"
	Xor  ALUOp = "xor"
	Srl  ALUOp = "srl"
	Sra  ALUOp = "sra"
	Or   ALUOp = "or"
	And  ALUOp = "and"
	Pass ALUOp = "pass" // the second operand
)

// ImmKind is where the immediate lies in the instruction.
type ImmKind string

// The formats with an immediate.
const (
	ImmI ImmKind = "i"
	ImmS ImmKind = "s"
	ImmB ImmKind = "b"
	ImmU ImmKind = "u"
	ImmJ ImmKind = "j"
)

// Class is the kind of an instruction, besides its computation.
type Class string

// The classes.
const (
	Compute Class = "compute"
	Load    Class = "load"
	Store   Class = "store"
	Branch  Class = "branch"
	Jump    Class = "jump" // to the ALU's result
	Fence   Class = "fence"
	System  Class = "system"
	Illegal Class = "illegal"
)

// Control holds an instruction's controls of the datapath.
type Control struct {
	Class   hw.Enum[Class]
	ALU     hw.Enum[ALUOp]
	Imm     hw.Enum[ImmKind]
	FromPC  hw.Bit // first operand is the program counter
	FromImm hw.Bit // second operand is the immediate
	WriteRd hw.Bit
}

var control = Control{
	Class: hw.EnumOf(Compute, Load, Store, Branch, Jump, Fence, System, Illegal),
	ALU:   hw.EnumOf(Add, Sub, Sll, Slt, Sltu, Xor, Srl, Sra, Or, And, Pass),
	Imm:   hw.EnumOf(ImmI, ImmS, ImmB, ImmU, ImmJ),
}

var yes = hw.High

// illegal stands for an instruction that no pattern matches.
var illegal = hw.Sized(control, Control{Class: hw.Val(Illegal)})

func reg(op ALUOp) Control {
	return Control{Class: hw.Val(Compute), ALU: hw.Val(op), WriteRd: yes}
}

func imm(op ALUOp) Control {
	return Control{Class: hw.Val(Compute), ALU: hw.Val(op), FromImm: yes, WriteRd: yes}
}

var (
	load   = Control{Class: hw.Val(Load), FromImm: yes, WriteRd: yes}
	store  = Control{Class: hw.Val(Store), Imm: hw.Val(ImmS), FromImm: yes}
	branch = Control{Class: hw.Val(Branch), Imm: hw.Val(ImmB), FromPC: yes, FromImm: yes}
)

// table is the instruction set.
var table = map[string]Control{
	"------- ----- ----- --- ----- 0110111": {Class: hw.Val(Compute), ALU: hw.Val(Pass), Imm: hw.Val(ImmU), FromImm: yes, WriteRd: yes},
	"------- ----- ----- --- ----- 0010111": {Class: hw.Val(Compute), Imm: hw.Val(ImmU), FromPC: yes, FromImm: yes, WriteRd: yes},
	"------- ----- ----- --- ----- 1101111": {Class: hw.Val(Jump), Imm: hw.Val(ImmJ), FromPC: yes, FromImm: yes, WriteRd: yes},
	"------- ----- ----- 000 ----- 1100111": {Class: hw.Val(Jump), FromImm: yes, WriteRd: yes},
	"------- ----- ----- 00- ----- 1100011": branch,
	"------- ----- ----- 1-- ----- 1100011": branch,
	"------- ----- ----- 00- ----- 0000011": load,
	"------- ----- ----- 010 ----- 0000011": load,
	"------- ----- ----- 10- ----- 0000011": load,
	"------- ----- ----- 00- ----- 0100011": store,
	"------- ----- ----- 010 ----- 0100011": store,
	"------- ----- ----- 000 ----- 0010011": imm(Add),
	"------- ----- ----- 010 ----- 0010011": imm(Slt),
	"------- ----- ----- 011 ----- 0010011": imm(Sltu),
	"------- ----- ----- 100 ----- 0010011": imm(Xor),
	"------- ----- ----- 110 ----- 0010011": imm(Or),
	"------- ----- ----- 111 ----- 0010011": imm(And),
	"0000000 ----- ----- 001 ----- 0010011": imm(Sll),
	"0000000 ----- ----- 101 ----- 0010011": imm(Srl),
	"0100000 ----- ----- 101 ----- 0010011": imm(Sra),
	"0000000 ----- ----- 000 ----- 0110011": reg(Add),
	"0100000 ----- ----- 000 ----- 0110011": reg(Sub),
	"0000000 ----- ----- 001 ----- 0110011": reg(Sll),
	"0000000 ----- ----- 010 ----- 0110011": reg(Slt),
	"0000000 ----- ----- 011 ----- 0110011": reg(Sltu),
	"0000000 ----- ----- 100 ----- 0110011": reg(Xor),
	"0000000 ----- ----- 101 ----- 0110011": reg(Srl),
	"0100000 ----- ----- 101 ----- 0110011": reg(Sra),
	"0000000 ----- ----- 110 ----- 0110011": reg(Or),
	"0000000 ----- ----- 111 ----- 0110011": reg(And),
	"------- ----- ----- 000 ----- 0001111": {Class: hw.Val(Fence)},
	"0000000 0000- 00000 000 00000 1110011": {Class: hw.Val(System)},
}

// Decoder turns an instruction word into control signals and its immediate.
type Decoder struct{}

type DecoderPorts struct {
	Inst hw.UInt `dir:"in"`
	Ctrl Control `dir:"out"`
	Imm  hw.UInt `dir:"out"` // sign-extended
}

func (Decoder) Ports() DecoderPorts {
	word := hw.Unsigned(32)
	return DecoderPorts{Inst: word, Ctrl: control, Imm: word}
}

func (Decoder) Build(m *hw.Module, p DecoderPorts) {
	ctrl := hw.Decode(p.Inst, illegal, table)
	hw.Set(p.Ctrl, ctrl)

	// The formats scatter their bits, but bit 31 is the sign of every one.
	i := p.Inst
	sign := func(x hw.UInt) hw.UInt { return x.SignExtend(32) }
	for k := range ctrl.Imm.Cases() {
		switch k {
		case ImmI:
			p.Imm.Set(sign(i.Range(31, 20)))
		case ImmS:
			p.Imm.Set(sign(hw.Cat(i.Range(31, 25), i.Range(11, 7))))
		case ImmB:
			p.Imm.Set(sign(hw.Cat(i.Bit(31), i.Bit(7), i.Range(30, 25), i.Range(11, 8), hw.Zeros(1))))
		case ImmU:
			p.Imm.Set(i.Range(31, 12).PadLow(12))
		case ImmJ:
			p.Imm.Set(sign(hw.Cat(i.Bit(31), i.Range(19, 12), i.Bit(20), i.Range(30, 21), hw.Zeros(1))))
		}
	}
}
