package code

import (
	"etch/sim/lanes/internal/gates"
	"etch/sim/native/vector"
)

// emitter turns scheduled gates into vector code. A value may be stored inverted, so inverters
// rarely need an instruction.
type emitter struct {
	b     *blaster
	c     *vector.Code
	value []vector.Value // by node
	inv   []bool         // by node: its value is stored inverted
	lanes int            // instances per group
}

// allOnes is the byte of a constant with all bits set.
const allOnes = 0xff

// emit translates a schedule into vector instructions.
func emit(s *schedule, stop gates.Lit, roots []root, ws []write, lanes int) *vector.Code {
	n := len(s.b.g.N)
	e := &emitter{b: s.b, c: vector.NewCode(), value: make([]vector.Value, n), inv: make([]bool, n), lanes: lanes}
	// Ternary gates may choose their polarity; two-operand gates get theirs from their operands.
	if s.b.g.Fanin == 3 {
		e.polarity(roots, ws)
	}
	for i := range e.value {
		e.value[i] = vector.None
	}

	for _, it := range s.items {
		switch it.kind {
		case doGate:
			e.gate(it.at)
		case doRead:
			e.read(&s.b.reads[it.at])
		case doStop:
			e.c.Stop(e.positive(stop))
		case doRoot:
			e.c.Store(e.positive(roots[it.at].lit), roots[it.at].slot)
		}
	}

	// Writes come last: no read of the cycle may see them.
	for _, w := range ws {
		e.write(&w)
	}
	e.c.Settle()
	return e.c
}

// polarity makes a gate inverted if most of its uses by roots and writes are inverted.
func (e *emitter) polarity(roots []root, ws []write) {
	votes := make([]int8, len(e.inv))
	vote := func(l gates.Lit) {
		// Votes stop at 100, so that they fit in a byte.
		if v := &votes[l.Node()]; l.Neg() && *v > -100 {
			*v--
		} else if !l.Neg() && *v < 100 {
			*v++
		}
	}

	for _, r := range roots {
		vote(r.lit)
	}
	for _, w := range ws {
		for _, x := range [][]gates.Lit{w.addr, w.data, w.mask} {
			for _, l := range x {
				vote(l)
			}
		}
	}

	for n := range e.inv {
		e.inv[n] = votes[n] < 0 && !e.b.g.IsLeaf(int32(n))
	}
}

// node is the value of node n. A node without value so far is a leaf.
func (e *emitter) node(n int32) vector.Value {
	if e.value[n] == vector.None {
		e.value[n] = e.c.At(e.b.slot[n])
	}
	return e.value[n]
}

// positive is the value of l, not inverted.
func (e *emitter) positive(l gates.Lit) vector.Value {
	if l <= gates.True {
		return e.c.Const(uint64(l)*allOnes, 8)
	}
	v := e.node(l.Node())
	if l.Neg() == e.inv[l.Node()] {
		return v
	}

	// Only here an inversion takes an instruction of its own.
	if e.b.g.Fanin == 3 {
		return e.c.Do(vector.Ternary, 0x0f, v)
	}
	return e.c.Do(vector.Xor, 0, v, e.c.Const(allOnes, 8))
}

// gate makes the instruction of a gate.
func (e *emitter) gate(n int32) {
	g := &e.b.g.N[n]
	if e.b.g.Fanin == 3 {
		e.ternary(n, g)
		return
	}

	// A two-operand gate absorbs inversions by De Morgan's laws: the operation and the result's
	// polarity change.
	x, y := e.node(g.A.Node()), e.node(g.B.Node())
	p, q := g.A.Neg() != e.inv[g.A.Node()], g.B.Neg() != e.inv[g.B.Node()]
	op := vector.And
	switch {
	case g.Fn == gates.Xor:
		op = vector.Xor
		e.inv[n] = p != q
	case p && q:
		op = vector.Or
		e.inv[n] = true
	case p:
		op = vector.Andn
	case q:
		op = vector.Andn
		x, y = y, x
	}

	e.value[n] = e.c.Emit(op, 0, x, y, vector.None)
}

// ternary makes the instruction of a three-operand gate: inverted operands permute its truth
// table.
func (e *emitter) ternary(n int32, g *gates.Gate) {
	var args [3]vector.Value
	fn := g.Fn
	for k, l := range [3]gates.Lit{g.A, g.B, g.C} {
		args[k] = vector.None
		if l < 0 {
			continue
		}
		args[k] = e.node(l.Node())
		// Exchange the halves of the table for this operand.
		if e.inv[l.Node()] {
			sh := 4 >> k
			hi := [3]uint8{0xf0, 0xcc, 0xaa}[k]
			fn = fn&hi>>sh | fn&^hi<<sh
		}
	}

	if e.inv[n] {
		fn = ^fn
	}
	e.value[n] = e.c.Emit(vector.Ternary, fn, args[0], args[1], args[2])
}

// access describes the accessed memory, and the condition of the access.
func (e *emitter) access(mem int32, cond gates.Lit) vector.Access {
	m := &e.b.l.mems[mem]
	a := vector.Access{Offset: e.b.l.offset(m, e.lanes), Stride: m.stride, Elem: m.elem, Width: int(m.W)}
	if cond != gates.True {
		a.Cond, a.HasCond = e.positive(cond), true
	}
	return a
}

func (e *emitter) values(x []gates.Lit) []vector.Value {
	if x == nil {
		return nil
	}
	z := make([]vector.Value, len(x))
	for k, l := range x {
		z[k] = e.positive(l)
	}
	return z
}

func (e *emitter) read(r *read) {
	for k, v := range e.c.Read(e.access(r.mem, r.cond), e.values(r.addr)) {
		e.value[r.out[k].Node()] = v
	}
}

func (e *emitter) write(w *write) {
	e.c.Write(e.access(w.mem, w.cond), e.values(w.addr), e.values(w.data), e.values(w.mask))
}
