package choose

import "math"

// Lanes is the part of a Policy for many instances side by side. An instruction is one of vector
// code, in one group of lanes.
type Lanes struct {
	// The virtual clock.
	Instr float64 // effort per instruction that a cycle executes; measured: 0.3 to 0.8
	Body  float64 // effort of compiling bodies, per instruction of theirs; measured
	Emit  float64 // effort of writing machine code of all bodies, per instruction; measured
	Plan  float64 // effort of planning, per node and state; measured
	Copy  float64 // effort of copying a word to another form

	// Bodies for lanes (sim/lanes/study.go). Inherited.
	Start   float64 // effort of running before anything is tried
	Waste   float64 // the least effort lost by missed cycles before bodies are added
	Share   float64 // run this many efforts of compiling before compiling again
	Least   int     // events per call: shorter calls are left alone
	Samples int     // states sampled for the first plan
	Misses  int     // missed states sampled before bodies are added
	Gathers int     // cycles after which one in Few of these is enough
	Looks   int     // samples per group and call
	Events  int     // events per call while sampling misses
	Again   uint64  // run this many times the cycles so far before another try
	Plans   int     // the most plans
	Gap     int     // the most cycles from sample to sample
	Few     int     // one in so many misses is enough after Gathers cycles; chosen
	Long    int     // any number is enough after so many times Gathers; chosen
	Worse   float64 // lose this many times as much before bodies are tried again that did not help; chosen

	// The contest of bodies with plain code, measured.
	Trial  int     // the most cycles per stretch in one form
	Trials int     // stretches
	Better float64 // bodies are dropped if they clearly take more than this part of the time
}

func standardLanes() Lanes {
	return Lanes{
		Instr: 0.5, Body: 2000, Emit: 250, Plan: 10, Copy: 60,

		Start: 1.5e7, Waste: 6e6, Share: 4, Least: 32, Samples: 1000, Misses: 128,
		Gathers: 8192, Looks: 8, Events: 512, Again: 16, Plans: 12,
		Gap: 8, Few: 16, Long: 16, Worse: 4,

		Trial: 128, Trials: 4, Better: 1,
	}
}

// Apart is lanes one after the other (sim/lanes/apart.go, apart_trial.go). The contest with
// groups is measured.
type Apart struct {
	After  float64 // effort of running in groups before a trial
	Make   float64 // effort of making a simulator
	Words  int     // approximate words of a simulator beside its state
	Bytes  int     // memory of all simulators
	PerOp  float64 // effort of a cycle in groups, per operation and lane, below which simulators cannot win; measured: of the designs of etch bench with 16 and 256 lanes those that gained had 0.035 and more
	Beyond float64 // simulators that have learned nothing and are slower by this factor will not catch up
	Plain  float64 // the same where no control state deserves bodies
	Round  float64 // effort of a round of the learning
	Least  int     // cycles per call at least: shorter calls say little, because the state must enter the cache
	Most   int     // and at most
	Tries  int     // the most rounds
	Less   float64 // an improvement takes the estimate to less than this share; chosen
	Idle   int     // rounds without improvement that end the learning
	Run    float64 // effort of a timed run
	Runs   int     // timed runs of a turn; one more before them does not count
	Turns  int     // turns of each form
	Better float64 // lanes stay apart if they clearly take less than this part of the time
}

func standardApart() Apart {
	return Apart{
		After: 9e7, Make: 6e4, Words: 256, Bytes: 1 << 29, PerOp: 0.03,
		Beyond: 8, Plain: 3,
		Round: 1.5e7, Least: 64, Most: 1 << 16, Tries: 32, Less: 0.9, Idle: 4,
		Run: 5e6, Runs: 3, Turns: 3, Better: 0.8,
	}
}

// LaneCode is the vector code of many instances (package sim/lanes/internal/code): its forms, its
// order, its bodies. Costs are vector instructions, those in words multiplied by the vectors of
// 16-bit elements that take the place of one vector of bits. Chosen, not measured.
type LaneCode struct {
	// The form of each value (lanes/internal/code/estimate.go, division.go).
	Nearly      float64 // try a form if it costs at most this many times the other
	MixedBelow  float64 // try mixed form if it costs at most this share of the better form
	MixedAlone  float64 // try nothing else below this share
	BitsWrite   float64 // cost of a memory write in sliced form
	WordsWrite  float64 // and in word form
	Next        float64 // of a state word, per vector of its value
	ToMask      int64   // of converting a bit of 256 instances to a mask of elements
	ToWord      int64   // and a wider value to elements, per bit
	ToBit       int64   // and a mask of elements to a bit
	ToBits      int64   // and elements to a wider value, per bit
	MostDivided int     // nodes of the largest net that gets mixed form
	CutWork     int     // visits of edges in the search for the best division
	SmallMemory int     // bits up to which a memory is part of the state in sliced form, and reads select among all words
	SmallTable  int     // words up to which a table becomes gates in sliced form

	// Code without bodies (lanes/internal/code/order.go, words.go, unroll.go, cost.go).
	Call          float64 // cost of calling machine code
	LongestCall   int     // instructions of a call, which cannot be preempted
	LongestMacro  int     // instructions of a macro, in that count
	OrderWords    int     // 64-bit words of all sets of dependencies; beyond them state words keep their order
	OrderWork     int     // comparisons of sets of dependencies, in all
	OrderMost     int     // candidates compared for the next state word, at most
	OrderLeast    int     // and at least
	OrderBack     int     // state words placed last that a candidate is compared with
	LeastHeld     int     // vectors from which words that keep their value under a condition are skipped together
	AtOnce        int     // cycles computed at once where no state word that usually holds changes
	AtOncePercent int     // their instructions, in percent of as many single cycles, at most

	// Bodies (lanes/internal/code/chain.go).
	MostBodies int // bodies of a chain
	MostInstrs int // vector instructions of all bodies
	MostAhead  int // candidates for the next body, before a full dispatch is used instead
	MostInHalf int // values of a register that are tested one by one
}

func standardLaneCode() LaneCode {
	return LaneCode{
		Nearly: 2.5, MixedBelow: 0.7, MixedAlone: 0.35, BitsWrite: 3000, WordsWrite: 5, Next: 2,
		ToMask: 48, ToWord: 96, ToBit: 64, ToBits: 80,
		MostDivided: 50_000, CutWork: 4 << 20, SmallMemory: 128, SmallTable: 256,

		Call: 100, LongestCall: 2 << 20, LongestMacro: 1000,
		OrderWords: 1 << 23, OrderWork: 32 << 20, OrderMost: 256, OrderLeast: 8, OrderBack: 4,
		LeastHeld: 4, AtOnce: 4, AtOncePercent: 90,

		MostBodies: 1024, MostInstrs: 1 << 19, MostAhead: 16, MostInHalf: 6,
	}
}

// EagerLanes is Standard, but lanes have bodies as soon as possible and keep them, whether that
// pays or not, and stay in groups.
func EagerLanes() *Policy {
	p := Standard()
	p.Lanes.Instr, p.Lanes.Body, p.Lanes.Emit, p.Lanes.Plan, p.Lanes.Copy = 0, 0, 0, 0, 0
	p.Lanes.Start, p.Lanes.Waste, p.Lanes.Better = 0, 0, math.Inf(1)
	p.Apart.After = math.Inf(1)
	return p
}
