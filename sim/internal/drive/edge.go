package drive

// edge runs one event of plan p. All values are settled.
func (s *Stepper) edge(p *Plan) {
	s.statements(p)
	s.move(p)
}

// move is the part of an event after its statements: registers, read ports, boxes, writes.
func (s *Stepper) move(p *Plan) {
	s.St.Act(s.workOf(p))
	s.count(p, 1)
	s.Touch()
}

// count adds n events of p to the counters. Falling edges do not count.
func (s *Stepper) count(p *Plan, n int) {
	if p.Falls {
		if s.Recorder != nil && len(s.St.Models) > 0 {
			s.Recorder.BoxFall()
		}
		return
	}
	s.Cycles += uint64(n)
	if s.Recorder != nil && len(s.St.Models) > 0 {
		s.Recorder.BoxEdge(n)
	}
	for _, k := range p.Clocks {
		s.Edges[k] += uint64(n)
	}
}

// Interpret runs an event of plan p in the interpreter, at the present time.
func (s *Stepper) Interpret(p *Plan) {
	s.Settle()
	s.edge(p)
	s.ResetNow()
}

// PowerUp sets all state to its initial values and all inputs to 0.
func (s *Stepper) PowerUp() {
	s.St.PowerUp()
	s.FixedPorts()
	s.Touch()
	s.Born = s.Version
}
