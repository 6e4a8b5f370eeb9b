package interp

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// evalWords runs the instructions that are not on single words.
func (s *State) evalWords(in *program.Instr) {
	v := s.V
	switch in.Code {
	case program.OpCaseWide:
		t := &s.P.Cases[in.A]
		copy(v[in.Dst:][:t.Words], v[t.Find(v, in.B):])
	case program.OpMemRead:
		s.loadWord(v[in.Dst:][:s.P.Mems[in.A].Words], int32(in.A), in.B, int32(in.C))
	case program.OpModel:
		s.EvalGroup(&s.P.Groups[in.A])
	case program.OpWide:
		evalWide(v, &s.P.Wide[in.A])
	default:
		panic("sim: an instruction without meaning")
	}
}

// evalWide runs one op on values of any width.
func evalWide(v []uint64, in *program.WideInstr) {
	w := int(in.W)
	dst := v[in.Dst:][:bits.WordCount(w)]
	a := v[in.A:][:bits.WordCount(int(in.Wa))]
	b := v[in.B:][:bits.WordCount(int(in.Wb))]

	// One kernel per op, on words; an op with a result of one bit computes it from any widths.
	switch in.Op {
	case ir.Not:
		bits.NotWords(dst, a, w)
	case ir.And:
		bits.AndWords(dst, a, b, w)
	case ir.Or:
		bits.OrWords(dst, a, b, w)
	case ir.Xor:
		bits.XorWords(dst, a, b, w)
	case ir.Add:
		bits.AddWords(dst, a, b, w)
	case ir.Sub:
		bits.SubWords(dst, a, b, w)
	case ir.Mul:
		bits.MulWords(dst, a, b, w)
	case ir.MulS:
		bits.MulSWords(dst, a, b, int(in.Wa), int(in.Wb), w)
	case ir.Div:
		bits.DivWords(dst, a, b, w)
	case ir.DivS:
		bits.DivSWords(dst, a, b, w)
	case ir.Rem:
		bits.RemWords(dst, a, b, w)
	case ir.RemS:
		bits.RemSWords(dst, a, b, w)
	case ir.Shl:
		bits.ShlWords(dst, a, amount(b), w)
	case ir.Shr:
		bits.ShrWords(dst, a, amount(b), w)
	case ir.ShrS:
		bits.ShrSWords(dst, a, amount(b), w)
	case ir.Mux:
		// B is the value for condition 1, C for condition 0.
		if a[0] == 0 {
			b = v[in.C:]
		}
		copy(dst, b)
	case ir.Slice:
		bits.SliceWords(dst, a, int(in.Lo), w)
	case ir.ZExt:
		clear(dst[copy(dst, a):])
	case ir.SExt:
		bits.SExtWords(dst, a, int(in.Wa), w)
	default:
		dst[0] = oneWord(in.Op, a, b, int(in.Wa))
	}
}

// oneWord runs the ops with a one-word result on operands of wa bits.
func oneWord(op ir.Op, a, b []uint64, wa int) uint64 {
	switch op {
	case ir.Eq:
		return program.Truth(bits.EqualWords(a, b, wa))
	case ir.Lt:
		return program.Truth(bits.CmpWords(a, b, wa) < 0)
	case ir.LtS:
		return program.Truth(bits.CmpSWords(a, b, wa) < 0)
	case ir.RedAnd:
		return program.Truth(bits.IsOnesWords(a, wa))
	case ir.RedOr:
		return program.Truth(!bits.IsZeroWords(a, wa))
	case ir.RedXor:
		return bits.RedXorWords(a, wa)
	case ir.PopCount:
		return uint64(bits.PopCountWords(a, wa))
	}
	panic("sim: no wide form of op " + op.String())
}

// amount is a shift amount, or the largest word if the amount exceeds one word.
func amount(x []uint64) uint64 {
	for _, w := range x[1:] {
		if w != 0 {
			return ^uint64(0)
		}
	}
	return x[0]
}

// loadWord loads the word of memory mem at the address in slot addr, of words words, into dst; 0
// beyond the end.
func (s *State) loadWord(dst []uint64, mem int32, addr uint32, words int32) {
	at, ok := s.place(mem, addr, words)
	if !ok {
		clear(dst)
		return
	}
	s.LoadRow(dst, mem, at)
}

// place returns the address at a slot; false if it is beyond the memory's end.
func (s *State) place(mem int32, addr uint32, words int32) (int, bool) {
	at := amount(s.V[addr:][:words])
	return int(at), at < uint64(s.P.Mems[mem].Depth)
}
