package sim

import (
	"bytes"

	"etch/ir"
)

// lanePrinter is the output of a lane that a simulator of its own runs.
type lanePrinter struct {
	s      *Sim
	prints []lanePrint
}

// Write notes what was printed in which cycle.
func (p *lanePrinter) Write(text []byte) (int, error) {
	p.prints = append(p.prints, lanePrint{cycle: p.s.cycles, text: bytes.Clone(text)})
	return len(text), nil
}

// interpret makes a simulator for every lane.
func (l *Lanes) interpret(d *ir.Design, opts []Option, e Engine) error {
	for lane := range l.n {
		out := &lanePrinter{}
		own := append(opts[:len(opts):len(opts)], WithOutput(out), WithEngine(e))
		if l.seeded {
			own = append(own, WithSeed(l.seed+uint64(lane)))
		}
		s, err := New(d, own...)
		if err != nil {
			return err
		}
		out.s = s
		l.sims = append(l.sims, s)
	}
	return nil
}

// runEvents makes n cycles of the clocks that on marks.
func (s *Sim) runEvents(on []byte, n int) {
	copy(s.set, on)
	s.byHand(n)
}

// takeLog takes away what statements left behind.
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
