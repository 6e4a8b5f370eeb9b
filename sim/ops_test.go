package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// val reads a literal such as "8'hff".
func val(s string) bits.Value {
	v, err := bits.Parse(s)
	if err != nil {
		panic(err)
	}
	return v
}

// opCase is one use of an op on inputs; the expectation follows from the comment
// of the op in package ir.
type opCase struct {
	op   ir.Op
	lo   int // of Slice
	in   []string
	want string
}

const (
	min65  = "65'h10000000000000000" // the least signed number of 65 bits
	ones65 = "65'h1ffffffffffffffff"
)

var opCases = []opCase{
	{ir.Wire, 0, []string{"8'h5a"}, "8'h5a"},
	{ir.Wire, 0, []string{min65}, min65},
	{ir.Not, 0, []string{"7'h5a"}, "7'h25"},
	{ir.Not, 0, []string{min65}, "65'hffffffffffffffff"},
	{ir.And, 0, []string{"8'hf0", "8'h3c", "8'h18"}, "8'h10"},
	{ir.And, 0, []string{ones65, min65}, min65},
	{ir.Or, 0, []string{"8'hf0", "8'hc", "8'h1"}, "8'hfd"},
	{ir.Or, 0, []string{"65'h1", min65}, "65'h10000000000000001"},
	{ir.Xor, 0, []string{"8'hf0", "8'h3c", "8'h1"}, "8'hcd"},
	{ir.Xor, 0, []string{ones65, min65, "65'h1"}, "65'hfffffffffffffffe"},
	{ir.Add, 0, []string{"8'hff", "8'h2"}, "8'h1"},
	{ir.Add, 0, []string{"64'hffffffffffffffff", "64'h2"}, "64'h1"},
	{ir.Add, 0, []string{ones65, "65'h2"}, "65'h1"},
	{ir.Sub, 0, []string{"8'h1", "8'h2"}, "8'hff"},
	{ir.Sub, 0, []string{"65'h1", "65'h2"}, ones65},
	{ir.Mul, 0, []string{"8'hff", "8'hff"}, "16'hfe01"},
	{ir.Mul, 0, []string{"8'hff", "4'hf"}, "9'hf1"}, // 255·15 = 0xef1
	{ir.Mul, 0, []string{"64'hffffffffffffffff", "2'h3"}, "66'h2fffffffffffffffd"},
	{ir.MulS, 0, []string{"8'hff", "8'hff"}, "16'h1"},
	{ir.MulS, 0, []string{"8'h80", "4'h7"}, "12'hc80"}, // -128·7 = -896
	{ir.MulS, 0, []string{"64'hffffffffffffffff", "2'h1"}, "66'h3ffffffffffffffff"},
	{ir.Div, 0, []string{"8'hc8", "8'h7"}, "8'h1c"},
	{ir.Div, 0, []string{"8'h5", "8'h0"}, "8'hff"},
	{ir.Div, 0, []string{min65, "65'h10"}, "65'h1000000000000000"},
	{ir.Div, 0, []string{"65'h5", "65'h0"}, ones65},
	{ir.DivS, 0, []string{"8'hf9", "8'h2"}, "8'hfd"}, // -7 / 2 = -3
	{ir.DivS, 0, []string{"8'hf9", "8'h0"}, "8'hff"},
	{ir.DivS, 0, []string{"8'h80", "8'hff"}, "8'h80"},
	{ir.DivS, 0, []string{"64'h8000000000000000", "64'hffffffffffffffff"}, "64'h8000000000000000"},
	{ir.DivS, 0, []string{min65, ones65}, min65},
	{ir.DivS, 0, []string{min65, "65'h0"}, ones65},
	{ir.Rem, 0, []string{"8'hc8", "8'h7"}, "8'h4"},
	{ir.Rem, 0, []string{"8'hc8", "8'h0"}, "8'hc8"},
	{ir.Rem, 0, []string{min65, "65'h0"}, min65},
	{ir.RemS, 0, []string{"8'hf9", "8'h2"}, "8'hff"}, // -7 rem 2 = -1
	{ir.RemS, 0, []string{"8'h7", "8'hfe"}, "8'h1"},  // 7 rem -2 = 1
	{ir.RemS, 0, []string{"8'hf9", "8'h0"}, "8'hf9"},
	{ir.RemS, 0, []string{"8'h80", "8'hff"}, "8'h0"},
	{ir.RemS, 0, []string{min65, ones65}, "65'h0"},
	{ir.Eq, 0, []string{"8'h80", "8'h80"}, "1'h1"},
	{ir.Eq, 0, []string{min65, "65'h0"}, "1'h0"},
	{ir.Lt, 0, []string{"8'h7f", "8'h80"}, "1'h1"},
	{ir.Lt, 0, []string{"8'h80", "8'h80"}, "1'h0"},
	{ir.Lt, 0, []string{min65, "65'h1"}, "1'h0"},
	{ir.LtS, 0, []string{"8'h7f", "8'h80"}, "1'h0"},
	{ir.LtS, 0, []string{"8'h80", "8'h7f"}, "1'h1"},
	{ir.LtS, 0, []string{min65, "65'h1"}, "1'h1"},
	{ir.Shl, 0, []string{"8'h81", "4'h1"}, "8'h2"},
	{ir.Shl, 0, []string{"8'h81", "8'h8"}, "8'h0"},
	{ir.Shl, 0, []string{"8'h81", "64'hffffffffffffffff"}, "8'h0"},
	{ir.Shl, 0, []string{"8'h81", min65}, "8'h0"},
	{ir.Shl, 0, []string{"65'h1", "8'h40"}, min65},
	{ir.Shl, 0, []string{"65'h1", "8'h41"}, "65'h0"},
	{ir.Shr, 0, []string{"8'h81", "4'h1"}, "8'h40"},
	{ir.Shr, 0, []string{"8'h81", "8'h8"}, "8'h0"},
	{ir.Shr, 0, []string{min65, "8'h40"}, "65'h1"},
	{ir.Shr, 0, []string{min65, min65}, "65'h0"},
	{ir.ShrS, 0, []string{"8'h81", "4'h1"}, "8'hc0"},
	{ir.ShrS, 0, []string{"8'h81", "8'h40"}, "8'hff"},
	{ir.ShrS, 0, []string{"8'h71", min65}, "8'h0"},
	{ir.ShrS, 0, []string{min65, "8'h3f"}, "65'h1fffffffffffffffe"},
	{ir.ShrS, 0, []string{min65, min65}, ones65},
	{ir.Mux, 0, []string{"1'h1", "8'ha", "8'hb"}, "8'ha"},
	{ir.Mux, 0, []string{"1'h0", "8'ha", "8'hb"}, "8'hb"},
	{ir.Mux, 0, []string{"1'h1", ones65, min65}, ones65},
	{ir.Mux, 0, []string{"1'h0", ones65, min65}, min65},
	{ir.Slice, 2, []string{"8'hb4"}, "3'h5"},
	{ir.Slice, 60, []string{min65}, "5'h10"},
	{ir.Slice, 62, []string{"130'h3c000000000000000"}, "4'hf"},
	{ir.Slice, 1, []string{ones65}, "64'hffffffffffffffff"},
	{ir.Cat, 0, []string{"1'h1", "3'h2", "4'hf"}, "8'haf"},
	{ir.Cat, 0, []string{"8'hff"}, "8'hff"},
	{ir.Cat, 0, []string{"3'h5", "63'h7fffffffffffffff", "2'h2"}, "68'hbfffffffffffffffe"},
	{ir.Cat, 0, []string{min65, "1'h1", min65}, "131'h40000000000000003" + "0000000000000000"},
	{ir.ZExt, 0, []string{"8'h80"}, "16'h80"},
	{ir.ZExt, 0, []string{"8'h80"}, "65'h80"},
	{ir.SExt, 0, []string{"8'h80"}, "16'hff80"},
	{ir.SExt, 0, []string{"64'h8000000000000000"}, "65'h18000000000000000"},
	{ir.RedAnd, 0, []string{"7'h7f"}, "1'h1"},
	{ir.RedAnd, 0, []string{"7'h7e"}, "1'h0"},
	{ir.RedAnd, 0, []string{ones65}, "1'h1"},
	{ir.RedAnd, 0, []string{"65'hffffffffffffffff"}, "1'h0"},
	{ir.RedOr, 0, []string{"7'h0"}, "1'h0"},
	{ir.RedOr, 0, []string{min65}, "1'h1"},
	{ir.RedXor, 0, []string{"7'h7"}, "1'h1"},
	{ir.RedXor, 0, []string{"65'h10000000000000001"}, "1'h0"},
	{ir.PopCount, 0, []string{"7'h7f"}, "3'h7"},
	{ir.PopCount, 0, []string{ones65}, "7'h41"},
}

