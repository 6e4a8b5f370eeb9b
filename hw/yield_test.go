package hw_test

import (
	"fmt"
	"slices"
	"testing"

	"etch/hw"
	"etch/ir"
)

// namesOf lists the names of a design's top, sorted: instances with a dot.
func namesOf(t *testing.T, body func(m *hw.Module, p pins)) []string {
	t.Helper()
	d, _, err := hw.Build(dut(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	var names []string
	for id := ir.ID(1); int(id) < d.Top.Len(); id++ {
		if name := d.Top.NameOf(id); name != "" && d.Top.Op(id) != ir.Input {
			names = append(names, name)
		}
	}
	for _, u := range d.Top.Insts {
		names = append(names, u.Name+".")
	}
	slices.Sort(names)
	return names
}

// Of two things with one name, instances and private registers have another one;
// ports and named signals keep theirs, in whatever order they come.
func TestNamesGiveWay(t *testing.T) {
	inst := func(m *hw.Module, p pins) { hw.Inst(m, "x", pass, thruPorts{In: p.A}) }
	named := func(m *hw.Module, p pins) { p.A.Not().Named("x") }
	y := func(m *hw.Module, p pins) { p.Y.Set(p.A) }
	type part = func(m *hw.Module, p pins)
	for _, c := range []struct {
		what  string
		parts []part
		want  []string
	}{
		{"an instance and a signal", []part{inst, named, y}, []string{"x", "x_inst."}},
		{"an instance and a memory", []part{inst, y, func(m *hw.Module, p pins) { _ = hw.Mem(m, "x", 4, hw.Bit{}) }}, []string{"x_inst."}},
		{"an instance and a register", []part{inst, y, func(m *hw.Module, p pins) { hw.Delay(m, "x", p.A, 1) }}, []string{"x", "x_inst."}},
		{"an instance and a port", []part{y, func(m *hw.Module, p pins) { hw.Inst(m, "a", pass, thruPorts{In: p.A}) }}, []string{"a_inst."}},
		{"a register and an input", []part{y, func(m *hw.Module, p pins) { hw.Delay(m, "a", p.A, 1) }}, []string{"a_reg"}},
		{"a register and the clock", []part{y, func(m *hw.Module, p pins) { hw.Delay(m, "clk", p.A, 1) }}, []string{"clk_reg"}},
		{"a register and an output that it does not drive", []part{func(m *hw.Module, p pins) {
			r := hw.Reg(m, "y", hw.Unsigned(8))
			r.Set(p.A)
			p.Y.Set(r.Inc())
		}}, []string{"y_reg"}},
		{"a register and an output that it drives", []part{func(m *hw.Module, p pins) {
			p.Y.Set(hw.Delay(m, "y", p.A, 1))
		}}, []string{"y"}},
		{"the first register of a Sync and a signal", []part{y,
			func(m *hw.Module, p pins) { hw.Sync(m, "q", p.C) },
			func(m *hw.Module, p pins) { p.A.Not().Named("q_meta") }}, []string{"q", "q_meta", "q_meta_reg"}},
		{"a stage of a Delay and a register", []part{y,
			func(m *hw.Module, p pins) { hw.Delay(m, "d", p.A, 2) },
			func(m *hw.Module, p pins) { hw.Delay(m, "d_1", p.A, 1) }}, []string{"d_1", "d_1_reg", "d_2"}},
		{"a stage of a Delay and an instance", []part{y,
			func(m *hw.Module, p pins) { hw.Inst(m, "d_1", pass, thruPorts{In: p.A}) },
			func(m *hw.Module, p pins) { hw.Delay(m, "d", p.A, 2) }}, []string{"d_1", "d_1_inst.", "d_2"}},
	} {
		for _, order := range []string{"", " in the other order"} {
			got := namesOf(t, func(m *hw.Module, p pins) {
				for _, part := range c.parts {
					part(m, p)
				}
			})
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s%s: %q, want %q", c.what, order, got, c.want)
			}
			slices.Reverse(c.parts)
		}
	}
}
