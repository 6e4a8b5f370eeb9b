package sim

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

// settleBoxes brings the outputs of black boxes up to date, and their inputs. It returns false if the
// interpreter must. Asynchronous resets have been applied.
func (s *Sim) settleBoxes() bool {
	if len(s.p.Boxes) == 0 || s.boxed {
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
			l.code.Run(s.baseOf(), 1)
		}
		for _, g := range l.groups {
			s.st.EvalGroup(&s.p.Groups[g])
		}
	}
	s.boxed = true

	if s.recording != nil {
		s.recording.boxOutputs()
	}
	return true
}

// boxLevels makes the code of all levels.
func (s *Sim) boxLevels() (levels []boxLevel, err error) {
	list, err := nets.BoxLevels(s.p)
	for _, level := range list {
		l := boxLevel{groups: level.Groups}
		if len(level.Slots) > 0 {
			if l.code, err = s.ownCode(level.Slots); err != nil {
				return nil, err
			}
		}
		levels = append(levels, l)
	}
	return levels, err
}

// boxedEvents runs up to n events of plan p, whose code is b, as fast does.
func (s *Sim) boxedEvents(p *plan, b *body, n int, t times) (done int) {
	for done < n && s.boxedEvent(p, b, times{first: t.first + uint64(done)*t.step}) {
		if done++; s.halted || s.refuse != nil || s.passedLimit(0) {
			break
		}
	}
	return done
}

// boxedEvent runs one event of a design with black boxes. It returns false if the interpreter must,
// or if a statement stops the code.
func (s *Sim) boxedEvent(p *plan, b *body, t times) bool {
	if !s.settleBoxes() {
		return false
	}
	w := s.workOf(p)
	s.st.Look(w)
	if s.call(b, 1, t) == 0 {
		return false
	}
	s.passed(p, 1)
	s.st.Tick(w)
	return true
}