func TestOps(t *testing.T) {
	seen := map[ir.Op]bool{ir.Invalid: true, ir.MemRead: true, ir.Case: true, ir.Lut: true} // tests of their own
	for _, c := range opCases {
		seen[c.op] = true
		want := val(c.want)
		got := runOp(t, want.Width(), c.in, func(m *ir.Module, in []ir.ID) ir.ID {
			return m.Add(ir.Node{Op: c.op, Width: int32(want.Width()), Aux: int32(c.lo)}, in...)
		})
		require.True(t, got.Equal(want), "%s %v: %v, want %v", c.op, c.in, got, want)
	}
	for op := ir.Invalid; op < ir.NumOps; op++ {
		require.True(t, seen[op] || op.Info().Leaf, "no case for op %s", op)
	}
}

// runOp computes one node of inputs.
func runOp(t *testing.T, width int, in []string, node func(*ir.Module, []ir.ID) ir.ID) bits.Value {
	t.Helper()
	m := ir.NewModule("one", ir.NewSources())
	var ids []ir.ID
	for i, text := range in {
		ids = append(ids, m.AddInput(fmt.Sprintf("in%d", i), val(text).Width(), 0, 0))
	}
	out := node(m, ids)
	m.AddOutput("out", width, 0, out, 0)
	d := &ir.Design{Top: m, Modules: []*ir.Module{m}, Src: m.Src}
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d)
	require.NoError(t, err)
	for i, text := range in {
		require.NoError(t, s.SetBits(s.Top()[i], val(text)))
	}
	return s.GetBits(s.Top()[len(in)])
}

