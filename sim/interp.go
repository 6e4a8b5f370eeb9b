package sim

import "math/bits"

// settle brings all values up to date. A register held by an asynchronous reset may change
// another one's reset, so it repeats until nothing changes. Each register changes at most once,
// to its reset value. Latches settle level by level and never depend on themselves, so this ends
// too.
func (s *Sim) settle() {
	for s.dirty {
		s.dirty = false
		s.eval()
		s.asyncResets()
	}
	if s.recording != nil {
		s.recording.settled()
	}
	s.pending = false
}

// touch records that inputs or state have changed.
func (s *Sim) touch() {
	s.touchOutside()
	s.moved++
}

// touchOutside is touch if only inputs have changed, or state by an event of machine code.
func (s *Sim) touchOutside() {
	s.dirty, s.looked, s.pending = true, false, true
	s.version++
}

// asyncResets applies asynchronous resets at the first level where a register is not yet at its
// reset value. Without levels all registers are treated at once.
func (s *Sim) asyncResets() {
	from := 0
	for _, to := range s.p.levels {
		if s.hold(s.p.async[from:to]) {
			return
		}
		from = to
	}
	s.hold(s.p.async[from:])
}

// hold sets the registers of regs whose asynchronous reset is high to their reset value. It
// reports whether any of them changed.
func (s *Sim) hold(regs []int32) bool {
	s.fired = s.fired[:0]
	for _, i := range regs {
		r := &s.p.regs[i]
		if s.v[r.rst] != 0 && !equalWords(s.v[r.slot:][:r.words], s.v[r.reset:]) {
			s.fired = append(s.fired, i)
		}
	}
	// A latch may take the old value of another one: read all values before writing any.
	s.taken = s.taken[:0]
	for _, i := range s.fired {
		r := &s.p.regs[i]
		s.taken = append(s.taken, s.v[r.reset:][:r.words]...)
	}
	from := s.taken
	for _, i := range s.fired {
		r := &s.p.regs[i]
		from = from[copy(s.v[r.slot:][:r.words], from):]
		s.touch()
	}
	return len(s.fired) > 0
}

func equalWords(x, y []uint64) bool {
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// signed sign-extends x from the bit that sh moves to the top.
func signed(x uint64, sh uint8) int64 { return int64(x<<(sh&63)) >> (sh & 63) }

// eval computes every combinational value from inputs and state, in one pass over the program.
// The meaning of each opcode is in its table.
func (s *Sim) eval() {
	v := s.v
	for i := range s.p.code {
		// A switch beats closures and tables of functions: see RATIONALE.
		in := &s.p.code[i]
		switch in.code {
		case opMove:
			v[in.dst] = v[in.a]
		case opNot:
			v[in.dst] = ^v[in.a] & in.mask
		case opAnd:
			v[in.dst] = v[in.a] & v[in.b]
		case opOr:
			v[in.dst] = v[in.a] | v[in.b]
		case opXor:
			v[in.dst] = v[in.a] ^ v[in.b]
		case opAdd:
			v[in.dst] = (v[in.a] + v[in.b]) & in.mask
		case opSub:
			v[in.dst] = (v[in.a] - v[in.b]) & in.mask
		case opMul:
			v[in.dst] = v[in.a] * v[in.b] & in.mask
		case opMulS:
			v[in.dst] = uint64(signed(v[in.a], in.sh)*signed(v[in.b], in.sh2)) & in.mask
		case opDiv, opDivS, opRem, opRemS:
			v[in.dst] = divide(in, v[in.a], v[in.b])
		case opEq:
			v[in.dst] = truth(v[in.a] == v[in.b])
		case opLt:
			v[in.dst] = truth(v[in.a] < v[in.b])
		case opLtS:
			v[in.dst] = truth(signed(v[in.a], in.sh) < signed(v[in.b], in.sh))
		case opShl:
			v[in.dst] = v[in.a] << v[in.b] & in.mask
		case opShr:
			v[in.dst] = v[in.a] >> v[in.b]
		case opShrS:
			v[in.dst] = uint64(signed(v[in.a], in.sh)>>v[in.b]) & in.mask
		case opMux:
			from := in.c
			if v[in.a] != 0 {
				from = in.b
			}
			v[in.dst] = v[from]
		case opSlice:
			v[in.dst] = v[in.a] >> (in.sh & 63) & in.mask
		case opFunnel:
			v[in.dst] = (v[in.a]>>(in.sh&63) | v[in.a+1]<<(64-in.sh)) & in.mask
		case opCat:
			v[in.dst] = v[in.a]<<(in.sh&63) | v[in.b]
		case opSExt:
			v[in.dst] = uint64(signed(v[in.a], in.sh)) & in.mask
		case opRedAnd:
			v[in.dst] = truth(v[in.a] == in.mask)
		case opRedOr:
			v[in.dst] = truth(v[in.a] != 0)
		case opRedXor:
			v[in.dst] = uint64(bits.OnesCount64(v[in.a])) & 1
		case opCount:
			v[in.dst] = uint64(bits.OnesCount64(v[in.a]))
		case opLut6:
			p := s.p.pool[in.a : in.a+6 : in.a+6]
			at := v[p[0]] | v[p[1]]<<1 | v[p[2]]<<2 | v[p[3]]<<3 | v[p[4]]<<4 | v[p[5]]<<5
			v[in.dst] = in.mask >> (at & 63) & 1
		case opLut:
			v[in.dst] = in.mask >> s.address(in) & 1
		case opLutBig:
			at := s.address(in)
			v[in.dst] = s.p.tables[uint64(in.c)+at/64] >> (at % 64) & 1
		case opPut:
			v[in.dst] = v[in.a] << (in.sh & 63)
		case opPutOr:
			v[in.dst] |= v[in.a] << (in.sh & 63)
		case opPutTop:
			v[in.dst] = v[in.a] >> (64 - in.sh)
		case opCase:
			v[in.dst] = v[s.p.cases[in.a].find(v, in.b)]
		default:
			s.evalWords(in)
		}
	}
}

// divide is the four divisions on single words. In Go, the least number divided by -1 is the
// least number, remainder 0, as package ir requires.
func divide(in *instr, a, b uint64) uint64 {
	if b == 0 {
		if in.code == opDiv || in.code == opDivS {
			return in.mask
		}
		return a
	}

	switch in.code {
	case opDiv:
		return a / b
	case opRem:
		return a % b
	case opDivS:
		return uint64(signed(a, in.sh)/signed(b, in.sh)) & in.mask
	}
	return uint64(signed(a, in.sh)%signed(b, in.sh)) & in.mask
}

// address is the number formed by the operands of a look-up, first operand lowest.
func (s *Sim) address(in *instr) uint64 {
	var at uint64
	for i, p := range s.p.pool[in.a : in.a+in.b] {
		at |= s.v[p] << uint(i)
	}
	return at
}
