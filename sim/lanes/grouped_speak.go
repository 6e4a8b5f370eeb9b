package lanes

import (
	"bytes"
	"slices"

	"etch/sim"
	"etch/sim/internal/nets"
)

// state is the state of a lane.
type state struct {
	lane    int // index in its group
	words   []uint64
	mems    [][]uint64
	covered []uint64 // increments of the cover counters by the event
}

// restore makes it the state of its lane.
func (s state) restore(g *group) { g.SetLane(s.lane, s.words, s.mems) }

// speak interprets an event of one lane and returns the state after it. The lane itself is not
// changed.
func (l *grouped) speak(g *group, lane int, on []byte, cycle uint64) state {
	// Only one goroutine at a time may use the shared interpreter.
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load(g, lane)
	l.interpretEvent(g, lane, on, cycle)

	s := state{lane: lane, words: slices.Clone(l.words()), covered: slices.Clone(l.m.Covered)}
	for _, m := range l.m.St.Mems {
		s.mems = append(s.mems, slices.Clone(m))
	}
	return s
}

// count adds to the cover counters of a lane.
func (l *grouped) count(g *group, lane int, covered []uint64) {
	for i, k := range covered {
		if k > 0 {
			g.SetWord(l.coverAt(i), lane, (g.Word(l.coverAt(i), lane)+k)&(1<<nets.CoverBits-1))
		}
	}
}

// interpretEvent runs an event in the interpreter, which holds the lane's state.
func (l *grouped) interpretEvent(g *group, lane int, on []byte, cycle uint64) {
	// Empty the results of the shared simulator, so that afterwards it has the results of this
	// event alone.
	var text bytes.Buffer
	m := l.m
	m.Output = &text
	l.one.ClearResults()
	clear(m.Covered)
	copy(m.On, on)
	p := m.ClockSet()

	// Time follows from the cycle. Rising edges are in its middle, falling ones at its end.
	m.Cycles, m.Now = cycle, cycle*sim.CycleTime
	if !p.Falls {
		m.Now += sim.CycleTime / 2
	}
	m.ResetNow()
	m.Interpret(p)

	g.log.add(g.first+lane, cycle, l.one, text.Bytes())
	l.heard = true
}
