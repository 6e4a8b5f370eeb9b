package testbench_test

import (
	"fmt"

	"etch/designs/examples/counter"
	"etch/designs/examples/fifo"
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

// What goes wrong is printed, so that the output differs.
func ExampleExample() {
	s, p := testbench.New(testbench.Example(), counter.Counter{Width: 4})
	s.Set(p.En, 1)
	s.Step(2)
	s.Expect(p.Count, 3)
	// Output:
	// cycle 3: count = 2, want 3
}
