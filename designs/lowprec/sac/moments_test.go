package sac

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/lowprec"
	"etch/hw/float"
)

// A step with moments in formats of their own is that of the optimiser's model, code by code.
func TestMomentsAreTheModels(t *testing.T) {
	wide, e8m7 := lowprec.Own{Exp: 5, Frac: 13}, lowprec.Own(float.BF16)
	for _, of := range []lowprec.Moments{{W: wide}, {M: wide, W: wide}, {M: e8m7, W: lowprec.Own(float.F32)}, {W: lowprec.Own{Exp: 5, Frac: 5}}} {
		for _, method := range []lowprec.Method{lowprec.HAdam, lowprec.Adam} {
			c := Default(AllSix(), 1)
			c.Moments, c.HAdam = of, method == lowprec.HAdam
			require.NoError(t, c.Validate())
			o := newGroup(&c, newNumbers(c.Format), Critics, make([]float32, 1000), true)
			unit := lowprec.Ours()
			unit.Moments, unit.Method = of, method

			// Weights and moments as in training, and with a gradient that is not.
			r := rand.New(rand.NewPCG(3, 4))
			want := make([]lowprec.State[uint64], len(o.p))
			for step := range 30 {
				for i := range o.g {
					o.g[i] = o.n.wide(r.NormFloat64() * []float64{100, 1, 1e-3, 1e-6}[i%4])
				}
				o.steps = step + 1
				k := unit.StepConstants(o.steps, c.Rate, c.Epsilon, o.scale())
				o.stepRounded()
				for i, g := range o.g {
					want[i] = unit.Next(want[i], o.n.slices.Code(g), k)
					got := lowprec.State[uint64]{Theta: o.n.slices.Code(o.p[i]), C: o.n.slices.Code(o.k[i]), M: o.nm.slices.Code(o.m[i]), W: o.nw.slices.Code(o.w[i])}
					require.Equal(t, want[i], got, "%v %v, step %d, weight %d", of, method, step, i)
				}
			}
		}
	}
}

func TestMomentsRefused(t *testing.T) {
	c := Default(Moments(lowprec.Own{}, lowprec.Own(float.F64)), 1)
	require.ErrorContains(t, c.Validate(), "moments in formats same and e11m52")
	c.W = lowprec.Own{Exp: 5, Frac: 13}
	require.NoError(t, c.Validate())
	_, err := Train(t.Context(), c, &Recorder{Every: 2}, nil)
	require.ErrorContains(t, err, "records have room for moments in the common format alone")
}
