package hw_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
)

type timedPorts struct {
	En, Mode hw.Bit
	A, B     hw.UInt
	Sum, Dif hw.UInt
}

// timed has two registers between its inputs and outputs, or what a body makes.
type timed struct {
	Says int
	body func(m *hw.Module, p timedPorts)
}

func (c timed) ModuleName() string {
	if c.body != nil {
		return "timed_by_hand"
	}
	return "timed"
}
func (c timed) Latency() int { return c.Says }

func (timed) Ports() timedPorts {
	w := hw.Unsigned(8)
	return timedPorts{
		En: hw.In(hw.Bit{}), Mode: hw.In(hw.Bit{}), A: hw.In(w), B: hw.In(w),
		Sum: hw.Out(w),
		Dif: hw.Out(w),
	}
}

func (c timed) Build(m *hw.Module, p timedPorts) {
	if c.body != nil {
		c.body(m, p)
		return
	}
	run := m.Enabled(p.En)
	a, b := hw.Delay(run, "a_q", p.A, 1), hw.Delay(run, "b_q", p.B, 1)
	p.Sum.Set(hw.Delay(run, "sum_q", a.Add(b), 1))
	p.Dif.Set(hw.Delay(run, "dif_q", a.Sub(b), 1))
}

// bodies of latency 2, unless wrong says what is wrong with them.
var timedBodies = []struct {
	name  string
	body  func(m *hw.Module, p timedPorts)
	wrong string
}{
	{"pipeline", nil, ""},
	{"in an instance", func(m *hw.Module, p timedPorts) {
		u := hw.Inst(m, "u", timed{Says: 2}, timedPorts{En: p.En, Mode: p.Mode, A: p.A, B: p.B})
		p.Sum.Set(u.Sum)
		p.Dif.Set(u.Dif)
	}, ""},
	{"past an instance", func(m *hw.Module, p timedPorts) {
		u := hw.Inst(m, "u", timed{Says: 2}, timedPorts{En: p.En, Mode: p.Mode, A: p.A, B: p.B})
		p.Sum.Set(hw.Delay(m, "late", u.Sum, 1))
		p.Dif.Set(u.Dif)
	}, "from a to sum there are 3 registers; 2 registers in u; register late"},
	{"a stage too many", func(m *hw.Module, p timedPorts) {
		p.Sum.Set(hw.Delay(m, "sum_q", p.A.Add(p.B), 2))
		p.Dif.Set(hw.Delay(m, "dif_q", p.A.Sub(p.B), 3))
	}, "from a to dif there are 3 registers; register dif_q_1; register dif_q_2; register dif_q_3"},
	{"an operand that comes late", func(m *hw.Module, p timedPorts) {
		p.Sum.Set(hw.Delay(m, "sum_q", hw.Delay(m, "a_q", p.A, 1).Add(hw.Delay(m, "b_q", p.B, 2)), 1))
		p.Dif.Set(hw.Delay(m, "dif_q", p.A, 2))
	}, "from b to sum there are 3 registers; register b_q_1; register b_q_2; register sum_q"},
	{"no register", func(m *hw.Module, p timedPorts) {
		p.Sum.Set(hw.Mux(p.Mode, p.A, hw.Delay(m, "a_q", p.A, 2)))
		p.Dif.Set(hw.Delay(m, "dif_q", p.B, 2))
	}, "from mode to sum there are 0 registers"},
	{"what stands still", func(m *hw.Module, p timedPorts) {
		late := hw.Delay(m, "a_q", p.A, 2)
		p.Sum.Set(hw.Mux(hw.Static(m, "mode_still", p.Mode), late, late.Not()))
		p.Dif.Set(hw.Delay(m, "dif_q", p.B, 2))
	}, ""},
	{"a filter", func(m *hw.Module, p timedPorts) { // which looks at elements before
		a := hw.Delay(m, "a_q", p.A, 1)
		p.Sum.Set(hw.Delay(m, "sum_q", a.Add(hw.Delay(m, "a_before", a, 1)), 1))
		p.Dif.Set(hw.Delay(m, "dif_q", p.B, 2))
	}, ""},
	{"a loop and a held setting", func(m *hw.Module, p timedPorts) {
		scale := hw.Reg(m, "scale", hw.Unsigned(8), hw.U(0))
		m.When(p.Mode, func() { scale.Set(p.B) })
		total := hw.Reg(m, "total", hw.Unsigned(8), hw.U(0))
		total.Set(total.Add(p.A))
		p.Sum.Set(total)
		p.Dif.Set(hw.Delay(m, "dif_q", hw.Delay(m, "a_q", p.A, 1).Add(scale), 1))
	}, ""},
	{"a table", func(m *hw.Module, p timedPorts) {
		rom := hw.Mem(m, "rom", 256, hw.Unsigned(8), hw.Contents(1, 2, 3))
		p.Sum.Set(hw.Delay(m, "sum_q", rom.SyncRead("word", p.A, hw.Undefined), 1))
		p.Dif.Set(rom.SyncRead("other", p.B, hw.Undefined))
	}, "from b to dif there is 1 register; a read of memory rom"},
}

// Build finds a component that says another latency than it has, with the way,
// register by register, and raises no false alarm.
func TestLatency(t *testing.T) {
	for _, c := range timedBodies {
		t.Run(c.name, func(t *testing.T) {
			err := build(timed{2, c.body})
			if c.wrong == "" {
				require.NoError(t, err)
				return
			}
			var all []string
			for _, d := range errorsOf(t, err) {
				require.Equal(t, "latency", d.Code)
				require.True(t, strings.HasSuffix(d.Pos.File, "latency_test.go"), "%v", d.Pos)
				_, said, _ := strings.Cut(d.Msg, " is 2, and ")
				all = append(all, said)
				for _, n := range d.Notes[:len(d.Notes)-1] {
					require.True(t, strings.HasSuffix(n.Pos.File, "latency_test.go"), "%v", n)
					all = append(all, n.Msg)
				}
			}
			require.Equal(t, c.wrong, strings.Join(all, "; "))
		})
	}
}

// Every latency but the right one is a mistake.
func TestLatencySays(t *testing.T) {
	for says := range 5 {
		err := build(timed{Says: says})
		if (err == nil) != (says == 2) {
			t.Errorf("%d: %v", says, err)
		}
		if err != nil {
			require.ErrorContains(t, err, fmt.Sprintf("Latency of timed is %d, and from a to sum there are 2 registers [latency]", says))
		}
	}
}
