package model

// Register is the number of a word of the host port; its byte address is four
// times that.
type Register int

// The registers. Those before Status are commands and what goes with them: a write
// is accepted when the circuit can do it, so that a host need not ask. Signed
// values are sign-extended to 32 bits. The number before each is its byte address.
const (
	RewardIn               Register = iota // 0x00: r of the coming Push or Measure, S15.16
	ValueIn                                // 0x04: V, S15.16
	BootIn                                 // 0x08: X, S15.16: the value after a cut
	PushStep                               // 0x0c: bit 0 term, bit 1 cut: the step joins the vector that has begun
	Measure                                // 0x10: the step joins the statistics
	Begin                                  // 0x14: a vector of so many steps begins; Fits, Row and Base tell where
	Start                                  // 0x18: drain all rows
	Settle                                 // 0x1c: set means, scales and mantissas by the statistics
	Clear                                  // 0x20: bit 0 the statistics, bit 1 counters, errors and a vector that lacks steps
	Fetch                                  // 0x24: row · 65536 + address: Advantage and Return show what is stored there
	Status                                 // 0x28: see the bits below
	RowOut                                 // 0x2c: of the last Begin
	BaseOut                                // 0x30: address of the vector's first step
	AdvantageOut                           // 0x34: of the last Fetch, in units of AdvantageStep
	ReturnOut                              // 0x38: in units of ReturnStep
	Cycles                                 // 0x3c: from the last Start, its own cycle included, to done
	Count                                  // 0x40: steps in the statistics of rewards
	ClippedReward                          // 0x44: counters since Clear: what was saturated on loading …
	ClippedValue                           // 0x48
	ClippedBoot                            // 0x4c
	ClippedData                            // 0x50: … when rewards and values were restored
	ClippedDelta                           // 0x54
	ClippedAdvantage                       // 0x58
	ClippedReturn                          // 0x5c
	ClippedStoredAdvantage                 // 0x60: … and when results were stored
	ClippedStoredReturn                    // 0x64
	RewardMean                             // 0x68: settings, read and written
	RewardMantissa                         // 0x6c
	RewardShift                            // 0x70
	ValueMean                              // 0x74
	ValueMantissa                          // 0x78
	ValueShift                             // 0x7c
	RewardScale                            // 0x80
	RewardOffset                           // 0x84
	ValueScale                             // 0x88
	ValueOffset                            // 0x8c
	DataShift                              // 0x90
	AdvantageStep                          // 0x94
	ReturnStep                             // 0x98
	SendCount                              // 0x9c: results of the coming Send
	Send                                   // 0xa0: as Fetch: so many results from there on leave by the stream, one a cycle
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
