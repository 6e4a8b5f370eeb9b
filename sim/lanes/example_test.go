package lanes_test

import (
	"fmt"

	"etch/sim/lanes"
)

// A counter in four lanes, each with another number that it must not reach.
func ExampleNew() {
	l, err := lanes.New(assertDesign(), 4)
	if err != nil {
		panic(err)
	}
	defer l.Close()
	bad, _ := l.Signal("bad")
	count, _ := l.Signal("count")
	if err := l.SetSlice(bad, []uint64{100, 100, 3, 100}); err != nil {
		panic(err)
	}
	l.Step(5)
	fmt.Println("lane 1 counts", l.Get(count, 1))
	for _, f := range l.Failures() {
		fmt.Println("lane", f.Lane, "failed in cycle", f.Cycle)
	}
	// Output:
	// lane 2: q=3
	// lane 1 counts 5
	// lane 2 failed in cycle 3
}
