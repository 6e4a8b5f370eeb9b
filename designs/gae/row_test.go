package gae_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw"
	"etch/testbench"
)

// rows are systems whose rows differ.
func rows() []model.System {
	base := model.Paper()
	base.Depth, base.Stack = 32, 16
	var all []model.System
	for _, change := range []func(s *model.System){
		func(s *model.System) {},
		func(s *model.System) { s.Narrow = true },
		func(s *model.System) { s.PingPong = true },
		func(s *model.System) { s.CodeBits, s.K = 3, 1 },
		func(s *model.System) { s.CodeBits, s.K = 10, 5 },
		func(s *model.System) { s.CodeBits = 0 },
		func(s *model.System) { s.RestoreRewards = true },
		func(s *model.System) { s.Form, s.K = model.CSlow, 2 },
		func(s *model.System) { s.Form, s.K, s.PingPong = model.CSlow, 4, true },
		func(s *model.System) { s.Form, s.K = model.Factored, 4 },
		func(s *model.System) { s.Split, s.K = true, 3 },
		func(s *model.System) { s.Split, s.Form, s.K, s.PingPong = true, model.CSlow, 4, true },
	} {
		s := base
		change(&s)
		all = append(all, s)
	}
	return all
}

// settings draws what a host may set.
func settings(r *rand.Rand, s model.System) model.Settings {
	raw := func() int64 { return r.Int64N(1<<26) - 1<<25 }
	return model.Settings{
		ValueScale: raw() >> r.IntN(20), ValueOffset: raw() >> r.IntN(20),
		RewardScale: raw() >> r.IntN(20), RewardOffset: raw() >> r.IntN(20),
		Shift: r.IntN(16), AdvantageStep: r.IntN(16), ReturnStep: r.IntN(16),
	}
}

// words draws steps of several vectors, as a stack holds them.
func words(r *rand.Rand, s model.System, n, boots int) (ws []model.Word, xs []int64) {
	code := func() int64 { return r.Int64() >> (64 - s.FieldBits()) }
	for i := range n {
		w := model.Word{Reward: code(), Value: code()}
		if i == n-1 || r.IntN(6) == 0 {
			w.Cut, w.Term = true, r.IntN(2) == 0 || len(xs) == boots
		}
		if w.Cut && !w.Term {
			xs = append(xs, r.Int64()>>37)
		}
		ws = append(ws, w)
	}
	return ws, xs
}

func setRow(s *testbench.Bench, p gae.Settings, set model.Settings) {
	s.Set(p.ValueScale.Raw, int(set.ValueScale))
	s.Set(p.ValueOffset.Raw, int(set.ValueOffset))
	s.Set(p.RewardScale.Raw, int(set.RewardScale))
	s.Set(p.RewardOffset.Raw, int(set.RewardOffset))
	s.Set(p.Shift, set.Shift)
	s.Set(p.Advantage.Step, set.AdvantageStep)
	s.Set(p.Advantage.Half, 1<<set.AdvantageStep>>1)
	s.Set(p.Return.Step, set.ReturnStep)
	s.Set(p.Return.Half, 1<<set.ReturnStep>>1)
}

// Steps are pushed, drained and fetched; results and counts are the model's, and
// the last result is in memory RowLatency cycles after the last pop.
func TestRow(t *testing.T) {
	for _, sys := range rows() {
		t.Run(fmt.Sprintf("%v %d, %d bits, narrow %v, restored %v, two %v", sys.Form, sys.K, sys.CodeBits, sys.Narrow, sys.RestoreRewards, sys.PingPong), func(t *testing.T) {
			t.Parallel()
			row := gae.Row{System: sys}
			s, p := testbench.New(t, row, testbench.CoSim())
			r := rand.New(rand.NewPCG(uint64(sys.K), uint64(sys.CodeBits)))
			per := sys.Depth / sys.Stacks()
			var got model.Clips
			step := func(n int) {
				for range n {
					s.Step(1)
					for to, from := range map[*int]hw.Bit{
						&got.Value: p.Clipped.Value, &got.Delta: p.Clipped.Delta, &got.Advantage: p.Clipped.Advantage,
						&got.Return: p.Clipped.Return, &got.StoredAdvantage: p.Clipped.StoredAdvantage, &got.StoredReturn: p.Clipped.StoredReturn,
					} {
						*to += s.Get(from)
					}
				}
			}
			for range 4 {
				set := settings(r, sys)
				var want model.Clips
				out := make([][]model.Stored, sys.Stacks())
				most := 0
				for i := range out {
					n := r.IntN(per + 1)
					if r.IntN(3) == 0 {
						n = per
					}
					ws, xs := words(r, sys, n, sys.Stack/sys.Stacks())
					out[i] = sys.Drain(set, ws, xs)
					for _, o := range out[i] {
						want.Add(o.Clipped)
					}
					most = max(most, n)
					for _, w := range ws {
						s.Set(p.Push.Valid, 1)
						s.Set(p.Push.Stack, i)
						s.Set(p.Push.Word.Reward, int(w.Reward))
						s.Set(p.Push.Word.Value, int(w.Value))
						s.Set(p.Push.Word.Cut, bitOf(w.Cut))
						s.Set(p.Push.Word.Term, bitOf(w.Term))
						s.Set(p.Push.Boot.Raw, 12345)
						if w.Cut && !w.Term {
							s.Set(p.Push.Boot.Raw, int(xs[0]))
							xs = xs[1:]
						}
						s.Expect(p.Overflow, 0)
						step(1)
					}
					s.Set(p.Push.Valid, 0)
					s.Expect(p.Level[i], n)
				}
				setRow(s, p.Settings, set)
				got = model.Clips{}
				s.Set(p.Start, 1)
				step(1)
				s.Set(p.Start, 0)
				cycles := 0
				for ; s.High(p.Draining); cycles++ {
					step(1)
				}
				require.LessOrEqual(t, cycles, most*sys.Stacks()+sys.Stacks()-1)
				step(row.RowLatency() - 1)
				require.Equal(t, want, got)
				for i, results := range out {
					for at, o := range results {
						s.Set(p.Fetch, i*per+at)
						step(1)
						s.Expect(p.Result.Advantage, int(o.Advantage))
						s.Expect(p.Result.Return, int(o.Return))
					}
				}
			}
		})
	}
}

// A bootstrap value too many is said.
func TestStackOverflow(t *testing.T) {
	sys := rows()[0]
	s, p := testbench.New(t, gae.Row{System: sys})
	s.Set(p.Push.Valid, 1)
	s.Set(p.Push.Word.Cut, 1)
	for range sys.Stack {
		s.Expect(p.Overflow, 0)
		s.Step(1)
	}
	s.Expect(p.Overflow, 1)
}
