package aig_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes/aig"
)

// shape is an op with the widths of its arguments and of its result.
type shape struct {
	op   ir.Op
	args []int
	w    int
	aux  int32
}

// shapes are all uses of an op with arguments of the given widths.
func shapes(op ir.Op, x, y int) (list []shape) {
	add := func(w int, args ...int) { list = append(list, shape{op: op, args: args, w: w}) }
	switch op {
	case ir.Wire, ir.Not:
		add(x, x)
	case ir.And, ir.Or, ir.Xor:
		add(x, x, x)
		add(x, x, x, x)
	case ir.Add, ir.Sub, ir.Div, ir.DivS, ir.Rem, ir.RemS:
		add(x, x, x)
	case ir.Mul, ir.MulS:
		for w := max(1, x+y-2); w <= x+y; w++ {
			add(w, x, y)
		}
		add(1, x, y)
	case ir.Eq, ir.Lt, ir.LtS:
		add(1, x, x)
	case ir.Shl, ir.Shr, ir.ShrS:
		add(x, x, y)
	case ir.Mux:
		add(x, 1, x, x)
	case ir.Case:
		add(y, x, y, y, y, y)
	case ir.Slice:
		for lo := range x {
			list = append(list, shape{op, []int{x}, min(y, x-lo), int32(lo)})
		}
	case ir.Cat:
		add(x+y, x, y)
		add(x, x)
		add(x+2*y, y, x, y)
	case ir.ZExt, ir.SExt:
		add(x+y-1, x)
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		add(1, x)
	case ir.PopCount:
		add(ir.CountWidth(x), x)
	case ir.Lut:
		ones := make([]int, x)
		for i := range ones {
			ones[i] = 1
		}
		add(1, ones...)
	}
	return list
}

// make builds a design whose output y is one op of inputs.
func (s shape) make(rng *rand.Rand) *ir.Design {
	d := &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("one", d.Src)
	var args []ir.ID
	for i, w := range s.args {
		args = append(args, m.AddInput(string(rune('a'+i)), w, ir.TypeID(ir.UInt), 0))
	}
	var id ir.ID
	switch s.op {
	case ir.Lut:
		id = m.AddLut(random(rng, 1<<len(args)), 0, args...)
	case ir.Case:
		n := len(args) - 2
		if s.args[0] < 2 {
			n = min(n, 2)
		}
		seen := map[uint64]bool{}
		for len(seen) < n {
			seen[random(rng, s.args[0]).Uint64()] = true
		}
		var keys []bits.Value
		if s.args[0] > 20 {
			for k := range seen {
				delete(seen, k)
			}
			for _, k := range []uint64{0, 5, 1 << 19} {
				keys = append(keys, bits.New(s.args[0], k))
			}
		}
		for k := uint64(0); len(seen) > 0; k++ {
			if seen[k] {
				keys = append(keys, bits.New(s.args[0], k))
				delete(seen, k)
			}
		}
		id = m.AddCase(s.w, 0, keys[:n], args[:2+n]...)
	default:
		id = m.Add(ir.Node{Op: s.op, Width: int32(s.w), Aux: s.aux}, args...)
	}
	m.AddOutput("y", s.w, ir.TypeID(ir.UInt), id, 0)
	d.Top, d.Modules = m, []*ir.Module{m}
	return d
}

func random(rng *rand.Rand, w int) bits.Value {
	words := make([]uint64, bits.WordCount(w))
	for i := range words {
		words[i] = rng.Uint64()
	}
	return bits.FromWords(w, words)
}

// gates are a blasted op that is evaluated on 64 inputs at a time.
type gates struct {
	c    *aig.Circuit
	v    []uint64
	runs [][]bits.Value // the arguments of each run
}

func blast(t *testing.T, d *ir.Design) *gates {
	t.Helper()
	require.NoError(t, ir.Verify(d))
	c, err := aig.Blast(d, aig.Options{})
	require.NoError(t, err)
	return &gates{c: c, v: make([]uint64, c.Graph.Len())}
}

func put(v []uint64, w aig.Word, run int, x bits.Value) {
	for i, l := range w {
		v[l.Node()] = v[l.Node()]&^(1<<run) | x.Bit(i)<<run
	}
}

func get(v []uint64, w aig.Word, run int) bits.Value {
	x := bits.Zero(len(w))
	for i, l := range w {
		x = x.SetBit(i, aig.Value(v, l)>>run&1)
	}
	return x
}

func (g *gates) try(t *testing.T, d *ir.Design, args []bits.Value) {
	for i, x := range args {
		put(g.v, g.c.Inputs[i].Bits, len(g.runs), x)
	}
	if g.runs = append(g.runs, args); len(g.runs) == 64 {
		g.flush(t, d)
	}
}

func (g *gates) flush(t *testing.T, d *ir.Design) {
	t.Helper()
	g.c.Graph.Simulate(g.v)
	y := d.Top.Ports[len(d.Top.Ports)-1].Node
	for run, args := range g.runs {
		want := ir.Eval(d.Top, y, args[:len(d.Top.Args(y))])
		if got := get(g.v, g.c.Outputs[0].Bits, run); !got.Equal(want) {
			t.Fatalf("%v of %v: gates give %v, ir.Eval %v", d.Top.Op(y), args, got, want)
		}
	}
	g.runs = g.runs[:0]
}

// TestOpsSmall: every op, at every width up to 4 and every value.
func TestOpsSmall(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for op := ir.Invalid + 1; op < ir.NumOps; op++ {
		if op.Info().Leaf || op == ir.MemRead {
			continue
		}
		tried := 0
		for x := 1; x <= 4; x++ {
			for y := 1; y <= 4; y++ {
				for _, s := range shapes(op, x, y) {
					total := 0
					for _, w := range s.args {
						total += w
					}
					if total > 14 {
						continue
					}
					d := s.make(rng)
					g := blast(t, d)
					for n := range uint64(1) << total {
						var args []bits.Value
						for _, w := range s.args {
							args = append(args, bits.New(w, n&(1<<w-1)))
							n >>= w
						}
						g.try(t, d, args)
						tried++
					}
					g.flush(t, d)
				}
			}
		}
		require.NotZero(t, tried, "%s has no test", op)
	}
}

// TestOpsLarge: every op at widths around words, on random values and edge cases.
func TestOpsLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	widths := []int{7, 8, 31, 32, 33, 63, 64, 65, 100, 129}
	for op := ir.Invalid + 1; op < ir.NumOps; op++ {
		if op.Info().Leaf || op == ir.MemRead {
			continue
		}
		for range 12 {
			x, y := widths[rng.IntN(len(widths))], widths[rng.IntN(len(widths))]
			if op == ir.Lut {
				x = 5 + rng.IntN(6)
			}
			all := shapes(op, x, y)
			s := all[rng.IntN(len(all))]
			d := s.make(rng)
			g := blast(t, d)
			for range 192 {
				var args []bits.Value
				for _, w := range s.args {
					args = append(args, edgy(rng, w))
				}
				g.try(t, d, args)
			}
			g.flush(t, d)
		}
	}
}

// edgy is a random value, often one of those at which ops go wrong.
func edgy(rng *rand.Rand, w int) bits.Value {
	switch rng.IntN(8) {
	case 0:
		return bits.Zero(w)
	case 1:
		return bits.Ones(w)
	case 2:
		return bits.Zero(w).SetBit(w-1, 1)
	case 3:
		return bits.New(w, uint64(rng.IntN(2*w)))
	}
	return random(rng, w)
}
