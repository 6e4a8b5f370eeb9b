package choose

import "time"

// Control bounds the search for control registers, and for memory words that they address
// (control.go, reads.go). Chosen, not measured.
type Control struct {
	Width         uint8   // bits of the widest control register
	Values        int     // values of a control register in the samples, at most
	AddressValues int     // the same of a register that addresses a memory
	Reach         uint8   // operations on the path from a control register to a select, at most
	AddressReach  int     // the same from a register to the address of a read
	Reads         int     // reads of a net that are considered
	Rounds        int     // times that assumed words are propagated to further addresses
	Holds         int     // nested muxes through which a register is found to keep its value
	RegWrite      float64 // cost of writing a register
	MemWrite      float64 // cost of writing a memory
}

func standardControl() Control {
	return Control{
		Width: 8, Values: 16, AddressValues: 512, Reach: 12, AddressReach: 4, Reads: 64, Rounds: 3, Holds: 16,
		RegWrite: 1.2, MemWrite: 2,
	}
}

// Surveys is the plans of lanes (survey.go). Chosen, not measured.
type Surveys struct {
	// Body is the cost of a body in general cycles: almost nothing, because lanes leave all bodies
	// when one of them meets a state without a body.
	Body      float64
	ForkReach int // successive conditions of a body
	// ForkRatio is the share of the cost that a fork must reach: nearly all of it, since a known
	// next state saves memory reads in every instance.
	ForkRatio float64
}

func standardSurveys() Surveys { return Surveys{Body: 1, ForkReach: 2, ForkRatio: 0.95} }

// Branches decides whether a mux becomes a branch in plain code, bodies and parts
// (native/internal/schedule). Costs.
type Branches struct {
	If        float64 // cost of a branch; chosen
	MissRate  float64 // share of mispredictions of a branch with unknown behaviour; chosen
	MissCost  float64 // cost of a misprediction; chosen
	Depth     int32   // nested branches, at most: their code is written recursively
	FewMoves  int32   // muxes between leaves that must share a select for a branch on it; chosen
	CrowdMiss float64 // added to MissRate by a crowd of 1; see below
	OddsUntil float64 // the crowd from which odds of samples are not used; see below

	// The crowd tells how far a cycle has more branches than a processor learns (net.Partition).
	// With MissRate and CrowdMiss together 0.15 or 0.3, SmallBoom (crowd 1) is 1.2 times as fast as
	// with 0.03, and no faster with 0.6; ysyx3 (0) is slower with 0.06. Rocket (0.2) was slower
	// with odds, ysyx3 faster.
}

func standardBranches() Branches {
	return Branches{If: 3, MissRate: 0.03, MissCost: 60, Depth: 50, FewMoves: 3, CrowdMiss: 0.17, OddsUntil: 0.2}
}

// Packs decides what becomes vector code in a net (native/internal/pack). Costs are those of
// net.Node.Cost in 32-bit floats. Chosen, not measured, if nothing else is said.
type Packs struct {
	// NarrowFrom is the size of all elements, in bytes, from which elements of 8 or 16 bits are stored
	// narrow. Widening takes instructions, but the elements stay in the cache.
	NarrowFrom int32
	Least      float32 // cost per cycle that packs must save
	// Most is the share of a net's work from which packs are preferred: to bodies (native.New), and
	// to banks in a net with many look-ups.
	Most float32
	// ManyLuts is the number of look-ups from which Most applies: banks save more, and values that
	// read packed registers cannot be in banks.
	ManyLuts int
	Rounds   int     // searches, since blocks that do not pay spoil others
	Choices  int     // nested branches at the next value of a register
	Vectors  int     // vectors in the graph of a block: keeps the search short
	Levels   int     // depth of that graph
	Byte     float64 // effort of a packed cycle per byte of elements, at most

	// Costs of vector code, and of the plain code that it replaces.
	Scalar       float32 // cost of an operation in plain code, per unit of its Cost
	Store        float32 // of writing a register in plain code
	Block        float32 // of a store of a vector
	Op           float32 // of a vector operation
	Load         float32 // of any other vector: a load, a broadcast
	Patch        float32 // of a patch: load and blend
	PatchElement float32 // of a patch, for each of its elements
	Arm          float32 // the least saving of a branch over elements: one branch replaces many
}

func standardPacks() Packs {
	return Packs{
		NarrowFrom: 16 << 10, Least: 40, Most: 0.5, ManyLuts: 32, Rounds: 4, Choices: 3, Vectors: 60, Levels: 20, Byte: 4,
		Scalar: 0.7, Store: 1.5, Block: 2, Op: 1.7, Load: 0.8, Patch: 1.5, PatchElement: 2.5, Arm: 1,
	}
}

// Calls bounds calls of machine code (sim/internal/drive/call.go). Chosen, not measured.
type Calls struct {
	// Chunk bounds the time of a call: the Go scheduler and the collector must wait for its end.
	Chunk time.Duration
	First int // cycles of the first call, if Chunk permits
	Most  int // cycles of any call
	Long  int // a call that took so many chunks was badly estimated, or interrupted
	Row   int // so many long calls in a row were not interrupted by chance, even on a loaded machine
}

func standardCalls() Calls {
	return Calls{Chunk: 200 * time.Microsecond, First: 16, Most: 1 << 20, Long: 4, Row: 32}
}

// Effort is the effort of a call that takes Chunk, at three machine cycles per nanosecond.
func (c *Calls) Effort() float64 { return 3 * float64(c.Chunk/time.Nanosecond) }

// Warm says how often the interpreter does a step before code is compiled for it, and how much code
// is kept (sim/internal/drive/compiled.go, clock_set.go, loud.go, bulk.go, look.go; sim/watch.go). Chosen, not
// measured, if nothing else is said.
type Warm struct {
	Events   int // interpreted events of a set of clocks: about as many as fit in the time of compiling
	Loud     int // interpreted events in which a statement acts
	Watch    int // readings of a Watch
	Bulk     int // events reported to a tracer one by one
	Batch    int // signals join the code that reads them once they are one in so many of all
	Missed   int // signals remembered that were read once
	Compiled int // clock sets with code
	Sets     int // clock sets remembered, with or without code
}

func standardWarm() Warm {
	return Warm{Events: 300, Loud: 64, Watch: 64, Bulk: 256, Batch: 4, Missed: 1000, Compiled: 16, Sets: 256}
}
