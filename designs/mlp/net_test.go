package mlp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func draws(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func TestMultiply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for m := 1; m <= 5; m++ {
		for n := 1; n <= 5; n++ {
			for _, k := range []int{1, 2, 3, 8} {
				a, b, c := draws(r, m*k), draws(r, n*k), draws(r, m*n)
				Multiply(c, a, b, m, n, k)
				for i := range m {
					for j := range n {
						want := 0.0
						for x := range k {
							want += a[i*k+x] * b[j*k+x]
						}
						if c[i*n+j] != want {
							t.Fatalf("%d×%d×%d: element %d, %d is %v, want %v", m, n, k, i, j, c[i*n+j], want)
						}
					}
				}
			}
		}
	}
}

func TestTranspose(t *testing.T) {
	got := make([]float64, 6)
	transpose(got, []float64{1, 2, 3, 4, 5, 6}, 2, 3)
	if fmt.Sprint(got) != "[1 4 2 5 3 6]" {
		t.Errorf("transpose is %v", got)
	}
}

func TestOrthogonal(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, size := range [][2]int{{64, 3}, {64, 64}, {1, 64}, {5, 7}} {
		rows, cols := size[0], size[1]
		w := make([]float64, rows*cols)
		orthogonal(r, w, rows, cols, 1.5)
		at := func(i, j int) float64 { // element j of the vector i that should be orthogonal
			if rows <= cols {
				return w[i*cols+j]
			}
			return w[j*cols+i]
		}
		for i := range min(rows, cols) {
			for k := range i + 1 {
				product, want := 0.0, 0.0
				for j := range max(rows, cols) {
					product += at(i, j) * at(k, j)
				}
				if i == k {
					want = 1.5 * 1.5
				}
				if math.Abs(product-want) > 1e-12 {
					t.Fatalf("%v: vectors %d and %d have the product %v, want %v", size, i, k, product, want)
				}
			}
		}
	}
}

// TestUniform: weights and biases fill ±1/√fan-in, layer by layer.
func TestUniform(t *testing.T) {
	n := New[float32](ReLU, 1, 4, 400, 3)
	n.Uniform(rand.New(rand.NewPCG(3, 1)))
	for i, l := range n.Layers {
		limit := float32(1 / math.Sqrt(float64(l.In)))
		var most float32
		for _, p := range append(append([]float32(nil), l.Weight...), l.Bias...) {
			most = max(most, p, -p)
		}
		if most > limit || most < 0.98*limit {
			t.Errorf("layer %d reaches %v of %v", i, most, limit)
		}
	}
	if n.Free()[0] != 0 {
		t.Error("a free parameter was drawn")
	}
}

// naive runs one row through a network in the plainest way.
func naive[F Float](n *Net[F], in []F) []float64 {
	x := make([]float64, len(in))
	for i, v := range in {
		x[i] = float64(v)
	}
	for i, l := range n.Layers {
		y := make([]float64, l.Out)
		for j := range y {
			y[j] = float64(l.Bias[j])
			for k := range l.In {
				y[j] += float64(l.Weight[j*l.In+k]) * x[k]
			}
			switch {
			case i == len(n.Layers)-1:
			case n.Hidden == ReLU:
				y[j] = max(0, y[j])
			default:
				y[j] = math.Tanh(y[j])
			}
		}
		x = y
	}
	return x
}

func TestForward(t *testing.T) {
	for _, hidden := range []Activation{Tangent, ReLU} {
		forward[float64](t, hidden, 1e-13)
		forward[float32](t, hidden, 1e-4)
	}
}

func forward[F Float](t *testing.T, hidden Activation, tolerance float64) {
	r := rand.New(rand.NewPCG(3, 3))
	n := New[F](hidden, 2, 3, 9, 5, 2)
	for i := range n.Params {
		n.Params[i] = F(r.NormFloat64())
	}
	tape := NewTape(n, 11)
	for _, rows := range []int{1, 2, 11} {
		for i := range tape.Input() {
			tape.Input()[i] = F(r.NormFloat64())
		}
		n.Forward(tape, rows)
		for i := range rows {
			want := naive(n, tape.Input()[i*3:(i+1)*3])
			for j, w := range want {
				if got := float64(tape.Output()[i*2+j]); math.Abs(got-w) > tolerance {
					t.Fatalf("%T: row %d, output %d: %v, want %v", F(0), i, j, got, w)
				}
			}
		}
	}
	if len(n.Free()) != 2 || len(n.Params) != 2+4*9+10*5+6*2 {
		t.Errorf("%d parameters, %d of them free", len(n.Params), len(n.Free()))
	}
}

