package wave_test

import (
	"fmt"

	"etch/designs/examples/counter"
	"etch/hw"
	"etch/sim"
	"etch/sim/wave"
)

func Example() {
	d, _, err := hw.Build(counter.Counter{Width: 4})
	if err != nil {
		panic(err)
	}
	s, err := sim.New(d)
	if err != nil {
		panic(err)
	}
	s.Reset()
	w := wave.New(s.Top()...)
	if err := s.Trace(w); err != nil {
		panic(err)
	}
	en, _ := s.Signal("en")
	for _, v := range []uint64{0, 1, 1, 1, 0, 0} {
		if err := s.Set(en, v); err != nil {
			panic(err)
		}
		s.Step(1)
	}
	fmt.Print(w)
	// Output:
	// en     ___/‾‾‾‾‾‾‾‾\_____
	// count  |0    |1 |2 |3
}
