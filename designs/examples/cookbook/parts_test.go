package cookbook

import (
	"fmt"
	"strings"

	"etch/backends/verilog"
	"etch/hw"
	"etch/ir"
	"etch/testbench"
)

// Options is a component with optional ports: a slice has one element or none.
type Options struct {
	Width int  `help:"bits of the count" range:"1..64"`
	Clear bool `help:"a port that clears the count"`
}

type OptionsPorts struct {
	Clear []hw.Bit `dir:"in"`
	Count hw.UInt  `dir:"out"`
}

var _ hw.Component[OptionsPorts] = Options{}

func (o Options) Ports() OptionsPorts {
	p := OptionsPorts{Count: hw.Unsigned(o.Width)}
	if o.Clear {
		p.Clear = []hw.Bit{{}}
	}
	return p
}

func (o Options) Build(m *hw.Module, p OptionsPorts) {
	count := hw.Reg(m, "count", hw.Unsigned(o.Width), hw.U(0))
	count.Set(count.Inc())
	for _, clear := range p.Clear {
		count.SetIf(clear, hw.U(0))
	}
	p.Count.Set(count)
}

// An optional port is a slice of length 0 or 1 in the struct of ports.
func Example_optionalPort() {
	for _, c := range []Options{{Width: 4}, {Width: 4, Clear: true}} {
		design, _, err := hw.Build(c)
		var names []string
		for _, port := range design.Top.Ports {
			names = append(names, port.Name)
		}
		fmt.Println(design.Top.Name, strings.Join(names, " "), err)
	}
	// Output:
	// options clk rst count <nil>
	// options clk rst clear_0 count <nil>
}

// Tags limit parameters; Build says what is allowed, before Ports runs.
func Example_parameterLimits() {
	_, _, err := hw.Build(Options{Width: 65})
	text, _, _ := strings.Cut(err.Error(), " [")
	_, text, _ = strings.Cut(text, ": ")
	fmt.Println(text)
	// Output: Options: Width = 65, want 1 to 64
}

// Instances in a loop: names from hw.Name, connections from the ports of the one before.
func Example_instancesInALoop() {
	type ports struct {
		Total hw.UInt `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("three", ports{hw.Unsigned(10)}, func(m *hw.Module, p ports) {
		var counts []hw.UInt
		for i := range 3 {
			u := hw.Inst(m, hw.Name("part", i), Options{Width: 8})
			counts = append(counts, u.Count.Extend(10))
		}
		p.Total.Set(hw.Reduce(counts, hw.UInt.Add))
	}))
	s.Step(5)
	fmt.Println(s.Get(p.Total), s.Peek("part_1.count"))
	// Output: 15 5
}

// A scope puts a prefix before all names made through it: a helper needs no names of its own.
func Example_scopedHelper() {
	type ports struct {
		A, B hw.Bit  `dir:"in"`
		Out  hw.UInt `dir:"out"`
	}
	settled := func(m *hw.Module, x hw.Bit) hw.Bit {
		first := hw.Delay(m, "first", x, 1, hw.Low)
		return hw.Delay(m, "second", first, 1, hw.Low)
	}
	design, _, err := hw.Build(hw.Func("inputs", ports{Out: hw.Unsigned(2)}, func(m *hw.Module, p ports) {
		p.Out.Set(hw.FromBits(settled(m.Scope("a"), p.A), settled(m.Scope("b"), p.B)))
	}))
	for _, r := range design.Top.Regs {
		fmt.Print(design.Top.NameOf(r.Node), " ")
	}
	fmt.Println(err)
	// Output: a_first a_second b_first b_second <nil>
}

// A component for elements of any form: T is a scalar, a bundle or a vector.
func Example_anyElement() {
	type point struct{ X, Y hw.SInt }
	type ports struct {
		In  point `dir:"in"`
		Out point `dir:"out"`
	}
	shape := point{hw.Signed(8), hw.Signed(8)}
	s, p := testbench.New(testbench.Example(), hw.Func("points", ports{shape, shape}, func(m *hw.Module, p ports) {
		hw.Set(p.Out, latest(m, p.In, p.In.X.IsNeg()))
	}))
	testbench.Put(s, p.In, point{hw.S(-3), hw.S(7)})
	s.Step(1)
	s.Set(p.In.X, 1)
	s.Step(1)
	fmt.Println(s.Get(p.Out.X), s.Get(p.Out.Y))
	// Output: -3 7
}

// latest keeps the last x at which keep was high.
func latest[T any](m *hw.Module, x T, keep hw.Bit) T {
	held := hw.Reg(m, "held", hw.Like(x))
	hw.SetIf(held, keep, x)
	return held
}

// PLL stands for a vendor's module: its Verilog is elsewhere, its model is for simulation.
type PLL struct{ Multiply int }

type PLLPorts struct {
	In     hw.Bit `dir:"in"`
	Locked hw.Bit `dir:"out"`
}

func (PLL) Ports() PLLPorts { return PLLPorts{} }

func (PLL) Build(m *hw.Module, p PLLPorts) { p.Locked.Set(p.In) }

// Verilog names the module and its parameters.
func (l PLL) Verilog() hw.Verilog {
	return hw.Verilog{Module: "VENDOR_PLL", Params: []ir.Param{{Name: "MULT", Value: fmt.Sprint(l.Multiply)}}}
}

var _ hw.Component[PLLPorts] = PLL{}

// A black box is instantiated like any other component.
func Example_blackBox() {
	type ports struct {
		In  hw.Bit `dir:"in"`
		Out hw.Bit `dir:"out"`
	}
	design, _, _ := hw.Build(hw.Func("top", ports{}, func(m *hw.Module, p ports) {
		pll := hw.Inst(m, "pll", PLL{Multiply: 4}, PLLPorts{In: p.In})
		p.Out.Set(pll.Locked)
	}))
	text, err := verilog.Text(design, verilog.Options{NoPositions: true})
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "VENDOR_PLL") || strings.Contains(line, "MULT") {
			fmt.Println(strings.TrimSpace(line), err)
		}
	}
	// Output: VENDOR_PLL #(.MULT(4)) pll ( <nil>
}

// Names of fields decide names of ports; a tag gives another one, or none.
func Example_portNames() {
	type bus struct {
		AddrValid hw.Bit `hw:"avalid"`
		Data      hw.UInt
	}
	type ports struct {
		Host bus     `dir:"in" hw:"s_bus"`
		LED  hw.UInt `dir:"out" hw:"led_n"`
	}
	design, _, _ := hw.Build(hw.Func("names", ports{bus{Data: hw.Unsigned(4)}, hw.Unsigned(4)}, func(m *hw.Module, p ports) {
		p.LED.Set(hw.Gate(p.Host.AddrValid, p.Host.Data).Not())
	}))
	for _, port := range design.Top.Ports {
		fmt.Print(port.Name, " ")
	}
	// Output: s_bus_avalid s_bus_data led_n
}

// An attribute on everything made through a view, for the synthesis tool.
func Example_attribute() {
	type ports struct {
		In  hw.Bit `dir:"in"`
		Out hw.Bit `dir:"out"`
	}
	design, _, _ := hw.Build(hw.Func("debug", ports{}, func(m *hw.Module, p ports) {
		p.Out.Set(hw.Delay(m.With("mark_debug", "true"), "probe", p.In, 1))
	}))
	text, err := verilog.Text(design, verilog.Options{NoPositions: true})
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "reg probe") {
			fmt.Println(strings.TrimSpace(line), err)
		}
	}
	// Output: (* mark_debug = "true" *) reg probe; <nil>
}
