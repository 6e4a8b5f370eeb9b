package bits

import (
	"math/big"
	"testing"
)

type binary struct {
	name  string
	value func(v, u Value) Value
	words func(dst, x, y []uint64, width int)
	want  func(x, y *big.Int, w int) *big.Int
}

func divOr(zero func(x *big.Int) *big.Int, f func(z, x, y *big.Int) *big.Int) func(x, y *big.Int) *big.Int {
	return func(x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return zero(x)
		}
		return f(new(big.Int), x, y)
	}
}

var (
	allOnes  = func(*big.Int) *big.Int { return big.NewInt(-1) }
	dividend = func(x *big.Int) *big.Int { return x }
	quo      = divOr(allOnes, (*big.Int).Quo)
	rem      = divOr(dividend, (*big.Int).Rem)
)

var binaries = []binary{
	{"Add", Value.Add, AddWords, func(x, y *big.Int, _ int) *big.Int { return new(big.Int).Add(x, y) }},
	{"Sub", Value.Sub, SubWords, func(x, y *big.Int, _ int) *big.Int { return new(big.Int).Sub(x, y) }},
	{"And", Value.And, AndWords, func(x, y *big.Int, _ int) *big.Int { return new(big.Int).And(x, y) }},
	{"Or", Value.Or, OrWords, func(x, y *big.Int, _ int) *big.Int { return new(big.Int).Or(x, y) }},
	{"Xor", Value.Xor, XorWords, func(x, y *big.Int, _ int) *big.Int { return new(big.Int).Xor(x, y) }},
	{"Div", Value.Div, DivWords, func(x, y *big.Int, _ int) *big.Int { return quo(x, y) }},
	{"Rem", Value.Rem, RemWords, func(x, y *big.Int, _ int) *big.Int { return rem(x, y) }},
	{"DivS", Value.DivS, DivSWords, func(x, y *big.Int, w int) *big.Int { return quo(signed(x, w), signed(y, w)) }},
	{"RemS", Value.RemS, RemSWords, func(x, y *big.Int, w int) *big.Int { return rem(signed(x, w), signed(y, w)) }},
}

func TestBinary(t *testing.T) {
	for _, op := range binaries {
		t.Run(op.name, func(t *testing.T) {
			rng := newRand(1)
			for _, w := range widths {
				xs := sample(rng, w, 20)
				for _, x := range xs {
					for _, y := range xs {
						checkBinary(t, op, x, y, w)
					}
				}
			}
		})
	}
}

func checkBinary(t *testing.T, op binary, x, y *big.Int, w int) {
	t.Helper()
	want := op.want(x, y, w)
	a, b := value(x, w), value(y, w)
	check(t, op.value(a, b), w, want, op.name, x, y)
	check(t, a, w, x, op.name+" changed its first operand")
	check(t, b, w, y, op.name+" changed its second operand")

	dst, p, q := dirty(w), guarded(x, w), guarded(y, w)
	op.words(dst, p, q, w)
	checkWords(t, dst, w, want, op.name, x, y)
	checkWords(t, p, w, x, op.name+" changed its first operand")
	checkWords(t, q, w, y, op.name+" changed its second operand")
	op.words(p, p, q, w)
	checkWords(t, p, w, want, op.name+" in place of the first", x, y)
	p = guarded(x, w)
	op.words(q, p, q, w)
	checkWords(t, q, w, want, op.name+" in place of the second", x, y)
	if x.Cmp(y) == 0 {
		op.words(p, p, p, w)
		checkWords(t, p, w, want, op.name+" of one slice", x)
	}
}

// TestDivisionLong covers operands beyond the scratch on the stack and beyond
// the switch to math/big, with divisors of every length.
func TestDivisionLong(t *testing.T) {
	rng := newRand(2)
	for _, w := range []int{1025, 64 * 40, 64*2*bigDivWords + 77} {
		for i := range 60 {
			x := sample(rng, w, 4)[7+i%4]
			y := mod(sample(rng, w, 4)[7+i/4%4], 1+rng.IntN(w))
			for _, op := range binaries[5:] {
				checkBinary(t, op, x, y, w)
			}
		}
	}
}

// TestDivisionAddBack has operands made for step D6, which random ones reach
// with a probability of about 2^-62, next to its neighbours.
func TestDivisionAddBack(t *testing.T) {
	b := func(ws ...uint64) *big.Int { // little-endian words
		x := new(big.Int)
		for i := len(ws) - 1; i >= 0; i-- {
			x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(ws[i]))
		}
		return x
	}
	const top, all = 1 << 63, ^uint64(0)
	for _, c := range [][2]*big.Int{
		{b(3, 0, top), b(1, 0, 1<<61)},
		{b(0, 0, top, top-1), b(1, 0, top)},
		{b(0, all-1, top), b(all, top)},
		{b(0, 0, 0, top), b(all, 0, top)},
		{b(all, all, all, all-1), b(all, all, all)},
		{b(0, 0, top, all-1), b(all, 0, all)},
	} {
		for _, op := range binaries[5:] {
			checkBinary(t, op, c[0], c[1], 256)
			checkBinary(t, op, c[0], c[1], 257)
		}
	}
}

