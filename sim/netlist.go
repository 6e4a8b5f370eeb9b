package sim

import (
	"fmt"
	"math/bits"

	"etch/ir"
	"etch/sim/net"
)

// netlist is a program's net for the events of one set of clocks, with the tables that follow
// the state.
type netlist struct {
	*net.Net
	roms [][]uint64 // constant tables: the last of Mems, in order
}

// netBuilder translates a program into a net. The program is the single lowered form: the
// interpreter runs it directly, and the engines compile this view of it.
type netBuilder struct {
	p    *program
	n    *net.Net
	at   []net.ID // by slot: its node, or None so far
	roms [][]uint64
	room uint32   // first word behind the state
	end  []net.ID // by state word: its value after the edge; None: unchanged

	covers     int32 // the memory of cover counters
	journalMem int32
	journal    *journalBuilder // nil: print statements stop the engine
	mute       net.ID          // None: statements cannot be muted
	loud       net.ID          // a statement needs the engine to stop

	// Parts left out of the events:
	quiet bool             // all statements
	skips func(int32) bool // the contents of these instances
}

// netFor builds the net of an event of the clocks marked in on. Errors: ops that engines do not
// take.
func netFor(p *program, on []byte) (*netlist, error) {
	b, err := newNetBuilder(p)
	if err != nil {
		return nil, err
	}

	b.openJournal()
	if err := b.events(on); err != nil {
		return nil, err
	}
	return &netlist{b.n, b.roms}, nil
}

// netOf builds a net that computes the values at slots, without an event.
func netOf(p *program, slots []uint32) (*netlist, error) {
	b, err := newNetBuilder(p)
	if err != nil {
		return nil, err
	}
	for _, slot := range slots {
		b.n.Outs = append(b.n.Outs, net.Out{Slot: slot, Node: b.at[slot]})
	}
	return &netlist{b.n, b.roms}, nil
}

// maxState is the largest state that machine code can address, in words.
const maxState = 1 << 27

// maxDivision is the widest division that engines take, in bits, since divisions are unrolled.
const maxDivision = 128

// netBuilder makes the nodes of all combinational values.
func newNetBuilder(p *program) (*netBuilder, error) {
	if len(p.boxes) > 0 {
		return nil, fmt.Errorf("sim: the design has black boxes that a Model runs")
	}

	b := &netBuilder{p: p, n: net.NewSized(int(p.state.hi-p.inputs.lo), netSize(p)), at: make([]net.ID, p.words), mute: net.None}
	for i := range p.wide {
		if in := &p.wide[i]; in.op >= ir.Div && in.op <= ir.RemS && in.w > maxDivision {
			return nil, fmt.Errorf("sim: a division of %d bits", in.w)
		}
	}

	// A memory's words are 64 bits apart even if its last word of a row is narrower.
	at, covers, end := p.stateWords()
	if b.room = p.behind(); b.room > maxState {
		return nil, fmt.Errorf("sim: a state of %d words", b.room)
	}

	b.leaves()
	for i := range p.mems {
		m := &p.mems[i]
		width := m.width
		if m.words > 1 {
			width = 64
		}
		b.n.Mems = append(b.n.Mems, net.Mem{At: at[i], Words: m.span(), Depth: m.depth * m.words, W: uint8(width), Far: uint8(m.slot)})
	}

	// Cover counters and the journal are memories too, behind the design's.
	b.covers = int32(len(p.mems))
	b.n.Mems = append(b.n.Mems, net.Mem{At: covers, Words: int(end - covers), Depth: p.covers, W: 64})
	if words := int(p.journal.room()); words > 0 {
		b.journalMem = int32(len(b.n.Mems))
		b.n.Mems = append(b.n.Mems, net.Mem{At: end, Words: words, Depth: words, W: 64, Journal: true})
	}

	for i := range p.code {
		b.instr(&p.code[i])
	}
	return b, nil
}

// netSize estimates the number of nodes.
func netSize(p *program) int {
	nodes := int(p.leaves - p.state.hi) // constants
	for i := range p.code {
		switch p.code[i].code {
		case opMulS, opFunnel, opWide: // extensions of both operands, two slices
			nodes += 3
		case opPut, opPutOr, opMemRead, opCase, opCaseWide:
			nodes += 2
		default:
			nodes++
		}
	}
	return nodes
}

