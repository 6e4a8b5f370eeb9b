package net

// Values of more than 64 bits are lists of words, lowest first; missing upper words are 0. The
// functions here make the words of a result of w bits.

// Words is the number of words for w bits.
func Words(w int) int { return (w + 63) / 64 }

// wordWidth is the width of word i of a value of w bits.
func wordWidth(w, i int) uint8 { return uint8(min(64, w-64*i)) }

// Word returns word i of x, 0 outside of it.
func (n *Net) Word(x []ID, i int) ID {
	if i < 0 || i >= len(x) {
		return n.Const(0)
	}
	return x[i]
}

// each makes the words of a value of w bits by f.
func (n *Net) each(w int, f func(i int) ID) []ID {
	z := make([]ID, Words(w))
	for i := range z {
		z[i] = f(i)
	}
	return z
}

// WideNot returns ^a.
func (n *Net) WideNot(a []ID, w int) []ID {
	return n.each(w, func(i int) ID { return n.Not(n.Word(a, i), wordWidth(w, i)) })
}

// WideLogic returns a op b for And, Or and Xor.
func (n *Net) WideLogic(op Op, a, b []ID, w int) []ID {
	return n.each(w, func(i int) ID { return n.Make(op, 0, n.Word(a, i), n.Word(b, i), None, 0) })
}

// WideMux returns b if s is not 0, else c.
func (n *Net) WideMux(s ID, b, c []ID, w int) []ID {
	return n.each(w, func(i int) ID { return n.Mux(s, n.Word(b, i), n.Word(c, i)) })
}

// WideAdd returns a + b + carry; carry is one bit.
func (n *Net) WideAdd(a, b []ID, carry ID, w int) []ID {
	// A carry shows as a sum below an addend.
	return n.each(w, func(i int) ID {
		x, y, ww := n.Word(a, i), n.Word(b, i), wordWidth(w, i)
		sum := n.Add(x, y, ww)
		z := n.Add(sum, carry, ww)
		carry = n.Or(n.Make(Lt, 1, sum, x, None, 0), n.Make(Lt, 1, z, sum, None, 0))
		return z
	})
}

// WideSub returns a - b.
func (n *Net) WideSub(a, b []ID, w int) []ID {
	// A word borrows if it is less than its subtrahend, or if the difference is less than the
	// borrow from below.
	borrow := n.Const(0)
	return n.each(w, func(i int) ID {
		x, y, ww := n.Word(a, i), n.Word(b, i), wordWidth(w, i)
		diff := n.Sub(x, y, ww)
		z := n.Sub(diff, borrow, ww)
		borrow = n.Or(n.Make(Lt, 1, x, y, None, 0), n.Make(Lt, 1, diff, borrow, None, 0))
		return z
	})
}

// WideMul returns a · b, by schoolbook multiplication.
func (n *Net) WideMul(a, b []ID, w int) []ID {
	k := Words(w)
	z := make([]ID, k)
	for i := range z {
		z[i] = n.Const(0)
	}

	// Row by row; each step adds the low product, the carry, and passes the high product on.
	for i := 0; i < min(k, len(a)); i++ {
		carry := n.Const(0)
		for j := 0; j < len(b) && i+j < k; j++ {
			lo := n.Make(Mul, 64, a[i], b[j], None, 0)
			hi := n.Make(MulHi, 0, a[i], b[j], None, 0)
			s := n.Add(z[i+j], lo, 64)
			c1 := n.Make(Lt, 1, s, lo, None, 0)
			z[i+j] = n.Add(s, carry, 64)
			c2 := n.Make(Lt, 1, z[i+j], s, None, 0)
			carry = n.Add(n.Add(hi, c1, 64), c2, 64)
		}
		if at := i + len(b); at < k {
			z[at] = n.Add(z[at], carry, 64)
		}
	}

	z[k-1] = n.Slice(z[k-1], 0, wordWidth(w, k-1))
	return z
}

// WideSlice returns w bits of a from bit lo.
func (n *Net) WideSlice(a []ID, lo, w int) []ID {
	return n.each(w, func(i int) ID {
		at, sh, ww := lo/64+i, uint8(lo%64), wordWidth(w, i)
		if sh == 0 {
			return n.Slice(n.Word(a, at), 0, ww)
		}

		// The slice straddles two words: the upper bits of one and the lower bits of the next.
		low := n.Slice(n.Word(a, at), sh, 64-sh)
		if int(ww) <= 64-int(sh) {
			return n.Slice(low, 0, ww)
		}
		return n.Cat(n.Slice(n.Word(a, at+1), 0, ww-(64-sh)), low, 64-sh)
	})
}

