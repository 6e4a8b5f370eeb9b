package arbiter

import (
	"testing"

	"etch/testbench"
)

// grant is the model: the first request above last, else the first of all.
func grant(n, request, last int) int {
	for d := 1; d <= n; d++ {
		if i := (last + d) % n; request>>i&1 == 1 {
			return i
		}
	}
	return -1
}

func TestRoundRobin(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8} {
		s, p := testbench.New(t, RoundRobin{N: n}, testbench.CoSim())
		last := 0
		for cycle := range 200 {
			request := cycle * 2654435761 >> 7 & (1<<n - 1)
			s.Set(p.Request, request)
			if g := grant(n, request, last); g >= 0 {
				s.Expect(p.Index, g)
				s.Expect(p.Grant, 1<<g)
				last = g
			} else {
				s.Expect(p.Grant, 0)
			}
			s.Step(1)
		}
	}
}
