package hw_test

import (
	"strings"
	"testing"

	"etch/hw"
	"etch/hw/stream"
	"etch/ir"
)

// chain is a generator whose parameter is another generator.
type chain struct {
	Link hw.Component[thruPorts]
	N    int
}

func (c chain) Ports() thruPorts { return c.Link.Ports() }

func (c chain) Build(m *hw.Module, p thruPorts) {
	x := p.In
	for i := range c.N {
		x = hw.Inst(m, hw.Name("link", i), c.Link, thruPorts{In: x}).Out
	}
	p.Out.Set(x)
}

// lag is a delay with parameters.
type lag struct{ Width, Cycles int }

func (d lag) Ports() thruPorts {
	return thruPorts{In: hw.In(hw.Unsigned(d.Width)), Out: hw.Out(hw.Unsigned(d.Width))}
}

func (d lag) Build(m *hw.Module, p thruPorts) { p.Out.Set(hw.Delay(m, "q", p.In, d.Cycles)) }

func TestComponentAsParameter(t *testing.T) {
	c := chain{Link: lag{8, 2}, N: 3}
	d, p, err := hw.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := modules(d); got != "lag_8_2 chain" { // one module for three instances
		t.Errorf("modules %s", got)
	}
	s := start(t, d)
	s.put(p.In, 42)
	s.Step(5)
	s.expect(p.Out, 0, "five cycles")
	s.Step(1)
	s.expect(p.Out, 42, "six cycles")
}

// Queue has the name of another package's component.
type Queue[T any] struct {
	Elem  T
	Depth int
}

func (q Queue[T]) Ports() struct{ X hw.Bit }                { return struct{ X hw.Bit }{hw.In(hw.Bit{})} }
func (q Queue[T]) Build(m *hw.Module, p struct{ X hw.Bit }) {}

// sorts has parameters of every sort.
type sorts struct {
	Name   string
	List   []int
	Shape  hw.UInt
	Fixed  hw.SInt
	Enum   hw.Enum[phase]
	Nested struct{ On bool }
	Any    any
	small  int8
	F      func()
}

func (sorts) Ports() struct{ X hw.Bit }                { return struct{ X hw.Bit }{hw.In(hw.Bit{})} }
func (sorts) Build(m *hw.Module, p struct{ X hw.Bit }) {}

func bitPort(x hw.Bit) struct{ X hw.Bit } { return struct{ X hw.Bit }{x} }

