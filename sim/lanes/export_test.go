package lanes

import (
	"fmt"

	"etch/sim/choose"
)

// Stages is the number of stages of a cycle in mixed form, 0 in the others.
func (l *Lanes) Stages() int {
	p, ok := l.grouped().events[string(l.all())].(interface{ Stages() int })
	if !ok {
		return 0
	}
	return p.Stages()
}

// grouped is the engine of groups, also while lanes are apart; nil if there is none.
func (l *Lanes) grouped() *grouped {
	switch e := l.engine.(type) {
	case *grouped:
		return e
	case *singles:
		return e.back
	}
	return nil
}

// study is the study of groups, nil if there is none.
func (l *Lanes) study() *study {
	if g := l.grouped(); g != nil {
		return g.study
	}
	return nil
}

// StudyEagerly has bodies for lanes made as soon as possible, and kept whether they
// pay or not; false where there is nothing to make.
func (l *Lanes) StudyEagerly() bool {
	if l.study() == nil || l.study().survey == nil {
		return false
	}
	l.study().follow(choose.EagerLanes())
	return true
}

// Bodies reports whether lanes run with bodies, and the share of cycles since the
// last plan that those were for.
func (l *Lanes) Bodies() (within bool, share float64) {
	if l.study() == nil || !l.study().within {
		return false, 0
	}
	return true, 1 - float64(l.study().missed)/float64(max(1, l.study().since(l.grouped())))
}

// Apart has lanes run one after the other, or in groups again; false where there is
// nothing to study.
func (l *Lanes) Apart(on bool) bool {
	switch {
	case l.study() == nil:
		return false
	case on && !l.IsApart():
		if all, err := l.grouped().apart(l.study().apart.spare); err == nil {
			l.study().apart.spare = all
		}
	case !on && l.IsApart():
		l.engine.(*singles).together()
	}
	l.study().apart.stage = apartOver
	return true
}

// IsApart reports whether lanes run one after the other.
func (l *Lanes) IsApart() bool {
	_, apart := l.engine.(*singles)
	return apart
}

// TrialOver reports whether a trial of running lanes one after the other has ended.
func (l *Lanes) TrialOver() bool { return l.study().apart.stage == apartOver }

// Decisions is all that the study of l has decided so far, and the estimates behind it.
func (l *Lanes) Decisions() string {
	s := l.study()
	text := fmt.Sprintf("stage %d plans %d samples %d split %d gathered %d cycles %d missed %d again %d running %g compiling %g patience %g within %v",
		s.stage, s.plans, s.samples, s.split, s.gathered, s.cycles, s.missed, s.again, s.running, s.compiling, s.patience, s.within)
	if s.maker != nil {
		text += fmt.Sprintf(" instrs %d", s.maker.Instrs())
	}
	return text
}
