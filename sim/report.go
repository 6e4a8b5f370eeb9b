package sim

import (
	"fmt"
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

	if why := s.m.Why(); why != nil {
		r.Why = why.Error()
	}
	r.Codes = s.m.Codes()
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