// leaves makes leaf nodes of inputs and state, and constant nodes of constants.
func (b *netBuilder) leaves() {
	p := b.p
	for i := range b.at {
		b.at[i] = net.None
	}

	// One register per state word; its width is that of the value's word.
	b.n.Regs = make([]net.Reg, p.state.hi-p.inputs.lo, p.state.hi-p.inputs.lo+hostWords)
	for i := range b.n.Regs {
		r := &b.n.Regs[i]
		r.Slot, r.W, r.Q, r.Next = p.inputs.lo+uint32(i), 1, net.None, net.None
	}

	top := p.mod(0)
	for i := range top.Ports {
		if port := &top.Ports[i]; port.Dir == ir.In {
			b.widen(p.slotOf(ref{0, port.Node}), port.Width)
		}
	}
	for i := range p.regs {
		b.widen(p.regs[i].slot, p.mod(p.regs[i].inst).Width(p.regs[i].id))
	}
	for i := range p.reads {
		b.widen(p.reads[i].slot, p.mems[p.reads[i].mem].width)
	}

	// Leaf nodes; everything else below p.leaves is constant.
	for i := range b.n.Regs {
		b.at[p.inputs.lo+uint32(i)] = b.n.Leaf(i)
	}
	for _, port := range p.clocks {
		b.at[p.slotOf(ref{0, top.Ports[port].Node})] = b.n.Const(0)
	}
	for slot := uint32(0); slot < p.leaves; slot++ {
		if b.at[slot] < 0 {
			b.at[slot] = b.n.Const(p.image[slot])
		}
	}
}

// widen sets the widths of the state words of a value with w bits.
func (b *netBuilder) widen(slot uint32, w int) {
	for ; w > 0; w -= 64 {
		b.reg(slot).W = uint8(min(w, 64))
		slot++
	}
}

// reg is the state word at a slot.
func (b *netBuilder) reg(slot uint32) *net.Reg { return &b.n.Regs[slot-b.p.inputs.lo] }

// words is the nodes of the value of w bits at a slot.
func (b *netBuilder) words(slot uint32, w int) []net.ID {
	return b.at[slot:][:net.Words(w)]
}

var netOp = [...]net.Op{
	opAnd: net.And, opOr: net.Or, opXor: net.Xor, opAdd: net.Add, opSub: net.Sub, opMul: net.Mul,
	opDiv: net.Div, opDivS: net.DivS, opRem: net.Rem, opRemS: net.RemS, opEq: net.Eq, opLt: net.Lt, opLtS: net.LtS,
	opShl: net.Shl, opShr: net.Shr, opShrS: net.ShrS,
}

// instr makes the nodes of one instruction; see opcode's table for the meanings.
func (b *netBuilder) instr(in *instr) {
	n := b.n
	var x, y net.ID
	// Operands a and b are slots in most opcodes only.
	if in.code < opLut || in.code >= opPut && in.code <= opPutTop {
		x = b.at[in.a]
		if in.b < uint32(len(b.at)) {
			y = b.at[in.b]
		}
	}

	w := uint8(bits.Len64(in.mask))
	sw := uint64(64 - in.sh) // signed width
	var z net.ID

	// One node each, up to the last three: these set several slots.
	switch in.code {
	case opMove:
		z = x
	case opNot:
		z = n.Not(x, w)
	case opAnd, opOr, opXor, opAdd, opSub, opMul, opDiv, opRem, opEq, opLt, opShl, opShr:
		z = n.Make(netOp[in.code], w, x, y, net.None, 0)
	case opDivS, opRemS, opLtS, opShrS:
		z = n.Make(netOp[in.code], w, x, y, net.None, sw)
	case opMulS:
		z = n.Make(net.Mul, w, n.SExt(x, uint8(sw), w), n.SExt(y, 64-in.sh2, w), net.None, 0)
	case opMux:
		z = n.Mux(x, y, b.at[in.c])
	case opSlice:
		z = n.Slice(x, in.sh, w)
	case opFunnel:
		z = n.WideSlice([]net.ID{x, b.at[in.a+1]}, int(in.sh), int(w))[0]
	case opCat:
		z = n.Cat(x, y, in.sh)
	case opSExt:
		z = n.SExt(x, uint8(sw), w)
	case opRedAnd:
		z = n.Eq(x, n.Const(in.mask))
	case opRedOr:
		z = n.Ne(x, n.Const(0))
	case opRedXor:
		z = n.Make(net.Parity, 1, x, net.None, net.None, 0)
	case opCount:
		z = n.Make(net.Pop, 0, x, net.None, net.None, 0)
	case opLut, opLut6, opLutBig:
		z = b.lut(in)
	case opPut:
		z = n.Cat(n.Slice(x, 0, 64-in.sh), n.Const(0), in.sh)
	case opPutOr:
		z = n.Cat(n.Slice(x, 0, 64-in.sh), b.at[in.dst], in.sh)
	case opPutTop:
		z = n.Slice(x, 64-in.sh, in.sh)
	case opCase, opCaseWide:
		t := &b.p.cases[in.a]
		for k := range t.words {
			b.at[in.dst+uint32(k)] = b.caseOf(t, in.b, uint32(k))
		}
		return
	case opMemRead:
		copy(b.at[in.dst:], b.read(int32(in.a), b.at[in.b:][:in.c]))
		return
	case opWide:
		b.wide(&b.p.wide[in.a])
		return
	default:
		panic("sim: an instruction without nodes")
	}
	b.at[in.dst] = z
}

