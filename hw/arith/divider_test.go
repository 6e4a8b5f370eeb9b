package arith_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/arith"
	"etch/hw/stream"
	"etch/testbench"
)

// literal is a number as a literal of kind T.
func literal[T arith.Integer](v *big.Int) T {
	if has[T]() {
		return any(hw.SBig(v)).(T)
	}
	return any(hw.UBig(v)).(T)
}

func number[T arith.Integer](v int) T { return literal[T](big.NewInt(int64(v))) }

// result is what the model gives, as literals.
func result[T arith.Integer](x arith.Divided) arith.Result[T] {
	return arith.Result[T]{
		Quotient: literal[T](x.Quotient), Remainder: literal[T](x.Remainder),
		Negative: hw.B(x.Negative && has[T]()), Overflow: hw.B(x.Overflow), ByZero: hw.B(x.ByZero),
	}
}

// watched is a divider with the rules of streams checked at both ends.
func watched[T arith.Integer](d arith.Divider[T]) hw.Component[arith.DividerPorts[T]] {
	return hw.Func("watched", d.Ports(), func(m *hw.Module, p arith.DividerPorts[T]) {
		stream.Check(m, "check_in", p.In)
		stream.Check(m, "check_out", p.Out)
		hw.Inst(m, "divider", d, p)
	})
}

// each names and runs a division's circuits by the bits they make at a time.
func each[T arith.Integer](t *testing.T, ds []arith.Division[T], f func(t *testing.T, d arith.Division[T], at int)) {
	for _, d := range ds {
		for _, at := range []int{1, 2, 3} {
			if d.Iterative(at).Validate() == nil {
				t.Run(fmt.Sprintf("%T %+v by %d", d, d, at), func(t *testing.T) {
					t.Parallel()
					f(t, d, at)
				})
			}
		}
	}
}

// Every pair of operands of small widths, and both sides pausing.
func TestDivider(t *testing.T) {
	each(t, unsigned(), testDivider[hw.UInt])
	each(t, signed(), testDivider[hw.SInt])
}

func testDivider[T arith.Integer](t *testing.T, d arith.Division[T], at int) {
	// The Verilog of large tables is run for one number of bits a cycle: vvp takes seconds for it.
	xs := all(d)
	var judge testbench.Option
	if at == 2 || len(xs) <= 1024 {
		judge = judges(false)
	}
	s, p := testbench.New(t, watched(d.Iterative(at)), judge)
	in := testbench.NewSource(s, p.In, testbench.Pauses(0.2, 1))
	out := testbench.NewSink(s, p.Out, testbench.Pauses(0.2, 2))
	var want []arith.Result[T]
	for _, x := range xs {
		in.Send(arith.Operands[T]{Numerator: number[T](x.n), Divisor: number[T](x.by)})
		want = append(want, result[T](x.model()))
	}
	s.StepUntil(func() bool { return len(out.Got()) == len(want) }, 30*len(want)+50)
	s.Step(20)
	out.Expect(want...)
}

// The latency is what Latency says, and so is the initiation interval where nobody
// makes it wait.
func TestDividerTiming(t *testing.T) {
	each(t, unsigned(), testDividerTiming[hw.UInt])
	each(t, signed(), testDividerTiming[hw.SInt])
}

func testDividerTiming[T arith.Integer](t *testing.T, d arith.Division[T], at int) {
	c := d.Iterative(at)
	s, p := testbench.New(t, c)
	s.Set(p.In.Valid, 1)
	s.Set(p.Out.Ready, 1)
	var taken, given []int
	for cycle := range 5 * c.Latency() {
		if s.High(p.In.Ready) {
			taken = append(taken, cycle)
		}
		if s.High(p.Out.Valid) {
			given = append(given, cycle)
		}
		s.Step(1)
	}
	l := c.Latency()
	require.Equal(t, []int{0, l, 2 * l, 3 * l, 4 * l}, taken)
	require.Equal(t, []int{l, 2 * l, 3 * l, 4 * l}, given)
}

