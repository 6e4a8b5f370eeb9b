package bits

import (
	"fmt"
	"math/big"
	"testing"
)

// TestAllocs holds the promise of both layers: values of up to 64 bits and
// the Words functions do not allocate (division: up to 1024 bits).
func TestAllocs(t *testing.T) {
	var sink Value
	var flag uint64
	for _, w := range []int{1, 33, 64} {
		a, b := New(w, 0xfedcba9876543210), New(w, 0x123456789abcdef1)
		for name, f := range map[string]func(){
			"make":    func() { sink = New(w, 3); sink = FromInt(w, -3); sink = Ones(w) },
			"words":   func() { sink = FromWords(w, []uint64{1, 2}) },
			"arith":   func() { sink = a.Add(b).Sub(a.Neg()) },
			"mul":     func() { sink = a.Mul(b, 64); sink = a.MulS(b, 64) },
			"div":     func() { sink = a.Div(b).Rem(b); sink = a.DivS(b).RemS(b) },
			"logic":   func() { sink = a.And(b).Or(a).Xor(b).Not() },
			"shift":   func() { sink = a.Shl(3).Shr(2).ShrS(1).ShlBy(b).ShrBy(a).ShrSBy(b) },
			"slice":   func() { sink = a.Slice(1, w).SetBit(0, 1) },
			"concat":  func() { sink = Concat(a.Trunc(w/3), b.Trunc(w/3)) },
			"extend":  func() { sink = a.ZExt(64); sink = a.SExt(64) },
			"reduce":  func() { flag = a.RedAnd() + a.RedOr() + a.RedXor() + a.Bit(3) + uint64(a.PopCount()+a.Len()) },
			"compare": func() { flag = b2u(a.Equal(b)) + uint64(a.Cmp(b)+a.CmpS(b)) + uint64(a.Int64()) },
		} {
			noAllocs(t, fmt.Sprintf("Value %s of %d bits", name, w), f)
		}
	}
	_, _ = sink, flag
}

func TestWordsAllocs(t *testing.T) {
	rng := newRand(14)
	var flag int
	for _, w := range []int{64, 65, 1000, 1024, 5000} {
		xs := sample(rng, w, 4)
		x, y, dst, double := words(xs[7], w), words(xs[9], w), dirty(w), dirty(2*w)
		for name, f := range map[string]func(){
			"arith":   func() { AddWords(dst, x, y, w); SubWords(dst, x, y, w); NegWords(dst, x, w) },
			"mul":     func() { MulWords(double, x, y, 2*w); MulSWords(double, x, y, w, w, 2*w) },
			"logic":   func() { NotWords(dst, x, w); AndWords(dst, x, y, w); OrWords(dst, x, y, w); XorWords(dst, x, y, w) },
			"shift":   func() { ShlWords(dst, x, 70, w); ShrWords(dst, x, 7, w); ShrSWords(dst, x, 9, w) },
			"select":  func() { SliceWords(dst, x, 5, w-5); PutWords(double, x, 9, w); SExtWords(double, x, w, 2*w) },
			"compare": func() { flag = CmpWords(x, y, w) + CmpSWords(x, y, w) + int(b2u(EqualWords(x, y, w))) },
			"reduce": func() {
				flag = PopCountWords(x, w) + int(RedXorWords(x, w)+b2u(IsZeroWords(x, w))+b2u(IsOnesWords(x, w)))
			},
			"copy": func() { FromWords(64, x).CopyTo(dst) },
		} {
			noAllocs(t, fmt.Sprintf("%s of %d bits", name, w), f)
		}
		if w <= 64*divStackWords {
			noAllocs(t, fmt.Sprintf("division of %d bits", w), func() {
				DivWords(dst, x, y, w)
				RemWords(dst, x, y, w)
				DivSWords(dst, x, y, w)
				RemSWords(dst, x, y, w)
			})
		}
	}
	_ = flag
}

func noAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(20, f); n != 0 {
		t.Errorf("%s: %v allocations", what, n)
	}
}

var (
	sinkValue Value
	sinkInt   int
)

func BenchmarkValue(b *testing.B) {
	for _, w := range []int{64, 1000} {
		xs := sample(newRand(15), w, 2)
		x, y := value(xs[7], w), value(xs[7], w).Mul(New(w, 12345), w)
		half := y.Slice(w/2, w)
		for _, op := range []struct {
			name string
			f    func() Value
		}{
			{"Add", func() Value { return x.Add(y) }},
			{"And", func() Value { return x.And(y) }},
			{"Mul", func() Value { return x.Mul(y, w) }},
			{"Div", func() Value { return x.Div(half) }},
			{"Shl", func() Value { return x.Shl(13) }},
			{"Slice", func() Value { return x.Slice(7, w-7) }},
			{"Concat", func() Value { return Concat(x.Trunc(w/2), y.Trunc(w/2)) }},
		} {
			b.Run(fmt.Sprintf("op=%s/width=%d", op.name, w), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					sinkValue = op.f()
				}
			})
		}
	}
}

func BenchmarkWords(b *testing.B) {
	for _, w := range []int{64, 1000} {
		xs := sample(newRand(16), w, 2)
		x, y, dst := words(xs[7], w), words(mod(new(big.Int).Mul(xs[7], big.NewInt(12345)), w), w), dirty(w)
		half := words(mod(xs[7], w/2), w)
		for _, op := range []struct {
			name string
			f    func()
		}{
			{"Add", func() { AddWords(dst, x, y, w) }},
			{"And", func() { AndWords(dst, x, y, w) }},
			{"Mul", func() { MulWords(dst, x, y, w) }},
			{"MulS", func() { MulSWords(dst, x, y, w, w, w) }},
			{"Div", func() { DivWords(dst, x, half, w) }},
			{"Shl", func() { ShlWords(dst, x, 13, w) }},
			{"ShrS", func() { ShrSWords(dst, x, 13, w) }},
			{"Slice", func() { SliceWords(dst, x, 7, w-7) }},
			{"Put", func() { PutWords(dst, x, 7, w-7) }},
			{"Cmp", func() { sinkInt = CmpWords(x, x, w) }},
			{"PopCount", func() { sinkInt = PopCountWords(x, w) }},
		} {
			b.Run(fmt.Sprintf("op=%s/width=%d", op.name, w), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					op.f()
				}
			})
		}
	}
}

// BenchmarkInterpret has the shape of an interpreter's inner loop: values of
// 32 bits read from and written to one slice. One op is 62 additions.
func BenchmarkInterpret(b *testing.B) {
	vals := make([]Value, 64)
	for i := range vals {
		vals[i] = New(32, uint64(i)*77777)
	}
	for b.Loop() {
		for i := 2; i < len(vals); i++ {
			vals[i] = vals[i-1].Add(vals[i-2])
		}
	}
}
