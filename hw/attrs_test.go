package hw_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"etch/hw"
	"etch/ir"
	"etch/passes"
)

type attrPorts struct {
	In  hw.UInt
	Out hw.UInt
	Sum struct{ A, B hw.UInt }
}

// attributed is a component with attributes on everything that can have them.
type attributed struct{}

func (attributed) Ports() attrPorts {
	p := attrPorts{In: hw.In(hw.Unsigned(4)), Out: hw.Out(hw.Unsigned(4))}
	p.Sum.A, p.Sum.B = hw.Out(hw.Unsigned(4)), hw.Out(hw.Unsigned(4))
	return p
}

func (attributed) Build(m *hw.Module, p attrPorts) {
	m.Attribute("keep_hierarchy", "yes")
	hw.Attr(m, p.In, "mark_debug", true)
	hw.Attr(m, p.Sum, "mark_debug", false)

	kept := m.With("keep", true)
	a := hw.Reg(kept, "a", hw.Unsigned(4), hw.U(0))
	b := hw.Reg(kept.Scope("deep").With("keep", "soft").With("max_fanout", int8(-3)), "b", hw.Unsigned(4), hw.U(0))
	plain := hw.Reg(m, "plain", hw.Unsigned(4), hw.U(0)) // reads like a
	a.Set(p.In)
	b.Set(p.In)
	plain.Set(p.In)

	w := hw.Wire(kept, "w", hw.Unsigned(4))
	w.Set(a)
	sum := hw.Named(kept, "sum", a.Add(b))
	hw.Named(kept, "lonely", p.In.Not()) // nothing reads it
	d := hw.Delay(m.With("ASYNC_REG", `TR"UE`), "d", sum, 2)
	ram := hw.Mem(m.With("ram_style", "ultra"), "ram", 16, hw.Unsigned(4))
	ram.Write(p.In, d)
	inst := hw.Inst(m.With("dont_touch", 1), "u", lag{4, 1}, thruPorts{In: w})
	hw.Attr(m, d, "late", 7)

	p.Out.Set(ram.Read(p.In))
	p.Sum.A.Set(sum.Add(plain))
	p.Sum.B.Set(inst.Out)
}

// attrsOf lists the attributes of a module, one line per thing that has some.
func attrsOf(m *ir.Module) string {
	var b strings.Builder
	line := func(what string, list []ir.Attr) {
		if len(list) > 0 {
			fmt.Fprintln(&b, what, list)
		}
	}
	line("module", m.Attrs)
	for _, p := range m.Ports {
		line(p.Name, p.Attrs)
	}
	m.EachAttr(func(id ir.ID, list []ir.Attr) { line(m.NameOf(id), list) })
	for i := range m.Mems {
		line(m.Mems[i].Name, m.Mems[i].Attrs)
	}
	for i := range m.Insts {
		line(m.Insts[i].Name, m.Insts[i].Attrs)
	}
	return b.String()
}

func TestAttributes(t *testing.T) {
	d, _, err := hw.Build(attributed{})
	if err != nil {
		t.Fatal(err)
	}
	want := `module [{keep_hierarchy "yes"}]
in [{mark_debug 1}]
sum_a [{mark_debug 0}]
sum_b [{mark_debug 0}]
a [{keep 1}]
deep_b [{keep "soft"} {max_fanout -3}]
w [{keep 1}]
sum [{keep 1}]
lonely [{keep 1}]
d_1 [{ASYNC_REG "TR\"UE"}]
d_2 [{ASYNC_REG "TR\"UE"} {late 7}]
ram [{ram_style "ultra"}]
u [{dont_touch 1}]
`
	if got := attrsOf(d.Top); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	// Passes keep all of it, though a, deep_b and plain hold the same always and
	// nothing reads lonely.
	o := passes.Optimize(d, passes.Options{})
	if err := ir.Verify(o); err != nil {
		t.Fatal(err)
	}
	sorted := func(s string) string { return strings.Join(sortedLines(s), "\n") }
	if got := attrsOf(o.Top); sorted(got) != sorted(want) {
		t.Errorf("after passes:\n%s\nwant\n%s", got, want)
	}
}

func sortedLines(s string) []string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return lines
}
