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

// HasCode reports whether events of the clocks in mask have machine code.
func HasCode(s *Sim, clks []Signal, mask int) bool {
	clear(s.set)
	for i, c := range clks {
		s.set[s.clockIndex(c)] = byte(mask >> i & 1)
	}
	b := s.bodies[string(s.set)]
	return b != nil && b.run != nil
}

// Twin makes another simulator that uses the machine code of s.
func Twin(s *Sim) (*Sim, error) { return s.twin(configure(nil)) }

// BeforeCompile has f called before anything is compiled, until the result is called.
func BeforeCompile(f func()) (restore func()) {
	old := beforeCompile
	beforeCompile = f
	return func() { beforeCompile = old }
}
