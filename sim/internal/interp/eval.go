package interp

import (
	"math/bits"

	"etch/sim/internal/program"
)

// AsyncResets applies asynchronous resets at the first level where a register is not yet at its
// reset value, and reports whether there is one. Without levels all registers are treated at
// once.
func (s *State) AsyncResets() bool {
	from := 0
	for _, to := range s.P.Levels {
		if s.hold(s.P.Async[from:to]) {
			return true
		}
		from = to
	}
	return s.hold(s.P.Async[from:])
}

// hold sets the registers of regs whose asynchronous reset is high to their reset value. It
// reports whether any of them changed.
func (s *State) hold(regs []int32) bool {
	s.fired = s.fired[:0]
	for _, i := range regs {
		r := &s.P.Regs[i]

		// A register at its reset value does not count, so that settling ends.
		if s.V[r.Rst] != 0 && !EqualWords(s.V[r.Slot:][:r.Words], s.V[r.Reset:]) {
			s.fired = append(s.fired, i)
		}
	}
	// A latch may take the old value of another one: read all values before writing any.
	s.taken = s.taken[:0]
	for _, i := range s.fired {
		r := &s.P.Regs[i]
		s.taken = append(s.taken, s.V[r.Reset:][:r.Words]...)
	}
	from := s.taken
	for _, i := range s.fired {
		r := &s.P.Regs[i]
		from = from[copy(s.V[r.Slot:][:r.Words], from):]
	}
	return len(s.fired) > 0
}

// EqualWords compares x with as many words of y.
func EqualWords(x, y []uint64) bool {
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// Signed sign-extends x from the bit that sh moves to the top.
func Signed(x uint64, sh uint8) int64 { return int64(x<<(sh&63)) >> (sh & 63) }

// Eval computes every combinational value from inputs and state, in one pass over the program.
// The meaning of each opcode is in its table.
func (s *State) Eval() {
	v := s.V
	for i := range s.P.Code {
		// A switch beats closures and tables of functions: see RATIONALE.
		in := &s.P.Code[i]
		switch in.Code {
		case program.OpMove:
			v[in.Dst] = v[in.A]
		case program.OpNot:
			v[in.Dst] = ^v[in.A] & in.Mask
		case program.OpAnd:
			v[in.Dst] = v[in.A] & v[in.B]
		case program.OpOr:
			v[in.Dst] = v[in.A] | v[in.B]
		case program.OpXor:
			v[in.Dst] = v[in.A] ^ v[in.B]
		case program.OpAdd:
			v[in.Dst] = (v[in.A] + v[in.B]) & in.Mask
		case program.OpSub:
			v[in.Dst] = (v[in.A] - v[in.B]) & in.Mask
		case program.OpMul:
			v[in.Dst] = v[in.A] * v[in.B] & in.Mask
		case program.OpMulS:
			v[in.Dst] = uint64(Signed(v[in.A], in.Sh)*Signed(v[in.B], in.Sh2)) & in.Mask
		case program.OpDiv, program.OpDivS, program.OpRem, program.OpRemS:
			v[in.Dst] = divide(in, v[in.A], v[in.B])
		case program.OpEq:
			v[in.Dst] = program.Truth(v[in.A] == v[in.B])
		case program.OpLt:
			v[in.Dst] = program.Truth(v[in.A] < v[in.B])
		case program.OpLtS:
			v[in.Dst] = program.Truth(Signed(v[in.A], in.Sh) < Signed(v[in.B], in.Sh))
		case program.OpShl:
			v[in.Dst] = v[in.A] << v[in.B] & in.Mask
		case program.OpShr:
			v[in.Dst] = v[in.A] >> v[in.B]
		case program.OpShrS:
			v[in.Dst] = uint64(Signed(v[in.A], in.Sh)>>v[in.B]) & in.Mask
		case program.OpMux:
			from := in.C
			if v[in.A] != 0 {
				from = in.B
			}
			v[in.Dst] = v[from]
		case program.OpSlice:
			v[in.Dst] = v[in.A] >> (in.Sh & 63) & in.Mask
		case program.OpFunnel:
			v[in.Dst] = (v[in.A]>>(in.Sh&63) | v[in.A+1]<<(64-in.Sh)) & in.Mask
		case program.OpCat:
			v[in.Dst] = v[in.A]<<(in.Sh&63) | v[in.B]
		case program.OpSExt:
			v[in.Dst] = uint64(Signed(v[in.A], in.Sh)) & in.Mask
		case program.OpRedAnd:
			v[in.Dst] = program.Truth(v[in.A] == in.Mask)
		case program.OpRedOr:
			v[in.Dst] = program.Truth(v[in.A] != 0)
		case program.OpRedXor:
			v[in.Dst] = uint64(bits.OnesCount64(v[in.A])) & 1
		case program.OpCount:
			v[in.Dst] = uint64(bits.OnesCount64(v[in.A]))
		case program.OpLut6:
			// Six operands, without the loop of address.
			p := s.P.Pool[in.A : in.A+6 : in.A+6]
			at := v[p[0]] | v[p[1]]<<1 | v[p[2]]<<2 | v[p[3]]<<3 | v[p[4]]<<4 | v[p[5]]<<5
			v[in.Dst] = in.Mask >> (at & 63) & 1
		case program.OpLut:
			v[in.Dst] = in.Mask >> s.address(in) & 1
		case program.OpLutBig:
			at := s.address(in)
			v[in.Dst] = s.P.Tables[uint64(in.C)+at/64] >> (at % 64) & 1
		case program.OpPut:
			v[in.Dst] = v[in.A] << (in.Sh & 63)
		case program.OpPutOr:
			v[in.Dst] |= v[in.A] << (in.Sh & 63)
		case program.OpPutTop:
			v[in.Dst] = v[in.A] >> (64 - in.Sh)
		case program.OpCase:
			v[in.Dst] = v[s.P.Cases[in.A].Find(v, in.B)]
		default:
			s.evalWords(in)
		}
	}
}

// divide is the four divisions on single words. In Go, the least number divided by -1 is the
// least number, remainder 0, as package ir requires.
func divide(in *program.Instr, a, b uint64) uint64 {
	// A divisor of 0 gives all ones, and the dividend as remainder.
	if b == 0 {
		if in.Code == program.OpDiv || in.Code == program.OpDivS {
			return in.Mask
		}
		return a
	}

	switch in.Code {
	case program.OpDiv:
		return a / b
	case program.OpRem:
		return a % b
	case program.OpDivS:
		return uint64(Signed(a, in.Sh)/Signed(b, in.Sh)) & in.Mask
	}
	return uint64(Signed(a, in.Sh)%Signed(b, in.Sh)) & in.Mask
}

// address is the number formed by the operands of a look-up, first operand lowest.
func (s *State) address(in *program.Instr) uint64 {
	var at uint64
	for i, p := range s.P.Pool[in.A : in.A+in.B] {
		at |= s.V[p] << uint(i)
	}
	return at
}
