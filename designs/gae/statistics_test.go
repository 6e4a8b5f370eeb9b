package gae_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/testbench"
)

// What is measured settles as the model says, block after block; rewards of the
// dynamic kind go on, the rest begins anew; an empty block sets nothing.
func TestStatistics(t *testing.T) {
	for variant := 2; variant <= 5; variant++ {
		sys := model.Paper().Variant(variant)
		t.Run(fmt.Sprint(variant), func(t *testing.T) {
			t.Parallel()
			s, p := testbench.New(t, gae.Statistics{System: sys}, testbench.CoSim())
			r := rand.New(rand.NewPCG(uint64(variant), 1))
			var reward, value model.Statistics
			for block := range 6 {
				if block == 4 {
					s.Set(p.Clear, 1)
					s.Step(1)
					s.Set(p.Clear, 0)
					reward, value = model.Statistics{}, model.Statistics{}
				}
				if sys.Rewards == model.Block {
					reward = model.Statistics{}
				}
				value = model.Statistics{}
				mean, spread := r.Int64N(1<<28)-1<<27, r.IntN(30)
				n := r.IntN(60)
				if block == 3 || block == 4 {
					n = 0
				}
				for range n {
					x, v := mean+r.Int64()>>(34+spread), -mean-r.Int64()>>(34+spread)
					reward.Add(x)
					value.Add(v)
					s.Set(p.Valid, 1)
					s.Set(p.Reward, int(x))
					s.Set(p.Value, int(v))
					s.Step(1)
					s.Set(p.Valid, 0)
					s.Step(r.IntN(2))
				}
				shift := r.IntN(4)
				s.Set(p.Shift, shift)
				s.Set(p.Settle, 1)
				s.Step(1)
				s.Set(p.Settle, 0)
				check := func(of *model.Statistics) {
					want := sys.Settle(of.Mean(), of.Deviation(), shift)
					s.Expect(p.Out.Norm.Mean, int(want.Mean))
					s.Expect(p.Out.Norm.Mantissa, int(want.Mantissa))
					s.Expect(p.Out.Norm.Shift, want.Shift)
					s.Expect(p.Out.Scale.Raw, int(want.Scale))
					s.Expect(p.Out.Offset.Raw, int(want.Offset))
				}
				set := 0
				cycles := s.StepUntil(func() bool {
					if s.High(p.SetReward) {
						check(&reward)
						set++
					}
					if s.High(p.SetValue) {
						check(&value)
						set++
					}
					return s.High(p.Settled)
				}, 10000)
				want := 0
				if sys.Rewards != model.Raw && reward.N > 0 {
					want++
				}
				if sys.CodeBits != 0 && value.N > 0 {
					want++
				}
				require.Equal(t, want, set, "block %d", block)
				t.Logf("%d steps: %d cycles to settle", n, cycles)
			}
		})
	}
}