func TestLut(t *testing.T) {
	table := bits.New(4, 0b1010) // the first input
	two := func(m *ir.Module, in []ir.ID) ir.ID { return m.AddLut(table, 0, in...) }
	require.EqualValues(t, 1, runOp(t, 1, []string{"1'h1", "1'h0"}, two).Uint64())
	require.EqualValues(t, 0, runOp(t, 1, []string{"1'h0", "1'h1"}, two).Uint64())
	for _, n := range []int{6, 7, 16} { // one bit set: at the address in which all but input 2 are high
		at := 1<<n - 1 - 4
		one := bits.Zero(1<<n).SetBit(at, 1)
		for _, flip := range []int{-1, 0, 2, n - 1} {
			var in []string
			for i := range n {
				in = append(in, fmt.Sprintf("1'h%d", at>>i&1))
				if i == flip {
					in[i] = fmt.Sprintf("1'h%d", 1-at>>i&1)
				}
			}
			got := runOp(t, 1, in, func(m *ir.Module, ids []ir.ID) ir.ID { return m.AddLut(one, 0, ids...) })
			require.Equal(t, flip < 0, got.Uint64() == 1, "%d inputs, input %d flipped", n, flip)
		}
	}
}

func TestCase(t *testing.T) {
	for _, c := range []struct {
		keys  []string
		width int
	}{
		{[]string{"4'h1", "4'h2", "4'h7"}, 8},
		{[]string{"64'h3", "64'hffffffffffffff00", "64'hffffffffffffffff"}, 8},
		{[]string{"64'hfffffffffffffffd", "64'hfffffffffffffffe", "64'hffffffffffffffff"}, 70},
		{[]string{"65'h0", "65'h1", min65}, 8},
		{nil, 65},
	} {
		var keys []bits.Value
		selector := "3'h0"
		for _, k := range c.keys {
			keys, selector = append(keys, val(k)), k
		}
		in := []string{selector, bits.New(c.width, 100).String()}
		for i := range keys {
			in = append(in, bits.New(c.width, uint64(i)).String())
		}
		try := func(sel bits.Value, want uint64) {
			in[0] = sel.String()
			got := runOp(t, c.width, in, func(m *ir.Module, ids []ir.ID) ir.ID { return m.AddCase(c.width, 0, keys, ids...) })
			require.EqualValues(t, want, got.Uint64(), "keys %v, selector %v", c.keys, sel)
		}
		other := val(selector).Sub(bits.New(val(selector).Width(), 4))
		try(other, 100)
		for i, k := range keys {
			try(k, uint64(i))
		}
	}
}
