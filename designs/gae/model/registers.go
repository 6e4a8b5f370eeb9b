package model

// Register is the number of a word of the host port; its byte address is four
// times that.
type Register int

// The registers. A write of a command is accepted when the circuit can do it, so that a
// host need not ask. Signed values are sign-extended to 32 bits. Registers of
// designs/gae.Accelerator says the use of each; etch export gae writes that as a table
// and as a header for C.
const (
	RewardIn Register = iota
	ValueIn
	BootIn
	PushStep
	Measure
	Begin
	Start
	Settle
	Clear
	Fetch
	Status
	RowOut
	BaseOut
	AdvantageOut
	ReturnOut
	Cycles
	Count
	ClippedReward
	ClippedValue
	ClippedBoot
	ClippedData
	ClippedDelta
	ClippedAdvantage
	ClippedReturn
	ClippedStoredAdvantage
	ClippedStoredReturn
	RewardMean
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
	SendCount
	Send
	NumRegisters
)

// The bits of [Status].
const (
	Draining      = 1 << iota // rows are being drained, or their last results stored
	Done                      // the last Start is finished
	Fits                      // there was room for the last Begin
	BootOverflow              // a row had more truncated vectors than its stack holds; until Clear
	OutOfSequence             // a step was pushed without a vector, or a vector begun inside another: ignored; or a drain started inside one, which is given up; until Clear
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
	// Unit gain: a mantissa of one half, shifted to the fraction of a code.
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
