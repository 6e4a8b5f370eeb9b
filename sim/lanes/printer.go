package lanes

import (
	"bytes"

	"etch/sim/internal/drive"
)

// printer collects the output of a lane that has its own simulator.
type printer struct {
	m      *drive.Stepper // tells the cycle
	prints []printed      // since the last collection, without their lane
}

// Write records text with the cycle in which it was printed.
func (p *printer) Write(text []byte) (int, error) {
	p.prints = append(p.prints, printed{cycle: p.m.Cycles, text: bytes.Clone(text)})
	return len(text), nil
}

// takeLog moves the results of statements out of the simulator of a lane.
func takeLog(s single, lane int) results {
	var g results
	g.add(lane, 0, s.Sim, nil)
	s.ClearResults()

	if out, ok := s.m.Output.(*printer); ok {
		for _, p := range out.prints {
			p.lane = lane
			g.prints = append(g.prints, p)
		}
		out.prints = nil
	}
	return g
}
