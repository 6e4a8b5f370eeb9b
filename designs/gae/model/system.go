package model

import (
	"fmt"

	"etch/hw/fixed"
)

// System is the parameters of the whole: rows of a memory and a processing
// element each.
type System struct {
	Element
	Rows     int `help:"rows, each with a memory and an element; 64 in the paper" range:"1..256"`
	Depth    int `help:"steps that a row holds; 1024 in the paper" range:"2..65536, a power of two"`
	CodeBits int `help:"bits of a stored reward or value; 0: they are stored as data, unquantised" range:"0|3..10"`
	// Values are standardised by block where they are quantised.
	Rewards Standard `help:"over what rewards are standardised" values:"raw|block|dynamic"`
	// RestoreRewards multiplies and offsets rewards as values are.
	RestoreRewards bool `help:"rewards are restored when they are read, as values are; else they stay standardised"`
	Narrow         bool `help:"results of 9 bits instead of 18"`
	Stack          int  `help:"bootstrap values that a row holds" range:"2..65536, a power of two"`
	PingPong       bool `help:"two memories a row: one is filled while the other is drained"`
	RoundRobin     bool `help:"vectors go to rows in turn, not to the one with the least work"`
}

// Paper is the system of HEPPO: 64 rows of 1024 steps, codes of 8 bits, two steps
// looked ahead.
func Paper() System {
	return System{
		Element: Element{K: 2, Gamma: 0.99, Lambda: 0.95, Data: Default},
		Rows:    64, Depth: 1024, CodeBits: 8, Stack: 32,
	}.Variant(5)
}

// Standard is how a quantity is standardised: over which numbers mean and deviation are taken.
type Standard int

// The ways.
const (
	Raw     Standard = iota // it is not
	Block                   // of the block that is being loaded
	Dynamic                 // of all blocks since the statistics were cleared, this one included
)

var standardNames = [...]string{"raw", "block", "dynamic"}

// String is the way's name.
func (s Standard) String() string {
	if s < Raw || s > Dynamic {
		return fmt.Sprint(int(s))
	}
	return standardNames[s]
}

