package ir

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
)

var testWidths = []int{1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}

// TestTableTotal: every op has a complete row, and its name leads back to it.
func TestTableTotal(t *testing.T) {
	names := map[string]bool{}
	for o := Invalid + 1; o < NumOps; o++ {
		info := o.Info()
		require.NotEmpty(t, info.Name)
		require.False(t, names[info.Name], "two ops are called %s", info.Name)
		names[info.Name] = true
		require.Equal(t, o, OpByName(info.Name))
		require.Equal(t, info.Name, o.String())
		require.NotNil(t, info.width, "%s has no width rule", o)
		require.Equal(t, info.Leaf || o == MemRead, info.eval == nil, "%s", o)
		require.True(t, info.MaxArgs < 0 || info.MinArgs <= info.MaxArgs, "%s", o)
		require.Equal(t, info.Leaf, info.MinArgs == 0 && info.MaxArgs == 0, "%s", o)
	}
	require.Equal(t, Invalid, OpByName("nonsense"))
	require.Equal(t, Invalid, OpByName("invalid"))
	require.Equal(t, fmt.Sprintf("op(%d)", NumOps), NumOps.String())
}

// cases are values at which words, signs and carries go wrong, and a few others.
func cases(rng *rand.Rand, w int) []bits.Value {
	list := []bits.Value{
		bits.Zero(w), bits.Ones(w), bits.New(w, 1), bits.New(w, 2), bits.Zero(w).SetBit(w-1, 1), bits.Ones(w).SetBit(w-1, 0),
	}
	for range 4 {
		words := make([]uint64, bits.WordCount(w))
		for i := range words {
			words[i] = rng.Uint64()
		}
		list = append(list, bits.FromWords(w, words))
	}
	return list
}

// want computes an op with math/big from the sentence in op.go. u are the
// arguments read as unsigned, s as signed; the result is taken mod 2^w.
func want(o Op, w int, aux int, args []bits.Value) *big.Int {
	u, s := make([]*big.Int, len(args)), make([]*big.Int, len(args))
	for i, a := range args {
		u[i], s[i] = a.Big(), a.SignedBig()
	}
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	r, minusOne := new(big.Int), big.NewInt(-1)
	switch o {
	case Wire, ZExt:
		return u[0]
	case SExt:
		return s[0]
	case Not:
		return r.Sub(minusOne, u[0])
	case And, Or, Xor:
		r.Set(u[0])
		for _, x := range u[1:] {
			switch o {
			case And:
				r.And(r, x)
			case Or:
				r.Or(r, x)
			default:
				r.Xor(r, x)
			}
		}
		return r
	case Add:
		return r.Add(u[0], u[1])
	case Sub:
		return r.Sub(u[0], u[1])
	case Mul:
		return r.Mul(u[0], u[1])
	case MulS:
		return r.Mul(s[0], s[1])
	case Div, DivS:
		if u[1].Sign() == 0 {
			return minusOne
		}
		if o == Div {
			return r.Quo(u[0], u[1])
		}
		return r.Quo(s[0], s[1]) // min / -1 = 2^(w-1), which is min
	case Rem, RemS:
		if u[1].Sign() == 0 {
			return u[0]
		}
		if o == Rem {
			return r.Rem(u[0], u[1])
		}
		return r.Rem(s[0], s[1])
	case Eq:
		return truth(u[0].Cmp(u[1]) == 0)
	case Lt:
		return truth(u[0].Cmp(u[1]) < 0)
	case LtS:
		return truth(s[0].Cmp(s[1]) < 0)
	case Shl, Shr, ShrS:
		return wantShift(o, w, u, s)
	case Mux:
		if u[0].Sign() != 0 {
			return u[1]
		}
		return u[2]
	case Slice:
		return r.Rsh(u[0], uint(aux))
	case Cat:
		for i, x := range u {
			r.Lsh(r, uint(args[i].Width()))
			r.Or(r, x)
		}
		return r
	case RedAnd:
		return truth(s[0].Cmp(minusOne) == 0)
	case RedOr:
		return truth(u[0].Sign() != 0)
	}
	ones := int64(0) // RedXor, PopCount
	for i := range args[0].Width() {
		ones += int64(u[0].Bit(i))
	}
	if o == RedXor {
		ones %= 2
	}
	return big.NewInt(ones)
}

func wantShift(o Op, w int, u, s []*big.Int) *big.Int {
	n := uint(w)
	if u[1].Cmp(big.NewInt(int64(w))) < 0 {
		n = uint(u[1].Int64())
	}
	switch o {
	case Shl:
		return new(big.Int).Lsh(u[0], n)
	case Shr:
		return new(big.Int).Rsh(u[0], n)
	}
	return new(big.Int).Rsh(s[0], n) // big.Int shifts towards -∞
}

