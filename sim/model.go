package sim

import (
	"etch/sim/internal/drive"
	"etch/sim/internal/program"
)

// Model is the behaviour of one instance of a black box: Eval sets its outputs from its inputs
// and state, Tick is a rising edge of one of its clocks.
type Model = program.Model

// Partial is a Model with outputs that do not depend on all inputs within the cycle.
type Partial = program.Partial

// Saver is a Model whose state can be in a Snapshot.
type Saver = program.Saver

// WithModel gives the behaviour of a black box: make is called for each of its instances, and
// again by Restart. module is the name of the ir module, or of the Verilog module it stands for.
// A Model takes precedence over a body.
func WithModel(module string, make func() Model) Option {
	return func(c *drive.Config) { c.Models = append(c.Models, program.ModelOption{Module: module, Make: make}) }
}
