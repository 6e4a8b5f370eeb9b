package regfile

import (
	"math/rand/v2"
	"testing"

	"etch/testbench"
)

func TestRegFile(t *testing.T) {
	for _, bypass := range []bool{false, true} {
		s, p := testbench.New(t, RegFile{Regs: 12, Width: 16, Bypass: bypass}, testbench.CoSim())
		r, regs := rand.New(rand.NewPCG(1, 2)), [12]int{}
		for range 300 {
			en, at, v := r.IntN(2), r.IntN(12), r.IntN(1<<16)
			s.Set(p.Write.En, en)
			s.Set(p.Write.Addr, at)
			s.Set(p.Write.Data, v)
			for _, port := range p.Read {
				from := r.IntN(12)
				s.Set(port.Addr, from)
				want := regs[from]
				if bypass && en == 1 && from == at && at != 0 {
					want = v
				}
				s.Expect(port.Data, want)
			}
			if s.Step(1); en == 1 && at != 0 {
				regs[at] = v
			}
		}
	}
}
