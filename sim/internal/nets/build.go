package nets

import (
	"fmt"
	"math/bits"

	"etch/ir"
	"etch/sim/internal/program"
	"etch/sim/net"
)

// Netlist is a program's net for the events of one set of clocks, with the tables that follow
// the state.
type Netlist struct {
	*net.Net
	Roms [][]uint64 // constant tables: the last of Mems, in order
}

// Builder translates a program into a net. The program is the single lowered form: the
// interpreter runs it directly, and the engines compile this view of it.
type Builder struct {
	p    *program.Program
	N    *net.Net
	At   []net.ID // by slot: its node, or None so far
	Roms [][]uint64
	room uint32   // first word behind the state
	end  []net.ID // by state word: its value after the edge; None: unchanged

	boxed []int32 // by word behind the state, if it is an output of a black box: its group

	covers     int32 // the memory of cover counters
	journalMem int32
	journal    *journalBuilder // nil: print statements stop the engine
	mute       net.ID          // None: statements cannot be muted
	loud       []net.ID        // by statement: it needs the engine to stop

	// Parts left out of the events:
	quiet bool             // all statements
	skips func(int32) bool // the contents of these instances
}

// For builds the net of an event of the clocks marked in on. Errors: ops that engines do not
// take.
func For(p *program.Program, on []byte) (*Netlist, error) {
	b, err := NewBuilder(p)
	if err != nil {
		return nil, err
	}

	b.OpenJournal()
	if err := b.Events(on); err != nil {
		return nil, err
	}
	return &Netlist{b.N, b.Roms}, nil
}

// Of builds a net that computes the values at slots, without an event.
func Of(p *program.Program, slots []uint32) (*Netlist, error) {
	b, err := NewBuilder(p)
	if err != nil {
		return nil, err
	}
	for _, slot := range slots {
		b.N.Outs = append(b.N.Outs, net.Out{Slot: int32(slot), Node: b.At[slot]})
	}
	return &Netlist{b.N, b.Roms}, nil
}

// maxState is the largest state that machine code can address, in words.
const maxState = 1 << 27

// maxDivision is the widest division that engines take, in bits, since divisions are unrolled.
const maxDivision = 128

// Builder makes the nodes of all combinational values.
func NewBuilder(p *program.Program) (*Builder, error) {
	b := &Builder{p: p, N: net.NewSized(int(p.State.Hi-p.Inputs.Lo), netSize(p)), At: make([]net.ID, p.Words), mute: net.None}
	for i := range p.Wide {
		if in := &p.Wide[i]; in.Op >= ir.Div && in.Op <= ir.RemS && in.W > maxDivision {
			return nil, fmt.Errorf("sim: a division of %d bits", in.W)
		}
	}

	// A memory's words are 64 bits apart even if its last word of a row is narrower.
	at, covers, end := p.StateWords()
	if b.room = p.Behind(); b.room > maxState {
		return nil, fmt.Errorf("sim: a state of %d words", b.room)
	}

	b.leaves()
	for i := range p.Mems {
		m := &p.Mems[i]
		width := m.Width
		if m.Words > 1 {
			width = 64
		}
		b.N.Mems = append(b.N.Mems, net.Mem{At: at[i], Words: m.Span(), Depth: m.Depth * m.Words, W: uint8(width), Far: uint8(m.Slot)})
	}

	// Cover counters and the journal are memories too, behind the design's.
	b.covers = int32(len(p.Mems))
	b.N.Mems = append(b.N.Mems, net.Mem{At: covers, Words: int(end - covers), Depth: p.Covers, W: 64})
	if words := int(p.Journal.Room()); words > 0 {
		b.journalMem = int32(len(b.N.Mems))
		b.N.Mems = append(b.N.Mems, net.Mem{At: end, Words: words, Depth: words, W: 64, Journal: true})
	}

	for i := range p.Code {
		b.instr(&p.Code[i])
	}
	return b, nil
}

// netSize estimates the number of nodes.
func netSize(p *program.Program) int {
	nodes := int(p.Leaves - p.State.Hi) // constants
	for i := range p.Code {
		switch p.Code[i].Code {
		case program.OpMulS, program.OpFunnel, program.OpWide: // extensions of both operands, two slices
			nodes += 3
		case program.OpPut, program.OpPutOr, program.OpMemRead, program.OpCase, program.OpCaseWide:
			nodes += 2
		default:
			nodes++
		}
	}
	return nodes
}