// WideSExt returns a, a signed number of from bits, in w bits.
func (n *Net) WideSExt(a []ID, from, w int) []ID {
	// The word with the sign is extended, words above are copies of the sign.
	top := (from - 1) / 64
	sign := n.Slice(n.Word(a, top), uint8((from-1)%64), 1)
	return n.each(w, func(i int) ID {
		switch {
		case i < top:
			return n.Word(a, i)
		case i == top:
			return n.SExt(n.Word(a, i), uint8(from-64*top), wordWidth(w, i))
		}
		return n.SExt(sign, 1, wordWidth(w, i))
	})
}

// WideEq returns 1 if a = b, else 0.
func (n *Net) WideEq(a, b []ID) ID {
	diff := n.Const(0)
	for i := range max(len(a), len(b)) {
		diff = n.Or(diff, n.Xor(n.Word(a, i), n.Word(b, i)))
	}

	if max(len(a), len(b)) == 1 {
		return n.Eq(n.Word(a, 0), n.Word(b, 0))
	}
	return n.IsZero(diff)
}

// WideLt returns 1 if a < b, else 0.
func (n *Net) WideLt(a, b []ID) ID {
	// Higher words decide; equal ones pass the result of the lower words on.
	less := n.Const(0)
	for i := range max(len(a), len(b)) {
		x, y := n.Word(a, i), n.Word(b, i)
		less = n.Or(n.Make(Lt, 1, x, y, None, 0), n.And(n.Eq(x, y), less))
	}
	return less
}

// WideLtS returns 1 if a < b, both signed of w bits.
func (n *Net) WideLtS(a, b []ID, w int) ID {
	top := (w - 1) / 64
	x, y := n.Word(a, top), n.Word(b, top)
	less := n.Make(LtS, 1, x, y, None, uint64(w-64*top))
	if top == 0 {
		return less
	}
	// Only the top word is signed.
	return n.Or(less, n.And(n.Eq(x, y), n.WideLt(a[:top], b[:top])))
}

// WideOr returns the OR of all words: 0 exactly if a is 0.
func (n *Net) WideOr(a []ID) ID {
	or := n.Const(0)
	for _, x := range a {
		or = n.Or(or, x)
	}
	return or
}

// WideIsOnes returns 1 if all w bits of a are 1.
func (n *Net) WideIsOnes(a []ID, w int) ID {
	all := n.Const(1)
	for i := range Words(w) {
		all = n.And(all, n.Eq(n.Word(a, i), n.Const(Mask(wordWidth(w, i)))))
	}
	return all
}

// WidePop returns the number of ones in a.
func (n *Net) WidePop(a []ID) ID {
	sum := n.Const(0)
	for _, x := range a {
		sum = n.Add(sum, n.Make(Pop, 0, x, None, None, 0), 32)
	}
	return sum
}

// WideParity returns the number of ones in a, mod 2.
func (n *Net) WideParity(a []ID) ID {
	x := n.Const(0)
	for _, y := range a {
		x = n.Xor(x, y)
	}
	return n.Make(Parity, 1, x, None, None, 0)
}

// amount splits a shift amount into its low word and whether it is at least bound.
func (n *Net) amount(b []ID, bound int) (low, over ID) {
	low = n.Word(b, 0)
	over = n.Const(0)
	if len(b) > 1 {
		over = n.Ne(n.WideOr(b[1:]), n.Const(0))
	}
	return low, n.Or(over, n.Make(Le, 1, n.Const(uint64(bound)), low, None, 0))
}

// fill is w copies of sign.
func (n *Net) fill(sign ID, w int) []ID {
	return n.each(w, func(i int) ID { return n.SExt(sign, 1, wordWidth(w, i)) })
}

// WideShl returns a · 2^b, by a barrel shifter: one stage per bit of the amount.
func (n *Net) WideShl(a, b []ID, w int) []ID {
	low, over := n.amount(b, w)
	x := a

	// Bits of the amount beyond w are in over, which clears the result.
	for k := 0; 1<<k < w; k++ {
		by := 1 << k
		moved := n.each(w, func(i int) ID { return n.shiftedWord(x, i, by, w) })
		x = n.WideMux(n.Slice(low, uint8(k), 1), moved, x, w)
	}

	return n.WideMux(over, nil, x, w)
}

