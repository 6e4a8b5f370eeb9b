package cookbook

import (
	"fmt"

	"etch/hw"
	"etch/testbench"
)

// A counter that wraps at any number: UpTo gives the width for it.
func Example_countToTen() {
	type ports struct {
		Digit hw.UInt `dir:"out"`
		Carry hw.Bit  `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("decade", ports{Digit: hw.UpTo(9)}, func(m *hw.Module, p ports) {
		digit := hw.Reg(m, "digit", hw.UpTo(9), hw.U(0))
		last := digit.Is(9).Named("last")
		digit.Set(hw.Mux(last, digit.Lit(0), digit.Inc()))
		p.Digit.Set(digit)
		p.Carry.Set(last)
	}))
	s.Step(9)
	fmt.Print(s.Get(p.Digit), s.Get(p.Carry), " ")
	s.Step(1)
	fmt.Print(s.Get(p.Digit), s.Get(p.Carry))
	// Output: 9 1 0 0
}

// A pulse for one cycle at each rising edge of a level.
func Example_risingEdge() {
	type ports struct {
		Level hw.Bit `dir:"in"`
		Pulse hw.Bit `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("edge", ports{}, func(m *hw.Module, p ports) {
		p.Pulse.Set(hw.RisingEdge(m, "level_before", p.Level))
	}))
	w := s.Wave(p.Level, p.Pulse)
	for _, v := range []int{0, 1, 1, 0, 1, 0} {
		s.Set(p.Level, v)
		s.Step(1)
	}
	fmt.Print(w)
	// Output:
	// level  ___/‾‾‾‾‾\__/‾‾\__
	// pulse  ___/‾‾\_____/‾‾\__
}

// A pulse made longer: a counter that a trigger loads and that runs down.
func Example_stretchPulse() {
	type ports struct {
		Trigger hw.Bit `dir:"in"`
		Long    hw.Bit `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("stretch", ports{}, func(m *hw.Module, p ports) {
		left := hw.Reg(m, "left", hw.UpTo(3), hw.U(0))
		left.SetIf(p.Trigger, hw.U(3)).ElseWhen(left.Any(), func() { left.Set(left.Dec()) })
		p.Long.Set(left.Any())
	}))
	w := s.Wave(p.Trigger, p.Long)
	for cycle := range 7 {
		s.Set(p.Trigger, map[bool]int{true: 1}[cycle == 1])
		s.Step(1)
	}
	fmt.Print(w)
	// Output:
	// trigger  ___/‾‾\______________
	// long     ______/‾‾‾‾‾‾‾‾\_____
}

// A shift register, the last bit in at the bottom.
func Example_shiftRegister() {
	type ports struct {
		In  hw.Bit  `dir:"in"`
		Out hw.UInt `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("shift", ports{Out: hw.Unsigned(4)}, func(m *hw.Module, p ports) {
		shift := hw.Reg(m, "shift", hw.Unsigned(4), hw.U(0))
		shift.Set(hw.Cat(shift.Trunc(3), p.In))
		p.Out.Set(shift)
	}))
	for _, bit := range []int{1, 0, 1, 1} {
		s.Set(p.In, bit)
		s.Step(1)
	}
	fmt.Printf("%04b\n", s.Get(p.Out))
	// Output: 1011
}

// A delay line whose flag alone is reset: the data needs no reset net.
func Example_resetOnlyValid() {
	type line struct {
		Valid hw.Bit
		Data  hw.UInt
	}
	type ports struct {
		In  line `dir:"in"`
		Out line `dir:"out"`
	}
	shape := line{Data: hw.Unsigned(8)}
	design, _, err := hw.Build(hw.Func("delay", ports{shape, shape}, func(m *hw.Module, p ports) {
		hw.Set(p.Out, hw.Delay(m, "line", p.In, 2, line{Valid: hw.Low}))
	}))
	for _, r := range design.Top.Regs {
		fmt.Println(design.Top.NameOf(r.Node), r.Rst != 0, err)
	}
	// Output:
	// line_1_valid true <nil>
	// line_1_data false <nil>
	// line_2_valid true <nil>
	// line_2_data false <nil>
}