// judges are the simulators that run the emitted Verilog: iverilog, and where asked
// for Verilator too, whose build takes long.
func judges(both bool) testbench.Option {
	if both {
		return testbench.CoSim()
	}
	return testbench.CoSim("iverilog")
}

// Wide divisions at random and at the corners, by the model of any width.
func TestDividerWide(t *testing.T) {
	each(t, []arith.Division[hw.UInt]{
		{Numerator: 96, Divisor: 64},
		{Numerator: 128, Divisor: 64, Quotient: 64},
		{Numerator: 24, Divisor: 24, Fraction: 26, Quotient: 27},
		{Numerator: 130, Divisor: 200, Fraction: 70},
		arith.Reciprocal[hw.UInt](27, 40),
	}, testDividerWide[hw.UInt])
	each(t, []arith.Division[hw.SInt]{
		{Numerator: 64, Divisor: 33, Fraction: 16},
		{Numerator: 129, Divisor: 65, Quotient: 64},
	}, testDividerWide[hw.SInt])
}

func testDividerWide[T arith.Integer](t *testing.T, d arith.Division[T], at int) {
	s, p := testbench.New(t, watched(d.Iterative(at)), judges(d.Fraction > 0 && at == 2))
	in := testbench.NewSource(s, p.In, testbench.Pauses(0.3, 3))
	out := testbench.NewSink(s, p.Out, testbench.Pauses(0.3, 4))
	var want []arith.Result[T]
	for _, x := range pairs[T](d, 60) {
		in.Send(arith.Operands[T]{Numerator: literal[T](x[0]), Divisor: literal[T](x[1])})
		want = append(want, result[T](d.Divide(x[0], x[1])))
	}
	s.StepUntil(func() bool { return len(out.Got()) == len(want) }, 1000*len(want))
	out.Expect(want...)
}

// corners are the numbers at the ends of a width and around 0.
func corners[T arith.Integer](width int) (out []*big.Int) {
	end := new(big.Int).Lsh(big.NewInt(1), uint(width))
	least := new(big.Int)
	if has[T]() {
		end.Rsh(end, 1)
		least.Neg(end)
	}
	for i := range int64(5) {
		for _, x := range []*big.Int{big.NewInt(i - 2), new(big.Int).Sub(end, big.NewInt(1+i)), new(big.Int).Add(least, big.NewInt(i))} {
			if x.Cmp(least) >= 0 && x.Cmp(end) < 0 {
				out = append(out, x)
			}
		}
	}
	return out
}

// pairs are the corners of both operands against each other, and n at random, of
// any length, some of them next to a multiple.
func pairs[T arith.Integer](d arith.Division[T], n int) (out [][2]*big.Int) {
	for _, x := range corners[T](d.Numerator) {
		for _, y := range corners[T](d.Divisor) {
			out = append(out, [2]*big.Int{x, y})
		}
	}
	r := rand.New(rand.NewPCG(uint64(d.Numerator), uint64(d.Divisor)))
	draw := func(width int) *big.Int {
		if has[T]() {
			width--
		}
		x := new(big.Int)
		for range 1 + r.IntN(width) {
			x.Lsh(x, 1).Add(x, big.NewInt(int64(r.IntN(2))))
		}
		if has[T]() && r.IntN(2) == 0 {
			x.Neg(x)
		}
		return x
	}
	for range n {
		x, y := draw(d.Numerator), draw(d.Divisor)
		if r.IntN(2) == 0 && y.Sign() != 0 {
			x.Add(x.Sub(x, new(big.Int).Rem(x, y)), big.NewInt(int64(r.IntN(3)-1)))
			if x.BitLen() >= d.Numerator || x.Sign() < 0 && !has[T]() {
				continue
			}
		}
		out = append(out, [2]*big.Int{x, y})
	}
	return out
}
