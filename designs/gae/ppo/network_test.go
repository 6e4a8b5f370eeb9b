package ppo

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
				multiply(c, a, b, m, n, k)
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

// naive runs one row through a network in the plainest way.
func naive(n *network, in []float64) []float64 {
	x := in
	for i, l := range n.layers {
		y := make([]float64, l.out)
		for j := range y {
			y[j] = l.bias[j]
			for k := range l.in {
				y[j] += l.weight[j*l.in+k] * x[k]
			}
			if i < len(n.layers)-1 {
				y[j] = math.Tanh(y[j])
			}
		}
		x = y
	}
	return x
}

func TestForward(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	n := newNetwork(r, 0.7, 2, 3, 9, 5, 2)
	copy(n.params, draws(r, len(n.params)))
	tape := newTape(n, 11)
	for _, rows := range []int{1, 2, 11} {
		copy(tape.input(), draws(r, rows*3))
		n.forward(tape, rows)
		for i := range rows {
			want := naive(n, tape.input()[i*3:(i+1)*3])
			for j, w := range want {
				if got := tape.output()[i*2+j]; math.Abs(got-w) > 1e-13 {
					t.Fatalf("row %d, output %d: %v, want %v", i, j, got, w)
				}
			}
		}
	}
	if len(n.free()) != 2 || len(n.params) != 2+4*9+10*5+6*2 {
		t.Errorf("%d parameters, %d of them free", len(n.params), len(n.free()))
	}
}

// slopes compares derivatives with finite differences of a loss by all parameters.
func slopes(t *testing.T, params, grads []float64, loss func() float64) {
	t.Helper()
	const h = 1e-5
	for i, p := range params {
		params[i] = p + h
		up := loss()
		params[i] = p - h
		down := loss()
		params[i] = p
		if want := (up - down) / (2 * h); math.Abs(grads[i]-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("derivative by parameter %d of %d is %v, want %v", i, len(params), grads[i], want)
		}
	}
}

func TestBackward(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, sizes := range [][]int{{3, 1}, {3, 6, 1}, {2, 5, 4, 3}} {
		n := newNetwork(r, 1, 0, sizes...)
		for i := range n.params {
			n.params[i] += 0.3 * r.NormFloat64()
		}
		const rows = 7
		tape := newTape(n, rows+2)
		copy(tape.input(), draws(r, rows*sizes[0]))
		pull := draws(r, rows*sizes[len(sizes)-1]) // the loss is the outputs' product with it
		loss := func() (sum float64) {
			n.forward(tape, rows)
			for i, p := range pull {
				sum += p * tape.output()[i]
			}
			return sum
		}
		loss()
		copy(tape.outputErr(), pull)
		n.backward(tape, rows)
		grads := append([]float64(nil), tape.grads...)
		slopes(t, n.params, grads, loss)
	}
}

// Adam by its paper's formulas, moment by moment.
func TestAdam(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x := draws(r, 4)
	want := append([]float64(nil), x...)
	m, v := make([]float64, 4), make([]float64, 4)
	a := newAdam(4)
	for step := 1; step <= 50; step++ {
		g := draws(r, 4)
		a.step(0.01, x, g)
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

func TestLimitNorm(t *testing.T) {
	for _, c := range []struct{ limit, want float64 }{{0, 5}, {10, 5}, {0.5, 0.5}} {
		g := []float64{3, -4}
		limitNorm(g, c.limit)
		if math.Abs(norm(g)-c.want) > 1e-15 || math.Abs(g[0]/g[1]+0.75) > 1e-15 {
			t.Errorf("limit %v: %v", c.limit, g)
		}
	}
}
