package choose

import (
	"math"
	"time"
)

// Lanes is the part of a Policy for many instances side by side. An instruction is one of vector
// code, in one group of lanes.
type Lanes struct {
	// The virtual clock.
	LaneInstr float64 // effort per instruction that a cycle executes; measured: 0.3 to 0.8
	LaneBody  float64 // effort of compiling bodies, per instruction of theirs; measured
	LaneEmit  float64 // effort of writing machine code of all bodies, per instruction; measured
	LanePlan  float64 // effort of planning, per node and state; measured
	LaneCopy  float64 // effort of copying a word to another form

	// Bodies for lanes (sim/lanes_study.go). Inherited.
	LaneStart   float64 // effort of running before anything is tried
	LaneWaste   float64 // the least effort lost by missed cycles before bodies are added
	LaneShare   float64 // run this many efforts of compiling before compiling again
	LaneLeast   int     // events per call: shorter calls are left alone
	LaneSamples int     // states sampled for the first plan
	LaneMisses  int     // missed states sampled before bodies are added
	LaneGathers int     // cycles after which a sixteenth of these is enough
	LaneLooks   int     // samples per group and call
	LaneEvents  int     // events per call while sampling misses
	LaneAgain   uint64  // run this many times the cycles so far before another try
	LanePlans   int     // the most plans

	// The contest of bodies with plain code, by real time.
	LaneTrial  int     // the most cycles in one form per part
	LaneTrials int     // parts
	LaneBetter float64 // bodies must take less than this part of the time

	// Lanes one after the other (sim/lanes_apart.go). The contest with groups is by real time.
	ApartAfter  float64       // effort of running in groups before a contest
	ApartMake   float64       // effort of making a simulator
	ApartWords  int           // approximate words of a simulator beside its state
	ApartPart   time.Duration // length of a part
	ApartLeast  int           // cycles per call at first
	ApartShort  int           // shorter calls say little, because the state must enter the cache
	ApartMost   int           // cycles per call later
	ApartTries  int           // the most parts: the first ones are spent on learning
	ApartFirst  int           // parts dominated by compiling
	ApartIdle   int           // parts without improvement that end a contest
	ApartBeyond float64       // a part slower than groups by this factor will not catch up
	ApartPlain  float64       // the same where no control state deserves bodies
	ApartPerOp  float64       // least time per node and lane in simulators, in ns
	ApartBytes  int           // memory of all simulators
}

func standardLanes() Lanes {
	return Lanes{
		LaneInstr: 0.5, LaneBody: 2000, LaneEmit: 250, LanePlan: 10, LaneCopy: 60,

		LaneStart: 1.5e7, LaneWaste: 6e6, LaneShare: 4, LaneLeast: 32, LaneSamples: 1000, LaneMisses: 128,
		LaneGathers: 8192, LaneLooks: 8, LaneEvents: 512, LaneAgain: 16, LanePlans: 12,

		LaneTrial: 128, LaneTrials: 4, LaneBetter: 1,

		ApartAfter: 9e7, ApartMake: 6e4, ApartWords: 256, ApartPart: 5 * time.Millisecond, ApartLeast: 8,
		ApartShort: 64, ApartMost: 1 << 16, ApartTries: 32, ApartFirst: 4, ApartIdle: 4, ApartBeyond: 8,
		ApartPlain: 3, ApartPerOp: 0.015, ApartBytes: 1 << 29,
	}
}

// EagerLanes is Standard, but lanes have bodies as soon as possible and keep them, whether that
// pays or not, and stay in groups.
func EagerLanes() *Policy {
	p := Standard()
	p.LaneInstr, p.LaneBody, p.LaneEmit, p.LanePlan, p.LaneCopy = 0, 0, 0, 0, 0
	p.LaneStart, p.LaneWaste, p.LaneBetter = 0, 0, math.Inf(1)
	p.ApartAfter = math.Inf(1)
	return p
}
