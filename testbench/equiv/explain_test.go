package equiv_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/testbench/equiv"
)

// keeper keeps a word without reset, inverted if kept is set; a wrong one gives it back
// inverted in the cycle after it is given. Extra is state that nothing is seen of.
func keeper(kept, wrong, extra bool) hw.Component[delayPorts] {
	w := hw.Unsigned(4)
	return hw.Func("keeper", delayPorts{hw.In(w), hw.Out(w), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
		name := "q"
		if kept {
			name = "n"
		}
		q := hw.Reg(m, name, w)
		y := q
		m.When(p.Go, func() {
			if kept {
				q.Set(p.X.Not())
			} else {
				q.Set(p.X)
			}
		})
		if kept != wrong {
			y = q.Not()
		}
		p.Y.Set(y)
		if extra {
			e := hw.Reg(m, "e", hw.Bit{})
			e.Set(p.Go.Xor(e))
			m.Assert(e.Or(e.Not()), "e is a bit")
		}
	})
}

// TestKeptInverted: which state of one side is which of the other does not show by
// names, nor by values that are equal. What differs then is the start, which is no
// difference of the designs; a real one is found whatever the start.
func TestKeptInverted(t *testing.T) {
	for _, extra := range []bool{false, true} {
		right := made(t, keeper(false, false, extra))
		r, err := equiv.Compare(right, made(t, keeper(true, false, false)), equiv.Limit(10*time.Second))
		require.NoError(t, err)
		require.NotEqual(t, equiv.Different, r.Outcome, "%v", r)

		r, err = equiv.Compare(right, made(t, keeper(true, true, false)), equiv.Limit(10*time.Second))
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome, "%v", r)
		c := r.Counterexample
		require.Equal(t, "y", c.Port)
		require.False(t, c.A.Equal(c.B))
		require.True(t, c.A.Equal(c.B.Not()))
	}
}

// TestForgottenStart: state that one side only starts with is a difference of the
// designs.
func TestForgottenStart(t *testing.T) {
	fixed := made(t, hw.Func("start", delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
		q := hw.Reg(m, "r", hw.Unsigned(4), hw.U(0))
		m.When(p.Go, func() { q.Set(p.X) })
		p.Y.Set(q)
	}))
	r, err := equiv.Compare(fixed, made(t, keeper(false, false, false)), equiv.Limit(10*time.Second))
	require.NoError(t, err)
	require.Equal(t, equiv.Different, r.Outcome, "%v", r)
}