// wide makes the nodes of an operation on wide values.
func (b *netBuilder) wide(in *wideInstr) {
	n := b.n
	w, wa := int(in.w), int(in.wa)
	x, y := b.words(in.a, wa), b.words(in.b, int(in.wb))
	var z []net.ID
	one := func(v net.ID) { z = []net.ID{v} }
	zero := n.Const(0)

	// The ops up to SExt have wide results, the others a one-bit or one-word result.
	switch in.op {
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
		z = n.WideMul(n.WideSExt(x, wa, w), n.WideSExt(y, int(in.wb), w), w)
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
		z = n.WideMux(x[0], y, b.words(in.c, w), w)
	case ir.Slice:
		z = n.WideSlice(x, int(in.lo), w)
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
		panic("sim: no wide nodes of op " + in.op.String())
	}
	copy(b.at[in.dst:], z)
}

// lut makes a look-up. Up to six operands are one node, up to eight a tree of muxes over parts
// of the table; beyond that, the table is read as a memory.
func (b *netBuilder) lut(in *instr) net.ID {
	ops := b.p.pool[in.a:][:max(in.b, 1)]
	if in.code == opLut6 {
		ops = b.p.pool[in.a:][:6]
	}

	args := make([]net.ID, len(ops))
	for i, slot := range ops {
		args[i] = b.at[slot]
	}
	if in.code != opLutBig {
		return b.n.Lut(in.mask, args)
	}

	table := b.p.tables[in.c:][:1<<len(args)/64]
	if len(args) <= 8 {
		return b.halves(table, args)
	}

	// The upper operands select a word of the table, the lower six a bit of it.
	index := b.n.Const(0)
	for i := len(args) - 1; i >= 6; i-- {
		index = b.n.Cat(index, args[i], 1)
	}
	at := b.n.Const(0)
	for i := 5; i >= 0; i-- {
		at = b.n.Cat(at, args[i], 1)
	}
	return b.n.Slice(b.n.Make(net.Shr, 0, b.rom(table, index, 64), at, net.None, 0), 0, 1)
}

// halves selects between the halves of a table by the last operand, down to six operands.
func (b *netBuilder) halves(table []uint64, args []net.ID) net.ID {
	if len(table) == 1 {
		return b.n.Lut(table[0], args)
	}
	k, half := len(args)-1, len(table)/2
	return b.n.Mux(args[k], b.halves(table[half:], args[:k]), b.halves(table[:half], args[:k]))
}

// rom reads a constant table at an index below its length, rounded up to a power of two.
func (b *netBuilder) rom(table []uint64, index net.ID, w uint8) net.ID {
	size := pow2(len(table))
	words := make([]uint64, size)
	copy(words, table)
	b.n.Mems = append(b.n.Mems, net.Mem{At: b.room, Words: size, Depth: size, W: w})
	b.room += uint32(size)
	b.roms = append(b.roms, words)
	return b.n.Read(int32(len(b.n.Mems)-1), index)
}