// leaves makes leaf nodes of inputs and state, and constant nodes of constants.
func (b *Builder) leaves() {
	p := b.p
	for i := range b.At {
		b.At[i] = net.None
	}

	// One register per state word; its width is that of the value's word.
	b.N.Regs = make([]net.Reg, p.State.Hi-p.Inputs.Lo, p.State.Hi-p.Inputs.Lo+hostWords)
	for i := range b.N.Regs {
		r := &b.N.Regs[i]
		r.Slot, r.W, r.Q, r.Next = int32(p.Inputs.Lo)+int32(i), 1, net.None, net.None
	}

	top := p.Mod(0)

	// Inputs, registers and read data give the words their widths.
	for i := range top.Ports {
		if port := &top.Ports[i]; port.Dir == ir.In {
			b.widen(p.SlotAt(0, port.Node), port.Width)
		}
	}
	for i := range p.Regs {
		b.widen(p.Regs[i].Slot, p.Mod(p.Regs[i].Inst).Width(p.Regs[i].ID))
	}
	for i := range p.Reads {
		b.widen(p.Reads[i].Slot, p.Mems[p.Reads[i].Mem].Width)
	}

	// Leaf nodes; everything else below p.leaves is constant.
	for i := range b.N.Regs {
		b.At[p.Inputs.Lo+uint32(i)] = b.N.Leaf(i)
	}

	// A clock reads as 0: only its edges exist.
	for _, port := range p.Clocks {
		b.At[p.SlotAt(0, top.Ports[port].Node)] = b.N.Const(0)
	}
	for slot := uint32(0); slot < p.Leaves; slot++ {
		if b.At[slot] < 0 {
			b.At[slot] = b.N.Const(p.Image[slot])
		}
	}
}

// widen sets the widths of the state words of a value with w bits.
func (b *Builder) widen(slot uint32, w int) {
	for ; w > 0; w -= 64 {
		b.reg(slot).W = uint8(min(w, 64))
		slot++
	}
}

// reg is the state word at a slot.
func (b *Builder) reg(slot uint32) *net.Reg { return &b.N.Regs[slot-b.p.Inputs.Lo] }

// words is the nodes of the value of w bits at a slot.
func (b *Builder) words(slot uint32, w int) []net.ID {
	return b.At[slot:][:net.Words(w)]
}

var netOp = [...]net.Op{
	program.OpAnd: net.And, program.OpOr: net.Or, program.OpXor: net.Xor, program.OpAdd: net.Add, program.OpSub: net.Sub, program.OpMul: net.Mul,
	program.OpDiv: net.Div, program.OpDivS: net.DivS, program.OpRem: net.Rem, program.OpRemS: net.RemS, program.OpEq: net.Eq, program.OpLt: net.Lt, program.OpLtS: net.LtS,
	program.OpShl: net.Shl, program.OpShr: net.Shr, program.OpShrS: net.ShrS,
}

