package sim

// edge runs one event of plan p. All values are settled.
func (s *Sim) edge(p *plan) {
	s.statements(p)
	s.move(p)
}

// move is the part of an event after its statements: registers, read ports, boxes, writes.
func (s *Sim) move(p *plan) {
	s.st.Act(s.workOf(p))
	s.count(p, 1)
	s.touch()
}

// count adds n events of p to the counters. Falling edges do not count.
func (s *Sim) count(p *plan, n int) {
	if p.falls {
		if s.recording != nil && len(s.st.Models) > 0 {
			s.recording.boxFall()
		}
		return
	}
	s.cycles += uint64(n)
	if s.recording != nil && len(s.st.Models) > 0 {
		s.recording.boxEdge(n)
	}
	for _, k := range p.clocks {
		s.edges[k] += uint64(n)
	}
}
