package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// emit appends an instruction, whose operands the caller fills in. It is built in place: copying
// a value whose parts were just written is slow, because store forwarding fails.
func (c *compiler) emit(code opcode, dst uint32) *instr {
	c.p.code = append(c.p.code, instr{})
	in := &c.p.code[len(c.p.code)-1]
	in.code, in.dst = code, dst
	return in
}

// lowering is a node being lowered, whose operands have slots.
type lowering struct {
	*ir.Node
	m     *ir.Module
	id    ir.ID
	inst  int32
	args  []ir.ID
	slots []uint32 // of the instance's nodes, by ID
	dst   uint32   // the node's own slot
}

// slot is the slot of operand i.
func (l *lowering) slot(i int) uint32 { return l.slots[l.args[i]] }

// width is the width of operand i.
func (l *lowering) width(i int) int { return l.m.Width(l.args[i]) }

// lower emits the code that computes a node.
func (c *compiler) lower(l *lowering) error {
	switch l.Op {
	case ir.Slice:
		c.slice(l.dst, int(l.Width), l.slot(0), l.width(0), int(l.Aux))
	case ir.Cat:
		c.cat(l)
	case ir.Lut:
		c.lut(l)
	case ir.Case:
		c.caseOf(l)
	case ir.MemRead:
		in := c.emit(opMemRead, l.dst)
		in.a, in.b, in.c = uint32(c.memIndex(l.inst, l.Aux)), l.slot(0), uint32(bits.WordCount(l.width(0)))
	case ir.And, ir.Or, ir.Xor:
		c.bitwise(l.Node, l.dst, l.slot(0), l.slot(1))
		for i := 2; i < len(l.args); i++ {
			c.bitwise(l.Node, l.dst, l.dst, l.slot(i))
		}
	default:
		return c.plain(l)
	}
	return nil
}

// bitwise emits a bitwise op of two operands with the result's width.
func (c *compiler) bitwise(n *ir.Node, dst, a, b uint32) {
	if n.Width <= 64 {
		in := c.emit(narrowCode[n.Op], dst)
		in.a, in.b = a, b
		return
	}
	c.emitWide(wideInstr{op: n.Op, dst: dst, a: a, b: b, w: n.Width, wa: n.Width, wb: n.Width})
}

func (c *compiler) emitWide(w wideInstr) {
	c.emit(opWide, 0).a = uint32(len(c.p.wide))
	c.p.wide = append(c.p.wide, w)
}

// plain emits an op that has one form for all widths.
func (c *compiler) plain(l *lowering) error {
	var slots [3]uint32
	var widths [3]int
	widest := int(l.Width)
	for i := range l.args {
		slots[i], widths[i] = l.slot(i), l.width(i)
		widest = max(widest, widths[i])
	}

	code := narrowCode[l.Op]
	if code == opNone {
		return fmt.Errorf("sim: no code for op %s", l.Op)
	}

	if widest > 64 {
		c.emitWide(wideInstr{op: l.Op, dst: l.dst, a: slots[0], b: slots[1], c: slots[2],
			w: l.Width, wa: int32(widths[0]), wb: int32(widths[1])})
		return nil
	}

	in := c.emit(code, l.dst)
	in.a, in.b, in.c = slots[0], slots[1], slots[2]
	in.sh, in.sh2 = uint8(64-widths[0]), uint8(64-widths[1])
	if in.mask = ones(int(l.Width)); l.Op == ir.RedAnd {
		in.mask = ones(widths[0])
	}
	return nil
}

// slice emits the w bits from lo up of a, which has wa bits.
func (c *compiler) slice(dst uint32, w int, a uint32, wa, lo int) {
	if w > 64 {
		c.emitWide(wideInstr{op: ir.Slice, dst: dst, a: a, w: int32(w), wa: int32(wa), lo: int32(lo)})
		return
	}

	// A slice across a word's end combines two words.
	code := opSlice
	if lo%64+w > 64 {
		code = opFunnel
	}

	in := c.emit(code, dst)
	in.a, in.sh, in.mask = a+uint32(lo/64), uint8(lo%64), ones(w)
}

// cat emits a concatenation. Narrow ones are built by shifts from the top; wide ones word by
// word from the bottom.
func (c *compiler) cat(l *lowering) {
	if l.Width <= 64 {
		top := l.slot(0)
		if len(l.args) == 1 {
			c.emit(opMove, l.dst).a = top
		}
		for i := 1; i < len(l.args); i++ {
			in := c.emit(opCat, l.dst)
			in.a, in.b, in.sh = top, l.slot(i), uint8(l.width(i))
			top = l.dst
		}
		return
	}

	// Wide: place the operands' words, lowest operand first.
	at := 0
	for i := len(l.args) - 1; i >= 0; i-- {
		slot := l.slot(i)
		for left := l.width(i); left > 0; left -= 64 {
			c.put(l.dst, at, slot, min(left, 64))
			at += min(left, 64)
			slot++
		}
	}
}

// put emits the placing of a word of w bits at bit at of dst. All bits below are placed already,
// none above.
func (c *compiler) put(dst uint32, at int, word uint32, w int) {
	code, to, sh := opPutOr, dst+uint32(at/64), uint8(at%64)
	if sh == 0 {
		code = opPut
	}

	in := c.emit(code, to)
	in.a, in.sh = word, sh
	if int(sh)+w > 64 {
		in := c.emit(opPutTop, to+1)
		in.a, in.sh = word, sh
	}
}

// lut emits a look-up; its form depends on the size of the table.
func (c *compiler) lut(l *lowering) {
	in := c.emit(opLut, l.dst)
	in.a, in.b = uint32(len(c.p.pool)), uint32(len(l.args))
	for i := range l.args {
		c.p.pool = append(c.p.pool, l.slot(i))
	}

	table := l.m.TableOf(l.id)
	switch {
	case len(l.args) > 6:
		in.code, in.c = opLutBig, uint32(len(c.p.tables))
		c.p.tables = append(c.p.tables, table.Words()...)
	case len(l.args) == 6:
		in.code = opLut6
		fallthrough
	default:
		in.mask = table.Uint64()
	}
}

// caseOf emits a Case with its table.
func (c *compiler) caseOf(l *lowering) {
	t := caseTable{selector: bits.WordCount(l.width(0)), words: bits.WordCount(int(l.Width)), other: l.slot(1)}
	for i, k := range l.m.KeysOf(l.id) {
		t.keys = append(t.keys, k.Words()...)
		t.values = append(t.values, l.slot(2+i))
	}

	t.makeDirect()
	code := opCase
	if t.words > 1 {
		code = opCaseWide
	}
	in := c.emit(code, l.dst)
	in.a, in.b = uint32(len(c.p.cases)), l.slot(0)
	c.p.cases = append(c.p.cases, t)
}

// makeDirect fills direct if it has at most about twice as many entries as there are keys.
func (t *caseTable) makeDirect() {
	if t.selector != 1 || len(t.keys) == 0 {
		return
	}
	first, last := t.keys[0], t.keys[len(t.keys)-1]
	if last-first >= uint64(2*len(t.keys)+16) {
		return
	}

	t.first = first
	t.direct = make([]uint32, last-first+1)
	for i := range t.direct {
		t.direct[i] = t.other
	}
	for i, k := range t.keys {
		t.direct[k-first] = t.values[i]
	}
}
