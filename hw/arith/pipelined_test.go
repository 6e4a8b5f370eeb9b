package arith_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/arith"
	"etch/testbench"
)

// line drives a pipeline: elements with cycles of nothing between them, the whole
// stopped now and then; take is called for each result, in order.
type line struct {
	*testbench.Bench
	en, valid, there hw.Bit
	latency          int
}

func (l line) run(t *testing.T, n int, pause float64, put, take func(i int)) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, uint64(n)))
	var under []bool // whether there is an element in each stage, the last one to come first
	for range l.latency {
		under = append(under, false)
	}
	taken := 0
	for given := 0; taken < n; {
		en, valid := r.Float64() >= pause, given < n && r.Float64() >= pause
		l.set(l.en, en)
		l.set(l.valid, valid)
		if valid {
			put(given)
		}
		l.Step(1)
		if !en {
			continue
		}
		if valid {
			given++
		}
		under = append(under[1:], valid)
		require.Equal(t, under[0], l.High(l.there))
		if under[0] {
			take(taken)
			taken++
		}
	}
}

func (l line) set(b hw.Bit, v bool) { l.Set(b, map[bool]int{true: 1}[v]) }

// Every pair of operands of small widths, one in every cycle or with pauses.
func TestPipelinedDivider(t *testing.T) {
	each(t, append(unsigned(), arith.Division[hw.UInt]{Numerator: 8, Divisor: 8}), testPipelined[hw.UInt])
	each(t, append(signed(), arith.Division[hw.SInt]{Numerator: 8, Divisor: 8}), testPipelined[hw.SInt])
}

func testPipelined[T arith.Integer](t *testing.T, d arith.Division[T], at int) {
	c := d.Pipelined(at)
	xs := all(d)
	for _, pause := range []float64{0, 0.25} {
		var o testbench.Option // the Verilog sees fewer, which pause
		if pause > 0 {
			o, xs = judges(false), xs[:min(len(xs), 4096)]
		}
		s, p := testbench.New(t, c, o)
		line{s, p.En, p.Valid, p.OutValid, c.Latency()}.run(t, len(xs), pause, func(i int) {
			testbench.Put(s, p.In, arith.Operands[T]{Numerator: number[T](xs[i].n), Divisor: number[T](xs[i].by)})
		}, func(i int) {
			testbench.Check(s, p.Out, result[T](xs[i].model()))
		})
	}
}

// Wide divisions at random and at the corners, by the model of any width.
func TestPipelinedDividerWide(t *testing.T) {
	each(t, []arith.Division[hw.UInt]{
		{Numerator: 96, Divisor: 64},
		{Numerator: 24, Divisor: 24, Fraction: 26, Quotient: 27},
		{Numerator: 128, Divisor: 64, Quotient: 64},
	}, testPipelinedWide[hw.UInt])
	each(t, []arith.Division[hw.SInt]{{Numerator: 64, Divisor: 33, Fraction: 16}}, testPipelinedWide[hw.SInt])
}

func testPipelinedWide[T arith.Integer](t *testing.T, d arith.Division[T], at int) {
	c := d.Pipelined(at)
	s, p := testbench.New(t, c, judges(d.Fraction == 16 && at == 2))
	xs := pairs(d, 400)
	line{s, p.En, p.Valid, p.OutValid, c.Latency()}.run(t, len(xs), 0.1, func(i int) {
		testbench.Put(s, p.In, arith.Operands[T]{Numerator: literal[T](xs[i][0]), Divisor: literal[T](xs[i][1])})
	}, func(i int) {
		testbench.Check(s, p.Out, result[T](d.Divide(xs[i][0], xs[i][1])))
	})
}

// Every radicand of small widths.
func TestPipelinedRoot(t *testing.T) {
	eachRoot(t, roots(), func(t *testing.T, x arith.SquareRoot, at int) {
		testPipelinedRoot(t, x, at, 0, everyRadicand(x), testbench.CoSim("iverilog"))
		testPipelinedRoot(t, x, at, 0.25, everyRadicand(x), nil)
	})
}

func TestPipelinedRootWide(t *testing.T) {
	eachRoot(t, wideRoots(), func(t *testing.T, x arith.SquareRoot, at int) {
		testPipelinedRoot(t, x, at, 0.1, radicands(x, 300), judges(x.Radicand == 100 && at == 2))
	})
}

func testPipelinedRoot(t *testing.T, x arith.SquareRoot, at int, pause float64, ns []*big.Int, o testbench.Option) {
	c := x.Pipelined(at)
	s, p := testbench.New(t, c, o)
	line{s, p.En, p.Valid, p.OutValid, c.Latency()}.run(t, len(ns), pause, func(i int) {
		testbench.Put(s, p.In, hw.UBig(ns[i]))
	}, func(i int) {
		testbench.Check(s, p.Out, rootResult(x.Root(ns[i])))
	})
}
