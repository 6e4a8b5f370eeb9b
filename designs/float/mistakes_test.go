package float_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/designs/float/function"
	"etch/hw"
)

type slip struct{ Which int }

type slipPorts struct {
	A float.Num `dir:"in"`
	Y float.Num `dir:"out"`
}

func (slip) Ports() slipPorts { return slipPorts{A: float.Of(float.F16), Y: float.Of(float.F16)} }

func (c slip) Build(m *hw.Module, p slipPorts) {
	u := float.Units{Format: float.F16}.In(m)
	switch c.Which {
	case 0:
		p.Y.Set(u.Add(u.Input("a", p.A), u.Const(1e9)).At(0)) // at 0
	case 1:
		//hwvet:ignore hwdiscard -- its argument is the mistake
		hw.Wire(m, "x", float.Of(float.Format{Exp: 1, Frac: 5})) // at 1
		p.Y.Set(p.A)
	case 2:
		b := hw.Wire(m, "b", float.Of(float.F32))
		b.Set(float.Of(float.F32).Lit(1))
		p.Y.Set(u.Add(u.Input("a", p.A), u.Input("b", b)).At(0)) // at 2
	case 3:
		exp := function.Unit{Function: function.Exp, Format: float.F32}
		y := hw.Inst(m, "exp", exp, function.Ports{En: hw.High, A: p.A}).Y // at 3
		p.Y.Set(y)
	case 4:
		add := float.Adder{Op: float.Op{Format: float.Format{Exp: 1, Frac: 5}}}
		y := hw.Inst(m, "add", add, float.AdderPorts{A: p.A, B: p.A}).Y // at 4
		sum := hw.Inst(m, "sum", float.Adder{Op: float.Op{Format: float.F16}}, float.AdderPorts{Control: float.Control{En: hw.High}, A: y, B: p.A, Sub: hw.Low})
		p.Y.Set(sum.Y)
	}
}

// A mistake in a call of the library is one error, at the user's line and without the library's.
func TestMistakesAreTheUsers(t *testing.T) {
	source, err := os.ReadFile("mistakes_test.go")
	require.NoError(t, err)
	for which, want := range []string{
		"Lit: 1e+09 does not fit e5m10, whose greatest number is 65504", "float.Of: e1m5: 1 exponent bits, want 2 to 11", "Num.f is e5m10 on one side and e8m23 on the other",
		"want IEEE codes of 6 to 16 bits", "1 exponent bits, want 2 to 11",
	} {
		_, _, err := hw.Build(slip{which})
		var all hw.Errors
		require.True(t, errors.As(err, &all), "%d: %v", which, err)
		require.Len(t, all, 1, "%v", err)
		require.Contains(t, all[0].Msg, want)
		require.Empty(t, all[0].Via, "%v", err)
		require.True(t, strings.HasSuffix(all[0].Pos.File, "mistakes_test.go"), "%v", err)
		line := strings.Split(string(source), "\n")[all[0].Pos.Line-1]
		require.Contains(t, line, "// at "+string(rune('0'+which)))
	}
}