// slopes compares derivatives with finite differences of a loss by all numbers at.
func slopes(t *testing.T, at, grads []float64, loss func() float64) {
	t.Helper()
	const h = 1e-5
	for i, p := range at {
		at[i] = p + h
		up := loss()
		at[i] = p - h
		down := loss()
		at[i] = p
		if want := (up - down) / (2 * h); math.Abs(grads[i]-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("derivative %d of %d is %v, want %v", i, len(at), grads[i], want)
		}
	}
}

func TestBackward(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, hidden := range []Activation{Tangent, ReLU} {
		for _, sizes := range [][]int{{3, 1}, {3, 6, 1}, {2, 5, 4, 3}} {
			n := New[float64](hidden, 0, sizes...)
			n.Orthogonal(r, 1)
			for i := range n.Params {
				n.Params[i] += 0.3 * r.NormFloat64()
			}
			const rows = 7
			tape := NewTape(n, rows+2)
			copy(tape.Input(), draws(r, rows*sizes[0]))
			pull := draws(r, rows*sizes[len(sizes)-1]) // the loss is the outputs' product with it
			loss := func() (sum float64) {
				n.Forward(tape, rows)
				for i, p := range pull {
					sum += p * tape.Output()[i]
				}
				return sum
			}
			loss()
			copy(tape.OutputErr(), pull)
			n.Backward(tape, rows)
			grads := append([]float64(nil), tape.Grads...)
			slopes(t, n.Params, grads, loss)
		}
	}
}

// TestInputSlope: the slope of the output by the inputs from 2 on, of some rows.
func TestInputSlope(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 4))
	for _, hidden := range []Activation{Tangent, ReLU} {
		for _, sizes := range [][]int{{4, 1}, {4, 9, 1}, {4, 5, 6, 1}} {
			n := New[float64](hidden, 0, sizes...)
			copy(n.Params, draws(r, len(n.Params)))
			tape := NewTape(n, 5)
			copy(tape.Input(), draws(r, 5*4))
			n.Forward(tape, 5)
			slope := draws(r, 5*2)
			untouched := slope[2*3]
			n.InputSlope(tape, []int{4, 1}, 2, slope)
			if slope[2*3] != untouched {
				t.Error("a row that was not asked for has changed")
			}
			for _, row := range []int{1, 4} {
				in := append([]float64(nil), tape.Input()[row*4:(row+1)*4]...)
				slopes(t, in[2:], slope[row*2:(row+1)*2], func() float64 { return naive(n, in)[0] })
			}
		}
	}
}

func TestFollowAndClone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	a := New[float64](ReLU, 1, 2, 3, 1)
	copy(a.Params, draws(r, len(a.Params)))
	b := a.Clone()
	b.Layers[1].Bias[0]++
	if a.Layers[1].Bias[0] == b.Layers[1].Bias[0] || a.Params[3] != b.Params[3] {
		t.Error("a clone shares memory or is another network")
	}
	want := a.Layers[1].Bias[0] + 0.25
	a.Follow(b, 0.25)
	if got := a.Layers[1].Bias[0]; math.Abs(got-want) > 1e-15 || a.Params[3] != b.Params[3] {
		t.Errorf("a bias followed to %v, want %v", got, want)
	}
}

// Adam by its paper's formulas, moment by moment.
func TestAdam(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x := draws(r, 4)
	want := append([]float64(nil), x...)
	m, v := make([]float64, 4), make([]float64, 4)
	a := NewAdam[float64](4, 1e-5)
	for step := 1; step <= 50; step++ {
		g := draws(r, 4)
		a.Step(0.01, x, g)
		for i := range want {
			m[i] = 0.9*m[i] + 0.1*g[i]
			v[i] = 0.999*v[i] + 0.001*g[i]*g[i]
			mHat := m[i] / (1 - math.Pow(0.9, float64(step)))
			vHat := v[i] / (1 - math.Pow(0.999, float64(step)))
			want[i] -= 0.01 * mHat / (math.Sqrt(vHat) + 1e-5)
			if math.Abs(x[i]-want[i]) > 1e-12 {
				t.Fatalf("step %d: parameter %d is %v, want %v", step, i, x[i], want[i])
			}
		}
	}
}

func TestDescend(t *testing.T) {
	x := []float32{1, 2}
	Descend(x, []float32{4, -8}, 0.25)
	if x[0] != 0 || x[1] != 4 {
		t.Errorf("parameters are %v", x)
	}
}

func TestLimitNorm(t *testing.T) {
	for _, c := range []struct{ limit, want float64 }{{0, 5}, {10, 5}, {0.5, 0.5}} {
		g := []float64{3, -4}
		LimitNorm(g, c.limit)
		if math.Abs(norm(g)-c.want) > 1e-15 || math.Abs(g[0]/g[1]+0.75) > 1e-15 {
			t.Errorf("limit %v: %v", c.limit, g)
		}
	}
}
