package model

// Register is the number of a word of the host port; its byte address is four
// times that.
type Register int

// The registers. Those before Status are commands and what goes with them: a write
// is accepted when the circuit can do it, so that a host need not ask. Signed
// values are sign-extended to 32 bits.
const (
	RewardIn      Register = iota // r of the coming Push or Measure, S15.16
	ValueIn                       // V, S15.16
	BootIn                        // X, S15.16: the value after a cut
	PushStep                      // bit 0 term, bit 1 cut: the step joins the vector that has begun
	Measure                       // the step joins the statistics
	Begin                         // a vector of so many steps begins; Fits, Row and Base tell where
	Start                         // drain all rows
	Settle                        // set means, scales and mantissas by the statistics
	Clear                         // bit 0 the statistics, bit 1 counters and errors
	Fetch                         // row · 65536 + address: Advantage and Return show what is stored there
	Status                        // see the bits below
	RowOut                        // of the last Begin
	BaseOut                       // address of the vector's first step
	AdvantageOut                  // of the last Fetch, in units of AdvantageStep
	ReturnOut                     // in units of ReturnStep
	Cycles                        // from the last Start, its own cycle included, to done
	Count                         // steps in the statistics of rewards
	ClippedReward                 // counters since Clear: what was saturated on loading …
	ClippedValue
	ClippedBoot
	ClippedData // … when rewards and values were restored
	ClippedDelta
	ClippedAdvantage
	ClippedReturn
	ClippedStoredAdvantage // … and when results were stored
	ClippedStoredReturn
	RewardMean // settings, read and written
	RewardMantissa
	RewardShift
	ValueMean
	ValueMantissa
	ValueShift
	RewardScale
	RewardOffset
	ValueScale
	ValueOffset
	DataShift
	AdvantageStep
	ReturnStep
	NumRegisters
)

// The bits of [Status].
const (
	Draining      = 1 << iota // rows are being drained, or their last results stored
	Done                      // the last Start is finished
	Fits                      // there was room for the last Begin
	BootOverflow              // a row had more truncated vectors than its stack holds; until Clear
	OutOfSequence             // a step was pushed without a vector, or a vector begun inside another: ignored; until Clear
)

// The bits of [Clear].
const (
	ClearStatistics = 1 << iota
	ClearCounters
)

// HostBits is the width of the host port's byte addresses.
const HostBits = 8

// Defaults are the settings after reset: mean 0, deviation 1, results in the
// units that suit advantages up to 32 and returns up to 256, or, stored narrow,
// 16 and 128.
func (s System) Defaults() (Loading, Settings) {
	n := Norm{Mantissa: 1 << (MantissaBits - 1), Shift: MantissaBits - 1 + Input.Frac - s.StandardFrac()}
	set := Settings{AdvantageStep: 4, ReturnStep: 7}
	if s.Narrow {
		set.AdvantageStep, set.ReturnStep = 12, 15
	}
	if s.CodeBits != 0 {
		set.ValueScale = 1 << (s.Format().Frac - s.StandardFrac())
		set.RewardScale = set.ValueScale
	}
	return Loading{Reward: n, Value: n}, set
}
