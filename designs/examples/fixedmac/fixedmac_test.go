package fixedmac

import (
	"math"
	"math/rand/v2"
	"testing"

	"etch/hw/fixed"
	"etch/testbench"
)

// rounders are the rounding modes on floats, which hold these values exactly.
var rounders = map[fixed.Rounding]func(float64) float64{
	fixed.Floor:      math.Floor,
	fixed.Ceil:       math.Ceil,
	fixed.TowardZero: math.Trunc,
	fixed.HalfUp:     func(v float64) float64 { return math.Floor(v + 0.5) },
	fixed.HalfDown:   func(v float64) float64 { return math.Ceil(v - 0.5) },
	fixed.HalfEven:   math.RoundToEven,
	fixed.HalfAway:   math.Round,
}

func TestMulAdd(t *testing.T) {
	for mode, round := range rounders {
		s, p := testbench.New(t, MulAdd{Integer: 4, Fraction: 4, Round: mode}, testbench.CoSim())
		r := rand.New(rand.NewPCG(1, 1))
		for range 300 {
			a, b, c := r.IntN(256)-128, r.IntN(256)-128, r.IntN(256)-128
			s.Set(p.A.Raw, a)
			s.Set(p.B.Raw, b)
			s.Set(p.C.Raw, c)
			s.Step(Latency)
			exact := float64(a)*float64(b)/16 + float64(c) // in units of 1/16
			s.Expect(p.Y.Raw, int(min(max(round(exact), -128), 127)))
		}
	}
}
