package sim_test

import (
	"fmt"

	"etch/sim"
)

func Example() {
	s, err := sim.New(house()) // two counters, seconds and minutes, that count while bit 0 of big is high
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Reset()
	big, _ := s.Signal("big")
	count, _ := s.Signal("seconds.count")
	if err := s.Set(big, 1); err != nil {
		fmt.Println(err)
	}
	s.Step(3)
	fmt.Println(count.Name(), "=", s.Get(count), "after", s.Cycles(), "cycles")
	fmt.Println(s.Set(count, 1))
	_, err = s.Signal("second.count")
	fmt.Println(err)
	// Output:
	// seconds.count = 6 after 4 cycles
	// sim: seconds.count is not an input of the top house: Set drives inputs, Poke changes registers
	// sim: no signal "second.count" in house; nearest: seconds.count, minutes.count
}
