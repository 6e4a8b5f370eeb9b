package ir

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// padded is a module with a pad that an inverter drives while en is high, and a top
// that joins two of them on a net.
func padded() *Design {
	c := NewModule("cell", nil)
	en := c.AddInput("en", 1, 0, 0)
	d := c.AddInput("d", 4, 0, 0)
	c.AddPad("io", 4, 0, 0)
	c.Nets[0].Drivers = []Driver{{Value: c.Add(Node{Op: Not, Width: 4}, d), En: en}}
	c.AddOutput("q", 4, 0, c.Ports[2].Node, 0)

	m := NewModule("m", nil)
	net := m.AddNet("bus", 4, 0, 0)
	for _, name := range []string{"a", "b"} {
		en, d := m.AddInput("en"+name, 1, 0, 0), m.AddInput("d"+name, 4, 0, 0)
		at := m.AddInst(name, c, 0)
		conns := m.Insts[at].Conns
		conns[0], conns[1], conns[2] = en, d, net
	}
	m.AddOutput("y", 4, 0, net, 0)
	return &Design{Top: m, Modules: []*Module{c, m}}
}

func TestVerifyNets(t *testing.T) {
	require.NoError(t, Verify(padded()))
	for _, c := range []struct {
		want  string
		spoil func(c, m *Module)
	}{
		{"net : %4 is not its node", func(_, m *Module) { m.Nets[0].Node = 4 }},
		{"net is %99, which does not exist", func(_, m *Module) { m.Nets[0].Node = 99 }},
		{"%1: net refers to nothing that refers back", func(_, m *Module) { m.Node(1).Aux = 1 }},
		{"net io: driver has 1 bits, want 4", func(c, _ *Module) { c.Nets[0].Drivers[0].Value = 1 }},
		{"net io: enable of a driver has 4 bits, want 1", func(c, _ *Module) { c.Nets[0].Drivers[0].En = 2 }},
		{"net io: enable of a driver is %0", func(c, _ *Module) { c.Nets[0].Drivers[0].En = None }},
		{"net io: no such pull", func(c, _ *Module) { c.Nets[0].Pull = 9 }},
		{"inout io: %2 is not the node of a net of its own", func(c, _ *Module) { c.Ports[2].Node = 2 }},
		{"instance a: port io: %3 is not the node of a net", func(_, m *Module) { m.Insts[0].Conns[2] = 3 }},
		{"instance a: port io is %0", func(_, m *Module) { m.Insts[0].Conns[2] = None }},
		{"inout io2: %3 is not the node of a net of its own", func(c, _ *Module) {
			p := c.Ports[2]
			p.Name = "io2"
			c.Ports = append(c.Ports, p)
		}},
	} {
		d := padded()
		c.spoil(d.Modules[0], d.Top)
		require.ErrorContains(t, Verify(d), c.want)
	}
}

// TestNetPaths: a pad depends on what drives it; what reads a net, on all that
// drives it anywhere below.
func TestNetPaths(t *testing.T) {
	d := padded()
	paths := Paths{}
	require.Equal(t, [][]int{nil, nil, {0, 1}, {2, 0, 1}}, paths.Of(d.Modules[0]))
	require.Equal(t, []int{0, 1, 2, 3}, sorted(paths.Of(d.Top)[4]))

	// A driver that reads its own net is a loop, here and through an instance.
	d.Modules[0].Nets[0].Drivers[0].Value = 3
	require.ErrorContains(t, Verify(d), "module cell: combinational loop of 1 nodes through %3")
	d = padded()
	d.Top.Insts[1].Conns[1] = 1
	require.ErrorContains(t, Verify(d), "module m: combinational loop of 1 nodes through %1")
}

func sorted(xs []int) []int {
	for i := range xs {
		for j := i; j > 0 && xs[j] < xs[j-1]; j-- {
			xs[j], xs[j-1] = xs[j-1], xs[j]
		}
	}
	return xs
}

// TestCloneIsApart: what is changed in a clone does not change the original.
func TestCloneIsApart(t *testing.T) {
	d := padded()
	c := d.Modules[0].Clone()
	c.Nets[0].Drivers[0].En = 99
	c.Args(4)[0] = 99
	c.Ports[0].Name = "other"
	c.Add(Node{Op: Wire, Width: 4}, 2)
	c.SetName(4, "inverted")
	c.AddType(Type{Kind: Fixed, Frac: 3})
	m := d.Top.Clone()
	m.Insts[0].Conns[0] = 99
	require.NoError(t, Verify(d))
	require.Equal(t, "", d.Modules[0].NameOf(4))
	require.Equal(t, 5, d.Modules[0].Len())
}
