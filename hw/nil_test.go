package hw_test

import (
	"strings"
	"testing"

	"etch/hw"
)

type pointed struct{ width int }

func (c *pointed) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(c.width)), Out: hw.Out(hw.Unsigned(c.width))}
}

func (c *pointed) Build(m *hw.Module, p thruPorts) { p.Out.Set(p.In) }

// A nil component is a mistake with a line, as top and as instance; a nil option
// is none.
func TestNilComponent(t *testing.T) {
	for _, c := range []hw.Component[thruPorts]{nil, (*pointed)(nil)} {
		_, _, err := hw.Build(c)
		if err == nil || !strings.Contains(err.Error(), "nil_test.go:") || !strings.Contains(err.Error(), "Build: the component is nil [param]") {
			t.Errorf("Build: %v", err)
		}
		_, _, err = hw.Build(hw.Func("outer", (&pointed{width: 4}).Ports(), func(m *hw.Module, p thruPorts) {
			u := hw.Inst(m, "u", c, thruPorts{In: p.In})
			p.Out.Set(u.Out.Add(p.In))
		}), nil)
		if err == nil || strings.Count(err.Error(), "[") != 1 || !strings.Contains(err.Error(), "Inst u: the component is nil [param]") {
			t.Errorf("Inst: %v", err)
		}
	}
	if _, _, err := hw.Build(&pointed{width: 4}, nil); err != nil {
		t.Error(err)
	}
}
