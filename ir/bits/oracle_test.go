package bits

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

var widths = []int{0, 1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 1000}

// pow2 returns 2^n.
func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// mod returns x mod 2^w, 0 <= result.
func mod(x *big.Int, w int) *big.Int { return new(big.Int).Mod(x, pow2(w)) }

// signed returns the two's complement reading of the w low bits of x.
func signed(x *big.Int, w int) *big.Int {
	x = mod(x, w)
	if w > 0 && x.Bit(w-1) == 1 {
		x.Sub(x, pow2(w))
	}
	return x
}

// sample returns the corners of width w (0, 1, all ones, least and greatest
// signed number, their neighbours) and n more: uniform, and of words that are
// themselves corners, which drive division into its rare steps.
func sample(rng *rand.Rand, w, n int) []*big.Int {
	one := big.NewInt(1)
	half := pow2(max(w-1, 0))
	xs := []*big.Int{
		new(big.Int), mod(one, w), mod(big.NewInt(-1), w), mod(big.NewInt(-2), w),
		mod(half, w), mod(new(big.Int).Sub(half, one), w), mod(new(big.Int).Add(half, one), w),
	}
	special := []uint64{0, 1, 1 << 63, ^uint64(0), 1<<63 - 1, 1<<63 + 1, ^uint64(0) - 1, 1 << 32}
	for i := range n {
		x := new(big.Int)
		for range (w + 63) / 64 {
			word := rng.Uint64()
			if i%2 == 1 {
				word = special[rng.IntN(len(special))]
			}
			x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(word))
		}
		if i%3 == 2 {
			x = mod(x, rng.IntN(w+1)) // a short one
		}
		xs = append(xs, mod(x, w))
	}
	return xs
}

// words returns x as the words of a vector of w bits, computed apart from
// the package.
func words(x *big.Int, w int) []uint64 {
	ws := make([]uint64, (w+63)/64)
	low := new(big.Int).SetUint64(^uint64(0))
	for i := range ws {
		y := new(big.Int).Rsh(x, uint(64*i))
		ws[i] = y.And(y, low).Uint64()
	}
	return ws
}

// value builds a Value field by field, without the package's constructors.
func value(x *big.Int, w int) Value {
	ws := words(mod(x, w), w)
	switch {
	case w == 0:
		return Value{}
	case w <= 64:
		return Value{w: int32(w), lo: ws[0]}
	}
	return Value{w: int32(w), lo: ws[0], wide: &ws}
}

// check compares a result with the oracle's number mod 2^w, field by field;
// as the expected fields have no bit above the width, neither has got.
func check(t *testing.T, got Value, w int, want *big.Int, op string, args ...any) {
	t.Helper()
	exp := value(want, w)
	ok := got.w == exp.w && got.lo == exp.lo && (got.wide == nil) == (exp.wide == nil)
	if ok && exp.wide != nil {
		ok = slices.Equal(*got.wide, *exp.wide)
	}
	if !ok {
		t.Fatalf("%s %x: got %v, want %v", op, args, got, exp)
	}
}

// checkWords compares a result in words with the oracle's number, and checks
// that the guard word after it is untouched.
func checkWords(t *testing.T, got []uint64, w int, want *big.Int, op string, args ...any) {
	t.Helper()
	for i, exp := range words(mod(want, w), w) {
		if got[i] != exp {
			t.Fatalf("%s width %d %x: word %d is %#x, want %#x", op, w, args, i, got[i], exp)
		}
	}
	if len(got) > WordCount(w) && got[WordCount(w)] != guard {
		t.Fatalf("%s width %d %x: wrote past the last word", op, w, args)
	}
}

const guard = 0xdeadbeefcafef00d

// dirty returns a destination of w bits, full of garbage, with a guard word.
func dirty(w int) []uint64 {
	ws := make([]uint64, WordCount(w)+1)
	fillWords(ws, guard)
	return ws
}

// guarded returns x's words with a guard word after them.
func guarded(x *big.Int, w int) []uint64 { return append(words(x, w), guard) }

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func b2i(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// equal fails unless got is want.
func equal(t *testing.T, want, got any, args ...any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("got %v, want %v %v", got, want, args)
	}
}
