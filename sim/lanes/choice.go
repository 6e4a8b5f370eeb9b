package lanes

import (
	"fmt"

	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/drive"
	"etch/sim/lanes/internal/code"
	"etch/sim/net"
)

// Choice is everything that Lanes otherwise decide by estimates and trials. Results do not depend on
// it: it is for tests, which reach every form by it, and for measurements. The zero Choice decides
// nothing.
type Choice struct {
	Form     Form
	Portable bool // vector code is executed in Go, not by the machine
	Bodies   bool // code for control states is made as soon as possible and kept even if it is slow
	Apart    bool // lanes run one after the other, where there is anything to study
}

// Form is how the values of many lanes lie in vectors.
type Form uint8

// The forms, of which a design has code for some: for the others Lanes take SlicedForm.
const (
	AnyForm    Form = iota // the cheapest by estimate
	SlicedForm             // a vector holds one bit of every lane
	WordForm               // a vector holds elements of 16, 32 or 64 bits
	MixedForm              // each value and memory has the cheaper of both forms
)

// String is "any", "sliced", "words" or "mixed".
func (f Form) String() string {
	if names := [...]string{"any", "sliced", "words", "mixed"}; int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("form(%d)", uint8(f))
}

// WithChoice decides for Lanes; sim.New ignores it.
func WithChoice(c Choice) sim.Option { return func(to *drive.Config) { to.Lanes = c } }

// layouts is the forms that are worth to be compiled.
func (c Choice) layouts(n *net.Net, tables [][]uint64, pol *choose.LaneCode) []*code.Layout {
	form := code.Sliced
	switch c.Form {
	case AnyForm:
		return code.Layouts(n, tables, pol)
	case WordForm:
		form = code.Words
	case MixedForm:
		form = code.Mixed
	}
	return []*code.Layout{code.NewLayout(n, tables, form, pol)}
}

// target is what vector code is made for.
func (c Choice) target() code.Target {
	if c.Portable {
		return code.Portable
	}
	return code.Best(drive.Features)
}

// impose makes the study of groups, if there is one, do as was chosen.
func (c Choice) impose(l *grouped) {
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

// choiceOf is the Choice of a configuration, the zero Choice without one.
func choiceOf(c drive.Config) Choice {
	choice, _ := c.Lanes.(Choice)
	return choice
}
