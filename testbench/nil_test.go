package testbench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
)

type pointed struct{ width int }

func (c *pointed) Ports() tally {
	return tally{En: hw.In(hw.Unsigned(c.width)), Count: hw.Out(hw.Unsigned(c.width))}
}

func (c *pointed) Build(m *hw.Module, p tally) { p.Count.Set(p.En) }

// A nil component or design ends the test with a word about it; a nil option is
// none.
func TestNil(t *testing.T) {
	fails(t, func(t testing.TB) { New[tally](t, nil) }, "testbench.New: the component is nil")
	fails(t, func(t testing.TB) { New(t, (*pointed)(nil)) }, "testbench.New: the component is nil")
	fails(t, func(t testing.TB) { Run(t, nil) }, "testbench.Run: there is no design")
	passes(t, func(t testing.TB) {
		s, p := New(t, &pointed{4}, nil)
		s.Set(p.En, 3)
		require.Equal(t, 3, s.Get(p.Count))
	})
}
