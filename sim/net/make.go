package net

import "math/bits"

// Const returns a node of value v, as wide as v needs, and of 1 bit at least.
func (n *Net) Const(v uint64) ID {
	return n.add(&Node{Op: Const, W: uint8(max(1, bits.Len64(v))), A: None, B: None, C: None, Imm: v})
}

// Leaf returns the value of state word reg at the start of the cycle.
func (n *Net) Leaf(reg int) ID {
	r := &n.Regs[reg]
	if r.Q < 0 {
		r.Q = n.push(Leaf, r.W, None, None, None, uint64(reg))
	}
	return r.Q
}

// Read returns the word of a memory at addr.
func (n *Net) Read(mem int32, addr ID) ID {
	return n.add(&Node{Op: Read, W: n.Mems[mem].W, A: addr, B: None, C: None, Imm: uint64(mem)})
}

// Lut returns bit Σ in[i]·2^i of a table. in has at most six one-bit nodes.
func (n *Net) Lut(table uint64, in []ID) ID {
	var keep [6]ID
	k := 0

	// Drop constant operands.
	for i, x := range in {
		if v, ok := n.IsConst(x); ok {
			table = halve(table, len(in)-(i-k), k, v)
			continue
		}
		keep[k] = x
		k++
	}
	table &= Mask(1 << k)

	// Drop operands that do not matter: both halves of the table are equal.
	for i := 0; i < k; {
		if (table>>(1<<i)^table)&low[i]&Mask(1<<k) != 0 {
			i++
			continue
		}
		table = halve(table, k, i, 0)
		copy(keep[i:k], keep[i+1:k])
		k--
	}

	// Tables of one operand are that operand or its complement; a constant one is no node.
	switch {
	case k == 0:
		return n.Const(table & 1)
	case k == 1 && table == 2:
		return keep[0]
	case k == 1:
		return n.Not(keep[0], 1)
	}
	at := len(n.Pool)
	n.Pool = append(n.Pool, keep[:k]...)
	return n.add(&Node{Op: Lut, W: 1, A: ID(at), B: ID(k), C: None, Imm: table})
}

// low has ones at the addresses whose bit i is 0.
var low = [6]uint64{0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff}

// halve is the table of k inputs with input i fixed at v.
func halve(table uint64, k, i int, v uint64) uint64 {
	var out uint64
	for a := 0; a < 1<<(k-1); a++ {
		at := a&(1<<i-1) | a>>i<<(i+1) | int(v)<<i
		out |= table >> at & 1 << a
	}
	return out
}

// Not returns ^a mod 2^w.
func (n *Net) Not(a ID, w uint8) ID { return n.Make(Not, w, a, None, None, 0) }

// And returns a & b.
func (n *Net) And(a, b ID) ID { return n.Make(And, 0, a, b, None, 0) }

// Or returns a | b.
func (n *Net) Or(a, b ID) ID { return n.Make(Or, 0, a, b, None, 0) }

// Xor returns a ^ b.
func (n *Net) Xor(a, b ID) ID { return n.Make(Xor, 0, a, b, None, 0) }

// Add returns a + b mod 2^w.
func (n *Net) Add(a, b ID, w uint8) ID { return n.Make(Add, w, a, b, None, 0) }

// Sub returns a - b mod 2^w.
func (n *Net) Sub(a, b ID, w uint8) ID { return n.Make(Sub, w, a, b, None, 0) }

// Eq returns a = b.
func (n *Net) Eq(a, b ID) ID { return n.Make(Eq, 1, a, b, None, 0) }

// Ne returns a ≠ b.
func (n *Net) Ne(a, b ID) ID { return n.Make(Ne, 1, a, b, None, 0) }

// Mux returns b if a is not 0, else c.
func (n *Net) Mux(a, b, c ID) ID { return n.Make(Mux, 0, a, b, c, 0) }

// Slice returns w bits of a from bit lo.
func (n *Net) Slice(a ID, lo, w uint8) ID { return n.Make(Slice, w, a, None, None, uint64(lo)) }

// Cat returns hi · 2^at + lo, lo below 2^at, hi below 2^(64-at).
func (n *Net) Cat(hi, lo ID, at uint8) ID { return n.Make(Cat, 0, hi, lo, None, uint64(at)) }

// SExt returns a, a signed number of from bits, mod 2^w.
func (n *Net) SExt(a ID, from, w uint8) ID { return n.Make(SExt, w, a, None, None, uint64(from)) }

// IsZero returns 1 if a is 0, else 0.
func (n *Net) IsZero(a ID) ID { return n.Eq(a, n.Const(0)) }

// Make returns a node of any op except Const, Leaf, Read, Lut and tables. The width is tightened
// to what the operands allow. Ops that cannot exceed their operands ignore w.
func (n *Net) Make(op Op, w uint8, a, b, c ID, imm uint64) ID {
	// Constants to the right, then smaller IDs to the left, so that equal nodes look equal.
	if op.Commutes() {
		_, ac := n.IsConst(a)
		_, bc := n.IsConst(b)
		if ac && !bc || ac == bc && a > b {
			a, b = b, a
		}
	}

	// The width comes first, since folding and simplification cut to it.
	var nd Node
	nd.Op, nd.A, nd.B, nd.C, nd.Imm = op, a, b, c, imm
	nd.W = n.bound(&nd, w)
	if v, ok := n.fold(&nd); ok {
		return n.Const(v)
	}
	if x := n.simplify(&nd); x >= 0 {
		return x
	}
	return n.add(&nd)
}

// bound is the least width known for a node's value; w is the width asked for.
func (n *Net) bound(nd *Node, w uint8) uint8 {
	var a, b, c uint8
	a = n.N[nd.A].W
	if nd.B >= 0 {
		b = n.N[nd.B].W
	}
	if nd.C >= 0 {
		c = n.N[nd.C].W
	}

	// The bound follows from the operands alone; ops that cut never exceed w.
	switch nd.Op {
	case And:
		return min(a, b)
	case Or, Xor:
		return max(a, b)
	case Mux:
		return max(b, c)
	case Add:
		return min(w, max(a, b)+1)
	case Mul:
		return min(w, a+b)
	case MulHi:
		return uint8(max(1, int(a)+int(b)-64))
	case Rem:
		if v, ok := n.IsConst(nd.B); ok && v != 0 {
			return min(a, b)
		}
		return a
	case Shr:
		return a
	case Slice:
		return uint8(max(1, min(int(w), int(a)-int(nd.Imm))))
	case Cat:
		// The bound of the high part may be loose: a memory's words all have the width of the
		// widest, so the top word of a row of 65 bits has a bound of 64.
		return min(64, a+uint8(nd.Imm))
	case Pop:
		return uint8(bits.Len8(a))
	case SExt:
		if a < uint8(nd.Imm) {
			return min(a, w)
		}
	}
	if table[nd.Op].width == oneBit {
		return 1
	}
	return w
}

// fold computes a node whose arguments are all constants.
func (n *Net) fold(nd *Node) (uint64, bool) {
	var b, c uint64
	a, ok := n.IsConst(nd.A)
	if ok && nd.B >= 0 {
		b, ok = n.IsConst(nd.B)
	}
	if ok && nd.C >= 0 {
		c, ok = n.IsConst(nd.C)
	}
	if !ok {
		return 0, false
	}
	return Eval(nd.Op, nd.W, nd.Imm, a, b, c), true
}
