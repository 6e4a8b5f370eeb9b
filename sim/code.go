package sim

import (
	"etch/ir"
	"etch/ir/bits"
)

// opcode is the operation of an instruction. sh and sh2 are its shifts; an operand stands for
// the value of its slot.
type opcode uint8

const (
	opNone   opcode = iota // no instruction
	opMove                 // dst = a
	opNot                  // dst = ^a & mask
	opAnd                  // dst = a & b
	opOr                   // dst = a | b
	opXor                  // dst = a ^ b
	opAdd                  // dst = (a + b) & mask
	opSub                  // dst = (a - b) & mask
	opMul                  // dst = a · b & mask
	opMulS                 // the same, a and b sign-extended from the top by sh and sh2
	opDiv                  // dst = a / b, mask when b is 0
	opDivS                 // the same, signed, by sh
	opRem                  // dst = a % b, a when b is 0
	opRemS                 // the same, signed, by sh
	opEq                   // dst = a == b
	opLt                   // dst = a < b
	opLtS                  // dst = a < b, signed, by sh
	opShl                  // dst = a << b & mask
	opShr                  // dst = a >> b
	opShrS                 // dst = a >> b & mask, signed, by sh
	opMux                  // dst = b when a is not 0, else c
	opSlice                // dst = a >> sh & mask
	opFunnel               // dst = (a >> sh | the slot behind a << 64-sh) & mask
	opCat                  // dst = a << sh | b
	opSExt                 // dst = a & mask, sign-extended by sh
	opRedAnd               // dst = a == mask
	opRedOr                // dst = a != 0
	opRedXor               // dst = parity of a
	opCount                // dst = ones in a
	opLut                  // dst = bit of mask, addressed by the b slots listed in pool[a:]
	opLut6                 // the same with six of them
	opLutBig               // the same, the table is at tables[c:]
	opCase                 // dst = word of case table a for selector b
	opPut                  // dst = a << sh
	opPutOr                // dst |= a << sh
	opPutTop               // dst = a >> 64-sh

	opCaseWide // dst = words of case table a for selector b
	opMemRead  // dst = words of memory a at address b of c words
	opModel    // all outputs of black box group a
	opWide     // wide instruction a
)

// instr is one instruction. Operands are slots unless stated otherwise. All but the last four
// opcodes work on single words; bits above a value's width are 0 in operands and in dst.
type instr struct {
	code    opcode
	sh, sh2 uint8
	dst     uint32
	a, b, c uint32
	mask    uint64
}

// wideInstr is an operation on values some of which exceed 64 bits.
type wideInstr struct {
	op           ir.Op
	dst, a, b, c uint32
	w, wa, wb    int32 // widths of the result and of the first two operands
	lo           int32 // lowest bit of a Slice
}

// caseTable maps a selector to the slot of a value, directly or by binary search.
type caseTable struct {
	selector int // words of a selector
	words    int // words of a value
	other    uint32
	keys     []uint64 // ascending, selector words each
	values   []uint32
	first    uint64   // the key of direct[0]
	direct   []uint32 // values by key if keys are dense, else nil
}

// narrowCode is the instruction of an op with one, two or three operands; opNone for others.
var narrowCode = [ir.NumOps]opcode{
	ir.Not: opNot, ir.And: opAnd, ir.Or: opOr, ir.Xor: opXor, ir.Add: opAdd, ir.Sub: opSub,
	ir.Mul: opMul, ir.MulS: opMulS, ir.Div: opDiv, ir.DivS: opDivS, ir.Rem: opRem, ir.RemS: opRemS,
	ir.Eq: opEq, ir.Lt: opLt, ir.LtS: opLtS, ir.Shl: opShl, ir.Shr: opShr, ir.ShrS: opShrS,
	ir.Mux: opMux, ir.ZExt: opMove, ir.SExt: opSExt, ir.RedAnd: opRedAnd, ir.RedOr: opRedOr,
	ir.RedXor: opRedXor, ir.PopCount: opCount,
}

// ones is a word with the low w bits set, 0 to 64.
func ones(w int) uint64 { return ^uint64(0) >> uint(64-w) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// find returns the slot of the value for the selector at slot sel.
func (t *caseTable) find(v []uint64, sel uint32) uint32 {
	// A dense table is indexed; else binary search in the keys.
	if t.direct != nil {
		if at := v[sel] - t.first; at < uint64(len(t.direct)) {
			return t.direct[at]
		}
		return t.other
	}

	x := v[sel:][:t.selector]
	lo, hi := 0, len(t.values)
	for lo < hi {
		mid := (lo + hi) / 2
		switch bits.CmpWords(x, t.keys[mid*t.selector:], 64*t.selector) {
		case 0:
			return t.values[mid]
		case -1:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	return t.other
}
