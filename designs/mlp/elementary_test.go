package mlp

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestElementaryFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200000 {
		x := (2*r.Float64() - 1) * math.Pow(10, float64(r.IntN(5)-2))
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 1e-15*want && x > -708 && x < 709 {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
		if got, want := Tanh(x), math.Tanh(x); math.Abs(got-want) > 1e-15 {
			t.Fatalf("Tanh(%v) = %v, want %v", x, got, want)
		}
		y := math.Abs(x) + 1e-300
		if got, want := Log(y), math.Log(y); math.Abs(got-want) > 1e-15*(math.Abs(want)+1) {
			t.Fatalf("Log(%v) = %v, want %v", y, got, want)
		}
	}
	for _, c := range []struct{ got, want float64 }{
		{Exp(-1e4), 0}, {Exp(1e4), math.Inf(1)}, {Exp(0), 1}, {Exp(math.Inf(-1)), 0},
		{Tanh(0), 0}, {Tanh(1e4), 1}, {Tanh(math.Inf(-1)), -1}, {Log(1), 0},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if x := Exp(math.NaN()); x == x {
		t.Errorf("Exp(NaN) = %v", x)
	}
	if x := Tanh(math.NaN()); x == x {
		t.Errorf("Tanh(NaN) = %v", x)
	}
}

// Moments and one tail of 400,000 draws, within five standard errors.
func TestNormal(t *testing.T) {
	const n = 400000
	r := rand.New(rand.NewPCG(2, 2))
	var sum, square, fourth float64
	beyond := 0
	for range n {
		x := Normal(r)
		sum, square, fourth = sum+x, square+x*x, fourth+x*x*x*x
		if x > 2 {
			beyond++
		}
	}
	within := func(what string, got, want, deviation float64) {
		if math.Abs(got-want) > 5*deviation/math.Sqrt(n) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	within("mean", sum/n, 0, 1)
	within("second moment", square/n, 1, math.Sqrt(2))
	within("fourth moment", fourth/n, 3, math.Sqrt(96))
	p := 0.5 * math.Erfc(math.Sqrt2)
	within("share beyond 2", float64(beyond)/n, p, math.Sqrt(p))
}
