package float_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	kind "etch/hw/float"
	"etch/ir"
	"etch/testbench"
)

// Every code of the small and 16-bit formats, up and down, and scaled by every small and
// some great exponents.
func TestNextAndScaler(t *testing.T) {
	for i, f := range append([]float.Format{float.F16, float.BF16, float.F32, float.E2M3, float.E2M1, {Exp: 5, Frac: 10, Flush: true}}, narrow...) {
		x := sampled(f, samples(8000))[:1]
		if f.Width() <= 16 {
			x = all(f, 1)
		}
		next := newCircuit(t, build(t, float.Next{Op: op(f, float.NearestEven, i%2)}), i%2, "a", "down")
		for _, down := range []uint64{0, 1} {
			next.check(func(x []uint64) result {
				if x[1] == 1 {
					return pair(f.NextDown(x[0]))
				}
				return pair(f.NextUp(x[0]))
			}, x[0], constant(down, len(x[0])))
		}
		bits := []int{4, 6, 11}[i%3]
		for k, r := range static {
			scale := newCircuit(t, build(t, float.Scaler{Bits: bits, Op: op(f, r, k)}), k, "a", "n")
			draw := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			for n := range 12 {
				by := draw.Uint64() & (1<<bits - 1)
				if n < 6 {
					by = uint64(n-3) & (1<<bits - 1)
				}
				if testing.Short() && n%4 != 0 {
					continue
				}
				scale.check(func(x []uint64) result { return pair(f.Scalb(x[0], int(int64(x[1]<<(64-bits))>>(64-bits)), r)) }, x[0], constant(by, len(x[0])))
			}
		}
	}
}

func constant(x uint64, n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = x
	}
	return list
}

// mixed is pairs of formats for operands and results.
var mixed = [][2]float.Format{
	{float.F16, float.F32}, {float.BF16, float.F32}, {float.E5M2, float.F16}, {float.E4M3FN, float.BF16}, {float.E2M1, float.F32}, {float.E4M3, float.E5M2},
	{float.E4M3FN, {Exp: 3, Frac: 6}}, {{Exp: 4, Frac: 3, Flush: true}, {Exp: 4, Frac: 5, Flush: true}}, {float.E3M2, float.E4M3FN},
}

// Products of one format in another: all pairs of 8-bit operands.
func TestProduct(t *testing.T) {
	for i, f := range mixed {
		for j, r := range static {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			t.Run(fmt.Sprint(f[0], "_", f[1], "_", r), func(t *testing.T) {
				c := newCircuit(t, build(t, float.Product{From: f[0], Op: op(f[1], r, j)}), j, "a", "b")
				x := sampled(f[0], samples(20000))[:2]
				if f[0].Width() <= 8 {
					x = all(f[0], 2)
				}
				c.check(func(x []uint64) result { return pair(f[0].MulTo(x[0], x[1], f[1], r)) }, x...)
			})
		}
	}
}

// summing is an accumulator and its model.
type summing struct {
	name  string
	c     hw.Component[float.AccumulatorPorts]
	late  int
	model func() accumulator
}

type accumulator interface {
	AddProduct(x, y uint64)
	round(r float.Rounding) result
}

type runningModel struct{ *kind.Running }

func (m runningModel) round(float.Rounding) result { return pair(m.Round()) }

type windowModel struct{ *kind.Window }

func (m windowModel) round(r float.Rounding) result { return pair(m.Round(r)) }

