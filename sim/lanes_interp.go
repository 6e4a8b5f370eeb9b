package sim

import (
	"bytes"
	"sync"

	"etch/sim/internal/program"
	"etch/sim/internal/stopwatch"
)

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

// singly gives every lane a simulator of its own, at power-up.
func (l *Lanes) singly(c config) ([]*Sim, error) {
	var sims []*Sim
	for lane := range l.n {
		out := &lanePrinter{}
		c.output, c.seed = out, l.seed+uint64(lane)
		s, err := l.another(sims, c)
		if err != nil {
			for _, s := range sims {
				s.Close()
			}
			return nil, err
		}
		out.s = s
		sims = append(sims, s)
	}
	return sims, nil
}

// another makes a simulator for the next lane. Lanes of one worker share a program and its
// machine code, unless there are Models.
func (l *Lanes) another(before []*Sim, c config) (*Sim, error) {
	// Lane k belongs to worker k modulo their number, and simulators that share machine code must
	// not run at the same time.
	if k := len(before); k >= len(l.worker) && len(l.one.p.Boxes) == 0 {
		return before[k%len(l.worker)].twin(c)
	}
	p, models, err := program.Compile(l.one.p.Source, c.models, c.pack)
	if err != nil {
		return nil, err
	}
	return newSim(p, models, c)
}

// eachSim calls f for every simulator; each worker calls it for its lanes in turn.
func (l *Lanes) eachSim(f func(s *Sim)) {
	some := func(w int) {
		for lane := w; lane < l.n; lane += len(l.worker) {
			f(l.sims[lane])
		}
	}

	var wg sync.WaitGroup

	// The calling goroutine is worker 0.
	for w := 1; w < len(l.worker); w++ {
		wg.Go(func() { some(w) })
	}
	some(0)
	wg.Wait()
}

// runSims runs at most n events in the simulators of all lanes, and returns how many.
func (l *Lanes) runSims(on []byte, n int) int {
	// During a trial calls are short and timed.
	trial := l.study != nil && l.study.apart.on
	var watch stopwatch.Watch
	if trial {
		n, watch = min(n, l.study.apart.piece), stopwatch.Start()
	}

	l.eachSim(func(s *Sim) { s.runEvents(on, n) })
	l.cycles += uint64(n)
	if trial {
		l.study.ran(l, n, watch.Elapsed())
	}
	return n
}

// runEvents runs n cycles of the clocks marked in on.
func (s *Sim) runEvents(on []byte, n int) {
	copy(s.set, on)
	s.byHand(n)
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
