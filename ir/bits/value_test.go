package bits

import (
	"math"
	"math/big"
	"math/bits"
	"reflect"
	"testing"
	"unsafe"
)

func TestMake(t *testing.T) {
	rng := newRand(6)
	for _, w := range widths {
		check(t, Zero(w), w, new(big.Int), "Zero")
		check(t, Ones(w), w, big.NewInt(-1), "Ones")
		for _, x := range append(sample(rng, w, 20), sample(rng, w+100, 20)...) {
			neg := new(big.Int).Neg(x)
			check(t, FromBig(w, x), w, x, "FromBig", x)
			check(t, FromBig(w, neg), w, neg, "FromBig", neg)
			low := mod(x, 64).Uint64()
			check(t, New(w, low), w, new(big.Int).SetUint64(low), "New", low)
			check(t, FromInt(w, int64(low)), w, big.NewInt(int64(low)), "FromInt", low)
			for _, n := range []int{0, w, w + 100} {
				ws := words(x, n)
				check(t, FromWords(w, ws), w, mod(x, 64*len(ws)), "FromWords", x)
			}
			bs := make([]bool, w)
			for i := range bs {
				bs[i] = x.Bit(i) == 1
			}
			check(t, FromBools(bs), w, x, "FromBools", x)
		}
	}
	ws := []uint64{1, 2, 3}
	v := FromWords(130, ws)
	ws[0], v.Words()[1] = 9, 9
	equal(t, []uint64{1, 2, 3}, v.Words(), "words must be copied in and out")
}

func TestRead(t *testing.T) {
	rng := newRand(7)
	for _, w := range widths {
		for _, x := range sample(rng, w, 20) {
			v, s := value(x, w), signed(x, w)
			equal(t, w, v.Width())
			equal(t, 0, v.Big().Cmp(x))
			equal(t, 0, v.SignedBig().Cmp(s))
			equal(t, mod(x, 64).Uint64(), v.Uint64())
			equal(t, int64(mod(s, 64).Uint64()), v.Int64())
			equal(t, x.IsUint64(), v.IsUint64())
			equal(t, x.BitLen(), v.Len())
			equal(t, words(x, w), v.Words())
			for i, word := range words(x, w) {
				equal(t, word, v.Word(i))
			}
			equal(t, uint64(0), v.Word(-1)|v.Word(WordCount(w))|v.Word(math.MaxInt))
			count := 0
			for i := range w {
				count += int(x.Bit(i))
				equal(t, uint64(x.Bit(i)), v.Bit(i))
			}
			equal(t, uint64(0), v.Bit(-1)|v.Bit(w)|v.Bit(math.MaxInt)|v.Bit(math.MinInt))
			checkReduce(t, v, x, w, count)
		}
	}
}

func checkReduce(t *testing.T, v Value, x *big.Int, w, count int) {
	t.Helper()
	p := guarded(x, w)
	equal(t, count, v.PopCount())
	equal(t, count, PopCountWords(p, w))
	equal(t, uint64(count%2), v.RedXor())
	equal(t, uint64(count%2), RedXorWords(p, w))
	equal(t, count == 0, v.IsZero())
	equal(t, count == 0, IsZeroWords(p, w))
	equal(t, count == w, v.IsOnes())
	equal(t, count == w, IsOnesWords(p, w))
	equal(t, b2i(count == w).Uint64(), v.RedAnd())
	equal(t, b2i(count > 0).Uint64(), v.RedOr())
}

func TestSetBit(t *testing.T) {
	rng := newRand(8)
	for _, w := range widths {
		for _, x := range sample(rng, w, 5) {
			v := value(x, w)
			for range 10 {
				i, b := rng.IntN(w+1), uint(rng.IntN(2))
				want := x
				if i < w {
					want = new(big.Int).SetBit(x, i, b)
				}
				check(t, v.SetBit(i, uint64(b)), w, want, "SetBit", x, i, b)
				check(t, v.SetBit(i, uint64(b)+2), w, want, "SetBit takes bit 0", x, i, b)
				check(t, v.SetBit(-1-i, 1), w, x, "SetBit", x, -1-i)
			}
			check(t, v, w, x, "SetBit changed its operand")
		}
	}
}

