package sim

import "etch/sim/native"

// Bodies is the number of specialised bodies that s runs at present.
func Bodies(s *Sim) int {
	n := 0
	for _, b := range s.bodies {
		if e, ok := b.run.(*native.Engine); ok {
			n += e.Bodies()
		}
	}
	return n
}
