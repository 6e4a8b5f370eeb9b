package lanes

import (
	"bytes"

	"etch/sim/internal/drive"
)

// lanePrinter collects the output of a lane that has its own simulator.
type lanePrinter struct {
	m      *drive.Stepper
	prints []lanePrint
}

// Write records text with the cycle in which it was printed.
func (p *lanePrinter) Write(text []byte) (int, error) {
	p.prints = append(p.prints, lanePrint{cycle: p.m.Cycles, text: bytes.Clone(text)})
	return len(text), nil
}

// takeLog moves the results of statements out of the simulator of a lane.
func takeLog(s single, lane int) laneLog {
	var g laneLog
	g.add(lane, 0, s.Sim, nil)
	s.ClearResults()

	if out, ok := s.m.Output.(*lanePrinter); ok {
		for _, p := range out.prints {
			p.lane = lane
			g.prints = append(g.prints, p)
		}
		out.prints = nil
	}
	return g
}
