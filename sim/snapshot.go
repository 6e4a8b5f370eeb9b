package sim

import (
	"errors"
	"fmt"
	"slices"

	"etch/ir"
	"etch/sim/pages"
)

// Snapshot is the whole state of a simulator: inputs, registers, memories, black
// boxes and time. It does not change and may be restored any number of times.
type Snapshot struct {
	design *ir.Design
	leaves []uint64
	mems   [][]uint64
	large  []*pages.Image // parallel to mems, nil where those are words
	pack   int
	models []any
	timeline
}

// Snapshot keeps the state. Error: a Model that is no Saver.
func (s *Sim) Snapshot() (*Snapshot, error) {
	s.settle()
	snap := &Snapshot{design: s.p.source, leaves: slices.Clone(s.v[:s.p.leaves]), large: s.large.copy(), pack: s.p.pack, timeline: s.timeline.clone(len(s.p.falls) > 0)}
	for _, words := range s.mems {
		snap.mems = append(snap.mems, slices.Clone(words))
	}
	for i, m := range s.models {
		saver, ok := m.(Saver)
		if !ok {
			return nil, fmt.Errorf("sim: the Model of black box %s cannot be saved: it has no Save and Load", s.p.path(s.p.boxes[i].inst))
		}
		snap.models = append(snap.models, saver.Save())
	}
	return snap, nil
}

// Restore goes back to a state that this Sim or another one of the same design
// kept. Time, cycles and clocks' periods go back with it; failures, coverage
// and what was printed stay. Error: the snapshot is of another design or of other
// Models.
func (s *Sim) Restore(snap *Snapshot) error {
	if snap == nil {
		return errors.New("sim: there is no snapshot to restore")
	}
	if snap.design != s.p.source || len(snap.models) != len(s.models) || len(snap.leaves) != int(s.p.leaves) {
		return errors.New("sim: the snapshot is of another design or of other Models")
	}
	if snap.pack != s.p.pack {
		return errors.New("sim: the snapshot is of a simulator with another WithPacking")
	}
	for i, m := range s.models {
		saver, ok := m.(Saver)
		if !ok {
			return fmt.Errorf("sim: the Model of black box %s cannot be restored: it has no Save and Load", s.p.path(s.p.boxes[i].inst))
		}
		saver.Load(snap.models[i])
	}
	copy(s.v, snap.leaves)
	s.fixedPorts()
	for i, words := range snap.mems {
		copy(s.mems[i], words)
	}
	s.large.load(snap.large)
	s.fallNow()
	s.timeline = snap.timeline.clone(len(s.p.falls) > 0)
	s.touch()
	return nil
}

// Restart goes back to power-up: the state as New made it, inputs 0, time 0, no
// failures, no coverage, new Models. Clocks keep their periods; a tracer goes on.
func (s *Sim) Restart() {
	for i := range s.models {
		s.models[i] = s.p.boxes[i].make()
	}
	s.fallNow()
	clocks := s.clocks
	s.timeline = newTimeline(len(clocks))
	for k, c := range clocks {
		if c.period > 0 {
			s.clocks[k] = freeClock{period: c.period, phase: c.phase}
			s.clocks[k].from(0)
		}
	}
	s.failures, s.failed, s.stop, s.err = nil, 0, nil, nil
	s.large.err = nil
	clear(s.covered)
	s.powerUp()
}

// clone copies a timeline, with the clocks that are high where that matters.
func (t timeline) clone(high bool) timeline {
	t.edges, t.clocks, t.fallen = slices.Clone(t.edges), slices.Clone(t.clocks), nil
	if t.high = slices.Clone(t.high); !high {
		t.high = nil
	}
	return t
}