// Floating-point and windowed accumulators on random and special codes, with pauses, are
// the model's at every step; narrow windows overflow and cut.
func TestOtherAccumulators(t *testing.T) {
	for i, f := range []float.Format{float.F16, float.BF16, float.E5M2, float.E4M3FN, {Exp: 4, Frac: 3, Saturate: true}} {
		for j, r := range static {
			stages := (i + j) % 4
			wide := []float.Format{float.F32, f, {Exp: 6, Frac: 12}}[(i+j)%3]
			if !wide.Holds(f) {
				wide = f
			}
			run := float.Running{Op: op(f, r, stages), Sum: wide, Mul: j % 3}
			list := []summing{{fmt.Sprint("running_", wide), run, run.Latency(), func() accumulator { return runningModel{kind.NewRunning(f, wide, r)} }}}
			for _, w := range [][2]int{{-12, 6}, {-20, 12}, {2*(f.MinExp()-f.Frac) - 3, 2*f.MaxExp() + 9}, {-6, f.Frac + 3}} {
				if w[1]-w[0] < f.Frac+3 {
					continue
				}
				c := float.Windowed{Op: op(f, r, stages), Low: w[0], High: w[1]}
				list = append(list, summing{fmt.Sprint("window_", w), c, c.Latency(), func() accumulator { return windowModel{kind.NewWindow(f, w[0], w[1])} }})
			}
			for _, x := range list {
				judges := testbench.Option(nil)
				if i == 0 && j == 0 {
					judges = testbench.CoSim("iverilog")
				}
				t.Run(fmt.Sprint(named(f, r), "_", x.name), func(t *testing.T) { accumulate(t, f, r, x, judges) })
			}
		}
	}
}

func accumulate(t *testing.T, f float.Format, r float.Rounding, x summing, judges testbench.Option) {
	s, p := testbench.New(t, x.c, judges)
	s.Set(p.En, 1)
	draw := rand.New(rand.NewPCG(uint64(f.Width()), uint64(r)))
	var want []result
	sum := x.model()
	for cycle := range samples(1600) {
		clear, valid := cycle == 0 || draw.IntN(40) == 0, cycle == 0 || draw.IntN(5) > 0
		if cycle/200%3 == 2 { // far from the special codes
			clear = clear && cycle%200 == 0 || cycle == 0
		}
		var a [2]uint64
		for k := range a {
			a[k] = draw.Uint64() & (1<<f.Width() - 1)
			if special := f.IsNaN(a[k]) || f.IsInf(a[k]); special && draw.IntN(9) > 0 || cycle/200%3 == 2 {
				a[k] = f.Code(draw.NormFloat64())
			}
		}
		s.Set(p.Clear, map[bool]int{true: 1}[clear])
		s.Set(p.Valid, map[bool]int{true: 1}[valid])
		s.Set(p.A.Raw, int(a[0]))
		s.Set(p.B.Raw, int(a[1]))
		if valid {
			if clear {
				sum = x.model()
			}
			sum.AddProduct(a[0], a[1])
		}
		want = append(want, sum.round(r))
		s.Step(1)
		if at := cycle + 1 - x.late; at >= 0 {
			got := result{uint64(s.Get(p.Y.Raw)), kind.Flags(s.Get(p.Flags))}
			require.Equal(t, want[at], got, "cycle %d", cycle)
		}
	}
}

// dots compares a unit of n pairs of operands with its model, in lanes. Few codes are
// special, as one is enough to hide a sum.
func dots(t *testing.T, d *ir.Design, latency int, f float.Format, n int, scales []string, model func(x, y []uint64, scale [2]uint64) result) {
	t.Helper()
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("a_", i), fmt.Sprint("b_", i))
	}
	c := newCircuit(t, d, latency, append(names, scales...)...)
	draw := rand.New(rand.NewPCG(uint64(n), uint64(f.Width())))
	columns := make([][]uint64, 2*n+len(scales))
	for range samples(4000) {
		spread := draw.IntN(f.MaxExp() + 2)
		for i := range columns[:2*n] {
			x := f.Code(math.Ldexp(draw.NormFloat64(), draw.IntN(2*spread+1)-spread))
			if draw.IntN(8*n) == 0 {
				x = draw.Uint64() & (1<<f.Width() - 1)
			}
			columns[i] = append(columns[i], x)
		}
		if n > 1 && draw.IntN(3) == 0 { // the last product cancels the first
			last := len(columns[0]) - 1
			columns[2*n-2][last], columns[2*n-1][last] = columns[1][last], f.Neg(columns[0][last])
		}
		for i := range scales {
			x := uint64(127 + draw.IntN(21) - 10)
			if draw.IntN(4) == 0 {
				x = draw.Uint64() & 255
			}
			columns[2*n+i] = append(columns[2*n+i], x)
		}
	}
	c.check(func(x []uint64) result {
		a, b, scale := make([]uint64, n), make([]uint64, n), [2]uint64{}
		for i := range n {
			a[i], b[i] = x[2*i], x[2*i+1]
		}
		copy(scale[:], x[2*n:])
		return model(a, b, scale)
	}, columns...)
}

