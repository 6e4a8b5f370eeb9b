package sim

import (
	"errors"
	"fmt"
	"slices"

	"etch/ir"
	"etch/sim/internal/program"
	"etch/sim/pages"
)

// Snapshot is the whole state of a simulator: inputs, registers, memories, black boxes and time.
// It is immutable and may be restored any number of times.
type Snapshot struct {
	design *ir.Design
	leaves []uint64
	mems   [][]uint64
	large  []*pages.Image // by memory, nil if it is not large
	pack   int
	models []any
	timeline
}

// Snapshot copies the state. Error: a Model that is no Saver.
func (s *Sim) Snapshot() (*Snapshot, error) {
	s.settle()
	snap := s.snapshotAlone()
	for i, m := range s.st.Models {
		saver, ok := m.(program.Saver)
		if !ok {
			return nil, fmt.Errorf("sim: the Model of black box %s cannot be saved: it has no Save and Load", s.p.Path(s.p.Boxes[i].Inst))
		}
		snap.models = append(snap.models, saver.Save())
	}
	return snap, nil
}

// snapshotAlone is Snapshot without the Models of black boxes.
func (s *Sim) snapshotAlone() *Snapshot {
	snap := &Snapshot{design: s.p.Source, leaves: slices.Clone(s.st.V[:s.p.Leaves]), large: s.st.Large.Copy(), pack: s.p.Pack, timeline: s.timeline.clone(len(s.p.Falls) > 0)}
	for _, words := range s.st.Mems {
		snap.mems = append(snap.mems, slices.Clone(words))
	}
	return snap
}

// Restore returns to a state that this Sim, or another one of the same design, has kept. Time,
// cycles and the clocks' periods return with it; failures, coverage and printed text stay.
// Errors: the snapshot is of another design or of other Models.
func (s *Sim) Restore(snap *Snapshot) error {
	if snap == nil {
		return errors.New("sim: there is no snapshot to restore")
	}

	// As much as possible is checked before anything changes.
	if snap.design != s.p.Source || len(snap.models) != len(s.st.Models) || len(snap.leaves) != int(s.p.Leaves) {
		return errors.New("sim: the snapshot is of another design or of other Models")
	}
	if snap.pack != s.p.Pack {
		return errors.New("sim: the snapshot is of a simulator with another WithPacking")
	}

	// Models come first: they are the last part that may fail.
	for i, m := range s.st.Models {
		saver, ok := m.(program.Saver)
		if !ok {
			return fmt.Errorf("sim: the Model of black box %s cannot be restored: it has no Save and Load", s.p.Path(s.p.Boxes[i].Inst))
		}
		saver.Load(snap.models[i])
	}
	s.restoreAlone(snap)
	if s.recording != nil {
		s.recording.begin(snap)
	}
	return nil
}

// restoreAlone is Restore without the Models of black boxes.
func (s *Sim) restoreAlone(snap *Snapshot) {
	copy(s.st.V, snap.leaves)

	// The snapshot may be older than the code that needs fixed ports.
	s.fixedPorts()
	for i, words := range snap.mems {
		copy(s.st.Mems[i], words)
	}
	s.st.Large.Load(snap.large)

	// Tracers must see clocks fall before time jumps.
	s.fallNow()
	s.timeline = snap.timeline.clone(len(s.p.Falls) > 0)
	s.touch()
}

// Restart returns to power-up: the state that New made, inputs 0, time 0, no failures, no
// coverage, new Models. Clocks keep their periods; a tracer goes on.
func (s *Sim) Restart() {
	for i := range s.st.Models {
		s.st.Models[i] = s.p.Boxes[i].Make()
	}

	s.fallNow()

	// Periods are the test's choice and stay; their next edges count from time 0.
	clocks := s.clocks
	s.timeline = newTimeline(len(clocks))
	for k, c := range clocks {
		if c.period > 0 {
			s.clocks[k] = freeClock{period: c.period, phase: c.phase}
			s.clocks[k].from(0)
		}
	}

	// Results of statements and the first error are forgotten.
	s.failures, s.failed, s.stop, s.err = nil, 0, nil, nil
	s.st.Large.Err = nil
	clear(s.covered)
	s.powerUp()
	if s.recording != nil {
		s.recording.begin(nil)
	}
}

// clone copies a timeline; the clocks that are high only if that matters.
func (t timeline) clone(high bool) timeline {
	t.edges, t.clocks, t.fallen = slices.Clone(t.edges), slices.Clone(t.clocks), nil
	if t.high = slices.Clone(t.high); !high {
		t.high = nil
	}
	return t
}
