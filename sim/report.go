package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"etch/sim/native"
)

// CodeReport describes the machine code for the events of one set of clocks.
type CodeReport = native.Report

// Report is the present state of the engine of a [Sim], for people and tests. Equal designs,
// options and calls give an equal Report, apart from the times in notes of contests.
type Report struct {
	Engine Engine       `json:"engine"`
	Why    string       `json:"why,omitempty"` // the reason that there is no machine code, or a fault of the compiler
	Bytes  int          `json:"bytes"`         // of all machine code
	Codes  []CodeReport `json:"codes"`         // by set of clocks, in the order of their names
}

// Report describes the engine of s.
func (s *Sim) Report() Report {
	r := Report{Engine: s.Engine(), Bytes: s.CodeBytes()}

	// A fault of the compiler goes before the reason that it led to.
	switch {
	case s.broken != nil:
		r.Why = s.broken.Error()
	case s.refuse != nil:
		r.Why = s.refuse.Error()
	}

	// The map's order must not show.
	for _, key := range slices.Sorted(maps.Keys(s.bodies)) {
		if c, ok := s.bodies[key].run.(native.Reporter); ok {
			r.Codes = append(r.Codes, c.Report())
		}
	}
	return r
}

// String is the report in lines.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "engine %v, %d bytes of code", r.Engine, r.Bytes)
	if r.Why != "" {
		b.WriteString(": " + r.Why)
	}
	for _, c := range r.Codes {
		b.WriteString("\n" + c.String())
	}
	return b.String()
}
