package drive

import (
	"etch/sim/internal/nets"
	"etch/sim/native"
)

// A black box that a Model runs is a pause for machine code, once in an event: code computes the
// values at the box's inputs, its Model gives the outputs, code runs the event, and the Model sees
// the edge with the inputs before it. For the code of the event the outputs are inputs.

// boxes is the machine code between events of a design with black boxes.
type boxes struct {
	levels []boxLevel
	failed bool
}

// boxLevel is a step towards settled boxes.
type boxLevel struct {
	code   *native.Code // computes the inputs of groups; nil: none is combinational
	groups []int32
}

// SettleBoxes brings the outputs of black boxes up to date, and their inputs. It returns false if the
// interpreter must. Asynchronous resets have been applied.
func (s *Stepper) SettleBoxes() bool {
	if len(s.P.Boxes) == 0 || s.boxed {
		return true
	}
	if s.boxes == nil {
		levels, err := s.boxLevels()
		s.boxes = &boxes{levels, err != nil}
	}
	if s.boxes.failed {
		return false
	}

	// Each level's inputs follow from outputs of those before.
	for i := range s.boxes.levels {
		l := &s.boxes.levels[i]
		if l.code != nil {
			l.code.Run(s.Base(), 1)
		}
		for _, g := range l.groups {
			s.St.EvalGroup(&s.P.Groups[g])
		}
	}
	s.boxed = true

	if s.Recorder != nil {
		s.Recorder.BoxOutputs()
	}
	return true
}

// boxLevels makes the code of all levels.
func (s *Stepper) boxLevels() (levels []boxLevel, err error) {
	list, err := nets.BoxLevels(s.P)
	for _, level := range list {
		l := boxLevel{groups: level.Groups}
		if len(level.Slots) > 0 {
			if l.code, err = s.OwnCode(level.Slots); err != nil {
				return nil, err
			}
		}
		levels = append(levels, l)
	}
	return levels, err
}

// boxedEvents runs up to n events of clock set c, whose code is b, as fast does.
func (s *Stepper) boxedEvents(c *ClockSet, b *compiled, n int, t times) (done int) {
	for done < n && s.boxedEvent(c, b, times{first: t.first + uint64(done)*t.step}) {
		if done++; s.Halted || s.refuse != nil || s.PassedLimit(0) {
			break
		}
	}
	return done
}

// boxedEvent runs one event of a design with black boxes. It returns false if the interpreter must,
// or if a statement stops the code.
func (s *Stepper) boxedEvent(c *ClockSet, b *compiled, t times) bool {
	if !s.SettleBoxes() {
		return false
	}
	w := s.workOf(c)
	s.St.Look(w)
	if s.call(b, 1, t) == 0 {
		return false
	}
	s.passed(c, 1)
	s.St.Tick(w)
	return true
}
