package cookbook

import (
	"fmt"

	"etch/hw"
	"etch/hw/axi"
	"etch/hw/fixed"
	"etch/hw/pipe"
	"etch/hw/stream"
	"etch/testbench"
)

// words is a component with a stream in and a stream out.
type words struct {
	In  stream.Stream[hw.UInt] `dir:"in"`
	Out stream.Stream[hw.UInt] `dir:"out"`
}

func ofWords() words { return words{stream.Of(hw.Unsigned(8)), stream.Of(hw.Unsigned(8))} }

// A queue before a function of the elements: the handshake passes through both.
func Example_mapStream() {
	s, p := testbench.New(testbench.Example(), hw.Func("double", ofWords(), func(m *hw.Module, p words) {
		in := stream.Buffer(m, "queue", p.In, 4)
		hw.Set(p.Out, stream.Map(in, func(x hw.UInt) hw.UInt { return x.Shl(1) }))
	}))
	in, out := testbench.NewSource(s, p.In), testbench.NewSink(s, p.Out, testbench.Pauses(0.5, 1))
	in.Send(hw.U(1), hw.U(2), hw.U(3))
	s.StepUntil(func() bool { return len(out.Got()) == 3 }, 100)
	fmt.Println(testbench.Got[uint8](out))
	// Output: [2 4 6]
}

// Elements that are not wanted are taken and dropped.
func Example_filterStream() {
	s, p := testbench.New(testbench.Example(), hw.Func("odd", ofWords(), func(m *hw.Module, p words) {
		hw.Set(p.Out, stream.Filter(m, "odd", p.In, func(x hw.UInt) hw.Bit { return x.Bit(0) }))
	}))
	in, out := testbench.NewSource(s, p.In), testbench.NewSink(s, p.Out)
	in.Send(hw.U(1), hw.U(2), hw.U(3), hw.U(4), hw.U(5))
	s.Step(10)
	fmt.Println(testbench.Got[uint8](out))
	// Output: [1 3 5]
}

// A register slice cuts the paths of valid, data and ready between two parts.
func Example_cutPaths() {
	design, _, err := hw.Build(hw.Func("slice", ofWords(), func(m *hw.Module, p words) {
		hw.Set(p.Out, stream.Pipe(m, "slice", p.In, stream.Both))
	}))
	fmt.Println(design.Top.Insts[0].Mod.Name, err)
	// Output: register_slice_u8_2 <nil>
}

// A driver in a thread beside the test: each of the two reads as if it were alone.
func Example_threadsOfATest() {
	s, p := testbench.New(testbench.Example(), stream.Queue[hw.UInt]{Elem: hw.Unsigned(8), Depth: 2})
	s.Go(func() { testbench.Send(s, p.Push, hw.U(10), hw.U(20), hw.U(30)) })
	testbench.Take(s, p.Pop, hw.U(10), hw.U(20), hw.U(30))
	fmt.Println(s.Get(p.Level))
	// Output: 0
}

// Values of a pipeline know their stage: registers come where they are asked for.
func Example_pipeline() {
	type ports struct {
		A, B, C hw.UInt `dir:"in"`
		Y       hw.UInt `dir:"out"`
	}
	w8 := hw.Unsigned(8)
	s, p := testbench.New(testbench.Example(), hw.Func("mac", ports{w8, w8, hw.Unsigned(16), hw.Unsigned(16)}, func(m *hw.Module, p ports) {
		a, b, c := pipe.Of(m, "a", 0, p.A), pipe.Of(m, "b", 0, p.B), pipe.Of(m, "c", 0, p.C)
		product := pipe.Of(m, "product", 1, a.At(1).Mul(b.At(1)))
		p.Y.Set(product.At(2).Add(c.At(2)))
	}))
	s.Set(p.A, 20)
	s.Set(p.B, 30)
	s.Set(p.C, 5)
	s.Step(2)
	fmt.Println(s.Get(p.Y))
	// Output: 605
}

// Fixed point is exact until Fit, which rounds and saturates as it is told.
func Example_roundAndSaturate() {
	type ports struct {
		X fixed.Num `dir:"in"`
		Y fixed.Num `dir:"out"`
	}
	q, out := fixed.Q(4, 4), fixed.Q(4, 1)
	s, p := testbench.New(testbench.Example(), hw.Func("square", ports{q, out}, func(m *hw.Module, p ports) {
		p.Y.Set(p.X.Mul(p.X).Fit(out, fixed.HalfEven, fixed.Saturate))
	}))
	for _, raw := range []int{24, 50} { // 1.5 and 3.125
		s.Set(p.X.Raw, raw)
		fmt.Print(float64(s.Get(p.Y.Raw))/2, " ")
	}
	// Output: 2 7.5
}

// A bit from another clock: two registers, and a name for both.
func Example_synchronise() {
	type ports struct {
		Fast, Slow hw.Domain `dir:"in"`
		Flag       hw.Bit    `dir:"in"` // on Slow
		Seen       hw.Bit    `dir:"out"`
	}
	s, p := testbench.New(testbench.Example(), hw.Func("sync", ports{}, func(m *hw.Module, p ports) {
		slow, fast := m.On(p.Slow), m.On(p.Fast)
		flag := hw.Delay(slow, "flag_q", p.Flag, 1, hw.Low) // a register, so that nothing glitches
		p.Seen.Set(hw.Sync(fast, "flag_seen", flag, hw.Low))
	}))
	s.Set(p.Flag, 1)
	s.Tick(p.Slow.Clk)
	for range 3 {
		fmt.Print(s.Get(p.Seen), " ")
		s.Tick(p.Fast.Clk)
	}
	// Output: 0 0 1
}

// Words from one clock to another go through a queue with two clocks.
func Example_crossWithQueue() {
	s, p := testbench.New(testbench.Example(), stream.AsyncQueue[hw.UInt]{Elem: hw.Unsigned(8), Depth: 4})
	s.Set(p.Push.Valid, 1)
	s.Set(p.Push.Data, 42)
	s.Tick(p.Wr.Clk)
	s.Set(p.Push.Valid, 0)
	for range 3 {
		fmt.Print(s.Get(p.Pop.Valid), " ")
		s.Tick(p.Rd.Clk)
	}
	fmt.Println(s.Get(p.Pop.Valid), s.Get(p.Pop.Data))
	// Output: 0 0 1 1 42
}

// One list is the register bank, its documentation and its C header.
func Example_registerMap() {
	regs := axi.Map{
		{Name: "period", Access: axi.Setting, Bits: 16, Reset: 100, Doc: "cycles between pulses"},
		{Name: "pulses", Access: axi.Counter, Doc: "pulses since clear"},
	}
	fmt.Print(regs.Table())
	// Output:
	// | address | register | bits | access | reset | meaning |
	// |---|---|---|---|---|---|
	// | 0x00 | period | 16 | read, write | 0x64 | cycles between pulses |
	// | 0x04 | pulses | 32 | read, counts |  | pulses since clear |
}
