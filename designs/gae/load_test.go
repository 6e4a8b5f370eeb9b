package gae_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw/fixed"
	"etch/testbench"
)

// loadings draws what may be set, and samples near to what it suits.
func loading(r *rand.Rand) model.Loading {
	norm := func() model.Norm {
		return model.Norm{Mean: r.Int64N(1<<24) - 1<<23, Mantissa: 1<<16 + r.Int64N(1<<16), Shift: 6 + r.IntN(43)}
	}
	return model.Loading{Reward: norm(), Value: norm(), Shift: r.IntN(16)}
}

func sample(r *rand.Rand) model.Sample {
	draw := func() int64 { return r.Int64() >> (32 + r.IntN(24)) }
	x := model.Sample{Reward: draw(), Value: draw(), Boot: draw(), Cut: r.IntN(2) == 0}
	x.Term = x.Cut && r.IntN(2) == 0
	return x
}

func setLoading(s *testbench.Bench, p gae.Loading, l model.Loading) {
	for _, n := range []struct {
		to   gae.Norm
		from model.Norm
	}{{p.Reward, l.Reward}, {p.Value, l.Value}} {
		s.Set(n.to.Mean, int(n.from.Mean))
		s.Set(n.to.Mantissa, int(n.from.Mantissa))
		s.Set(n.to.Shift, n.from.Shift)
	}
	s.Set(p.Shift, l.Shift)
}

// A sample every cycle, of every variant: words, bootstrap values and what is
// clipped are the model's.
func TestLoad(t *testing.T) {
	var all []model.System
	add := func(variant, bits int, f fixed.Format) {
		s := model.Paper()
		s.CodeBits, s.Data = bits, f
		all = append(all, s.Variant(variant))
	}
	for v := 1; v <= 5; v++ {
		add(v, 8, model.Default)
	}
	add(5, 3, model.Default)
	add(4, 10, model.Default)
	add(1, 0, fixed.Format{Width: 20, Frac: 10})
	add(2, 0, fixed.Format{Width: 30, Frac: 20})
	for _, sys := range all {
		t.Run(fmt.Sprint(sys.Rewards, " ", sys.CodeBits, " ", sys.Format()), func(t *testing.T) {
			s, p := testbench.New(t, gae.Load{System: sys}, testbench.CoSim())
			r := rand.New(rand.NewPCG(1, uint64(sys.CodeBits)))
			for range 20 {
				set := loading(r)
				setLoading(s, p.Loading, set)
				line := make([]model.Sample, gae.LoadLatency)
				for n := range 40 + gae.LoadLatency {
					x := sample(r)
					s.Set(p.In.Reward, int(x.Reward))
					s.Set(p.In.Value, int(x.Value))
					s.Set(p.In.Boot, int(x.Boot))
					s.Set(p.In.Term, bitOf(x.Term))
					s.Set(p.In.Cut, bitOf(x.Cut))
					s.Step(1)
					line = append([]model.Sample{x}, line[:gae.LoadLatency-1]...)
					if n < gae.LoadLatency {
						continue
					}
					from := line[gae.LoadLatency-1]
					w, boot, clipped := sys.Load(set, from)
					s.Expect(p.Word.Reward, int(w.Reward))
					s.Expect(p.Word.Value, int(w.Value))
					s.Expect(p.Word.Term, bitOf(w.Term))
					s.Expect(p.Word.Cut, bitOf(w.Cut))
					if from.Cut && !from.Term {
						s.Expect(p.Boot.Raw, int(boot))
					}
					s.Expect(p.Clipped.Reward, clipped.Reward)
					s.Expect(p.Clipped.Value, clipped.Value)
					s.Expect(p.Clipped.Boot, clipped.Boot)
				}
			}
		})
	}
}
