package sim

import (
	"fmt"

	"etch/sim/choose"
	"etch/sim/lanes"
	"etch/sim/net"
)

// LaneChoice is everything that Lanes otherwise decide by estimates and trials. Results
// do not depend on it: it is for tests, which reach every form by it, and for
// measurements. The zero LaneChoice decides nothing.
type LaneChoice struct {
	Form     LaneForm
	Portable bool // vector code is executed in Go, not by the machine
	Bodies   bool // code for control states is made as soon as possible and kept even if it is slow
	Apart    bool // lanes run one after the other, where there is anything to study
}

// LaneForm is how the values of many lanes lie in vectors.
type LaneForm uint8

// The forms, of which a design has code for some: for the others Lanes take
// SlicedForm.
const (
	AnyForm    LaneForm = iota // the cheapest by estimate
	SlicedForm                 // a vector holds one bit of every lane
	WordForm                   // a vector holds elements of 16, 32 or 64 bits
	MixedForm                  // each value and memory has the one form or the other
)

// String is "any", "sliced", "words" or "mixed".
func (f LaneForm) String() string {
	if names := [...]string{"any", "sliced", "words", "mixed"}; int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("form(%d)", uint8(f))
}

// WithLaneChoice decides for Lanes; New ignores it.
func WithLaneChoice(c LaneChoice) Option { return func(to *config) { to.lanes = c } }

// layouts is the forms that are worth to be compiled.
func (c LaneChoice) layouts(n *net.Net, tables [][]uint64, pol *choose.LaneCode) []*lanes.Layout {
	form := lanes.Sliced
	switch c.Form {
	case AnyForm:
		return lanes.Layouts(n, tables, pol)
	case WordForm:
		form = lanes.Words
	case MixedForm:
		form = lanes.Mixed
	}
	return []*lanes.Layout{lanes.NewLayout(n, tables, form, pol)}
}

// target is what vector code is made for.
func (c LaneChoice) target() lanes.Target {
	if c.Portable {
		return lanes.Portable
	}
	return lanes.Best(features)
}

// impose makes the study of groups, if there is one, do as was chosen.
func (c LaneChoice) impose(l *groupedLanes) {
	if l.study == nil {
		return
	}
	if c.Bodies && l.study.survey != nil {
		l.study.follow(choose.EagerLanes())
	}
	if c.Apart {
		l.study.apart.stage = apartOver
		l.apart(nil) // an error leaves the groups as they are
	}
}
