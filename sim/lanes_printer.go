package sim

import "bytes"

// lanePrinter collects the output of a lane that has its own simulator.
type lanePrinter struct {
	s      *Sim
	prints []lanePrint
}

// Write records text with the cycle in which it was printed.
func (p *lanePrinter) Write(text []byte) (int, error) {
	p.prints = append(p.prints, lanePrint{cycle: p.s.cycles, text: bytes.Clone(text)})
	return len(text), nil
}

// takeLog moves the results of statements out of the simulator.
func (s *Sim) takeLog(lane int) laneLog {
	var g laneLog
	g.add(lane, 0, s, nil)

	s.failures, s.failed = nil, 0
	if out, ok := s.log.output.(*lanePrinter); ok {
		for _, p := range out.prints {
			p.lane = lane
			g.prints = append(g.prints, p)
		}
		out.prints = nil
	}
	return g
}
