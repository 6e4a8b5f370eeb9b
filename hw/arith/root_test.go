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

// roots are small roots of every kind.
func roots() []arith.SquareRoot {
	return []arith.SquareRoot{
		{Radicand: 1}, {Radicand: 2}, {Radicand: 7}, {Radicand: 12},
		{Radicand: 1, Fraction: 4}, {Radicand: 6, Fraction: 1}, {Radicand: 5, Fraction: 6},
	}
}

func wideRoots() []arith.SquareRoot {
	return []arith.SquareRoot{
		{Radicand: 64}, {Radicand: 100}, {Radicand: 129}, {Radicand: 24, Fraction: 15}, {Radicand: 160, Fraction: 20},
	}
}

func eachRoot(t *testing.T, rs []arith.SquareRoot, f func(t *testing.T, r arith.SquareRoot, at int)) {
	for _, r := range rs {
		for _, at := range []int{1, 2, 3} {
			if r.Iterative(at).Validate() == nil {
				t.Run(fmt.Sprintf("%+v by %d", r, at), func(t *testing.T) {
					t.Parallel()
					f(t, r, at)
				})
			}
		}
	}
}

func everyRadicand(r arith.SquareRoot) (out []*big.Int) {
	for n := range int64(1) << r.Radicand {
		out = append(out, big.NewInt(n))
	}
	return out
}

// radicands are the corners, and n at random of any length, next to squares above
// all.
func radicands(x arith.SquareRoot, n int) []*big.Int {
	out := corners[hw.UInt](x.Radicand)
	r := rand.New(rand.NewPCG(6, uint64(x.Radicand)))
	for range n {
		v := new(big.Int)
		for range 1 + r.IntN(x.Radicand/2) {
			v.Lsh(v, 1).Add(v, big.NewInt(int64(r.IntN(2))))
		}
		v.Mul(v, v).Add(v, big.NewInt(int64(r.IntN(3)-1)))
		if v.Sign() >= 0 {
			out = append(out, v)
		}
	}
	return out
}

func rootResult(root, remainder *big.Int) arith.RootResult {
	return arith.RootResult{Root: hw.UBig(root), Remainder: hw.UBig(remainder)}
}

func testRoot(t *testing.T, x arith.SquareRoot, at int, ns []*big.Int, o testbench.Option) {
	c := x.Iterative(at)
	s, p := testbench.New(t, hw.Func("watched", c.Ports(), func(m *hw.Module, p arith.RootPorts) {
		stream.Check(m, "check_in", p.In)
		stream.Check(m, "check_out", p.Out)
		hw.Inst(m, "root", c, p)
	}), o)
	in := testbench.NewSource(s, p.In, testbench.Pauses(0.2, 1))
	out := testbench.NewSink(s, p.Out, testbench.Pauses(0.2, 2))
	var want []arith.RootResult
	for _, n := range ns {
		in.Send(hw.UBig(n))
		want = append(want, rootResult(x.Root(n)))
	}
	s.StepUntil(func() bool { return len(out.Got()) == len(want) }, 400*len(want))
	s.Step(20)
	out.Expect(want...)
}

// Every radicand of small widths, and both sides pausing.
func TestRoot(t *testing.T) {
	eachRoot(t, roots(), func(t *testing.T, x arith.SquareRoot, at int) {
		testRoot(t, x, at, everyRadicand(x), testbench.CoSim("iverilog"))
	})
}

func TestRootWide(t *testing.T) {
	eachRoot(t, wideRoots(), func(t *testing.T, x arith.SquareRoot, at int) {
		testRoot(t, x, at, radicands(x, 60), judges(x.Radicand == 100 && at == 2))
	})
}

// The latency is what Latency says, and so is the initiation interval where nobody
// makes it wait.
func TestRootTiming(t *testing.T) {
	eachRoot(t, roots(), func(t *testing.T, x arith.SquareRoot, at int) {
		c := x.Iterative(at)
		s, p := testbench.New(t, c)
		s.Set(p.In.Valid, 1)
		s.Set(p.Out.Ready, 1)
		for cycle := range 5*c.Latency() + 1 {
			require.Equal(t, cycle%c.Latency() == 0, s.High(p.In.Ready))
			require.Equal(t, cycle > 0 && cycle%c.Latency() == 0, s.High(p.Out.Valid))
			s.Step(1)
		}
	})
}
