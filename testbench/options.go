package testbench

import (
	"etch/hw"
	"etch/sim"
)

// Option is an option of [New] and [Run]; nil changes nothing.
type Option func(*options)

// options is the sum of a bench's options.
type options struct {
	sim   []sim.Option
	start startState
	build []hw.Option
	held  bool
	tools []string // of CoSim
	dumps []string // files of WithDump
}

// collect applies options in their order.
func collect(opts []Option) *options {
	o := &options{}
	for _, opt := range opts {
		if opt != nil {
			opt(o)
		}
	}
	return o
}

// WithSim passes options to the simulator.
func WithSim(opts ...sim.Option) Option {
	return func(o *options) { o.sim = append(o.sim, opts...) }
}

// WithBuild passes options to hw.Build.
func WithBuild(opts ...hw.Option) Option {
	return func(o *options) { o.build = append(o.build, opts...) }
}

// WithoutReset leaves the design at power-up: New does not reset it.
func WithoutReset() Option { return func(o *options) { o.held = true } }