// caseOf makes word k of a case.
func (b *netBuilder) caseOf(t *caseTable, sel, k uint32) net.ID {
	n := b.n
	other := b.at[t.other+k]

	// A wide selector is compared key by key.
	if t.selector > 1 {
		z := other
		x := b.at[sel:][:t.selector]
		for i := len(t.values) - 1; i >= 0; i-- {
			key := make([]net.ID, t.selector)
			for j := range key {
				key[j] = n.Const(t.keys[i*t.selector+j])
			}
			z = n.Mux(n.WideEq(x, key), b.at[t.values[i]+k], z)
		}
		return z
	}

	if z := b.caseTable(t, b.at[sel], k); z >= 0 {
		return z
	}
	return b.choose(t, b.at[sel], k, 0, len(t.values), other)
}

// caseTable reads a case of constants from a table if it has at least five keys that lie close
// together; None otherwise.
func (b *netBuilder) caseTable(t *caseTable, sel net.ID, k uint32) net.ID {
	if len(t.values) < 5 || t.direct == nil {
		return net.None
	}

	// The table's last entry is the value without a key.
	table := make([]uint64, pow2(len(t.direct)+1))
	var all uint64
	for i := range table {
		slot := t.other
		if i < len(t.direct) {
			slot = t.direct[i]
		}
		v, ok := b.n.IsConst(b.at[slot+k])
		if !ok {
			return net.None
		}
		table[i] = v
		all |= v
	}

	// Indices beyond the table are mapped to that entry.
	index := b.n.Sub(sel, b.n.Const(t.first), 64)
	if t.first == 0 {
		index = sel
	}
	last := b.n.Const(uint64(len(table) - 1))
	index = b.n.Mux(b.n.Make(net.Lt, 1, index, last, net.None, 0), b.n.Slice(index, 0, uint8(bits.Len(uint(len(table)-1)))), last)
	return b.rom(table, index, uint8(max(1, bits.Len64(all))))
}

// choose selects between keys lo to hi: by successive comparison if they are few, else after a
// binary split.
func (b *netBuilder) choose(t *caseTable, sel net.ID, k uint32, lo, hi int, other net.ID) net.ID {
	n := b.n
	if hi-lo > 8 {
		mid := (lo + hi) / 2
		return n.Mux(n.Make(net.Lt, 1, sel, n.Const(t.keys[mid]), net.None, 0),
			b.choose(t, sel, k, lo, mid, other), b.choose(t, sel, k, mid, hi, other))
	}

	z := other
	for i := hi - 1; i >= lo; i-- {
		z = n.Mux(n.Eq(sel, n.Const(t.keys[i])), b.at[t.values[i]+k], z)
	}
	return z
}

// row reduces an address to the bits that the depth needs. ok says whether it is a row of the
// memory; None if it always is.
func (b *netBuilder) row(m *memory, addr []net.ID) (row, ok net.ID) {
	n := b.n
	ok = net.None

	low := addr[0]
	if net.Mask(n.Width(low)) >= uint64(m.depth) {
		ok = n.Make(net.Lt, 1, low, n.Const(uint64(m.depth)), net.None, 0)
	}

	// Upper words of a wide address must be 0.
	for _, x := range addr[1:] {
		zero := n.IsZero(x)
		if ok < 0 {
			ok = zero
		} else {
			ok = n.And(ok, zero)
		}
	}

	if m.depth == 1 {
		return n.Const(0), ok
	}
	return n.Slice(low, 0, uint8(bits.Len(uint(m.depth-1)))), ok
}

// place is the index of word k of a row.
func (b *netBuilder) place(m *memory, row net.ID, k int) net.ID {
	if m.words == 1 {
		return row
	}
	return b.n.Add(b.n.Make(net.Mul, 40, row, b.n.Const(uint64(m.words)), net.None, 0), b.n.Const(uint64(k)), 40)
}

// read makes the words of a row; 0 beyond the end.
func (b *netBuilder) read(mem int32, addr []net.ID) []net.ID {
	m := &b.p.mems[mem]
	row, ok := b.row(m, addr)
	z := make([]net.ID, m.words)
	for k := range z {
		z[k] = b.n.Read(mem, b.place(m, row, k))
		// The memory's padding reads as 0 anyway, so a narrow address needs no mux.
		if ok >= 0 && pow2(m.depth) < 1<<min(40, int(b.n.Width(addr[0]))) || len(addr) > 1 {
			z[k] = b.n.Mux(ok, z[k], b.n.Const(0))
		}
	}
	return z
}