func TestCompare(t *testing.T) {
	rng := newRand(9)
	for _, xw := range widths {
		for _, yw := range widths {
			xs, ys := sample(rng, xw, 6), sample(rng, yw, 6)
			for _, x := range xs {
				for _, y := range append(ys, mod(x, yw)) {
					v, u := value(x, xw), value(y, yw)
					uns, sig := x.Cmp(y), signed(x, xw).Cmp(signed(y, yw))
					equal(t, uns, v.Cmp(u), v, u)
					equal(t, sig, v.CmpS(u), v, u)
					equal(t, xw == yw && uns == 0, v.Equal(u), v, u)
					if xw == yw {
						p, q := guarded(x, xw), guarded(y, xw)
						equal(t, uns, CmpWords(p, q, xw))
						equal(t, sig, CmpSWords(p, q, xw))
						equal(t, uns == 0, EqualWords(p, q, xw))
					}
				}
			}
		}
	}
}

func TestSlice(t *testing.T) {
	rng := newRand(10)
	for _, w := range widths {
		for _, x := range sample(rng, w, 12) {
			v := value(x, w)
			for _, rw := range widths {
				for _, lo := range []int{0, 1, 63, 64, 65, w / 2, w - rw, w, w + 1, math.MaxInt, -1, -64, -65, math.MinInt} {
					want := new(big.Int)
					switch {
					case lo >= 0:
						want.Rsh(x, uint(lo))
					case lo > -2000:
						want.Lsh(x, uint(-lo))
					}
					check(t, v.Slice(lo, rw), rw, want, "Slice", x, lo)
					if lo < 0 {
						continue
					}
					dst := dirty(rw)
					SliceWords(dst, words(x, w), lo, rw)
					checkWords(t, dst, rw, want, "SliceWords", x, lo)
					if same := words(x, w); rw <= w {
						SliceWords(same, same, lo, rw)
						checkWords(t, same[:WordCount(rw)], rw, want, "SliceWords in place", x, lo)
					}
				}
			}
		}
	}
}

func TestConcatAndPut(t *testing.T) {
	rng := newRand(11)
	check(t, Concat(), 0, new(big.Int), "Concat")
	for range 3000 {
		vs, want, total := []Value{}, new(big.Int), 0
		for range rng.IntN(5) {
			w := widths[rng.IntN(len(widths))]
			x := sample(rng, w, 5)[rng.IntN(12)]
			vs = append(vs, value(x, w))
			want.Or(want.Lsh(want, uint(w)), x)
			total += w
		}
		check(t, Concat(vs...), total, want, "Concat", vs)
	}
	for range 3000 { // PutWords keeps what is around
		w := rng.IntN(400)
		n := rng.IntN(w + 1)
		lo := rng.IntN(w - n + 1)
		old, x := sample(rng, w, 1)[rng.IntN(8)], sample(rng, n+70, 1)[rng.IntN(8)] // bits above n are ignored
		hole := new(big.Int).Lsh(new(big.Int).Sub(pow2(n), big.NewInt(1)), uint(lo))
		want := new(big.Int).AndNot(old, hole)
		want.Or(want, new(big.Int).Lsh(mod(x, n), uint(lo)))
		dst := guarded(old, w)
		PutWords(dst, words(x, n+70), lo, n)
		checkWords(t, dst, w, want, "PutWords", old, x, lo, n)
	}
}

