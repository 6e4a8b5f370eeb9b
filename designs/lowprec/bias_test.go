package lowprec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/lowprec"
	"etch/hw/float"
)

// The second moment's bias is inherent in fp16: √β2 = 1 − 2^-11, and each step loses a rounding,
// so that at a constant gradient the root w settles at 0.68 of it. More fraction bits mend
// that: with 13 it comes to 0.96, with 16 to 0.99.
func TestSecondMomentBias(t *testing.T) {
	for _, c := range []struct {
		frac int
		want float64
	}{{10, .6826}, {13, .9641}, {16, .9924}} {
		o := lowprec.Ours()
		o.W = lowprec.Own{Exp: 5, Frac: c.frac}
		var s lowprec.State[uint64]
		k := o.StepConstants(10000, 1e-4, 1e-8, 1)
		for range 20000 {
			s = o.Next(s, o.Format.Code(1), k)
		}
		require.InDelta(t, c.want, float.Format(o.W).Float64(s.W), .0001, "%d fraction bits", c.frac)
	}
}