// A clock enable for everything made through a view.
func Example_clockEnable() {
	type ports struct {
		En    hw.Bit  `dir:"in"`
		Count hw.UInt `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("enabled", ports{Count: hw.Unsigned(8)}, func(m *hw.Module, p ports) {
		run := m.Enabled(p.En)
		count := hw.Reg(run, "count", hw.Unsigned(8), hw.U(0))
		count.Set(count.Inc())
		p.Count.Set(count)
	}))
	for cycle := range 10 {
		s.Set(p.En, cycle%2)
		s.Step(1)
	}
	fmt.Println(s.Get(p.Count))
	// Output: 5
}

// An active-low reset of the board: invert it and make a domain with it.
func Example_activeLowReset() {
	type ports struct {
		Clk  hw.Clock `dir:"in"`
		RstN hw.Bit   `dir:"in"`
		Out  hw.UInt  `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("board", ports{Out: hw.Unsigned(4)}, func(m *hw.Module, p ports) {
		m = m.On(hw.Domain{Clk: p.Clk, Rst: p.RstN.Not().AsReset()})
		count := hw.Reg(m, "count", hw.Unsigned(4), hw.U(0))
		count.Set(count.Inc())
		p.Out.Set(count)
	}))
	s.Step(2) // rst_n is low
	fmt.Print(s.Get(p.Out), " ")
	s.Set(p.RstN, 1)
	s.Step(3)
	fmt.Print(s.Get(p.Out))
	// Output: 0 3
}

// A read-only table: a memory that nothing writes.
func Example_rom() {
	type ports struct {
		At   hw.UInt `dir:"in"`
		Sine hw.UInt `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("rom", ports{hw.AddressOf(8), hw.Unsigned(8)}, func(m *hw.Module, p ports) {
		table := hw.Mem(m, "table", 8, hw.Unsigned(8), hw.Contents(0, 25, 50, 74, 98, 120, 142, 162))
		p.Sine.Set(table.Read(p.At))
	}))
	s.Set(p.At, 5)
	fmt.Println(s.Get(p.Sine))
	// Output: 120
}

// A block RAM of bundles: the read has a register, and its behaviour under a write is named.
func Example_ramOfBundles() {
	type item struct{ Tag, Data hw.UInt }
	type ports struct {
		At    hw.UInt `dir:"in"`
		Store hw.Bit  `dir:"in"`
		In    item    `dir:"in"`
		Out   item    `dir:"out"`
	}
	shape := item{hw.Unsigned(3), hw.Unsigned(8)}
	s, p := testbench.New(testbench.Example(), hw.Func("ram", ports{At: hw.AddressOf(64), In: shape, Out: shape}, func(m *hw.Module, p ports) {
		ram := hw.Mem(m, "ram", 64, shape, hw.Style("block"))
		m.When(p.Store, func() { ram.Write(p.At, p.In) })
		hw.Set(p.Out, ram.SyncRead("read", p.At, hw.Old))
	}))
	s.Set(p.At, 9)
	s.Set(p.Store, 1)
	testbench.Put(s, p.In, item{hw.U(4), hw.U(99)})
	s.Step(2) // written at the first edge, read at the second
	fmt.Println(s.Get(p.Out.Tag), s.Get(p.Out.Data))
	// Output: 4 99
}

// A write of single bytes: the mask has a bit for each.
func Example_byteEnables() {
	type ports struct {
		Mask hw.UInt `dir:"in"`
		In   hw.UInt `dir:"in"`
		Out  hw.UInt `dir:"out"`
	}
	shape := ports{hw.Unsigned(4), hw.Unsigned(32), hw.Unsigned(32)}
	s, p := testbench.New(testbench.Example(), hw.Func("bytes", shape, func(m *hw.Module, p ports) {
		ram := hw.Mem(m, "ram", 16, hw.Unsigned(32), hw.Cleared())
		ram.WriteMask(hw.U(3), p.In, p.Mask)
		p.Out.Set(ram.Read(hw.U(3)))
	}))
	s.Set(p.Mask, 0b0101)
	s.Set(p.In, 0x11223344)
	s.Step(1)
	fmt.Printf("%08x\n", s.Get(p.Out))
	// Output: 00220044
}

// A pseudo-random sequence: Marsaglia's xorshift, three shifts and exclusive ors.
func Example_randomNumbers() {
	type ports struct {
		Out hw.UInt `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("random", ports{hw.Unsigned(32)}, func(m *hw.Module, p ports) {
		x := hw.Reg(m, "x", hw.Unsigned(32), hw.U(1))
		y := x.Xor(x.Shl(13))
		y = y.Xor(y.Shr(17))
		x.Set(y.Xor(y.Shl(5)))
		p.Out.Set(x)
	}))
	for range 3 {
		s.Step(1)
		fmt.Print(s.Get(p.Out), " ")
	}
	// Output: 270369 67634689 2647435461
}
