package sim

// Bodies is the number of specialised bodies that s runs at present.
func Bodies(s *Sim) int {
	n := 0
	for _, b := range s.bodies {
		if e, ok := b.run.(interface{ Bodies() int }); ok {
			n += e.Bodies()
		}
	}
	return n
}
