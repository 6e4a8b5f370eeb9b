package hw_test

import (
	"errors"
	"fmt"

	"etch/hw"
	"etch/sim"
)

// Counter counts the cycles in which En is high and wraps at 2^Width.
type Counter struct{ Width int }

type CounterPorts struct {
	En    hw.Bit
	Count hw.UInt
}

func (c Counter) Ports() CounterPorts {
	return CounterPorts{
		En:    hw.In(hw.Bit{}),
		Count: hw.Out(hw.Unsigned(c.Width)),
	}
}

func (c Counter) Build(m *hw.Module, p CounterPorts) {
	count := hw.Reg(m, "count", hw.Unsigned(c.Width), hw.U(0))
	m.When(p.En, func() { count.Set(count.Inc()) })
	p.Count.Set(count)
}

// A component, built and run. Package testbench says the same in fewer words.
func Example() {
	design, _, err := hw.Build(Counter{Width: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := sim.New(design)
	en, _ := s.Signal("en")
	count, _ := s.Signal("count")
	s.Reset()
	for _, v := range []uint64{1, 1, 0, 1, 1} {
		s.Set(en, v)
		s.Step(1)
		fmt.Print(s.Get(count), " ")
	}
	// Output: 1 2 2 3 0
}

// Instances are connected by name, at once or port by port.
func ExampleInst() {
	type ports struct{ Pulse, Carry hw.Bit }
	clock := hw.Func("clock", ports{hw.In(hw.Bit{}), hw.Out(hw.Bit{})}, func(m *hw.Module, p ports) {
		low := hw.Inst(m, "low", Counter{Width: 3}, CounterPorts{En: p.Pulse})
		wrap := low.Count.Is(7).And(p.Pulse).Named("wrap")

		high := hw.Inst(m, "high", Counter{Width: 3})
		high.En.Set(wrap)
		p.Carry.Set(high.Count.All())
	})
	design, _, err := hw.Build(clock)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range design.Modules { // equal parameters share a module
		fmt.Println(m.Name, len(m.Insts))
	}
	// Output:
	// counter_3 0
	// clock 2
}

// A state machine is a Go switch over the values of an enumeration.
func ExampleEnum_Cases() {
	type light string
	type ports struct {
		Walk hw.Bit
		Now  hw.Enum[light]
	}
	lights := hw.EnumOf[light]("red", "green", "amber")
	crossing := hw.Func("crossing", ports{hw.In(hw.Bit{}), hw.Out(lights)}, func(m *hw.Module, p ports) {
		state := hw.Reg(m, "state", lights, hw.Val[light]("red"))
		for s := range state.Cases() {
			switch s {
			case "red":
				state.Goto("green")
			case "green":
				m.When(p.Walk, func() { state.Goto("amber") })
			case "amber":
				state.Goto("red")
			}
		}
		p.Now.Set(state)
	})
	design, _, err := hw.Build(crossing)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := sim.New(design)
	walk, _ := s.Signal("walk")
	now, _ := s.Signal("now")
	s.Reset()
	for _, v := range []uint64{0, 0, 1, 0, 0} {
		fmt.Print(now.Type().Enum.NameOf(s.Get(now)), " ")
		s.Set(walk, v)
		s.Step(1)
	}
	// Output: red green green amber red
}

// Mistakes are collected, each with its code, its line and the other place.
func ExampleErrors() {
	type ports struct{ A, B, Sum hw.UInt }
	shape := ports{hw.In(hw.Unsigned(8)), hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(9))}
	_, _, err := hw.Build(hw.Func("adder", shape, func(m *hw.Module, p ports) {
		p.Sum.Set(p.A.AddGrow(p.B))
		hw.Reg(m, "spare", hw.Unsigned(3)) //hwvet:ignore -- deliberate
	}))
	var mistakes hw.Errors
	errors.As(err, &mistakes)
	for _, d := range mistakes {
		fmt.Printf("%s [%s]\n", d.Msg, d.Code)
		for _, n := range d.Notes {
			fmt.Println("   ", n.Msg)
		}
	}
	// Output:
	// AddGrow: a has 8 bits, b has 4 [width]
	//     a is 8 bits wide
	//     b is 4 bits wide
	//     Extend widens and Trunc cuts, on purpose
	// register spare is never set [undriven]
}

// A memory with a synchronous read; the two writes exclude each other and share
// a port.
func ExampleMem() {
	type ports struct {
		Clear hw.Bit
		At    hw.UInt
		Data  hw.UInt
		Seen  hw.UInt
	}
	byte8 := hw.Unsigned(8)
	table := hw.Func("table", ports{hw.In(hw.Bit{}), hw.In(hw.AddressOf(100)), hw.In(byte8), hw.Out(byte8)}, func(m *hw.Module, p ports) {
		ram := hw.Mem(m, "ram", 100, hw.Unsigned(8), hw.Contents(1, 2, 3), hw.Style("block"))
		m.When(p.Clear, func() { ram.Write(p.At, hw.U(0)) }).Else(func() { ram.Write(p.At, p.Data) })
		p.Seen.Set(ram.SyncRead("look", p.At, hw.Old))
	})
	design, _, err := hw.Build(table)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("write ports:", len(design.Top.Mems[0].Writes))
	s, _ := sim.New(design)
	at, _ := s.Signal("at")
	data, _ := s.Signal("data")
	seen, _ := s.Signal("seen")
	s.Set(at, 2)
	s.Set(data, 50)
	for range 2 {
		s.Step(1)
		fmt.Println(s.Get(seen))
	}
	// Output:
	// write ports: 1
	// 3
	// 50
}

// Patterns of bits choose control signals; what an entry leaves out is the
// default's.
func ExampleDecode() {
	type control struct {
		Write hw.Bit
		Unit  hw.UInt
	}
	type ports struct {
		Op  hw.UInt
		Ctl control
	}
	shape := control{hw.Bit{}, hw.Unsigned(2)}
	decoder := hw.Func("decoder", ports{hw.In(hw.Unsigned(6)), hw.Out(shape)}, func(m *hw.Module, p ports) {
		hw.Set(p.Ctl, hw.Decode(p.Op, hw.Zero(shape), map[string]control{
			"00 0000": {Write: hw.B(true)},
			"00 1---": {Write: hw.B(true), Unit: hw.U(1)},
			"11 ----": {Unit: hw.U(3)},
		}))
	})
	design, _, err := hw.Build(decoder)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := sim.New(design)
	op, _ := s.Signal("op")
	write, _ := s.Signal("ctl_write")
	unit, _ := s.Signal("ctl_unit")
	for _, v := range []uint64{0b000000, 0b001010, 0b110011, 0b010000} {
		s.Set(op, v)
		fmt.Printf("%06b: write %d, unit %d\n", v, s.Get(write), s.Get(unit))
	}
	// Output:
	// 000000: write 1, unit 0
	// 001010: write 1, unit 1
	// 110011: write 0, unit 3
	// 010000: write 0, unit 0
}

// Two clocks: each view of the module belongs to one, and Sync brings a value
// from one to the other.
func ExampleModule_On() {
	type ports struct {
		Fast, Slow hw.Domain
		Tick       hw.Bit
		Seen       hw.Bit
	}
	shape := ports{hw.In(hw.Domain{}), hw.In(hw.Domain{}), hw.In(hw.Bit{}), hw.Out(hw.Bit{})}
	cross := func(safe bool) error {
		_, _, err := hw.Build(hw.Func("cross", shape, func(m *hw.Module, p ports) {
			slow, fast := m.On(p.Slow), m.On(p.Fast)
			ticked := hw.Delay(slow, "ticked", p.Tick, 1)
			if safe {
				p.Seen.Set(hw.Sync(fast, "seen", ticked))
			} else {
				p.Seen.Set(hw.Delay(fast, "seen", ticked, 1))
			}
		}))
		return err
	}
	fmt.Println(cross(true))
	var mistakes hw.Errors
	errors.As(cross(false), &mistakes)
	fmt.Println(mistakes[0].Msg)
	// Output:
	// <nil>
	// register seen mixes clocks fast_clk and slow_clk
}

// A conditional Set is one line, and can go on as a When does.
func ExampleUInt_SetIf() {
	type ports struct {
		Load, Step hw.Bit
		In, Out    hw.UInt
	}
	w4 := hw.Unsigned(4)
	timer := hw.Func("timer", ports{hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.In(w4), hw.Out(w4)}, func(m *hw.Module, p ports) {
		left := hw.Reg(m, "left", hw.Unsigned(4), hw.U(0))
		left.SetIf(p.Load, p.In).
			ElseWhen(p.Step.And(left.IsNot(0)), func() { left.Set(left.Dec()) })
		p.Out.Set(left)
	})
	design, _, err := hw.Build(timer)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := sim.New(design)
	load, _ := s.Signal("load")
	step, _ := s.Signal("step")
	in, _ := s.Signal("in")
	out, _ := s.Signal("out")
	s.Reset()
	s.Set(in, 2)
	s.Set(step, 1)
	for _, v := range []uint64{1, 0, 0, 0} {
		s.Set(load, v)
		s.Step(1)
		fmt.Print(s.Get(out), " ")
	}
	// Output: 2 1 0 0
}
