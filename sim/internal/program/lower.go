package program

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// emit appends an instruction, whose operands the caller fills in. It is built in place: copying
// a value whose parts were just written is slow, because store forwarding fails.
func (c *compiler) emit(code Opcode, dst uint32) *Instr {
	c.p.Code = append(c.p.Code, Instr{})
	in := &c.p.Code[len(c.p.Code)-1]
	in.Code, in.Dst = code, dst
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
		in := c.emit(OpMemRead, l.dst)
		in.A, in.B, in.C = uint32(c.memIndex(l.inst, l.Aux)), l.slot(0), uint32(bits.WordCount(l.width(0)))
	case ir.And, ir.Or, ir.Xor:
		// Further operands accumulate in the node's own slot.
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
		in.A, in.B = a, b
		return
	}
	c.emitWide(WideInstr{Op: n.Op, Dst: dst, A: a, B: b, W: n.Width, Wa: n.Width, Wb: n.Width})
}

func (c *compiler) emitWide(w WideInstr) {
	c.emit(OpWide, 0).A = uint32(len(c.p.Wide))
	c.p.Wide = append(c.p.Wide, w)
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

	// One wide operand makes the whole op wide.
	if widest > 64 {
		c.emitWide(WideInstr{Op: l.Op, Dst: l.dst, A: slots[0], B: slots[1], C: slots[2],
			W: l.Width, Wa: int32(widths[0]), Wb: int32(widths[1])})
		return nil
	}

	in := c.emit(code, l.dst)
	in.A, in.B, in.C = slots[0], slots[1], slots[2]

	// The shifts bring the sign bit of an operand to the top of a word. RedAnd compares with all
	// bits of its operand, so its mask is the operand's.
	in.Sh, in.Sh2 = uint8(64-widths[0]), uint8(64-widths[1])
	if in.Mask = Ones(int(l.Width)); l.Op == ir.RedAnd {
		in.Mask = Ones(widths[0])
	}
	return nil
}

// slice emits the w bits from lo up of a, which has wa bits.
func (c *compiler) slice(dst uint32, w int, a uint32, wa, lo int) {
	if w > 64 {
		c.emitWide(WideInstr{Op: ir.Slice, Dst: dst, A: a, W: int32(w), Wa: int32(wa), Lo: int32(lo)})
		return
	}

	// A slice across a word's end combines two words.
	code := OpSlice
	if lo%64+w > 64 {
		code = OpFunnel
	}

	in := c.emit(code, dst)
	in.A, in.Sh, in.Mask = a+uint32(lo/64), uint8(lo%64), Ones(w)
}

// cat emits a concatenation. Narrow ones are built by shifts from the top; wide ones word by
// word from the bottom.
func (c *compiler) cat(l *lowering) {
	if l.Width <= 64 {
		// The first operand is the top: each step shifts the bits so far and appends an operand.
		top := l.slot(0)
		if len(l.args) == 1 {
			c.emit(OpMove, l.dst).A = top
		}
		for i := 1; i < len(l.args); i++ {
			in := c.emit(OpCat, l.dst)
			in.A, in.B, in.Sh = top, l.slot(i), uint8(l.width(i))
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
	// A word at a boundary overwrites dst, any other joins the bits below it.
	code, to, sh := OpPutOr, dst+uint32(at/64), uint8(at%64)
	if sh == 0 {
		code = OpPut
	}

	in := c.emit(code, to)
	in.A, in.Sh = word, sh

	// Bits beyond the end go to the next word.
	if int(sh)+w > 64 {
		in := c.emit(OpPutTop, to+1)
		in.A, in.Sh = word, sh
	}
}

// lut emits a look-up; its form depends on the size of the table.
func (c *compiler) lut(l *lowering) {
	in := c.emit(OpLut, l.dst)
	in.A, in.B = uint32(len(c.p.Pool)), uint32(len(l.args))
	for i := range l.args {
		c.p.Pool = append(c.p.Pool, l.slot(i))
	}

	table := l.m.TableOf(l.id)

	// Up to six operands address 64 bits, which fit in the instruction.
	switch {
	case len(l.args) > 6:
		in.Code, in.C = OpLutBig, uint32(len(c.p.Tables))
		c.p.Tables = append(c.p.Tables, table.Words()...)
	case len(l.args) == 6:
		in.Code = OpLut6
		fallthrough
	default:
		in.Mask = table.Uint64()
	}
}

// caseOf emits a Case with its table.
func (c *compiler) caseOf(l *lowering) {
	t := CaseTable{Selector: bits.WordCount(l.width(0)), Words: bits.WordCount(int(l.Width)), Other: l.slot(1)}
	for i, k := range l.m.KeysOf(l.id) {
		t.Keys = append(t.Keys, k.Words()...)
		t.Values = append(t.Values, l.slot(2+i))
	}

	t.makeDirect()
	code := OpCase
	if t.Words > 1 {
		code = OpCaseWide
	}
	in := c.emit(code, l.dst)
	in.A, in.B = uint32(len(c.p.Cases)), l.slot(0)
	c.p.Cases = append(c.p.Cases, t)
}

// makeDirect fills direct if it has at most about twice as many entries as there are keys.
func (t *CaseTable) makeDirect() {
	if t.Selector != 1 || len(t.Keys) == 0 {
		return
	}
	first, last := t.Keys[0], t.Keys[len(t.Keys)-1]
	if last-first >= uint64(2*len(t.Keys)+16) {
		return
	}

	t.First = first

	// Gaps between keys take the value of all other selectors.
	t.Direct = make([]uint32, last-first+1)
	for i := range t.Direct {
		t.Direct[i] = t.Other
	}
	for i, k := range t.Keys {
		t.Direct[k-first] = t.Values[i]
	}
}
