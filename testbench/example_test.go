package testbench_test

import (
	"fmt"

	"etch/designs/examples/counter"
	"etch/designs/examples/crossing"
	"etch/designs/examples/fifo"
	"etch/designs/examples/pixel"
	"etch/hw"
	"etch/testbench"
)

// An example function that draws what a component does.
func Example() {
	s, p := testbench.New(testbench.Example(), counter.Counter{Width: 4})
	w := s.Wave(p.En, p.Count)
	for _, en := range []int{0, 1, 1, 1, 0, 0} {
		s.Set(p.En, en)
		s.Step(1)
	}
	s.Expect(p.Count, 3)
	fmt.Print(w)
	// Output:
	// en     ___/‾‾‾‾‾‾‾‾\_____
	// count  |0    |1 |2 |3
}

// A producer that is always ready and a consumer that pauses: the queue fills.
func ExampleNewSink() {
	s, p := testbench.New(testbench.Example(), fifo.FIFO[hw.UInt]{Elem: hw.Unsigned(8), Depth: 2})
	in := testbench.NewSource(s, p.Push)
	out := testbench.NewSink(s, p.Pop, testbench.Pauses(0.6, 7))
	w := s.Wave()
	in.Send(hw.U(10), hw.U(20), hw.U(30), hw.U(40))
	s.StepUntil(func() bool { return len(out.Got()) == 4 }, 100)
	out.Expect(hw.U(10), hw.U(20), hw.U(30), hw.U(40))
	fmt.Print(w)
	// Output:
	// push_valid  ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\__________________________
	// push_ready  ‾‾‾‾‾‾\__/‾‾‾‾‾\______________/‾‾‾‾‾‾‾‾‾‾‾
	// push_data   |10|20|30   |40
	// pop_valid   ___/‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
	// pop_ready   ‾‾‾\__/‾‾‾‾‾\______________/‾‾\________/‾‾
	// pop_data    |0 |10   |20|30               |40
	// level       |0 |1 |2 |1    |2             |1
}

// A thread takes elements beside the test, which sends them; each of the two reads as if
// it were alone.
func ExampleBench_Go() {
	s, p := testbench.New(testbench.Example(), fifo.FIFO[hw.UInt]{Elem: hw.Unsigned(8), Depth: 2})
	taking := s.Go(func() {
		s.Step(3) // late
		testbench.Take(s, p.Pop, hw.U(10), hw.U(20), hw.U(30))
	})
	w := s.Wave()
	testbench.Send(s, p.Push, hw.U(10), hw.U(20), hw.U(30))
	taking.Wait()
	fmt.Print(w)
	// Output:
	// push_valid  ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\__
	// push_ready  ‾‾‾‾‾‾\_____/‾‾‾‾‾
	// push_data   |10|20|30
	// pop_valid   ___/‾‾‾‾‾‾‾‾‾‾‾‾‾‾
	// pop_ready   _________/‾‾‾‾‾‾‾‾
	// pop_data    |0 |10      |20|30
	// level       |0 |1 |2    |1
}

// What goes wrong is printed, so that the output differs.
func ExampleExample() {
	s, p := testbench.New(testbench.Example(), counter.Counter{Width: 4})
	s.Set(p.En, 1)
	s.Step(2)
	s.Expect(p.Count, 3)
	// Output:
	// cycle 3: count = 2, want 3
}

// Bundles of literals drive and check bundles of ports; what is left out of one
// is left alone.
func ExamplePut() {
	s, p := testbench.New(testbench.Example(), pixel.Stage{})
	w := s.Wave(p.In.R, p.In.G, p.Out.R, p.Luma)
	testbench.Put(s, p.In, pixel.Pixel{R: hw.U(10), G: hw.U(20), B: hw.U(30), Valid: hw.B(true)})
	s.Step(1)
	testbench.Check(s, p.Out, pixel.Pixel{R: hw.U(10), Valid: hw.B(true)})
	testbench.Put(s, p.In, pixel.Pixel{G: hw.U(120)})
	s.Step(2)
	fmt.Print(w)
	// Output:
	// in_r   |10
	// in_g   |20 |120
	// out_r  |0  |10
	// luma   |0  |20 |70
}

// Two clocks: three edges of the fast one bring samples in, the slow one takes
// them out.
func ExampleBench_Tick() {
	s, p := testbench.New(testbench.Example(), crossing.Bridge{Width: 8, Depth: 4})
	s.Set(p.Enable, 1)
	s.Tick(p.Fast.Clk)
	s.Tick(p.Fast.Clk) // the synchroniser
	w := s.Wave(p.Samples.Valid, p.Samples.Data, p.Out.Valid, p.Out.Data)
	s.Set(p.Out.Ready, 1)
	s.Set(p.Samples.Valid, 1)
	for v := range 6 {
		s.Set(p.Samples.Data, 10+v)
		s.Tick(p.Fast.Clk)
		if v%2 == 1 {
			s.Tick(p.Slow.Clk)
		}
	}
	fmt.Print(w)
	// Output:
	// samples_valid  ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
	// samples_data   |10|11   |12|13   |14|15
	// out_valid      __________________/‾‾‾‾‾‾‾‾
	// out_data       |0 |10
}