// top is a design of the given instances.
func topOf(t testing.TB, insts ...func(m *hw.Module, name string, x hw.Bit)) *ir.Design {
	t.Helper()
	d, _, err := hw.Build(hw.Func("top", bitPort(hw.In(hw.Bit{})), func(m *hw.Module, p struct{ X hw.Bit }) {
		for i, inst := range insts {
			inst(m, hw.Name("u", i), p.X)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	return d
}

func instOf(c hw.Component[struct{ X hw.Bit }]) func(m *hw.Module, name string, x hw.Bit) {
	return func(m *hw.Module, name string, x hw.Bit) { hw.Inst(m, name, c, bitPort(x)) }
}

func lagOf(c lag) func(m *hw.Module, name string, x hw.Bit) {
	return func(m *hw.Module, name string, x hw.Bit) {
		hw.Inst(m, name, c, thruPorts{In: x.Rep(c.Width)})
	}
}

func queueOf(depth int) func(m *hw.Module, name string, x hw.Bit) {
	return func(m *hw.Module, name string, x hw.Bit) {
		q := hw.Inst(m, name, stream.Queue[hw.UInt]{Elem: hw.Unsigned(4), Depth: depth})
		q.Push.Send(x, hw.U(1))
		q.Pop.Ready.Set(x)
	}
}

// A use elsewhere renames nothing, and equal parameters share a module.
func TestModuleNames(t *testing.T) {
	for _, c := range []struct {
		want  string
		insts []func(m *hw.Module, name string, x hw.Bit)
	}{
		{"lag_8_1 top", []func(*hw.Module, string, hw.Bit){lagOf(lag{8, 1})}},
		{"lag_8_1 lag_4_1 top", []func(*hw.Module, string, hw.Bit){lagOf(lag{8, 1}), lagOf(lag{4, 1}), lagOf(lag{8, 1})}},
		{"lag_4_1 lag_8_1 top", []func(*hw.Module, string, hw.Bit){lagOf(lag{4, 1}), lagOf(lag{8, 1})}},
		{"queue_u4_4 top", []func(*hw.Module, string, hw.Bit){queueOf(4), queueOf(4)}},
		{"stream_queue_u4_4 hw_test_queue_u4_4 top", []func(*hw.Module, string, hw.Bit){queueOf(4), instOf(Queue[hw.UInt]{hw.Unsigned(4), 4})}},
		{"hw_test_queue_u4_4 stream_queue_u4_4 top", []func(*hw.Module, string, hw.Bit){instOf(Queue[hw.UInt]{hw.Unsigned(4), 4}), queueOf(4)}},
	} {
		if got := modules(topOf(t, c.insts...)); got != c.want {
			t.Errorf("modules %s, want %s", got, c.want)
		}
	}
}

// Parameters that differ in anything make different modules, of stable names.
func TestModuleIdentity(t *testing.T) {
	on := struct{ On bool }{true}
	list := []sorts{
		{}, {Name: "a"}, {Name: "b"}, {Name: "A"}, {Name: "a b"}, {List: []int{1}}, {List: []int{1, 2}}, {List: []int{12}},
		{Shape: hw.Unsigned(3)}, {Shape: hw.Unsigned(4)}, {Shape: hw.Flip(hw.Unsigned(3))}, {Shape: hw.In(hw.Unsigned(3))}, {Fixed: hw.Signed(4)}, {Fixed: hw.FixedPoint(4, 2)}, {Fixed: hw.FixedPoint(4, -2)},
		{Enum: phases()}, {Enum: hw.EnumOf(busy, idle, last)}, {Nested: on}, {Any: 3}, {Any: int8(3)}, {Any: on}, {Any: lag{1, 2}}, {Any: hw.Unsigned(3)}, {small: 3}, {small: -3},
		{Any: []int{}},
	}
	names := map[string]int{}
	for i, c := range list {
		d := topOf(t, instOf(c), instOf(c))
		if len(d.Modules) != 2 {
			t.Errorf("%d: equal parameters make %s", i, modules(d))
		}
		name := d.Modules[0].Name
		if j, taken := names[name]; taken {
			t.Errorf("%+v and %+v have the name %s", c, list[j], name)
		}
		names[name] = i
	}
	f := func() {}
	if got := modules(topOf(t, instOf(sorts{F: f}), instOf(sorts{F: f}))); got != "sorts_top_u_0 sorts_top_u_1 top" {
		t.Errorf("parameters that cannot be compared: %s", got)
	}
	same := &sorts{Name: "p"}
	if got := modules(topOf(t, instOf(same), instOf(same), instOf(&sorts{Name: "p"}))); got != "sorts_top_u_0 sorts_top_u_2 top" {
		t.Errorf("pointers: %s", got)
	}
}

// One component value used twice, in two clock domains.
func TestReuse(t *testing.T) {
	type ports struct {
		A, B   hw.Domain
		CA, CB hw.UInt
	}
	w := hw.Unsigned(4)
	s, p := run(t, hw.Func("two", ports{hw.In(hw.Domain{}), hw.In(hw.Domain{}), hw.Out(w), hw.Out(w)}, func(m *hw.Module, p ports) {
		hw.Inst(m.On(p.A), "a", counting{}, struct{ Out hw.UInt }{p.CA})
		hw.Inst(m.On(p.B), "b", counting{}, struct{ Out hw.UInt }{p.CB})
	}))
	s.Reset()
	s.Tick(s.port(p.A.Clk), 2)
	s.Tick(s.port(p.B.Clk), 1)
	s.expect(p.CA, 4, "a")
	s.expect(p.CB, 3, "b")
}

// wired is a black box without a model, with its clock as a port.
type wired struct{ Model bool }

type wiredPorts struct {
	Dom hw.Domain
	In  hw.UInt
	Out hw.UInt
	Ok  hw.Bit
}

func (wired) Ports() wiredPorts {
	return wiredPorts{hw.In(hw.Domain{}), hw.In(hw.Unsigned(8)), hw.Out(hw.Unsigned(8)), hw.Out(hw.Bit{})}
}

func (w wired) Build(m *hw.Module, p wiredPorts) {
	if w.Model {
		p.Out.Set(hw.Delay(m.On(p.Dom), "q", p.In, 1))
		p.Ok.Set(hw.B(true))
	}
}

func (wired) Verilog() hw.Verilog {
	return hw.Verilog{Module: "vendor_wired", Files: []string{"wired.v"}, Params: []ir.Param{{Name: "W", Value: "8"}}}
}

func TestBlackBox(t *testing.T) {
	parent := func(box wired) hw.Component[thruPorts] {
		return hw.Func("parent", lag{8, 1}.Ports(), func(m *hw.Module, p thruPorts) {
			u := hw.Inst(m, "u", box, wiredPorts{Dom: m.Domain(), In: p.In})
			p.Out.Set(hw.Mux(u.Ok, u.Out, p.In))
		})
	}
	d, _, err := hw.Build(parent(wired{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	x := d.Modules[0].Extern
	if x == nil || x.Model || x.Module != "vendor_wired" || x.Files[0] != "wired.v" || x.Params[0].Value != "8" {
		t.Errorf("extern %+v", x)
	}
	for _, p := range d.Modules[0].Ports {
		if p.Dir == ir.Out && p.Node != ir.None {
			t.Errorf("output %s of a black box has a driver", p.Name)
		}
	}
	s, p := run(t, parent(wired{Model: true}))
	s.put(p.In, 33)
	s.Step(1)
	s.expect(p.Out, 33, "the model")
	if m := s.Design().Modules[0]; !m.Extern.Model {
		t.Error("the model is not noticed")
	}
	_, _, err = hw.Build(hw.Func("half", wired{}.Ports(), func(m *hw.Module, p wiredPorts) { hw.Inst(m, "u", halfModel{}, p) }))
	if errs := errorsOf(t, err); len(errs) != 1 || !strings.Contains(errs[0].Msg, "output ok is never set") {
		t.Errorf("half a model: %v", err)
	}
}

// halfModel is a model that forgets an output.
type halfModel struct{ wired }

func (halfModel) Build(m *hw.Module, p wiredPorts) { p.Out.Set(p.In) }

// NodeOf and PortOf find what is behind handles after Build.
func TestInspect(t *testing.T) {
	var sum, in, out hw.UInt
	d, p, err := hw.Build(hw.Func("inspect", lag{8, 1}.Ports(), func(m *hw.Module, p thruPorts) {
		sum = p.In.Add(p.In).Named("sum")
		u := hw.Inst(m, "u", pass)
		u.In.Set(sum)
		in, out = u.In, u.Out
		p.Out.Set(u.Out)
	}))
	if err != nil {
		t.Fatal(err)
	}
	m := d.Top
	node := func(s hw.Signal) ir.ID {
		at, id, ok := hw.NodeOf(s)
		if !ok || at != m {
			t.Errorf("no node: %v %v", at, ok)
		}
		return id
	}
	if m.NameOf(node(sum)) != "sum" || node(in) != node(sum) || m.Op(node(out)) != ir.InstOut || node(p.Out) != node(out) || m.Op(node(p.In)) != ir.Input {
		t.Error("the wrong nodes")
	}
	for i, s := range []hw.Signal{p.In, p.Out} {
		if at, n, ok := hw.PortOf(s); !ok || n != i || at != m {
			t.Errorf("port %d: %d %v", i, n, ok)
		}
	}
	for _, s := range []hw.Signal{hw.Unsigned(3), hw.U(3), hw.UInt{}} {
		if _, _, ok := hw.NodeOf(s); ok {
			t.Error("a node of no signal")
		}
		if _, _, ok := hw.PortOf(s); ok {
			t.Error("a port of no signal")
		}
	}
}

// Designs are built in parallel from shared components and shapes.
func TestParallelBuilds(t *testing.T) {
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for range 20 {
				errs := errorsOf(t, build(dut(func(m *hw.Module, p pins) {
					u := hw.Inst(m, "u", pass, thruPorts{In: p.A})
					p.Y.Set(u.Out.Add(p.B))
				})))
				if len(errs) != 1 {
					t.Error(errs)
				}
				topOf(t, lagOf(lag{8, 1}), queueOf(4))
			}
		})
	}
}

// Vectors of no elements are no trouble until somebody wants one.
func TestEmptyVectors(t *testing.T) {
	type ports struct {
		None hw.Vec[hw.UInt]
		Y    hw.Bit
	}
	s, p := run(t, hw.Func("empty", ports{hw.In(hw.VecOf(0, hw.Unsigned(8))), hw.Out(hw.Bit{})}, func(m *hw.Module, p ports) {
		r := hw.Reg(m, "r", hw.VecOf(-1, hw.Unsigned(8)), p.None)
		hw.Set(r, p.None)
		hw.Set(hw.Wire(m, "w", hw.Like(p.None)), hw.Mux(p.Y, r, p.None))
		p.Y.Set(hw.B(hw.WidthOf(p.None) == 0))
	}))
	s.expect(p.Y, 1, "nothing is there")
}
