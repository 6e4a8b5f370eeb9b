package hw_test

import (
	"fmt"
	"strings"
	"testing"

	"etch/designs/examples/rv32i"
	"etch/hw"
	"etch/ir"
	"etch/ir/text/printer"
)

// naming has a value named in each way.
type naming struct{}

func (naming) Ports() thruPorts { return lag{8, 1}.Ports() }

func (naming) Build(m *hw.Module, p thruPorts) {
	lane := m.Scope("lane", 1).Scope("stage")
	sum := p.In.Add(p.In).Named("sum")        // the operation itself
	again := sum.Named("again")               // a wire: it has a name
	in := p.In.Named("in_too")                // a wire: an input keeps its own
	neg := p.In.AsSigned().Named("as_signed") // a wire: another kind
	three := hw.Mux(p.In.Bit(0), again, p.In.Lit(3)).Named("three")
	pair := hw.Named(lane, "pair", thruPorts{p.In.Inc(), p.In.Dec()})
	r := hw.Reg(lane, "r", hw.Unsigned(8), hw.U(0))
	r.Set(pair.In.Add(pair.Out).Add(in).Add(neg.AsUnsigned()))
	out := hw.Reg(m, "out", hw.Unsigned(8)) // may have the name of the output that it drives
	out.Set(r.Add(three))
	p.Out.Set(out)
}

func TestNames(t *testing.T) {
	d, _, err := hw.Build(naming{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	m := d.Top
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if name := m.NameOf(id); name != "" {
			got = append(got, fmt.Sprintf("%s:%v:%v", name, m.Op(id), m.TypeOf(m.Node(id).Type)))
		}
	}
	want := "in:input:uint sum:add:uint again:wire:uint in_too:wire:uint as_signed:wire:sint three:mux:uint" +
		" lane_1_stage_pair_in:add:uint lane_1_stage_pair_out:sub:uint clk:input:clock lane_1_stage_r:reg:uint rst:input:reset out:reg:uint"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("names\n%s, want\n%s", s, want)
	}
	if p := m.Ports[len(m.Ports)-1]; p.Name != "out" || m.NameOf(p.Node) != "out" {
		t.Errorf("output %s is driven by %s", p.Name, m.NameOf(p.Node))
	}
}

// Positions are the user's lines, also through hw's own helpers.
func TestPositions(t *testing.T) {
	d, _, err := hw.Build(naming{})
	if err != nil {
		t.Fatal(err)
	}
	m := d.Top
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if m.Op(id) == ir.Const {
			continue // shared between uses
		}
		if at := d.Src.At(m.Node(id).Pos); !strings.HasSuffix(at.File, "_test.go") {
			t.Errorf("%%%d %s %s is at %v", id, m.Op(id), m.NameOf(id), at)
		}
	}
}

// Building twice gives the same text, also with other designs in between.
func TestDeterminism(t *testing.T) {
	for name, build := range map[string]func() (*ir.Design, error){
		"naming":  func() (*ir.Design, error) { d, _, err := hw.Build(naming{}); return d, err },
		"domains": func() (*ir.Design, error) { d, _, err := hw.Build(domains{}); return d, err },
		"flip":    func() (*ir.Design, error) { d, _, err := hw.Build(array{N: 4}); return d, err },
		"rv32i":   func() (*ir.Design, error) { d, _, err := hw.Build(rv32i.Core{Words: 64}); return d, err },
	} {
		var texts []string
		for range 3 {
			d, err := build()
			if err != nil {
				t.Fatal(name, err)
			}
			if err := ir.Verify(d); err != nil {
				t.Fatal(name, err)
			}
			var b strings.Builder
			if err := printer.Print(&b, d); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, b.String())
			hw.Build(regs{})
		}
		if texts[0] != texts[1] || texts[1] != texts[2] || len(texts[0]) < 100 {
			t.Errorf("%s: two builds differ", name)
		}
	}
}
