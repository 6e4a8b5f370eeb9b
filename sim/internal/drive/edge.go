package drive

// edge runs one event of clock set c. All values are settled.
func (s *Stepper) edge(c *ClockSet) {
	s.statements(c)
	s.move(c)
}

// move is the part of an event after its statements: registers, read ports, boxes, writes.
func (s *Stepper) move(c *ClockSet) {
	s.St.Act(s.workOf(c))
	s.count(c, 1)
	s.Touch()
}

// count adds n events of p to the counters. Falling edges do not count.
func (s *Stepper) count(c *ClockSet, n int) {
	if c.Falls {
		if s.Recorder != nil && len(s.St.Models) > 0 {
			s.Recorder.BoxFall()
		}
		return
	}
	s.Cycles += uint64(n)
	if s.Recorder != nil && len(s.St.Models) > 0 {
		s.Recorder.BoxEdge(n)
	}
	for _, k := range c.Clocks {
		s.Edges[k] += uint64(n)
	}
}

// Interpret runs an event of clock set c in the interpreter, at the present time.
func (s *Stepper) Interpret(c *ClockSet) {
	s.Settle()
	s.edge(c)
	s.ResetNow()
}

// PowerUp sets all state to its initial values and all inputs to 0.
func (s *Stepper) PowerUp() {
	s.St.PowerUp()
	s.FixedPorts()
	s.Touch()
	s.Born = s.Version
}