// TestEval: every op but Case and Lut, which have their own test, agrees with
// math/big at every width, and swapping the arguments of a commutative one
// changes nothing.
func TestEval(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for o := Invalid + 1; o < NumOps; o++ {
		if info := o.Info(); info.Leaf || o == MemRead || o == Case || o == Lut {
			continue
		}
		for _, w := range testWidths {
			for _, x := range cases(rng, w) {
				for _, y := range cases(rng, w) {
					checkEval(t, rng, o, x, y)
				}
			}
		}
	}
}

// checkEval builds a node of op o that verifies, with x and y among its
// arguments, and compares its value.
func checkEval(t *testing.T, rng *rand.Rand, o Op, x, y bits.Value) {
	t.Helper()
	w := x.Width()
	args, out, aux := []bits.Value{x, y}, w, 0
	switch o {
	case And, Or, Xor:
		args = append(args, cases(rng, w)[6])
	case Eq, Lt, LtS:
		out = 1
	case Mul, MulS:
		out = 1 + rng.IntN(2*w)
	case Shl, Shr, ShrS:
		amounts := []bits.Value{y, bits.New(11, uint64(w-1)), bits.New(11, uint64(w)), bits.New(11, uint64(w+1)), bits.New(3, rng.Uint64())}
		args[1] = amounts[rng.IntN(len(amounts))]
	case Mux:
		args = []bits.Value{bits.New(1, rng.Uint64()), x, y}
	case Cat:
		args, out = []bits.Value{x, y, x.Slice(0, 1)}, 2*w+1
	default:
		args = args[:o.Info().MaxArgs]
		if len(args) == 2 {
			break // Add and others
		}
		switch o {
		case Slice:
			out = 1 + rng.IntN(w)
			aux = rng.IntN(w - out + 1)
		case ZExt, SExt:
			out = w + rng.IntN(70)
		case RedAnd, RedOr, RedXor:
			out = 1
		case PopCount:
			out = CountWidth(w)
		}
	}
	m := NewModule("m", nil)
	var ids []ID
	for _, a := range args {
		ids = append(ids, m.Const(a, 0))
	}
	id := m.Add(Node{Op: o, Width: int32(out), Aux: int32(aux)}, ids...)
	require.NoError(t, Verify(&Design{Top: m, Modules: []*Module{m}}))
	got := Eval(m, id, args)
	if expect := bits.FromBig(out, want(o, w, aux, args)); !got.Equal(expect) {
		t.Fatalf("%s of %v to %d bits is %v, want %v", o, args, out, got, expect)
	}
	if o.Info().Commute {
		args[0], args[1] = args[1], args[0]
		require.True(t, Eval(m, id, args).Equal(got), "%s does not commute", o)
	}
}

func TestEvalCase(t *testing.T) {
	for _, w := range testWidths {
		m := NewModule("m", nil)
		sel, v := m.Const(bits.Zero(w), 0), m.Const(bits.Zero(5), 0)
		keys := []bits.Value{bits.Zero(w), bits.Ones(w)}
		id := m.AddCase(5, 0, keys, sel, v, v, v)
		require.NoError(t, Verify(&Design{Top: m, Modules: []*Module{m}}))
		for s, expect := range map[string]uint64{bits.Zero(w).String(): 2, bits.Ones(w).String(): 3, bits.Ones(w).SetBit(0, 0).String(): 1} {
			x, err := bits.Parse(s)
			require.NoError(t, err)
			if w == 1 && expect == 1 {
				expect = 2 // 0 again
			}
			got := Eval(m, id, []bits.Value{x, bits.New(5, 1), bits.New(5, 2), bits.New(5, 3)})
			require.Equal(t, bits.New(5, expect), got, "%s", s)
		}
	}
}

// TestEvalLut: argument i is address bit i.
func TestEvalLut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 8; n++ {
		table := cases(rng, 1<<n)[7]
		m := NewModule("m", nil)
		bit := m.Const(bits.Zero(1), 0)
		ids, args := make([]ID, n), make([]bits.Value, n)
		for i := range ids {
			ids[i] = bit
		}
		id := m.AddLut(table, 0, ids...)
		require.NoError(t, Verify(&Design{Top: m, Modules: []*Module{m}}))
		for a := range 1 << n {
			for i := range args {
				args[i] = bits.New(1, uint64(a>>i&1))
			}
			require.Equal(t, table.Bit(a), Eval(m, id, args).Uint64())
		}
	}
}

func TestCountWidth(t *testing.T) {
	for n := range 300 {
		w := CountWidth(n)
		require.GreaterOrEqual(t, 1<<w-1, n)
		require.True(t, w == 1 || 1<<(w-1)-1 < n)
	}
}
