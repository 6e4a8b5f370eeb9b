package equiv_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/testbench/equiv"
)

// mixed has an assertion that induction decides, one that no prover decides soon
// (an identity of products), and, as wrong, one that fails.
type mixed struct{ Wrong bool }

type mixedPorts struct {
	A, B hw.UInt
	N    hw.UInt
}

func (mixed) Ports() mixedPorts {
	return mixedPorts{A: hw.In(hw.Unsigned(24)), B: hw.In(hw.Unsigned(24)), N: hw.Out(hw.Unsigned(8))}
}

func (x mixed) Build(m *hw.Module, p mixedPorts) {
	n := hw.Reg(m, "n", hw.Unsigned(8), hw.U(0))
	m.When(n.IsLt(20), func() { n.Set(n.Inc()) })
	p.N.Set(n)
	squares := p.A.Mul(p.A).Sub(p.B.Mul(p.B)).Trunc(24)
	m.Assert(n.IsLe(20), "n is at most 20")
	m.Assert(p.A.Add(p.B).Mul(p.A.Sub(p.B)).Trunc(24).Eq(squares), "the difference of squares")
	if x.Wrong {
		m.Assert(n.IsNot(7), "n is never 7")
	}
}

// A hard assertion hides no others: each has a result of its own.
func TestVerifyEach(t *testing.T) {
	d, _, err := hw.Build(mixed{})
	require.NoError(t, err)
	var stages []equiv.Stage
	all, err := equiv.VerifyEach(d, "", equiv.Limit(3*time.Second), equiv.WithoutABC(), equiv.Told(func(s equiv.Stage) { stages = append(stages, s) }))
	require.NoError(t, err)
	require.Len(t, all, 2)

	// The two were asked about one by one at the end.
	require.Contains(t, stages, equiv.Stage{Done: 0, All: 2})
	require.Contains(t, stages, equiv.Stage{Done: 1, All: 2})
	require.Contains(t, all[0].Assertion, "at most 20")
	require.Equal(t, equiv.Equal, all[0].Outcome)
	require.Equal(t, equiv.Unknown, all[1].Outcome)

	one, err := equiv.VerifyEach(d, "at most", equiv.Limit(3*time.Second))
	require.NoError(t, err)
	require.Len(t, one, 1)
	require.Equal(t, equiv.Equal, one[0].Outcome)

	d, _, err = hw.Build(mixed{Wrong: true})
	require.NoError(t, err)
	wrong, err := equiv.VerifyEach(d, "n is", equiv.Limit(5*time.Second))
	require.NoError(t, err)
	require.Len(t, wrong, 1)
	require.Equal(t, equiv.Different, wrong[0].Outcome)
	require.Contains(t, wrong[0].Assertion, "never 7")

	_, err = equiv.VerifyEach(d, "no such thing")
	require.ErrorContains(t, err, `contains "no such thing"`)
}

// never has an assertion that fails in cycle 19, which a search of six cycles does not see.
type never struct{}

func (never) Ports() mixedPorts { return mixed{}.Ports() }

func (never) Build(m *hw.Module, p mixedPorts) {
	n := hw.Reg(m, "n", hw.Unsigned(8), hw.U(0))
	m.When(n.IsLt(20), func() { n.Set(n.Inc()) })
	p.N.Set(n)
	m.Assert(n.IsNot(19), "n is never 19")
}

// A bounded search tells each of its steps.
func TestTold(t *testing.T) {
	d, _, err := hw.Build(never{})
	require.NoError(t, err)
	var steps []int
	r, err := equiv.VerifyBounded(d, 6, equiv.WithoutABC(), equiv.Limit(20*time.Second), equiv.Told(func(s equiv.Stage) {
		require.Equal(t, 6, s.Depth)
		steps = append(steps, s.Step)
	}))
	require.NoError(t, err)
	require.Equal(t, equiv.Equal, r.Outcome)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6}, steps)
}
