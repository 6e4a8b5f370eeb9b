package lower_test

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

func TestZZBig(t *testing.T) {
	a, _ := os.ReadFile(os.Getenv("FIRA"))
	b, _ := os.ReadFile(os.Getenv("FIRB"))
	if len(a) == 0 {
		t.Skip()
	}
	t.Log(judge(t, string(a), string(b), 40, false))
}

func TestZZVals(t *testing.T) {
	a, _ := os.ReadFile(os.Getenv("FIRA"))
	d, _ := design(t, "a.fir", string(a))
	s, _ := sim.New(d, sim.WithEngine(sim.Interpreter))
	rng := rand.New(rand.NewPCG(uint64(len(d.Top.Ports)), 7))
	for i, p := range d.Top.Ports {
		if p.Dir == ir.Out || p.Type == ir.TypeID(ir.Clock) {
			continue
		}
		v := random(rng, p.Width)
		if isReset(p) {
			v = bits.New(1, 1)
		}
		s.SetBits(s.Top()[i], v)
	}
	for _, n := range strings.Split(os.Getenv("SIGS"), ",") {
		x, err := s.Signal(n)
		if err != nil {
			t.Log(err)
			continue
		}
		t.Log(n, x.IsInput(), s.GetBits(x).Bin())
	}
}
var skipZZ = 16
