package systolic

import (
	"testing"

	"etch/testbench"
)

func TestArray(t *testing.T) {
	w := [3][3]int{{1, -2, 3}, {4, 5, -6}, {-7, 8, 9}}
	a := Array{N: 3, PE: PE{Data: 8, Sum: 20}}
	s, p := testbench.New(t, a, testbench.CoSim())
	s.Set(p.Load, 1)
	for i := range w {
		for j := range w {
			s.Set(p.Weights[j], w[2-i][j])
		}
		s.Step(1)
	}
	s.Set(p.Load, 0)
	for c := range 10 + a.Latency() { // one vector a cycle
		for i := range w {
			s.Set(p.X[i], 10*c+i-60)
		}
		if v := c - a.Latency(); v >= 0 {
			for j := range w {
				want := 0
				for i := range w {
					want += (10*v + i - 60) * w[i][j]
				}
				s.Expect(p.Y[j], want)
			}
		}
		s.Step(1)
	}
}