// shiftedWord is word i of x · 2^by mod 2^w.
func (n *Net) shiftedWord(x []ID, i, by, w int) ID {
	at, sh := i-by/64, uint8(by%64)
	if sh == 0 {
		return n.Slice(n.Word(x, at), 0, wordWidth(w, i))
	}
	hi := n.Cat(n.Slice(n.Word(x, at), 0, 64-sh), n.Const(0), sh)
	return n.Slice(n.Or(hi, n.Slice(n.Word(x, at-1), 64-sh, sh)), 0, wordWidth(w, i))
}

// WideShr returns a / 2^b, by a barrel shifter. Copies of sign, one bit, come in at the top.
func (n *Net) WideShr(a, b []ID, sign ID, w int) []ID {
	low, over := n.amount(b, w)
	x := a

	// Each stage appends enough copies of the sign for its shift.
	for k := 0; 1<<k < w; k++ {
		by := 1 << k
		wide := append(append([]ID(nil), n.each(w, func(i int) ID { return n.Word(x, i) })...), n.fill(sign, 64*Words(by))...)
		wide = n.joined(wide, w, sign)
		x = n.WideMux(n.Slice(low, uint8(k), 1), n.WideSlice(wide, by, w), x, w)
	}

	return n.WideMux(over, n.fill(sign, w), x, w)
}

// joined fills the unused bits in the last word of a value of w bits with copies of sign, like
// the words above.
func (n *Net) joined(x []ID, w int, sign ID) []ID {
	if gap := uint8(w % 64); gap != 0 {
		i := w / 64
		x[i] = n.Cat(n.SExt(sign, 1, 64-gap), x[i], gap)
	}
	return x
}

// WideDivide returns quotient and remainder of a / b, unsigned, by restoring division. If b is 0
// they are all ones and a.
func (n *Net) WideDivide(a, b []ID, w int) (quo, rem []ID) {
	q := make([]ID, w)
	r := n.each(w, func(int) ID { return n.Const(0) })

	// One bit of the quotient per step: shift the next bit in, subtract b if it fits.
	for i := w - 1; i >= 0; i-- {
		bit := n.Slice(n.Word(a, i/64), uint8(i%64), 1)
		top := n.Slice(r[len(r)-1], wordWidth(w, len(r)-1)-1, 1) // the bit shifted out
		r = n.each(w, func(k int) ID { return n.shiftedWord(r, k, 1, w) })
		r[0] = n.Or(r[0], bit)
		q[i] = n.Or(top, n.Not(n.WideLt(r, b), 1))
		r = n.WideMux(q[i], n.WideSub(r, b, w), r, w)
	}

	// Collect the quotient's bits, then handle division by 0.
	quo = n.each(w, func(k int) ID {
		word := n.Const(0)
		for i := min(w, 64*k+64) - 1; i >= 64*k; i-- {
			word = n.Cat(word, q[i], 1)
		}
		return word
	})

	// Division by 0 gives all ones and a, as Div and Rem do.
	none := n.IsZero(n.WideOr(b))
	return n.WideMux(none, n.fill(n.Const(1), w), quo, w), n.WideMux(none, a, r, w)
}

// WideNegate returns -a if s is not 0, else a.
func (n *Net) WideNegate(s ID, a []ID, w int) []ID {
	return n.WideMux(s, n.WideSub(nil, a, w), a, w)
}

// WideDivideS is WideDivide for signed numbers of w bits, rounding towards zero: the remainder
// has the sign of a.
func (n *Net) WideDivideS(a, b []ID, w int) (quo, rem []ID) {
	sa, sb := n.bit(a, w-1), n.bit(b, w-1)
	q, r := n.WideDivide(n.WideNegate(sa, a, w), n.WideNegate(sb, b, w), w)
	none := n.IsZero(n.WideOr(b))
	quo = n.WideMux(none, n.fill(n.Const(1), w), n.WideNegate(n.Xor(sa, sb), q, w), w)
	return quo, n.WideMux(none, a, n.WideNegate(sa, r, w), w)
}

func (n *Net) bit(a []ID, i int) ID { return n.Slice(n.Word(a, i/64), uint8(i%64), 1) }
