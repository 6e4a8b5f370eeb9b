package equiv

import (
	"time"

	"etch/ir/bits"
)

// Option changes what is asked or how long is tried.
type Option func(*options)

type options struct {
	resets     int // cycles; -1: one if there is a reset
	zero       bool
	unpaired   bool
	together   bool
	hold       []held
	resetBy    []held
	time       time.Duration
	end        time.Time // when it is over
	conflicts  int
	depth      int
	memory     int
	unknown    bool
	noABC      bool
	onlyABC    bool // in tests
	dump       string
	statements bool
}

// held is an input with one value.
type held struct {
	port  string
	value bits.Value
}

func (o *options) late() bool { return time.Now().After(o.end) }

func collect(opts []Option) *options {
	o := &options{resets: -1, time: time.Minute}
	for _, f := range opts {
		f(o)
	}
	return o
}

// Reset has runs begin with so many cycles in which all inputs of a reset type are
// high.
func Reset(cycles int) Option { return func(o *options) { o.resets = max(0, cycles) } }

// ResetBy gives an input a value in the reset cycles, as if it were of a reset type:
// for designs that came from elsewhere, and for resets that are low when active.
func ResetBy(port string, value bits.Value) Option {
	return func(o *options) { o.resetBy = append(o.resetBy, held{port, value}) }
}

// FromPowerUp has cycle 0 be the first after power-up, without a reset.
func FromPowerUp() Option { return Reset(0) }

// FromZero starts state that has no initial value at 0, as the simulator does when
// it is not given a seed.
func FromZero() Option { return func(o *options) { o.zero = true } }

// Unpaired lets state without an initial value start differently on both sides of
// [Check], even where it has the same name.
func Unpaired() Option { return func(o *options) { o.unpaired = true } }

// Together has all clocks rise in every cycle. Without it, and with several clocks,
// any of them do.
func Together() Option { return func(o *options) { o.together = true } }

// Hold gives an input one value, in all cycles but those of the reset if it is a
// reset.
func Hold(port string, value bits.Value) Option {
	return func(o *options) { o.hold = append(o.hold, held{port, value}) }
}

// Statements has [Check] compare assertions, assumptions and covers too: those of
// the same kind and name, or number where they have none, are looked at and fail in
// the same cycles.
func Statements() Option { return func(o *options) { o.statements = true } }

// Limit bounds the time of one proof; a minute without it.
func Limit(d time.Duration) Option { return func(o *options) { o.time = d } }

// Conflicts bounds the conflicts of one question to the SAT solver; 200,000 without
// it.
func Conflicts(n int) Option { return func(o *options) { o.conflicts = n } }

// Depth is the largest number of cycles that are unrolled when induction does not
// prove at once; 20 without it.
func Depth(cycles int) Option { return func(o *options) { o.depth = cycles } }

// MaxMemory is the size in bits of the largest memory that is expanded to registers;
// 16,384 without it.
func MaxMemory(bits int) Option { return func(o *options) { o.memory = bits } }

// MayBeUnknown lets a test pass, with a line in its log, when nothing is decided.
func MayBeUnknown() Option { return func(o *options) { o.unknown = true } }

// WithoutABC keeps to what is built in.
func WithoutABC() Option { return func(o *options) { o.noABC = true } }

// Dump writes the run that shows a difference or a failure to a file, whose ending
// is .vcd or .fst.
func Dump(file string) Option { return func(o *options) { o.dump = file } }
