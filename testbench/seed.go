package testbench

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"etch/ir"
	"etch/sim"
)

// startState is the choice of values for state without an initial value.
type startState struct {
	given bool // the test has chosen
	zero  bool
	seed  uint64
}

// WithSeed starts state without initial value at random from this seed, instead of
// the test's own: for golden waves that show such state, and to keep a failure that
// was found by another seed. ETCH_SEED does not change it.
func WithSeed(seed uint64) Option {
	return func(o *options) { o.start = startState{given: true, seed: seed} }
}

// FromZero starts state without initial value at 0, as sim.New does: for designs that are
// compared with a model that starts so. A test with it does not see a forgotten reset. A design
// whose state powers up as 0 in the chip says so itself, with hw.RegInit and hw.Cleared.
func FromZero() Option {
	return func(o *options) { o.start = startState{given: true, zero: true} }
}

// seedVariable names the environment variable that chooses the seed of all benches.
const seedVariable = "ETCH_SEED"

// chooseStart sets the start if the test has left it open: the value of ETCH_SEED, or else a
// seed from the test's name, so that tests repeat and start in different states.
func (o *options) chooseStart(t testing.TB) {
	t.Helper()

	if o.start.given {
		return
	}
	if _, ok := t.(*exampleTB); ok { // its drawing is read by people
		o.start.zero = true
		return
	}

	// The name's hash repeats in every run and differs between tests.
	switch env := os.Getenv(seedVariable); env {
	case "":
		h := fnv.New32a()
		h.Write([]byte(t.Name()))
		o.start.seed = uint64(h.Sum32())
	case "off":
		o.start.zero = true
	case "random":
		fresh, known := freshSeeds.LoadOrStore(t, uint64(rand.Uint32()))
		if o.start.seed = fresh.(uint64); !known {
			t.Cleanup(func() { freshSeeds.Delete(t) })
		}
	default:
		seed, err := strconv.ParseUint(env, 0, 64)
		if err != nil {
			t.Fatalf("%s=%s: want a number of 64 bits, random or off", seedVariable, env)
		}
		o.start.seed = seed
	}
}

// freshSeeds has the seed of each running test under ETCH_SEED=random: all benches of a test
// start alike.
var freshSeeds sync.Map

// simOptions returns the options of the bench's simulator; the test's own, by WithSim, come last
// and win.
func (o *options) simOptions() []sim.Option {
	if o.start.zero {
		return o.sim
	}
	return append([]sim.Option{sim.WithSeed(o.start.seed)}, o.sim...)
}

// tellSeed makes a failing test log the seed of its state, once for all benches of the test that
// start alike.
func (b *Bench) tellSeed(start startState) {
	if start.zero || !isOpen(b.Design) {
		return
	}
	type toldSeed struct {
		t    testing.TB
		seed uint64
	}

	// One line for all benches of a test that start alike.
	key := toldSeed{b.t, start.seed}
	if _, told := toldSeeds.LoadOrStore(key, true); told {
		return
	}
	b.t.Cleanup(func() {
		toldSeeds.Delete(key)
		if b.t.Failed() {
			b.t.Log(seedLine(start))
		}
	})
}

// toldSeeds has the tests, with a seed each, that will tell it.
var toldSeeds sync.Map

// seedLine is the log line of a seed.
func seedLine(start startState) string {
	if start.given {
		return fmt.Sprintf("state without initial value started at random, from the test's WithSeed(%d)", start.seed)
	}
	return fmt.Sprintf("state without initial value started at random: %s=%d starts it so again, %[1]s=off at 0", seedVariable, start.seed)
}

// isOpen reports whether a design has state without initial value.
func isOpen(d *ir.Design) bool {
	for _, m := range d.Modules {
		for i := range m.Regs {
			if m.Regs[i].Init == ir.None {
				return true
			}
		}

		// A synchronous read holds data, which has no initial value even if the memory has.
		for i := range m.Mems {
			if m.Mems[i].Init == nil || len(m.Mems[i].Reads) > 0 {
				return true
			}
		}
	}
	return false
}
