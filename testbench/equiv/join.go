package equiv

import (
	"errors"
	"fmt"
	"strings"

	"etch/ir"
	"etch/ir/pads"
)

// pair is a design of two designs side by side with common inputs: instances a and b of the two
// tops, whose outputs are a_… and b_….
type pair struct {
	design *ir.Design
	outs   []match
}

// match is an output of both sides.
type match struct {
	name string
	a, b string // ports of the pair's top
}

// join makes the pair. The error lists every port that does not match.
func join(a, b *ir.Design) (*pair, error) {
	if err := mismatch(a.Top, b.Top); err != nil {
		return nil, err
	}
	a, b = pads.Lower(a), pads.Lower(b)
	src := ir.NewSources()
	p := &pair{design: &ir.Design{Src: src}}
	top := ir.NewModule("pair", src)

	// Module names get a prefix, and inputs of the same name become one input of the pair.
	ins := map[string]ir.ID{}
	var sides [2]int
	for i, d := range []*ir.Design{a, b} {
		// A clone, since the modules get other names.
		d = d.Clone()
		for _, m := range d.Modules {
			m.Name = [...]string{"a_", "b_"}[i] + m.Name
		}
		p.design.Modules = append(p.design.Modules, d.Modules...)
		for _, port := range d.Top.Ports {
			if _, ok := ins[port.Name]; !ok && port.Dir == ir.In {
				ins[port.Name] = top.AddInput(port.Name, port.Width, top.AddType(inputType(port, d.Top, b.Top)), 0)
			}
		}
		sides[i] = top.AddInst([...]string{"a", "b"}[i], d.Top, 0)
		inst := &top.Insts[sides[i]]
		for j, port := range d.Top.Ports {
			if port.Dir == ir.In {
				inst.Conns[j] = ins[port.Name]
			}
		}
	}
	p.outputs(top, a.Top, b.Top, sides)
	p.design.Top = top
	p.design.Modules = append(p.design.Modules, top)
	return p, ir.Verify(p.design)
}

// inputType returns the type of an input of the pair: a reset if it is one on either side, since
// a side from Verilog has no such types.
func inputType(p ir.Port, m, other *ir.Module) ir.Type {
	if j := other.PortIndex(p.Name); j >= 0 && clocking(other, other.Ports[j]) {
		return other.TypeOf(other.Ports[j].Type)
	}
	return m.TypeOf(p.Type)
}

// outputs gives the pair the outputs of both sides, under unused names.
func (p *pair) outputs(top, a, b *ir.Module, sides [2]int) {
	free := func(name string) string {
		for top.PortIndex(name) >= 0 {
			name += "_"
		}
		return name
	}
	for i, port := range a.Ports {
		if port.Dir != ir.Out {
			continue
		}

		// mismatch has made sure that b has the port.
		j := b.PortIndex(port.Name)
		m := match{name: port.Name, a: free("a_" + port.Name)}
		top.AddOutput(m.a, port.Width, top.AddType(a.TypeOf(port.Type)), top.Insts[sides[0]].Conns[i], 0)
		m.b = free("b_" + port.Name)
		top.AddOutput(m.b, port.Width, top.AddType(b.TypeOf(b.Ports[j].Type)), top.Insts[sides[1]].Conns[j], 0)
		p.outs = append(p.outs, m)
	}
}

// mismatch returns an error with every port that one side lacks, or that differs in direction or
// width. Clocks and resets may be on one side only.
func mismatch(a, b *ir.Module) error {
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	outs := 0
	for _, p := range a.Ports {
		j := b.PortIndex(p.Name)
		if p.Dir != ir.In {
			outs++
		}
		if j < 0 {
			if !clocking(a, p) {
				say("%s %s is a port of a only", p.Dir, p.Name)
			}
			continue
		}
		q := b.Ports[j]
		switch {
		case p.Dir != q.Dir:
			say("%s is an %s of a and an %s of b", p.Name, p.Dir, q.Dir)
		case p.Width != q.Width:
			say("%s %s has %d bits in a, %d in b", p.Dir, p.Name, p.Width, q.Width)
		case isClock(a, p) != isClock(b, q):
			say("%s is a clock on one side only", p.Name)
		}
	}

	// Ports that only b has.
	for _, q := range b.Ports {
		if a.PortIndex(q.Name) < 0 && !clocking(b, q) {
			say("%s %s is a port of b only", q.Dir, q.Name)
		}
	}
	switch {
	case len(wrong) > 0:
		return fmt.Errorf("the ports of %s (a) and %s (b) do not match:\n\t%s", a.Name, b.Name, strings.Join(wrong, "\n\t"))
	case outs == 0:
		return errors.New("there are no outputs to compare")
	}
	return nil
}

func isClock(m *ir.Module, p ir.Port) bool { return m.TypeOf(p.Type).Kind == ir.Clock }

// clocking reports whether a port is a clock or reset input.
func clocking(m *ir.Module, p ir.Port) bool {
	k := m.TypeOf(p.Type).Kind
	return p.Dir == ir.In && (k == ir.Clock || k == ir.Reset || k == ir.AsyncReset)
}