// UnmarshalText reads a way's name.
func (s *Standard) UnmarshalText(text []byte) error {
	for i, name := range standardNames {
		if name == string(text) {
			*s = Standard(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not raw, block or dynamic", text)
}

// Variant is s as one of the five that the paper's Table III compares:
// 1 nothing; 2 dynamically standardised rewards, no quantisation; 3 to 5 both
// quantised, values by block and restored, and rewards 3 by block and restored,
// 4 by block and left standardised, 5 dynamically and left standardised.
// Quantised variants have 8 bits unless s already has some.
func (s System) Variant(n int) System {
	// Dynamic standardisation without restoring is variant 5; the others differ from it.
	if s.CodeBits == 0 {
		s.CodeBits = 8
	}
	s.Rewards, s.RestoreRewards = Dynamic, false

	switch n {
	case 1:
		s.Rewards, s.CodeBits = Raw, 0
	case 2:
		s.CodeBits = 0
	case 3:
		s.Rewards, s.RestoreRewards = Block, true
	case 4:
		s.Rewards = Block
	}
	return s
}

func (s System) Validate() error {
	if err := s.Element.Validate(); err != nil {
		return err
	}

	f, power := s.Format(), func(n int) bool { return n > 0 && n&(n-1) == 0 }

	// Each field by itself, then the combinations.
	switch {
	case s.Rows < 1 || s.Rows > 256:
		return fmt.Errorf("Rows = %d, want 1 to 256", s.Rows)
	case !power(s.Depth) || s.Depth < 2 || s.Depth > 1<<16:
		return fmt.Errorf("Depth = %d, want a power of two, 2 to 65536", s.Depth)
	case s.CodeBits != 0 && (s.CodeBits < 3 || s.CodeBits > 10):
		return fmt.Errorf("CodeBits = %d, want 3 to 10, or 0 for unquantised", s.CodeBits)
	case s.CodeBits != 0 && (f.Frac < s.CodeBits-3 || f.Width-f.Frac < 3):
		return fmt.Errorf("Data = %v, want room for codes of %d bits with a step of 2^%d", f, s.CodeBits, 3-s.CodeBits)
	case s.Rewards < Raw || s.Rewards > Dynamic:
		return fmt.Errorf("Rewards = %d, want raw, block or dynamic", int(s.Rewards))
	case s.CodeBits != 0 && s.Rewards == Raw:
		return fmt.Errorf("CodeBits = %d, and rewards are raw; only standardised ones are quantised", s.CodeBits)
	case s.CodeBits == 0 && s.RestoreRewards:
		return fmt.Errorf("RestoreRewards wants quantised rewards, and CodeBits is 0")
	case f.Width > Input.Width:
		return fmt.Errorf("Data = %v, want %d bits at most: registers have no more", f, Input.Width)
	case f.Frac > 21 && s.CodeBits == 0 && s.Rewards != Raw:
		return fmt.Errorf("Data = %v, want 21 fraction bits at most for standardised rewards that are not quantised", f)
	case !power(s.Stack) || s.Stack < 2 || s.Stack > 1<<16:
		return fmt.Errorf("Stack = %d, want a power of two, 2 to 65536", s.Stack)
	case s.Stacks()&(s.Stacks()-1) != 0:
		return fmt.Errorf("K = %d, want a power of two for the c-slow form in rows", s.K)
	case s.Depth < 2*s.Stacks() || s.Stack < 2*s.Stacks():
		return fmt.Errorf("Depth = %d, Stack = %d, want 2 and more for each of %d trajectories", s.Depth, s.Stack, s.Stacks())
	}
	return nil
}

// HasStatistics reports whether steps may be measured: something is standardised.
func (s System) HasStatistics() bool { return s.Rewards != Raw || s.CodeBits != 0 }

// Stacks is how many stacks of steps a row keeps: one for each trajectory that
// its element takes in turn.
func (s System) Stacks() int {
	if s.Form == CSlow {
		return s.K
	}
	return 1
}

// ResultBits is the width of a stored advantage or return.
func (s System) ResultBits() int {
	if s.Narrow {
		return 9
	}
	return 18
}

// FieldBits is the width of a stored reward or value.
func (s System) FieldBits() int {
	if s.CodeBits == 0 {
		return s.Format().Width
	}
	return s.CodeBits
}

// WordBits is the width of a word of memory: a step, or its results, in a width
// that block RAM has.
func (s System) WordBits() int {
	w := max(2*s.FieldBits()+2, 2*s.ResultBits())
	return (w + 17) / 18 * 18
}

// MaxShift is how far data can be shifted right at most.
const MaxShift = 15

// Settings are the values that the host sets between one drain and the next; raw values are
// of the format of data.
type Settings struct {
	ValueScale, ValueOffset   int64 // V = ValueScale·code + ValueOffset
	RewardScale, RewardOffset int64 // with RestoreRewards
	Shift                     int   // rewards are shifted right by so many bits, as the rest already is; 0 to 15
	AdvantageStep, ReturnStep int   // results are stored in units of 2^step; 0 to 15
}

// Word is a step as it is stored: codes, or data where it is unquantised.
type Word struct {
	Reward, Value int64
	Term, Cut     bool
}

// Stored is a step's result as it is stored, with its saturated numbers.
type Stored struct {
	Advantage, Return int64
	Clipped           Clips
}

// Clips tells or counts saturated numbers.
type Clips struct{ Value, Delta, Advantage, Return, StoredAdvantage, StoredReturn int }

// Add adds the counts of d.
func (c *Clips) Add(d Clips) {
	c.Value += d.Value
	c.Delta += d.Delta
	c.Advantage += d.Advantage
	c.Return += d.Return
	c.StoredAdvantage += d.StoredAdvantage
	c.StoredReturn += d.StoredReturn
}

// Total is the number of all.
func (c Clips) Total() int {
	return c.Value + c.Delta + c.Advantage + c.Return + c.StoredAdvantage + c.StoredReturn
}

// Step is a stored word as the element gets it; x is its bootstrap value.
func (s System) Step(set Settings, w Word, x int64) (step Step, clipped int) {
	step = Step{Reward: w.Reward, Value: w.Value, Term: w.Term, Cut: w.Cut}
	if w.Cut && !w.Term {
		step.Boot = x
	}

	// Data needs no restoring,
	if s.CodeBits == 0 {
		if s.Rewards != Raw { // raw ones are shifted on loading
			step.Reward >>= set.Shift
		}
		return step, 0
	}

	// codes need scale and offset.
	limit := saturator(s.Format())
	var over, too bool
	step.Value, over = limit(set.ValueScale*w.Value + set.ValueOffset)
	if s.RestoreRewards {
		step.Reward, too = limit(set.RewardScale*w.Reward + set.RewardOffset)
	} else {
		step.Reward = w.Reward << (s.Format().Frac - (s.CodeBits - 3)) >> set.Shift
	}
	return step, bit(over) + bit(too)
}

// Drain computes the results of a stack of steps: words in time order, the bootstrap values of
// those with a cut that is no end in time order too. The results are in time order. The last word
// must have Cut set.
func (s System) Drain(set Settings, words []Word, boots []int64) []Stored {
	n := len(words)
	steps, out := make([]Step, n), make([]Stored, n)

	// The element takes steps backwards in time, so bootstrap values leave their stack from the
	// top.
	for i := range steps { // backwards in time
		at := n - 1 - i
		w, x := words[at], int64(0)
		if w.Cut && !w.Term {
			x, boots = boots[len(boots)-1], boots[:len(boots)-1]
		}
		steps[i], out[at].Clipped.Value = s.Step(set, w, x)
	}

	for i, r := range s.Run(steps) {
		o := &out[n-1-i]
		var a, b bool
		o.Advantage, a = s.store(r.Advantage, set.AdvantageStep)
		o.Return, b = s.store(r.Return, set.ReturnStep)
		o.Clipped.Delta, o.Clipped.Advantage, o.Clipped.Return = bit(r.DeltaClipped), bit(r.AdvantageClipped), bit(r.RetClipped)
		o.Clipped.StoredAdvantage, o.Clipped.StoredReturn = bit(a), bit(b)
	}
	return out
}

// store rounds a result to units of 2^step, ties up, and saturates it.
func (s System) store(x int64, step int) (int64, bool) {
	return saturator(fixed.Format{Width: s.ResultBits()})((x + 1<<step>>1) >> step)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
