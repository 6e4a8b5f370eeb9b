package sim

import (
	"errors"
	"fmt"
	"slices"

	"etch/ir"
	"etch/sim/internal/drive"
	"etch/sim/internal/program"
	"etch/sim/pages"
)

// Snapshot is the whole state of a simulator: inputs, registers, memories, black boxes and time.
// It is immutable and may be restored any number of times.
type Snapshot struct {
	design *ir.Design
	leaves []uint64       // inputs and state, by slot
	mems   [][]uint64     // by memory
	large  []*pages.Image // by memory, nil if it is not large
	pack   int            // slots from which a memory is large
	models []any          // states of Models, by black box
	time   drive.Timeline
}

// Snapshot copies the state. Error: a Model that is no Saver.
func (s *Sim) Snapshot() (*Snapshot, error) {
	s.m.Settle()
	snap := s.snapshotAlone()
	for i, m := range s.m.St.Models {
		saver, ok := m.(program.Saver)
		if !ok {
			return nil, fmt.Errorf("sim: the Model of black box %s cannot be saved: it has no Save and Load", s.m.P.Path(s.m.P.Boxes[i].Inst))
		}
		snap.models = append(snap.models, saver.Save())
	}
	return snap, nil
}

// snapshotAlone is Snapshot without the Models of black boxes.
func (s *Sim) snapshotAlone() *Snapshot {
	snap := &Snapshot{design: s.m.P.Source, leaves: slices.Clone(s.m.St.V[:s.m.P.Leaves]), large: s.m.St.Large.Copy(), pack: s.m.P.Pack, time: s.m.Timeline.Copy(len(s.m.P.Falls) > 0)}
	for _, words := range s.m.St.Mems {
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
	if snap.design != s.m.P.Source || len(snap.models) != len(s.m.St.Models) || len(snap.leaves) != int(s.m.P.Leaves) {
		return errors.New("sim: the snapshot is of another design or of other Models")
	}
	if snap.pack != s.m.P.Pack {
		return errors.New("sim: the snapshot is of a simulator with another WithPacking")
	}

	// Models come first: they are the last part that may fail.
	for i, m := range s.m.St.Models {
		saver, ok := m.(program.Saver)
		if !ok {
			return fmt.Errorf("sim: the Model of black box %s cannot be restored: it has no Save and Load", s.m.P.Path(s.m.P.Boxes[i].Inst))
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
	copy(s.m.St.V, snap.leaves)

	// The snapshot may be older than the code that needs fixed ports.
	s.m.FixedPorts()
	for i, words := range snap.mems {
		copy(s.m.St.Mems[i], words)
	}
	s.m.St.Large.Load(snap.large)

	// Tracers must see clocks fall before time jumps.
	s.m.FallNow()
	s.m.Timeline = snap.time.Copy(len(s.m.P.Falls) > 0)
	s.m.Touch()
}

// Restart returns to power-up: the state that New made, inputs 0, time 0, no failures, no
// coverage, new Models. Clocks keep their periods; a tracer goes on.
func (s *Sim) Restart() {
	for i := range s.m.St.Models {
		s.m.St.Models[i] = s.m.P.Boxes[i].Make()
	}

	// Tracers must see clocks fall before time jumps.
	s.m.FallNow()
	s.m.Rewind()

	// Results of statements and the first error are forgotten.
	s.results.failures, s.results.failed, s.results.stop, s.m.Err = nil, 0, nil, nil
	s.m.St.Large.Err = nil
	clear(s.m.Covered)
	s.m.PowerUp()
	if s.recording != nil {
		s.recording.begin(nil)
	}
}