// Dot products of random and special codes: exact, in blocks with scales, and by a tree.
func TestDot(t *testing.T) {
	for i, f := range mixed {
		for j, r := range static {
			n, stages := []int{1, 2, 3, 4, 7, 32}[(i+2*j)%6], (i+j)%9
			if testing.Short() && (i+j)%3 != 0 || n == 32 && f[0].Width() > 8 {
				continue
			}
			t.Run(fmt.Sprint(f[0], "_", f[1], "_", r, "_", n), func(t *testing.T) {
				dot := float.Dot{From: f[0], N: n, Op: op(f[1], r, stages)}
				dots(t, build(t, dot), stages, f[0], n, nil, func(x, y []uint64, _ [2]uint64) result { return pair(f[0].Dot(x, y, f[1], r)) })
				if f[1].Codes == kind.Finite {
					return
				}
				block := float.BlockDot{From: f[0], N: n, Op: op(f[1], r, stages)}
				dots(t, build(t, block), stages, f[0], n, []string{"scale_a", "scale_b"}, func(x, y []uint64, s [2]uint64) result {
					return pair(f[0].BlockDot(x, y, uint8(s[0]), uint8(s[1]), f[1], r))
				})
			})
		}
	}
	for _, n := range []int{1, 2, 5, 8} {
		tree := float.Tree{Units: float.Units{Format: float.F16, Add: 2, Mul: 1}, N: n}
		dots(t, build(t, tree), tree.Latency(), float.F16, n, nil, func(x, y []uint64, _ [2]uint64) result { return result{tree.Model(x, y), 0} })
	}
	require.ErrorContains(t, float.Dot{From: float.E5M2, N: 4, Op: op(float.E4M3FN, 0, 0)}.Validate(), "has no codes for the infinities")
	require.ErrorContains(t, float.Dot{From: float.E5M2, N: 400, Op: op(float.F32, 0, 0)}.Validate(), "400 products, want 1 to 256")
	require.ErrorContains(t, float.BlockDot{From: float.E2M1, N: 4, Op: op(float.E2M1, 0, 0)}.Validate(), "a scale may be NaN")
	require.ErrorContains(t, float.Windowed{Op: op(float.F16, 0, 0), Low: 0, High: 5}.Validate(), "has 5 bits, want 13 to 4096")
	require.ErrorContains(t, float.Tree{Units: float.Units{Format: float.F16, Rounding: float.Dynamic}, N: 2}.Validate(), "needs no port")
}

// sums is units of this file side by side.
type sums struct {
	A, B   []float.Num `dir:"in"`
	N      hw.SInt     `dir:"in"`
	Scale  hw.UInt     `dir:"in"`
	Y      []float.Num `dir:"out"`
	Raised []hw.UInt   `dir:"out"`
}

