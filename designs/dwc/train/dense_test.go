package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMulABt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][3]int{{1, 1, 1}, {2, 2, 3}, {5, 7, 4}, {64, 1, 64}, {1, 64, 9}, {6, 4, 0}} {
		m, n, k := size[0], size[1], size[2]
		a, b := make([]float32, m*k), make([]float32, n*k)
		for i := range a {
			a[i] = r.Float32() - 0.5
		}
		for i := range b {
			b[i] = r.Float32() - 0.5
		}
		c := make([]float32, m*n)
		mulABt(c, a, b, m, n, k)
		for i := range m {
			for j := range n {
				var want float32 // the same additions in the same order: equal bits
				for x := range k {
					want += float32(a[i*k+x] * b[j*k+x])
				}
				if c[i*n+j] != want {
					t.Fatalf("%v: element %d,%d is %v, want %v", size, i, j, c[i*n+j], want)
				}
			}
		}
	}
}

// denseFloat64 is the network once more, one sample, in float64.
func denseFloat64(d *dense, params []float64, x []float64) []float64 {
	at := 0
	for i := range len(d.sizes) - 1 {
		in, out := d.sizes[i], d.sizes[i+1]
		y := make([]float64, out)
		for j := range y {
			y[j] = params[at+in*out+j]
			for k := range in {
				y[j] += params[at+j*in+k] * x[k]
			}
			if i < len(d.sizes)-2 {
				y[j] = math.Max(y[j], 0)
			}
		}
		at += (in + 1) * out
		x = y
	}
	return x
}

func widen(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}

func testDense(rows int, sizes ...int) (*rand.Rand, *dense, *tape) {
	r := rand.New(rand.NewPCG(3, 3))
	d := newDense(r, sizes...)
	t := newTape(d, rows)
	for i := range t.input() {
		t.input()[i] = 4*r.Float32() - 2
	}
	d.forward(t)
	return r, d, t
}

func TestDenseForward(t *testing.T) {
	_, d, tp := testDense(6, 3, 8, 5, 2)
	params := widen(d.params)
	for row := range tp.rows {
		want := denseFloat64(d, params, widen(tp.input()[row*3:(row+1)*3]))
		for j := range want {
			near(t, "output", tp.output()[row*2+j], want[j], 1e-5)
		}
	}
}

func TestDenseBackward(t *testing.T) {
	r, d, tp := testDense(6, 3, 8, 5, 2)
	errs := make([]float32, len(tp.output()))
	for i := range errs {
		errs[i] = r.Float32() - 0.5
	}
	d.backward(tp, errs)
	params := widen(d.params)
	loss := func() float64 {
		sum := 0.0
		for row := range tp.rows {
			y := denseFloat64(d, params, widen(tp.input()[row*3:(row+1)*3]))
			for j := range y {
				sum += y[j] * float64(errs[row*2+j])
			}
		}
		return sum
	}
	const h = 1e-6
	for i, p := range params {
		params[i] = p + h
		up := loss()
		params[i] = p - h
		down := loss()
		params[i] = p
		near(t, "parameter", tp.grads[i], (up-down)/(2*h), 2e-5)
	}
}

func TestInputSlope(t *testing.T) {
	_, d, tp := testDense(5, 4, 8, 6, 1)
	params := widen(d.params)
	slope := make([]float32, 5*2)
	for i := range slope {
		slope[i] = 99
	}
	which := []int{4, 0, 3}
	d.inputSlope(tp, which, 2, slope)
	const h = 1e-6
	for _, row := range which {
		x := widen(tp.input()[row*4 : (row+1)*4])
		for k := range 2 {
			x[2+k] += h
			up := denseFloat64(d, params, x)[0]
			x[2+k] -= 2 * h
			down := denseFloat64(d, params, x)[0]
			x[2+k] += h
			near(t, "slope", slope[row*2+k], (up-down)/(2*h), 1e-5)
		}
	}
	for _, row := range []int{1, 2} {
		if slope[row*2] != 99 || slope[row*2+1] != 99 {
			t.Errorf("row %d was not asked for", row)
		}
	}
}

func TestFollow(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	a, b := newDense(r, 2, 3, 1), newDense(r, 2, 3, 1)
	before := append([]float32(nil), a.params...)
	a.follow(b, 0.25)
	for i := range before {
		near(t, "parameter", a.params[i], 0.75*float64(before[i])+0.25*float64(b.params[i]), 1e-6)
	}
}

// Adam by the book: bias-corrected moments in float64.
func TestAdam(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	const n, rate = 5, 0.01
	params, grads := make([]float32, n), make([]float32, n)
	var p, m, v [n]float64
	opt := newAdam(n)
	for step := 1; step <= 50; step++ {
		for i := range grads {
			grads[i] = r.Float32() - 0.3
			g := float64(grads[i])
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			mHat := m[i] / (1 - math.Pow(0.9, float64(step)))
			vHat := v[i] / (1 - math.Pow(0.999, float64(step)))
			p[i] -= rate * mHat / (math.Sqrt(vHat) + 1e-8)
		}
		opt.step(rate, params, grads)
		for i := range params {
			near(t, "parameter", params[i], p[i], 1e-6)
		}
	}
}
