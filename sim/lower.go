package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

func (c *compiler) emit(in instr) { c.p.code = append(c.p.code, in) }

// lower emits the code that computes node r into dst.
func (c *compiler) lower(m *ir.Module, r ref, dst uint32) error {
	n := m.Node(r.id)
	args := m.Args(r.id)
	slot := func(i int) uint32 { return c.p.slotOf(ref{r.inst, args[i]}) }
	width := func(i int) int { return m.Width(args[i]) }
	switch n.Op {
	case ir.Slice:
		c.slice(dst, int(n.Width), slot(0), width(0), int(n.Aux))
	case ir.Cat:
		c.cat(m, r, dst)
	case ir.Lut:
		c.lut(m, r, dst)
	case ir.Case:
		c.caseOf(m, r, dst)
	case ir.MemRead:
		mem := uint32(c.memIndex(r.inst, n.Aux))
		c.emit(instr{code: opMemRead, dst: dst, a: mem, b: slot(0), c: uint32(bits.WordCount(width(0)))})
	case ir.And, ir.Or, ir.Xor:
		c.bitwise(n, dst, slot(0), slot(1))
		for i := 2; i < len(args); i++ {
			c.bitwise(n, dst, dst, slot(i))
		}
	default:
		return c.plain(m, r, dst)
	}
	return nil
}

// bitwise emits a bitwise op of two operands of the result's width.
func (c *compiler) bitwise(n *ir.Node, dst, a, b uint32) {
	if n.Width <= 64 {
		c.emit(instr{code: narrowCode[n.Op], dst: dst, a: a, b: b})
		return
	}
	c.emitWide(wideInstr{op: n.Op, dst: dst, a: a, b: b, w: n.Width, wa: n.Width, wb: n.Width})
}

func (c *compiler) emitWide(w wideInstr) {
	c.emit(instr{code: opWide, a: uint32(len(c.p.wide))})
	c.p.wide = append(c.p.wide, w)
}

// plain emits an op that has the same form for every width.
func (c *compiler) plain(m *ir.Module, r ref, dst uint32) error {
	n := m.Node(r.id)
	var slots [3]uint32
	var widths [3]int
	widest := int(n.Width)
	for i, a := range m.Args(r.id) {
		slots[i], widths[i] = c.p.slotOf(ref{r.inst, a}), m.Width(a)
		widest = max(widest, widths[i])
	}
	code := narrowCode[n.Op]
	if code == opNone {
		return fmt.Errorf("sim: no code for op %s", n.Op)
	}
	if widest > 64 {
		c.emitWide(wideInstr{op: n.Op, dst: dst, a: slots[0], b: slots[1], c: slots[2],
			w: n.Width, wa: int32(widths[0]), wb: int32(widths[1])})
		return nil
	}
	in := instr{code: code, dst: dst, a: slots[0], b: slots[1], c: slots[2],
		sh: uint8(64 - widths[0]), sh2: uint8(64 - widths[1]), mask: ones(int(n.Width))}
	if n.Op == ir.RedAnd {
		in.mask = ones(widths[0])
	}
	c.emit(in)
	return nil
}

// slice emits bits lo and up of a, which has wa bits.
func (c *compiler) slice(dst uint32, w int, a uint32, wa, lo int) {
	word, sh := lo/64, lo%64
	in := instr{dst: dst, a: a + uint32(word), sh: uint8(sh), mask: ones(min(w, 64))}
	switch {
	case w > 64:
		c.emitWide(wideInstr{op: ir.Slice, dst: dst, a: a, w: int32(w), wa: int32(wa), lo: int32(lo)})
		return
	case sh+w <= 64:
		in.code = opSlice
	default:
		in.code = opFunnel
	}
	c.emit(in)
}

// cat emits a concatenation: narrow ones shift along, wide ones are put
// together word by word from the bottom.
func (c *compiler) cat(m *ir.Module, r ref, dst uint32) {
	args := m.Args(r.id)
	if m.Width(r.id) <= 64 {
		top := c.p.slotOf(ref{r.inst, args[0]})
		if len(args) == 1 {
			c.emit(instr{code: opMove, dst: dst, a: top})
		}
		for _, a := range args[1:] {
			c.emit(instr{code: opCat, dst: dst, a: top, b: c.p.slotOf(ref{r.inst, a}), sh: uint8(m.Width(a))})
			top = dst
		}
		return
	}
	at := 0
	for i := len(args) - 1; i >= 0; i-- {
		slot := c.p.slotOf(ref{r.inst, args[i]})
		for left := m.Width(args[i]); left > 0; left -= 64 {
			c.put(dst, at, slot, min(left, 64))
			at += min(left, 64)
			slot++
		}
	}
}

// put emits the placing of a word of w bits at bit at of dst, where everything
// below is there already and nothing above.
func (c *compiler) put(dst uint32, at int, word uint32, w int) {
	in := instr{code: opPutOr, dst: dst + uint32(at/64), a: word, sh: uint8(at % 64)}
	if in.sh == 0 {
		in.code = opPut
	}
	c.emit(in)
	if at%64+w > 64 {
		in.code = opPutTop
		in.dst++
		c.emit(in)
	}
}

// lut emits a look-up.
func (c *compiler) lut(m *ir.Module, r ref, dst uint32) {
	args := m.Args(r.id)
	in := instr{code: opLut, dst: dst, a: uint32(len(c.p.pool)), b: uint32(len(args))}
	for _, a := range args {
		c.p.pool = append(c.p.pool, c.p.slotOf(ref{r.inst, a}))
	}
	table := m.TableOf(r.id)
	switch {
	case len(args) > 6:
		in.code, in.c = opLutBig, uint32(len(c.p.tables))
		c.p.tables = append(c.p.tables, table.Words()...)
	case len(args) == 6:
		in.code = opLut6
		fallthrough
	default:
		in.mask = table.Uint64()
	}
	c.emit(in)
}

// caseOf emits a Case with its table.
func (c *compiler) caseOf(m *ir.Module, r ref, dst uint32) {
	args := m.Args(r.id)
	slot := func(i int) uint32 { return c.p.slotOf(ref{r.inst, args[i]}) }
	t := caseTable{selector: bits.WordCount(m.Width(args[0])), words: bits.WordCount(m.Width(r.id)), other: slot(1)}
	for i, k := range m.KeysOf(r.id) {
		t.keys = append(t.keys, k.Words()...)
		t.values = append(t.values, slot(2+i))
	}
	t.makeDirect()
	in := instr{code: opCase, dst: dst, a: uint32(len(c.p.cases)), b: slot(0)}
	if t.words > 1 {
		in.code = opCaseWide
	}
	c.p.cases = append(c.p.cases, t)
	c.emit(in)
}

// makeDirect fills direct when that takes at most about twice the keys' room.
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
