package drive

import (
	"cmp"
	"io"
	"os"

	"etch/sim/choose"
	"etch/sim/internal/program"
	"etch/sim/internal/switches"
)

// Config is the choices for a Stepper, and for Lanes, which have several.
type Config struct {
	Seed    uint64                // of state without initial value
	Seeded  bool                  // else such state starts at 0
	Output  io.Writer             // of prints
	Models  []program.ModelOption // behaviours of black boxes
	Plain   bool                  // one body for all control states
	Policy  *choose.Policy        // of machine code; nil: the standard one, or that of Lockstep
	Engine  Kind
	Lenient bool // Native was not asked for: without it, the interpreter goes on
	Pack    int  // slots from which a memory is large
	Limit   int  // bytes of large memories

	Workers int // goroutines of lanes
	Lanes   any // a choice that only package lanes knows; nil: none
}

const (
	// defaultPacking keeps memories up to 8 MiB in the state, where machine code addresses them
	// directly and lanes hold them in groups.
	defaultPacking = 1<<20 + 1

	// defaultLimit is the number of bytes that the large memories of one Stepper may touch.
	defaultLimit = 1 << 30
)

// Configure applies options to the defaults; a nil option has no effect.
func Configure[O ~func(*Config)](opts []O) Config {
	c := Config{Output: os.Stdout, Workers: 1, Pack: cmp.Or(switches.Packing(), defaultPacking), Limit: defaultLimit}
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
	}
	if c.Output == nil {
		c.Output = io.Discard
	}
	return c
}
