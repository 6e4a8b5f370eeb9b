package vector

// ternary allocates a function of three operands. The instruction overwrites one of them: an
// operand that ends here, or a copy.
func (a *allocator) ternary(in *Inst) {
	ops := [3]Value{in.A, in.B, in.C}

	// Operands in registers must survive the loads of the others.
	for _, v := range ops {
		if v >= 0 && a.reg[v] != Mem {
			a.lock[a.reg[v]] = true
		}
	}
	if in.C < 0 {
		a.binary(in)
		return
	}

	// The overwritten operand: its own register if it ends, else a reload or a copy.
	d := a.victim(ops)
	var rd uint8
	if v := ops[d]; a.reg[v] != Mem && (a.after(v) == never || a.home[v] != NoSlot && a.after(v)-a.at > far) {
		rd = a.reg[v]
		a.drop(v)
	} else if a.reg[v] == Mem && a.after(v)-a.at > far {
		rd = a.take()
		a.emit(Instr{Op: Load, D: rd, Slot: a.home[v]})
	} else {
		from := a.get(v)
		rd = a.take()
		a.emit(Instr{Op: Move, D: rd, A: from})
	}

	a.lock[rd] = true
	p, q := (d+1)%3, (d+2)%3

	// The operand in memory comes last, if one is there.
	if a.reg[ops[p]] == Mem && a.reg[ops[q]] != Mem {
		p, q = q, p
	}
	// The table is permuted to the order of the registers.
	out := Instr{Op: Ternary, D: rd, A: a.get(ops[p]), Imm: permuted(in.Imm, d, p, q)}
	out.B, out.Slot = a.operand(ops[q], false)
	a.emit(out)

	for _, v := range ops {
		a.done(v)
	}
	a.bind(in.D, rd)
}

// victim chooses the operand whose register, or copy, takes the result: ended ones first, then
// ones in memory.
func (a *allocator) victim(ops [3]Value) int {
	best, score := 0, int32(-1)
	for k, v := range ops {
		var s int32
		switch next := a.after(v); {
		case a.reg[v] != Mem && next == never:
			s = 4
		case a.reg[v] == Mem && next-a.at > far:
			s = 3
		case a.reg[v] != Mem && a.home[v] != NoSlot && next-a.at > far:
			s = 2
		case a.reg[v] != Mem:
			s = 1
		}
		if s > score {
			best, score = k, s
		}
	}
	return best
}

// permuted is the table fn with operands d, p and q in first, second and third place.
func permuted(fn uint8, d, p, q int) (out uint8) {
	for i := range 8 {
		at := i>>2&1<<(2-d) | i>>1&1<<(2-p) | i&1<<(2-q)
		out |= fn >> at & 1 << i
	}
	return out
}

// binary allocates a function of two operands, or one. Some are instructions of three registers;
// the others use a ternary instruction that ignores its result's register.
func (a *allocator) binary(in *Inst) {
	x, y, fn := in.A, in.B, in.Imm

	// A function of one operand takes it twice.
	if y < 0 {
		y = x
	}

	// Only the second operand may be in memory.
	if a.reg[x] == Mem && a.reg[y] != Mem {
		x, y, fn = y, x, swap2(fn)
	}

	// The four functions with an instruction of their own.
	out := Instr{A: a.get(x)}
	switch fn {
	case 0xc0:
		out.Op = And
	case 0xfc:
		out.Op = Or
	case 0x3c:
		out.Op = Xor
	case 0x0c:
		out.Op = Andn
	default:
		out.Op, out.Imm = Ternary, table2(in.Imm, x != in.A)
	}

	out.B, out.Slot = a.operand(y, x == y)
	a.done(x)
	if y != x {
		a.done(y)
	}
	clear(a.lock)
	out.D = a.take()
	a.emit(out)
	a.bind(in.D, out.D)
}

// swap2 is a function of a and b with both exchanged.
func swap2(fn uint8) uint8 { return fn&0xc3 | fn&0x0c<<2 | fn&0x30>>2 }

// table2 is a function fn of a and b as one of (any, a, b), or of (any, b, a).
func table2(fn uint8, swapped bool) (out uint8) {
	for i := range 8 {
		x, y := i>>1&1, i&1
		if swapped {
			x, y = y, x
		}
		out |= fn >> (x<<2 | y<<1) & 1 << i
	}
	return out
}