// instr makes the nodes of one instruction; see opcode's table for the meanings.
func (b *Builder) instr(in *program.Instr) {
	n := b.N
	var x, y net.ID
	// Operands a and b are slots in most opcodes only.
	if in.Code < program.OpLut || in.Code >= program.OpPut && in.Code <= program.OpPutTop {
		x = b.At[in.A]
		if in.B < uint32(len(b.At)) {
			y = b.At[in.B]
		}
	}

	// The mask of an instruction gives the width of its result.
	w := uint8(bits.Len64(in.Mask))
	sw := uint64(64 - in.Sh) // signed width
	var z net.ID

	// One node each, up to the last three: these set several slots.
	switch in.Code {
	case program.OpMove:
		z = x
	case program.OpNot:
		z = n.Not(x, w)
	case program.OpAnd, program.OpOr, program.OpXor, program.OpAdd, program.OpSub, program.OpMul, program.OpDiv, program.OpRem, program.OpEq, program.OpLt, program.OpShl, program.OpShr:
		z = n.Make(netOp[in.Code], w, x, y, net.None, 0)
	case program.OpDivS, program.OpRemS, program.OpLtS, program.OpShrS:
		z = n.Make(netOp[in.Code], w, x, y, net.None, sw)
	case program.OpMulS:
		z = n.Make(net.Mul, w, n.SExt(x, uint8(sw), w), n.SExt(y, 64-in.Sh2, w), net.None, 0)
	case program.OpMux:
		z = n.Mux(x, y, b.At[in.C])
	case program.OpSlice:
		z = n.Slice(x, in.Sh, w)
	case program.OpFunnel:
		z = n.WideSlice([]net.ID{x, b.At[in.A+1]}, int(in.Sh), int(w))[0]
	case program.OpCat:
		z = n.Cat(x, y, in.Sh)
	case program.OpSExt:
		z = n.SExt(x, uint8(sw), w)
	case program.OpRedAnd:
		z = n.Eq(x, n.Const(in.Mask))
	case program.OpRedOr:
		z = n.Ne(x, n.Const(0))
	case program.OpRedXor:
		z = n.Make(net.Parity, 1, x, net.None, net.None, 0)
	case program.OpCount:
		z = n.Make(net.Pop, 0, x, net.None, net.None, 0)
	case program.OpLut, program.OpLut6, program.OpLutBig:
		z = b.lut(in)
	case program.OpPut:
		z = n.Cat(n.Slice(x, 0, 64-in.Sh), n.Const(0), in.Sh)
	case program.OpPutOr:
		z = n.Cat(n.Slice(x, 0, 64-in.Sh), b.At[in.Dst], in.Sh)
	case program.OpPutTop:
		z = n.Slice(x, 64-in.Sh, in.Sh)
	case program.OpCase, program.OpCaseWide:
		t := &b.p.Cases[in.A]
		for k := range t.Words {
			b.At[in.Dst+uint32(k)] = b.caseOf(t, in.B, uint32(k))
		}
		return
	case program.OpMemRead:
		copy(b.At[in.Dst:], b.read(int32(in.A), b.At[in.B:][:in.C]))
		return
	case program.OpWide:
		b.wide(&b.p.Wide[in.A])
		return
	case program.OpModel:
		b.boxLeaves(int32(in.A))
		return
	default:
		panic("sim: an instruction without nodes")
	}
	b.At[in.Dst] = z
}

// wide makes the nodes of an operation on wide values.
func (b *Builder) wide(in *program.WideInstr) {
	n := b.N
	w, wa := int(in.W), int(in.Wa)
	x, y := b.words(in.A, wa), b.words(in.B, int(in.Wb))
	var z []net.ID
	one := func(v net.ID) { z = []net.ID{v} }
	zero := n.Const(0)

	// The ops up to SExt have wide results, the others a one-bit or one-word result.
	switch in.Op {
	case ir.Not:
		z = n.WideNot(x, w)
	case ir.And:
		z = n.WideLogic(net.And, x, y, w)
	case ir.Or:
		z = n.WideLogic(net.Or, x, y, w)
	case ir.Xor:
		z = n.WideLogic(net.Xor, x, y, w)
	case ir.Add:
		z = n.WideAdd(x, y, zero, w)
	case ir.Sub:
		z = n.WideSub(x, y, w)
	case ir.Mul:
		z = n.WideMul(x, y, w)
	case ir.MulS:
		z = n.WideMul(n.WideSExt(x, wa, w), n.WideSExt(y, int(in.Wb), w), w)
	case ir.Div:
		z, _ = n.WideDivide(x, y, w)
	case ir.Rem:
		_, z = n.WideDivide(x, y, w)
	case ir.DivS:
		z, _ = n.WideDivideS(x, y, w)
	case ir.RemS:
		_, z = n.WideDivideS(x, y, w)
	case ir.Shl:
		z = n.WideShl(x, y, w)
	case ir.Shr:
		z = n.WideShr(x, y, zero, w)
	case ir.ShrS:
		z = n.WideShr(x, y, n.WideSlice(x, w-1, 1)[0], w)
	case ir.Mux:
		z = n.WideMux(x[0], y, b.words(in.C, w), w)
	case ir.Slice:
		z = n.WideSlice(x, int(in.Lo), w)
	case ir.ZExt:
		z = n.WideLogic(net.Or, x, nil, w)
	case ir.SExt:
		z = n.WideSExt(x, wa, w)
	case ir.Eq:
		one(n.WideEq(x, y))
	case ir.Lt:
		one(n.WideLt(x, y))
	case ir.LtS:
		one(n.WideLtS(x, y, wa))
	case ir.RedAnd:
		one(n.WideIsOnes(x, wa))
	case ir.RedOr:
		one(n.Ne(n.WideOr(x), zero))
	case ir.RedXor:
		one(n.WideParity(x))
	case ir.PopCount:
		one(n.WidePop(x))
	default:
		panic("sim: no wide nodes of op " + in.Op.String())
	}
	copy(b.At[in.Dst:], z)
}
