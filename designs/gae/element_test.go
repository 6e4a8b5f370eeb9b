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

// elements are processing elements of every form and depth.
func elements() (all []model.Element) {
	for k := 1; k <= model.MaxLookahead; k++ {
		for f := model.Direct; f <= model.CSlow; f++ {
			e := model.Element{Form: f, K: k, Gamma: 0.99, Lambda: 0.95}
			if e.Validate() == nil {
				all = append(all, e)
			}
		}
	}
	for _, e := range all {
		e.Split = true
		all = append(all, e)
	}
	return append(all,
		model.Element{K: 3, Gamma: 0.99, Lambda: 0.95, Split: true, Data: fixed.Format{Width: 18, Frac: 8}},
		model.Element{K: 3, Gamma: 0.99, Lambda: 0.95, Split: true, Data: fixed.Format{Width: 40, Frac: 24}},
		model.Element{K: 2, Gamma: 0.999999999, Lambda: 1, Split: true},
		model.Element{K: 2, Gamma: 0.999999999, Lambda: 1},
		model.Element{K: 2, Gamma: 1, Lambda: 1},
		model.Element{K: 2, Gamma: 1, Lambda: 0},
		model.Element{K: 3, Gamma: 0, Lambda: 1},
		model.Element{K: 4, Gamma: 1, Lambda: 0.5, Data: fixed.Format{Width: 12, Frac: 4}},
		model.Element{Form: model.Factored, K: 8, Gamma: 0.999, Lambda: 1, Data: fixed.Format{Width: 40, Frac: 24}},
	)
}

// random draws vectors of steps that end in cuts here and there, the last one of
// a vector in time first.
func random(r *rand.Rand, f fixed.Format, n int) []model.Step {
	scale := r.IntN(f.Width)
	draw := func() int64 { return (r.Int64() >> (64 - f.Width)) >> scale }
	often := 1 + r.IntN(12)
	steps := make([]model.Step, n)
	for i := range steps {
		steps[i] = model.Step{Reward: draw(), Value: draw(), Boot: draw()}
		if i == 0 || r.IntN(often) == 0 {
			steps[i].Cut, steps[i].Term = true, r.IntN(2) == 0
		}
	}
	return steps
}

// rig feeds an element and compares what comes out with the model.
type rig struct {
	*testbench.Bench
	p    gae.ElementPorts
	want [][]model.Result // per slot, what is still to come
	slot []int            // of each result under way
}

func (g *rig) step(t *testing.T, valid bool, slot int, x model.Step) {
	g.Set(g.p.Valid, bitOf(valid))
	g.Set(g.p.In.Reward.Raw, int(x.Reward))
	g.Set(g.p.In.Value.Raw, int(x.Value))
	g.Set(g.p.In.Boot.Raw, int(x.Boot))
	g.Set(g.p.In.Term, bitOf(x.Term))
	g.Set(g.p.In.Cut, bitOf(x.Cut))
	if g.High(g.p.En) && valid {
		g.slot = append(g.slot, slot)
	}
	g.Step(1)
	if !g.High(g.p.En) || !g.High(g.p.OutValid) {
		return
	}
	if len(g.slot) == 0 {
		t.Fatal("a result of no step")
	}
	from := g.slot[0]
	w := g.want[from][0]
	g.slot, g.want[from] = g.slot[1:], g.want[from][1:]
	g.Expect(g.p.Out.Advantage.Raw, int(w.Advantage))
	g.Expect(g.p.Out.Return.Raw, int(w.Return))
	g.Expect(g.p.Out.Clipped.Delta, bitOf(w.DeltaClipped))
	g.Expect(g.p.Out.Clipped.Advantage, bitOf(w.AdvantageClipped))
	g.Expect(g.p.Out.Clipped.Return, bitOf(w.RetClipped))
}

// Steps back to back, with cycles of nothing between vectors and the element
// stopped now and then: what comes out is the model's, in simulator and Verilog.
func TestElement(t *testing.T) {
	for _, e := range elements() {
		t.Run(fmt.Sprint(e.Form, " ", e.K, " ", e.Gamma, " ", e.Lambda, " ", e.Format()), func(t *testing.T) {
			t.Parallel()
			s, p := testbench.New(t, gae.Element{Element: e}, testbench.CoSim())
			r := rand.New(rand.NewPCG(uint64(e.K), uint64(e.Form)))
			slots := 1
			if e.Form == model.CSlow {
				slots = e.K
			}
			g := &rig{Bench: s, p: p, want: make([][]model.Result, slots)}
			todo := make([][]model.Step, slots)
			for i := range todo {
				for range 6 {
					todo[i] = append(todo[i], random(r, e.Format(), 40)...)
				}
				g.want[i] = e.Run(todo[i])
			}
			left := slots * 240
			for at := 0; left > 0 || len(g.slot) > 0; {
				slot := at % slots
				en := r.IntN(8) > 0
				s.Set(p.En, bitOf(en))
				next := todo[slot]
				idle := len(next) == 0 || next[0].Cut && r.IntN(3) == 0
				if idle {
					g.step(t, false, slot, random(r, e.Format(), 1)[0])
				} else {
					g.step(t, true, slot, next[0])
				}
				if en {
					at++
					if !idle {
						todo[slot] = next[1:]
						left--
					}
				}
			}
		})
	}
}

// The latency is what Latency says, and a step goes in every cycle.
func TestLatency(t *testing.T) {
	for _, e := range elements() {
		c := gae.Element{Element: e}
		s, p := testbench.New(t, c)
		s.Set(p.En, 1)
		s.Set(p.Valid, 1)
		s.Set(p.In.Cut, 1)
		n := 0
		for ; !s.High(p.OutValid) && n < 30; n++ {
			s.Step(1)
		}
		if n != c.Latency() {
			t.Errorf("%v, k = %d: %d cycles, Latency says %d", e.Form, e.K, n, c.Latency())
		}
	}
}

func bitOf(b bool) int {
	if b {
		return 1
	}
	return 0
}
