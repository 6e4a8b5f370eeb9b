package train

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// randomTable returns 2ⁿ values in ±1.
func randomTable(r *rand.Rand, n int) []float32 {
	t := make([]float32, 1<<n)
	for i := range t {
		t[i] = 2*r.Float32() - 1
	}
	return t
}

func randomLane(r *rand.Rand) *[lanes]float32 {
	var v [lanes]float32
	for i := range v {
		v[i] = 2*r.Float32() - 1
	}
	return &v
}

// directEFD is the definition of the pin derivative: a sum over all addresses.
func directEFD(table []float32, n, pin, a int) float64 {
	alpha := 0.5 * math.Pow(0.75, float64(n-1))
	sum := 0.0
	for k, v := range table {
		others := (k ^ a) &^ (1 << pin)
		sign := float64(2*(k>>pin&1) - 1)
		sum += sign * alpha * math.Pow(1.0/3, float64(bits.OnesCount(uint(others)))) * float64(v)
	}
	return sum
}

func TestPinGradientsAreTheDirectSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 2; n <= 6; n++ {
		table := randomTable(r, n)
		var f [64]float32
		butterfly(&f, table)
		var addr [lanes]uint8
		for s := range addr {
			addr[s] = uint8(s % (1 << n)) // every address
		}
		out := randomLane(r)
		p := make([][lanes]float32, n)
		pinGradients(p, &f, &addr, out)
		for l := range n {
			for s := range lanes {
				want := float64(out[s]) * directEFD(table, n, l, int(addr[s]))
				// |F| < (4/3)^n < 6, so float32 errs by a few 1e-7 per pass.
				if d := math.Abs(float64(p[l][s]) - want); d > 5e-6 {
					t.Fatalf("n=%d pin %d address %d: %v, the sum is %v", n, l, addr[s], p[l][s], want)
				}
			}
		}
	}
}

// On a table that is linear in one pin the derivative has the sign of that
// pin's effect, and a pin that changes nothing gets none.
func TestPinGradientOfAPlainWire(t *testing.T) {
	const n = 4
	table := make([]float32, 1<<n)
	for a := range table {
		table[a] = float32(2*(a>>2&1) - 1) // the output is pin 2
	}
	var f [64]float32
	butterfly(&f, table)
	var addr [lanes]uint8
	out := new([lanes]float32)
	for s := range addr {
		addr[s], out[s] = uint8(s%(1<<n)), 1
	}
	p := make([][lanes]float32, n)
	pinGradients(p, &f, &addr, out)
	for s := range lanes {
		for l := range n {
			if got := p[l][s]; (l == 2) != (got > 0.1) || l != 2 && math.Abs(float64(got)) > 1e-6 {
				t.Fatalf("pin %d, address %d: %v", l, addr[s], got)
			}
		}
	}
}

func TestTableGradientGoesToTheEntryRead(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var addr [lanes]uint8
	var want [64]float64
	out := randomLane(r)
	for s := range addr {
		addr[s] = uint8(r.IntN(64))
		want[addr[s]] += float64(out[s])
	}
	var got [64]float32
	tableGradient(&got, &addr, out)
	for a := range got {
		if math.Abs(float64(got[a])-want[a]) > 1e-5 {
			t.Errorf("entry %d: %v, want %v", a, got[a], want[a])
		}
	}
}