func TestExtend(t *testing.T) {
	rng := newRand(12)
	for _, w := range widths {
		for _, x := range sample(rng, w, 12) {
			v, s := value(x, w), signed(x, w)
			for _, to := range append(widths, w, w+1, w+64) {
				if to <= w {
					check(t, v.Trunc(to), to, x, "Trunc", x)
				}
				if to >= w {
					check(t, v.ZExt(to), to, x, "ZExt", x)
					check(t, v.SExt(to), to, s, "SExt", x)
					dst := dirty(to)
					SExtWords(dst, guarded(x, w), w, to)
					checkWords(t, dst, to, s, "SExtWords", x)
					dst = dirty(to)
					copy(dst, words(x, w))
					SExtWords(dst, dst, w, to)
					checkWords(t, dst, to, s, "SExtWords in place", x)
				}
			}
		}
	}
}

// TestDeepEqual: test libraries compare with reflect.DeepEqual, which must
// see every word and no difference between equal values.
func TestDeepEqual(t *testing.T) {
	for _, w := range widths {
		v, u := Ones(w), Zero(w).Not()
		equal(t, true, reflect.DeepEqual(v, u), w)
		for i := range w {
			equal(t, false, reflect.DeepEqual(v, v.SetBit(i, 0)), w, i)
		}
	}
	equal(t, false, reflect.DeepEqual(Zero(8), Zero(9)))
	if size := unsafe.Sizeof(Value{}); size > 4*unsafe.Sizeof(uintptr(0)) && bits.UintSize == 64 {
		t.Errorf("a Value has %d bytes, too many for registers", size)
	}
}

// TestSmallExhaustive compares all pairs of all values of up to four bits
// with plain integers, a second oracle for the signed operations.
func TestSmallExhaustive(t *testing.T) {
	for w := 1; w <= 4; w++ {
		n := 1 << w
		for a := range n {
			for b := range n {
				x, y := New(w, uint64(a)), New(w, uint64(b))
				sa, sb := a, b
				if a >= n/2 {
					sa -= n
				}
				if b >= n/2 {
					sb -= n
				}
				q, r := -1, sa
				if b != 0 {
					q, r = sa/sb, sa%sb
				}
				equal(t, true, x.DivS(y).Equal(FromInt(w, int64(q))), x, y)
				equal(t, true, x.RemS(y).Equal(FromInt(w, int64(r))), x, y)
				equal(t, true, x.MulS(y, 2*w).Equal(FromInt(2*w, int64(sa*sb))), x, y)
				equal(t, true, x.ShrS(uint64(b)).Equal(FromInt(w, int64(sa>>b))), x, b)
				equal(t, sa < sb, x.CmpS(y) < 0)
				equal(t, bits.OnesCount(uint(a)), x.PopCount())
			}
		}
	}
}

func TestPanics(t *testing.T) {
	a, b, wide := New(8, 1), New(9, 1), New(100, 1)
	for name, f := range map[string]func(){
		"Add": func() { a.Add(b) }, "Sub": func() { a.Sub(b) }, "And": func() { a.And(wide) },
		"Or": func() { wide.Or(a) }, "Xor": func() { a.Xor(b) }, "Div": func() { a.Div(b) },
		"Rem": func() { a.Rem(b) }, "DivS": func() { wide.DivS(a) }, "RemS": func() { a.RemS(wide) },
		"New": func() { New(-1, 0) }, "New wide": func() { New(MaxWidth+1, 0) },
		"Mul": func() { a.Mul(a, -1) }, "MulS": func() { a.MulS(a, MaxWidth+1) },
		"ZExt": func() { b.ZExt(8) }, "SExt": func() { wide.SExt(64) }, "Trunc": func() { a.Trunc(9) },
		"Trunc negative": func() { a.Trunc(-1) }, "ZExt negative": func() { a.ZExt(-1) },
		"Slice": func() { a.Slice(0, -1) }, "Slice negative lo": func() { a.Slice(-1, -1) },
		"Concat": func() { Concat(Zero(MaxWidth), a) }, "FromWords": func() { FromWords(-1, nil) },
		"FromBig": func() { FromBig(MaxWidth+1, new(big.Int)) },
	} {
		func() {
			defer func() { equal(t, true, recover() != nil, name, "must panic") }()
			f()
		}()
	}
}
