package gae_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/ir"
	"etch/testbench/equiv"
)

type formPorts struct {
	In        gae.Step
	Advantage fixed.Num
	Return    fixed.Num
}

// promises are what the surroundings of an element keep in a proof, beside that a
// termination is a cut.
type promises struct {
	exact   bool // nothing saturates
	longest int  // steps of a vector, 0 for any
	whole   bool // what comes in is whole numbers
}

// aligned is an element whose results come so many cycles after their steps, and are
// 0 until a vector has begun.
func aligned(e model.Element, latency int, keep promises) hw.Component[formPorts] {
	q := fixed.Of(e.Format())
	shape := formPorts{In: hw.In(gae.StepOf(e.Format())), Advantage: hw.Out(q), Return: hw.Out(q)}
	return hw.Func("aligned", shape, func(m *hw.Module, p formPorts) {
		x := gae.Element{Element: e}
		m.Assume(p.In.Cut.Or(p.In.Term.Not()), "a termination is a cut")
		y := hw.Inst(m, "element", x, gae.ElementPorts{En: hw.B(true), Valid: hw.B(true), In: p.In})
		begun := hw.Reg(m, "begun", hw.Bit{}, hw.B(false))
		m.When(p.In.Cut, func() { begun.Set(hw.B(true)) })
		now := hw.Delay(m, "now", begun.Or(p.In.Cut), latency, hw.B(false))
		wait := latency - x.Latency()
		if keep.exact {
			clipped := y.Out.Clipped.Delta.Or(y.Out.Clipped.Advantage).Or(y.Out.Clipped.Return)
			m.Assume(hw.Delay(m, "clipped", clipped, wait).And(now).Not(), "nothing saturates")
		}
		if keep.longest > 0 {
			left := hw.Reg(m, "left", hw.Unsigned(3), hw.U(0))
			left.Set(hw.Mux(p.In.Cut, left.Lit(keep.longest-1), left.Dec()))
			m.Assume(p.In.Cut.Or(left.Is(0).Not()), "vectors are short")
		}
		if f := e.Format().Frac; keep.whole && f > 0 {
			for _, v := range []fixed.Num{p.In.Reward, p.In.Value, p.In.Boot} {
				m.Assume(hw.Pack(v).Range(f-1, 0).Is(0), "what comes in is whole")
			}
		}
		p.Advantage.Set(hw.Mux(now, hw.Delay(m, "a", y.Out.Advantage, wait), q.Lit(0)))
		p.Return.Set(hw.Mux(now, hw.Delay(m, "r", y.Out.Return, wait), q.Lit(0)))
	})
}

// TestFormsAreEqual: where no product is rounded and nothing saturates, the forms
// are one function, proved for every sequence of steps and cuts: without discount, and
// with C = ½ for whole numbers in vectors no longer than there are fraction bits.
func TestFormsAreEqual(t *testing.T) {
	whole := model.Element{K: 1, Gamma: 1, Lambda: 1, Data: fixed.Format{Width: 4}}
	halves := model.Element{K: 1, Gamma: 1, Lambda: 0.5, Data: fixed.Format{Width: 10, Frac: 6}}
	form := func(e model.Element, f model.Form, k int) model.Element {
		e.Form, e.K = f, k
		return e
	}
	type pair struct {
		one, other model.Element
		keep       promises
	}
	var cases []pair
	for _, other := range []model.Element{form(whole, model.Direct, 2), form(whole, model.Factored, 2), form(whole, model.Direct, 3), form(whole, model.Factored, 4)} {
		cases = append(cases, pair{whole, other, promises{exact: true}})
	}
	if !testing.Short() {
		for _, f := range []model.Form{model.Direct, model.Factored} { // in its own format
			large := whole
			large.Data = model.Default
			cases = append(cases, pair{large, form(large, f, 2), promises{exact: true}})
		}
		for _, other := range []model.Element{form(halves, model.Direct, 2)} {
			cases = append(cases, pair{halves, other, promises{exact: true, longest: halves.Data.Frac, whole: true}})
		}
	}
	if os.Getenv("ETCH_SLOW") != "" { // half a minute
		for _, other := range []model.Element{form(halves, model.Direct, 3), form(halves, model.Factored, 4)} {
			cases = append(cases, pair{halves, other, promises{exact: true, longest: halves.Data.Frac, whole: true}})
		}
	}
	for _, c := range cases {
		t.Run(fmt.Sprint(c.other.Form, " ", c.other.K, " ", c.other.Lambda, " ", c.other.Data), func(t *testing.T) {
			build := func(e model.Element, keep promises) *ir.Design {
				d, _, err := hw.Build(aligned(e, gae.Element{Element: c.other}.Latency(), keep))
				require.NoError(t, err)
				return d
			}
			start := time.Now()
			flushed := equiv.Reset(gae.Element{Element: c.other}.Latency() + 2)
			r := equiv.CheckDesigns(t, build(c.one, c.keep), build(c.other, c.keep), flushed, equiv.WithoutABC(), equiv.Limit(time.Minute))
			t.Log(time.Since(start).Round(time.Millisecond), r)

			// Where they saturate, they do not agree.
			keep := c.keep
			keep.exact = false
			r, err := equiv.Compare(build(c.one, keep), build(c.other, keep), flushed, equiv.WithoutABC())
			require.NoError(t, err)
			require.Equal(t, equiv.Different, r.Outcome, "%v", r)
		})
	}
}