// The emitted Verilog of the units does what the simulator does, and that is what the
// model says.
func TestVerilogOfSums(t *testing.T) {
	for i, f := range [][2]float.Format{{float.F16, float.F32}, {float.E4M3FN, float.BF16}} {
		const n, stages = 4, 3
		in, out := float.Of(f[0]), float.Of(f[1])
		ports := sums{A: hw.VecOf(n, in), B: hw.VecOf(n, in), N: hw.Signed(8), Scale: hw.Unsigned(8)}
		ports.Y = []float.Num{in, in, out, out, out, in}
		ports.Raised = hw.VecOf(len(ports.Y), hw.Unsigned(5))
		c := hw.Func("sums", ports, func(m *hw.Module, p sums) {
			same, other := op(f[0], float.NearestEven, stages), op(f[1], float.Down, stages)
			on := float.Control{En: hw.High}
			next := hw.Inst(m, "next", float.Next{Op: same}, float.NextPorts{Control: on, A: p.A[0], Down: p.N.IsNeg()})
			scale := hw.Inst(m, "scale", float.Scaler{Op: same, Bits: 8}, float.ScalerPorts{Control: on, A: p.A[0], N: p.N})
			product := hw.Inst(m, "product", float.Product{From: f[0], Op: other}, float.BinaryPorts{Control: on, A: p.A[0], B: p.B[0]})
			dot := hw.Inst(m, "dot", float.Dot{From: f[0], N: n, Op: other}, float.DotPorts{Control: on, A: p.A, B: p.B})
			block := hw.Inst(m, "block", float.BlockDot{From: f[0], N: n, Op: other},
				float.BlockDotPorts{Control: on, A: p.A, B: p.B, ScaleA: p.Scale, ScaleB: hw.U(120)})
			tree := hw.Inst(m, "tree", float.Tree{Units: float.Units{Format: f[0], Mul: 1, Add: 1}, N: n}, float.TreePorts{En: hw.High, A: p.A, B: p.B})
			for k, y := range []float.Num{next.Y, scale.Y, product.Y, dot.Y, block.Y, tree.Y} {
				p.Y[k].Set(y)
			}
			for k, flags := range []hw.UInt{next.Flags, scale.Flags, product.Flags, dot.Flags, block.Flags, hw.Zeros(5)} {
				p.Raised[k].Set(flags)
			}
		})
		s, p := testbench.New(t, c, testbench.CoSim([][]string{{"iverilog", "verilator"}, {"iverilog"}}[i]...))
		x := sampled(f[0], samples(4800))
		tree := float.Tree{Units: float.Units{Format: f[0], Mul: 1, Add: 1}, N: n}
		for at := 0; at+n <= len(x[0]); at += n {
			a, b, by, scale := x[0][at:at+n], x[1][at:at+n], at%50-25, uint64(at*7&255)
			for k := range n {
				s.Set(p.A[k].Raw, int(a[k]))
				s.Set(p.B[k].Raw, int(b[k]))
			}
			s.Set(p.N, by)
			s.Set(p.Scale, int(scale))
			s.Step(stages)
			next := pair(f[0].NextUp(a[0]))
			if by < 0 {
				next = pair(f[0].NextDown(a[0]))
			}
			for k, want := range []result{
				next, pair(f[0].Scalb(a[0], by, float.NearestEven)), pair(f[0].MulTo(a[0], b[0], f[1], float.Down)), pair(f[0].Dot(a, b, f[1], float.Down)),
				pair(f[0].BlockDot(a, b, uint8(scale), 120, f[1], float.Down)), {tree.Model(a, b), 0},
			} {
				require.Equal(t, want, result{uint64(s.Get(p.Y[k].Raw)), kind.Flags(s.Get(p.Raised[k]))}, "%v unit %d: %x %x", f, k, a, b)
			}
		}
	}
}

// The units build without warnings, with few and many registers.
func TestSumsWarnOfNothing(t *testing.T) {
	for _, stages := range []int{0, 1, 3, 20} {
		for _, flags := range []bool{true, false} {
			for _, r := range []float.Rounding{float.NearestEven, float.Dynamic, float.Stochastic(3)} {
				in := float.Op{Format: float.F16, Rounding: r, Flags: flags, Stages: stages}
				out := in
				out.Format = float.F32
				list := []*ir.Design{
					build(t, float.Next{Op: in}), build(t, float.Scaler{Op: in, Bits: 6}), build(t, float.Product{From: float.F16, Op: out}),
					build(t, float.Dot{From: float.F16, N: 3, Op: out}), build(t, float.BlockDot{From: float.F16, N: 3, Op: out}),
					build(t, float.Windowed{Op: in, Low: -30, High: 20}), build(t, float.Accumulator{Op: in, Guard: 9}),
				}
				if r == float.NearestEven {
					list = append(list, build(t, float.Running{Op: in, Sum: float.F32}), build(t, float.Running{Op: in, Sum: float.F16, Mul: 2}),
						build(t, float.Tree{Units: float.Units{Format: float.F16, Add: stages}, N: 3}))
				}
				for _, d := range list {
					require.Empty(t, hw.Warnings(d), "%s %v %v %d", d.Top.Name, r, flags, stages)
				}
			}
		}
	}
}
