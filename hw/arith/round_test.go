package arith_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/arith"
	"etch/hw/fixed"
	"etch/testbench"
)

const modes = int(fixed.HalfAway) + 1

// rounded is n / by to an integer, exactly.
func rounded(n, by int, mode fixed.Rounding) int {
	if by < 0 {
		n, by = -n, -by
	}
	floor := func(n, by int) int { return (n - ((n%by)+by)%by) / by }
	up, down := floor(2*n+by, 2*by), -floor(-2*n+by, 2*by) // halves up, halves down
	switch mode {
	case fixed.Floor:
		return floor(n, by)
	case fixed.Ceil:
		return -floor(-n, by)
	case fixed.TowardZero:
		return n / by
	case fixed.HalfUp:
		return up
	case fixed.HalfDown:
		return down
	case fixed.HalfEven:
		if up%2 == 0 {
			return up
		}
		return down
	case fixed.HalfAway:
		if n > 0 {
			return up
		}
		return down
	}
	panic(mode)
}

type roundedPorts struct {
	In     hw.UInt // numerator and divisor
	Out    hw.Vec[fixed.Num]
	Nearer hw.UInt
}

// rounder divides in no time and rounds to frac fraction bits in every way.
func rounder[T arith.Integer](d arith.Division[T], shape arith.Operands[T], frac int) hw.Component[roundedPorts] {
	c := d.Pipelined(1)
	out := fixed.Q(d.QuotientWidth()+2-d.Fraction, frac)
	ports := roundedPorts{
		In:     hw.In(hw.Unsigned(d.Numerator + d.Divisor)),
		Out:    hw.Out(hw.VecOf(modes, out)),
		Nearer: hw.Out(hw.Unsigned(d.QuotientWidth() + 1)),
	}
	return hw.Func("rounder", ports, func(m *hw.Module, p roundedPorts) {
		x := hw.Inst(m, "divider", c)
		x.En.Set(hw.B(true))
		x.Valid.Set(hw.B(true))
		hw.Set(x.In, hw.Unpack(shape, p.In))
		for mode, y := range p.Out {
			y.Set(x.Out.Num(d.Fraction).Fit(out, fixed.Rounding(mode), fixed.Wrap))
		}
		r, is := any(x.Out).(arith.Result[hw.UInt])
		if !is {
			p.Nearer.Set(hw.U(0))
		} else {
			by := hw.Delay(m, "by", p.In.Trunc(d.Divisor), c.Latency())
			p.Nearer.Set(arith.HalfUp(r.Quotient, r.Remainder, by))
		}
	})
}

// A quotient with its sticky bit rounds as the exact quotient does, in circuit and
// model.
func TestNum(t *testing.T) {
	testNum(t, arith.Division[hw.UInt]{Numerator: 6, Divisor: 5, Fraction: 3})
	testNum(t, arith.Division[hw.UInt]{Numerator: 6, Divisor: 5, Fraction: 1})
	testNum(t, arith.Division[hw.SInt]{Numerator: 6, Divisor: 5, Fraction: 3})
	testNum(t, arith.Division[hw.SInt]{Numerator: 6, Divisor: 5, Fraction: 1})
}

func testNum[T arith.Integer](t *testing.T, d arith.Division[T]) {
	frac := d.Fraction - 1
	s, p := testbench.New(t, rounder(d, d.OperandsOf(), frac))
	for _, x := range all(d) {
		if x.zero {
			continue
		}
		s.Set(p.In, x.n&(1<<d.Numerator-1)<<d.Divisor|x.by&(1<<d.Divisor-1))
		s.Step(d.Pipelined(1).Latency())
		raw := d.Divide(big.NewInt(int64(x.n)), big.NewInt(int64(x.by))).Raw()
		format := fixed.Format{Width: 20, Frac: frac}
		for mode := range fixed.Rounding(modes) {
			want := rounded(x.n<<frac, x.by, mode)
			s.Expect(p.Out[mode].Raw, want)
			require.Equal(t, int64(want), format.Fit(raw, d.Fraction+1, mode, fixed.Wrap).Int64(), "%d / %d, %v", x.n, x.by, mode)
		}
		if !has[T]() {
			s.Expect(p.Nearer, rounded(x.n<<d.Fraction, x.by, fixed.HalfUp))
		}
	}
}

// The nearest root: √v < r + ½ is 4v < (2r + 1)².
func TestRootHalfUp(t *testing.T) {
	for f := range 3 {
		x := arith.SquareRoot{Radicand: 9, Fraction: f}
		type ports struct {
			In      hw.UInt
			Nearest hw.UInt
			Half    fixed.Num // to one fraction bit less
		}
		half := fixed.Q(7, f-1)
		c := hw.Func(fmt.Sprint("nearest_", f), ports{
			hw.In(hw.Unsigned(9)), hw.Out(hw.Unsigned(x.RootWidth() + 1)), hw.Out(half),
		}, func(m *hw.Module, p ports) {
			r := hw.Inst(m, "root", x.Pipelined(2), arith.PipelinedRootPorts{In: p.In})
			r.En.Set(hw.B(true))
			r.Valid.Set(hw.B(true))
			p.Nearest.Set(r.Out.HalfUp())
			p.Half.Set(r.Out.Num(f).Fit(half, fixed.HalfEven, fixed.Wrap))
		})
		s, p := testbench.New(t, c)
		nearest := func(v int) (r int) {
			for 4*v >= (2*r+1)*(2*r+1) {
				r++
			}
			return r
		}
		for n := range 512 {
			s.Set(p.In, n)
			s.Step(x.Pipelined(2).Latency())
			s.Expect(p.Nearest, nearest(n<<(2*f)))
			if f > 0 {
				s.Expect(p.Half.Raw, nearest(n<<(2*f-2)))
			}
		}
	}
}
