package hw_test

import (
	"strings"
	"testing"

	"etch/hw"
	"etch/hw/stream"
	"etch/ir"
)

// tagged has its directions at the fields; Ports gives only shapes that need a
// parameter.
type tagged struct{ Width, N int }

type taggedPorts struct {
	En    hw.Bit                   `dir:"in"`
	Slow  hw.Domain                `dir:"in"`
	Push  stream.Stream[hw.UInt]   `dir:"in"`
	Pops  []stream.Stream[hw.UInt] `dir:"out"`
	Pair  struct{ X, Y hw.UInt }   `dir:"out" hw:"xy"`
	Mixed struct {
		A hw.Bit
		B hw.Bit `dir:"out"`
	} `dir:"in"`
	Both hw.UInt `dir:"out"` // said twice, alike
	Old  hw.UInt
}

func (c tagged) Ports() taggedPorts {
	w := hw.Unsigned(c.Width)
	p := taggedPorts{Push: stream.Of(w), Pops: hw.VecOf(c.N, stream.Of(w)), Both: hw.Out(w), Old: hw.In(w)}
	p.Pair.X, p.Pair.Y = w, w
	return p
}

func (c tagged) Build(m *hw.Module, p taggedPorts) {
	for _, pop := range p.Pops {
		pop.Send(p.Push.Valid.And(p.En), p.Push.Data)
	}
	p.Push.Ready.Set(p.Pops[0].Ready)
	p.Pair.X.Set(p.Old)
	p.Pair.Y.Set(p.Push.Data)
	p.Mixed.B.Set(p.Mixed.A)
	p.Both.Set(p.Old)
}

func TestDirectionTags(t *testing.T) {
	d, _, err := hw.Build(tagged{Width: 4, N: 2})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range d.Top.Ports {
		got = append(got, map[ir.Dir]string{ir.In: "in ", ir.Out: "out "}[p.Dir]+p.Name)
		if at := d.Src.At(p.Pos); !strings.HasSuffix(at.File, "dirtag_test.go") {
			t.Errorf("%s is at %v", p.Name, at)
		}
	}
	want := "in en, in slow_clk, in slow_rst, in push_valid, out push_ready, in push_data, " +
		"out pops_0_valid, in pops_0_ready, out pops_0_data, out pops_1_valid, in pops_1_ready, out pops_1_data, " +
		"out xy_x, out xy_y, in mixed_a, out mixed_b, out both, in old"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// otherWay contradicts its tag.
type otherWay struct{}

type otherWayPorts struct {
	A hw.Bit `dir:"in"`
	B hw.Bit `dir:"out"`
}

func (otherWay) Ports() otherWayPorts {
	return otherWayPorts{A: hw.Out(hw.Bit{}), B: hw.In(hw.Bit{})}
}
func (otherWay) Build(m *hw.Module, p otherWayPorts) {}

// misspelt has a tag that is no direction.
type misspelt struct{}

type misspeltPorts struct {
	A hw.Bit `dir:"input"`
}

func (misspelt) Ports() (p misspeltPorts)            { return p }
func (misspelt) Build(m *hw.Module, p misspeltPorts) {}

func TestDirectionMistakes(t *testing.T) {
	for want, err := range map[string]error{
		`Ports of otherWay: a has the tag dir:"in" and is given by hw.Out [direction]`: build(otherWay{}),
		`Ports of otherWay: b has the tag dir:"out" and is given by hw.In [direction]`: build(otherWay{}),
		`field A of misspeltPorts has the tag dir:"input"; want "in" [bundle]`:         build(misspelt{}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