func TestMul(t *testing.T) {
	rng := newRand(3)
	for _, xw := range widths {
		for _, yw := range widths {
			xs, ys := sample(rng, xw, 3), sample(rng, yw, 3)
			for _, rw := range []int{0, 1, 33, 64, 65, 129, max(xw, yw), xw + yw, xw + yw + 70} {
				for _, x := range xs {
					checkMul(t, x, ys[rng.IntN(len(ys))], xw, yw, rw)
					checkMul(t, x, ys[2], xw, yw, rw)
				}
			}
		}
	}
	for range 20 { // through math/big
		xw, yw := 64*bigMulWords+rng.IntN(999), 64*bigMulWords+rng.IntN(999)
		checkMul(t, sample(rng, xw, 1)[rng.IntN(8)], sample(rng, yw, 1)[rng.IntN(8)], xw, yw, rng.IntN(xw+yw))
	}
}

func checkMul(t *testing.T, x, y *big.Int, xw, yw, rw int) {
	t.Helper()
	a, b := value(x, xw), value(y, yw)
	u := new(big.Int).Mul(x, y)
	s := new(big.Int).Mul(signed(x, xw), signed(y, yw))
	check(t, a.Mul(b, rw), rw, u, "Mul", x, y)
	check(t, a.MulS(b, rw), rw, s, "MulS", x, y)
	dst := dirty(rw)
	MulWords(dst, words(x, xw), words(y, yw), rw)
	checkWords(t, dst, rw, u, "MulWords", x, y)
	dst = dirty(rw)
	MulSWords(dst, guarded(x, xw), guarded(y, yw), xw, yw, rw)
	checkWords(t, dst, rw, s, "MulSWords", x, y, xw, yw)
}

func TestUnary(t *testing.T) {
	rng := newRand(4)
	for _, w := range widths {
		for _, x := range sample(rng, w, 30) {
			v := value(x, w)
			neg, not := new(big.Int).Neg(x), new(big.Int).Not(x)
			check(t, v.Neg(), w, neg, "Neg", x)
			check(t, v.Not(), w, not, "Not", x)
			for _, alias := range []bool{false, true} {
				dst, p := dirty(w), guarded(x, w)
				if alias {
					dst = p
				}
				NegWords(dst, p, w)
				checkWords(t, dst, w, neg, "NegWords", x)
				p = guarded(x, w)
				if alias {
					dst = p
				}
				NotWords(dst, p, w)
				checkWords(t, dst, w, not, "NotWords", x)
			}
		}
	}
}

func TestShift(t *testing.T) {
	rng := newRand(5)
	for _, w := range widths {
		ns := []uint64{0, 1, 3, 63, 64, 65, 127, 128, 130, uint64(w) / 2, uint64(w), uint64(w) + 1, 1 << 40, 1<<63 + 1, ^uint64(0)}
		if w > 0 {
			ns = append(ns, uint64(w-1))
		}
		for _, x := range sample(rng, w, 12) {
			for _, n := range ns {
				checkShift(t, x, w, n)
			}
		}
	}
}

func checkShift(t *testing.T, x *big.Int, w int, n uint64) {
	t.Helper()
	by := uint(min(n, 2000)) // beyond every width here
	v := value(x, w)
	for _, op := range []struct {
		name   string
		value  func(Value, uint64) Value
		valueV func(Value, Value) Value
		words  func(dst, x []uint64, n uint64, width int)
		want   *big.Int
	}{
		{"Shl", Value.Shl, Value.ShlBy, ShlWords, new(big.Int).Lsh(x, by)},
		{"Shr", Value.Shr, Value.ShrBy, ShrWords, new(big.Int).Rsh(x, by)},
		{"ShrS", Value.ShrS, Value.ShrSBy, ShrSWords, new(big.Int).Rsh(signed(x, w), by)},
	} {
		check(t, op.value(v, n), w, op.want, op.name, x, n)
		amount := new(big.Int).SetUint64(n)
		check(t, op.valueV(v, value(amount, 64)), w, op.want, op.name+"By", x, n)
		check(t, op.valueV(v, value(amount, 200)), w, op.want, op.name+"By wide", x, n)
		if n > 2000 { // a wide amount must saturate, not wrap
			check(t, op.valueV(v, value(pow2(64), 65)), w, op.want, op.name+"By 2^64", x)
		}
		dst, p := dirty(w), guarded(x, w)
		op.words(dst, p, n, w)
		checkWords(t, dst, w, op.want, op.name, x, n)
		op.words(p, p, n, w)
		checkWords(t, p, w, op.want, op.name+" in place", x, n)
	}
}
