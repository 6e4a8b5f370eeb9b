package equiv

import (
	"time"

	"etch/ir/bits"
)

// Option changes a question or the effort for its answer.
type Option func(*options)

// options is the sum of the options.
type options struct {
	resets     int // reset cycles; -1: one if there is a reset
	zero       bool
	unpaired   bool
	together   bool
	hold       []held
	resetBy    []held
	time       time.Duration
	end        time.Time // end of the time
	conflicts  int
	depth      int
	memory     int
	unknown    bool
	noABC      bool
	onlyABC    bool // in tests
	dump       string
	statements bool
	told       func(Stage)
	stage      Stage
}

// Stage is how far a question has come.
type Stage struct {
	Done, All   int // assertions that have been asked about one by one, and all; 0 of all together
	Step, Depth int // step of the unrolling from the start, and the last one that is tried; 0 before it
}

// tell passes a change of the stage on.
func (o *options) tell(change func(*Stage)) {
	change(&o.stage)
	if o.told != nil {
		o.told(o.stage)
	}
}

// held is an input with a fixed value.
type held struct {
	port  string
	value bits.Value
}

// late reports whether the time is over.
func (o *options) late() bool { return time.Now().After(o.end) }

// collect applies options in their order.
func collect(opts []Option) *options {
	o := &options{resets: -1, time: time.Minute}
	for _, f := range opts {
		f(o)
	}
	return o
}

// Reset sets the number of cycles at the start of a run in which all inputs of a reset type are
// high.
func Reset(cycles int) Option { return func(o *options) { o.resets = max(0, cycles) } }

// ResetBy gives an input a value in the reset cycles, as if it had a reset type: for designs
// from other tools, and for resets that are active low.
func ResetBy(port string, value bits.Value) Option {
	return func(o *options) { o.resetBy = append(o.resetBy, held{port, value}) }
}

// FromPowerUp makes cycle 0 the first after power-up, without a reset.
func FromPowerUp() Option { return Reset(0) }

// FromZero starts state that has no initial value at 0, as the simulator does without a seed.
func FromZero() Option { return func(o *options) { o.zero = true } }

// Unpaired lets state without an initial value start differently on both sides of
// [Check], even where it has the same name.
func Unpaired() Option { return func(o *options) { o.unpaired = true } }

// Together makes all clocks rise in every cycle. Without it, and with several clocks, any subset
// of them rises.
func Together() Option { return func(o *options) { o.together = true } }

// Hold gives an input a fixed value, in all cycles but the reset cycles if it is a reset.
func Hold(port string, value bits.Value) Option {
	return func(o *options) { o.hold = append(o.hold, held{port, value}) }
}

// Statements makes [Check] compare assertions, assumptions and covers too. Statements of the
// same kind and name, or number if they have no name, must be reached and fail in the same
// cycles.
func Statements() Option { return func(o *options) { o.statements = true } }

// Limit sets the time of one proof; a minute without it.
func Limit(d time.Duration) Option { return func(o *options) { o.time = d } }

// Told calls f whenever a question has come further, in the goroutine that asks it.
func Told(f func(Stage)) Option { return func(o *options) { o.told = f } }

// Conflicts sets the most conflicts for one question to the SAT solver; 200,000 without it.
func Conflicts(n int) Option { return func(o *options) { o.conflicts = n } }

// Depth sets the largest number of cycles to unroll if induction does not succeed at once; 20
// without it.
func Depth(cycles int) Option { return func(o *options) { o.depth = cycles } }

// MaxMemory sets the size in bits of the largest memory that is expanded to registers; 16,384
// without it.
func MaxMemory(bits int) Option { return func(o *options) { o.memory = bits } }

// MayBeUnknown lets a test pass, with a line in its log, when nothing is decided.
func MayBeUnknown() Option { return func(o *options) { o.unknown = true } }

// WithoutABC uses the built-in methods only.
func WithoutABC() Option { return func(o *options) { o.noABC = true } }

// Dump writes the run of a difference or a failure to a file, whose name ends in .vcd or .fst.
func Dump(file string) Option { return func(o *options) { o.dump = file } }
