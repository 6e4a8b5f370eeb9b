package program

import (
	"etch/ir"
	"etch/ir/bits"
)

// Opcode is the operation of an instruction. sh and sh2 are its shifts; an operand stands for
// the value of its slot.
type Opcode uint8

const (
	opNone   Opcode = iota // no instruction
	OpMove                 // dst = a
	OpNot                  // dst = ^a & mask
	OpAnd                  // dst = a & b
	OpOr                   // dst = a | b
	OpXor                  // dst = a ^ b
	OpAdd                  // dst = (a + b) & mask
	OpSub                  // dst = (a - b) & mask
	OpMul                  // dst = a · b & mask
	OpMulS                 // the same, a and b sign-extended from the top by sh and sh2
	OpDiv                  // dst = a / b, mask when b is 0
	OpDivS                 // the same, signed, by sh
	OpRem                  // dst = a % b, a when b is 0
	OpRemS                 // the same, signed, by sh
	OpEq                   // dst = a == b
	OpLt                   // dst = a < b
	OpLtS                  // dst = a < b, signed, by sh
	OpShl                  // dst = a << b & mask
	OpShr                  // dst = a >> b
	OpShrS                 // dst = a >> b & mask, signed, by sh
	OpMux                  // dst = b when a is not 0, else c
	OpSlice                // dst = a >> sh & mask
	OpFunnel               // dst = (a >> sh | the slot behind a << 64-sh) & mask
	OpCat                  // dst = a << sh | b
	OpSExt                 // dst = a & mask, sign-extended by sh
	OpRedAnd               // dst = a == mask
	OpRedOr                // dst = a != 0
	OpRedXor               // dst = parity of a
	OpCount                // dst = ones in a
	OpLut                  // dst = bit of mask, addressed by the b slots listed in pool[a:]
	OpLut6                 // the same with six of them
	OpLutBig               // the same, the table is at tables[c:]
	OpCase                 // dst = word of case table a for selector b
	OpPut                  // dst = a << sh
	OpPutOr                // dst |= a << sh
	OpPutTop               // dst = a >> 64-sh

	OpCaseWide // dst = words of case table a for selector b
	OpMemRead  // dst = words of memory a at address b of c words
	OpModel    // all outputs of black box group a
	OpWide     // wide instruction a
)

// Instr is one instruction. Operands are slots unless stated otherwise. All but the last four
// opcodes work on single words; bits above a value's width are 0 in operands and in dst.
type Instr struct {
	Code    Opcode
	Sh, Sh2 uint8
	Dst     uint32
	A, B, C uint32
	Mask    uint64
}

// WideInstr is an operation on values some of which exceed 64 bits.
type WideInstr struct {
	Op           ir.Op
	Dst, A, B, C uint32
	W, Wa, Wb    int32 // widths of the result and of the first two operands
	Lo           int32 // lowest bit of a Slice
}

// CaseTable maps a selector to the slot of a value, directly or by binary search.
type CaseTable struct {
	Selector int // words of a selector
	Words    int // words of a value
	Other    uint32
	Keys     []uint64 // ascending, selector words each
	Values   []uint32
	First    uint64   // the key of direct[0]
	Direct   []uint32 // values by key if keys are dense, else nil
}

// narrowCode is the instruction of an op with one, two or three operands; opNone for others.
var narrowCode = [ir.NumOps]Opcode{
	ir.Not: OpNot, ir.And: OpAnd, ir.Or: OpOr, ir.Xor: OpXor, ir.Add: OpAdd, ir.Sub: OpSub,
	ir.Mul: OpMul, ir.MulS: OpMulS, ir.Div: OpDiv, ir.DivS: OpDivS, ir.Rem: OpRem, ir.RemS: OpRemS,
	ir.Eq: OpEq, ir.Lt: OpLt, ir.LtS: OpLtS, ir.Shl: OpShl, ir.Shr: OpShr, ir.ShrS: OpShrS,
	ir.Mux: OpMux, ir.ZExt: OpMove, ir.SExt: OpSExt, ir.RedAnd: OpRedAnd, ir.RedOr: OpRedOr,
	ir.RedXor: OpRedXor, ir.PopCount: OpCount,
}

// Ones is a word with the low w bits set, 0 to 64.
func Ones(w int) uint64 { return ^uint64(0) >> uint(64-w) }

// Truth is 1 for true.
func Truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Find returns the slot of the value for the selector at slot sel.
func (t *CaseTable) Find(v []uint64, sel uint32) uint32 {
	// A dense table is indexed; else binary search in the keys.
	if t.Direct != nil {
		if at := v[sel] - t.First; at < uint64(len(t.Direct)) {
			return t.Direct[at]
		}
		return t.Other
	}

	x := v[sel:][:t.Selector]
	lo, hi := 0, len(t.Values)
	for lo < hi {
		mid := (lo + hi) / 2
		switch bits.CmpWords(x, t.Keys[mid*t.Selector:], 64*t.Selector) {
		case 0:
			return t.Values[mid]
		case -1:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	return t.Other
}
