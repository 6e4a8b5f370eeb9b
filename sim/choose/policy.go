package choose

import (
	"math"
	"time"

	"etch/sim/net"
)

// Effort is an amount of work in machine cycles, estimated. It is the unit of all decisions that
// weigh compiling against running: the virtual clock. Engines advance it by the estimated cost of
// the cycles they run and of the code they make, never by the time that passes. So a design makes
// the same decisions on every machine and under any load. Measured time decides only the contests,
// whose outcomes estimates cannot tell because they do not know the caches: with plain code, of
// gates, and of lanes in groups with lanes one after the other. A contest is held after the same
// cycles in all equal runs, and its verdict is made so that load does not change it
// (sim/internal/contest).
type Effort float64

// Policy is the tunables of the engines: every number that decides whether or when code is made, or
// that estimates a cost. A nil *Policy in native.Options is [Standard]. Packages that use it name
// the field at the place of the decision; files named below without a package are this package's.
//
// Not in it are facts of machines and formats, limits that only keep memory or recursion bounded,
// the cost of each operation, which is a column of a table (net/op_table.go,
// lanes/internal/code/estimate.go), and the choice of a module whose instances share code
// (sim/internal/program/class.go), which is made before there is a Policy.
//
// Units: efforts are machine cycles, at three per nanosecond; costs are scalar instructions, about,
// as those of net.Node.Cost; shares are of the cost of a cycle. "Measured" means: compared with the
// time of the step on some designs of etch bench on a loaded machine, 2026-11 (ETCH_PLANS=1 prints
// both), so within a factor of two or so. "Laboratory" means: from the prototype that the engine
// follows. "Inherited" means: the value of before the virtual clock; nobody has tried others since.
// "Chosen" means: nobody has written down a measurement.
type Policy struct {
	// Clock measures contests; nil is the processor time of the calling thread. Tests have others.
	Clock func() time.Duration

	// The virtual clock.
	RunCost    float64 // effort per unit of cost of a cycle; measured: 0.15 to 0.19
	RunCycle   float64 // effort of any cycle besides, for the count and the dispatch; measured
	FarByte    float64 // effort per byte of plain code beyond NearBytes, which each cycle fetches from outside of the second-level cache; measured on SmallBoom
	NearBytes  int     // code that stays in that cache beside the state; chosen
	BodyNode   float64 // effort of compiling a body, per node of the net, until one was compiled
	BodyVisit  float64 // the same per visit of a node (native/tree.go); measured
	StartNode  float64 // the same of the general body with its tree, when nothing is in the caches
	PlainNode  float64 // the same of plain code
	VisitNode  float64 // effort of planning, per node and evaluation of 64 snapshots; measured
	SnapReview float64 // effort of a review, per snapshot and deciding register; measured
	KeepWord   float64 // effort of logging a word for a wave and of finding whether it has changed; chosen
	EmitByte   float64 // effort of writing machine code, per byte; a guess, not measured alone

	// When to adapt (native/adapt.go). How long a run will last is unknown. So compiling starts
	// only after the run has lost as much as compiling costs: in total, at most twice the best
	// possible (the ski-rental rule). Inherited.
	LeastWaste   float64 // effort lost before any review
	FirstShare   float64 // run before the first plan, in efforts of compiling the general body
	ReviewShare  float64 // review bodies once the loss is this many times the effort of a review
	PlanShare    float64 // make a new plan once the loss is this many times the effort of a plan
	PlanGap      float64 // run between plans made without need, in efforts of the last plan
	PlanGrowth   uint64  // and the cycle count must have grown by this factor
	PlanBetter   float64 // follow such a plan if its expected cost is at most this part of the present plan's
	TreeWorth    float64 // a body gets branches of its own after this many cycles per cycle's worth of its compile effort
	FollowShare  float64 // review bodies of a new plan once the loss is this share of its effort
	LostOneIn    int     // make a new plan if more than one in so many missed states cannot have a body
	PartialWaste float64 // of a general cycle: the saving in a body that serves many states
	BodyPrice    float64 // factor on the effort of compiling a body, when bodies are chosen; 0: as many as there are states
	ReviewGrowth float64 // review whenever the cycle count has grown by this factor, whatever is lost; 0: by loss
	MostBodies   int     // bodies remembered for reuse, a quarter
	MemoBytes    int     // bytes of them, about
	MostStops    int     // calls before the first plan that stop at once: then bodies cannot pay
	StopCycles   uint64  // cycles below which a call has stopped at once; chosen
	GeneralReach int     // depth of the general body's tree
	SpecialReach int     // depth of the trees of bodies that run often
	MostRegs     int     // state words of the largest design that is specialised
	MostNodes    int     // nodes of the largest such design

	// Code of bodies (native/tree.go, machine.go, bodies.go, accumulators.go). Chosen.
	LeastSplit   float32 // cost of a cycle below which it is not split by a condition
	VisitCompile int     // visits of a node by scheduling and allocation; one by propagation is the unit
	VisitExtract int     // visits of a node by propagation and extraction
	BodyRoom     int32   // scratch words that a body may use in any case; one that needs more is given up
	BodySpare    int32   // scratch words that it may use beyond those of the general body
	PlainRoom    int     // scratch words kept for plain code that takes over, beyond those of bodies
	LeastOwed    int     // constant additions to accumulators from which a count of cycles is cheaper
	ManyValues   int     // values of a register that dispatch tests one by one, at most

	// Samples of states (native/sample.go). Inherited. SaveEvery is always odd, because many
	// designs have periods of 8.
	SaveEvery  uint64 // keep every SaveEvery-th miss or more
	SaveSpread uint64 // different gaps
	FirstKept  int    // snapshots kept of missed states before the first plan
	LaterKept  int    // the same after it
	CallKept   int    // snapshots per call, of all members of a team: the reads take as long as tens of cycles
	MemberKept int    // the least per call and member
	LeastKept  int    // snapshots before a plan is made
	HitKept    int    // snapshots of states with a body, between reviews
	LeastHits  int    // fewer of them are ignored
	HitGap     uint64 // the shortest distance of two such snapshots, in cycles
	MostPast   int    // snapshots in the history
	PastBytes  int    // bytes of them: fewer snapshots of large states are kept
	RingStates int    // missed states that code keeps between calls
	RingWords  int    // state words of them: fewer large states are kept
	DrainAt    uint64 // take states out of this ring once there are so many
	DrainAfter uint64 // or any, after so many cycles

	// Plans (plan.go). Laboratory.
	GuardShare     float64 // of the weight: a register with one value this often becomes a guard
	LeastGuard     float64 // a guard that is no control register must save this share
	MaxDeciding    int     // deciding registers of a plan
	LeastGain      float64 // a deciding register must save this share
	MaxTuples      int     // bodies of a plan
	Worthwhile     float64 // with all deciding registers known, the cost must fall to this share
	PlanSamples    int     // snapshots for cost estimates, in the first plan
	LaterSamples   int     // the same in later plans
	MaxRejected    int     // candidates refused before the search ends
	CandidatesSeen int     // candidates re-evaluated per step

	// Branches of bodies (fork.go). Costs; a fork pays if both outcomes together, weighted evenly,
	// cost less than a ratio of the cost without it. Laboratory.
	UnresolvedCost float64 // of a control register whose next value is not a constant
	SplitCost      float64
	SplitRatio     float64
	GeneralRatio   float64 // for the general body
	TryConditions  int     // conditions weighed for one fork: those that most next values of deciding registers depend on
	VoteDepth      int     // nested muxes and operations of a next value in which conditions are found

	// The contest with plain code (native/trial.go), measured.
	FirstTrial    uint64  // cycles before the first contest
	LaterTrial    uint64  // the next one comes after so many times as many
	TrialCycles   uint64  // cycles of the shortest call that may hold one
	TrialRuns     uint64  // runs by each kind of code
	MostTrial     uint64  // cycles of the longest run
	TrialBetter   float64 // plain code must clearly take less than this part of the time: the outcome of a near tie would change from run to run
	SettledRate   float64 // cycles per miss once bodies have settled
	MostPostponed int     // postponements of a contest

	// Teams (native/team.go). Inherited.
	LeastMachine float32 // cost per cycle of the smallest machine of a team
	LeastOther   float64 // share of the total cost that all machines but the largest must have
	MostMachines int     // machines of a team

	Gates    Gates
	Parts    Parts
	Control  Control
	Survey   Surveys
	Branches Branches
	Packs    Packs
	Calls    Calls
	Warm     Warm
	Net      net.Costs // transformations of nets: regions, parts, banks, vectors
	Lanes    Lanes
	Apart    Apart
	LaneCode LaneCode
}

// LeastPacked is the share of work that packs must save in plain code of n.
func (p *Policy) LeastPacked(n *net.Net) float32 {
	if len(n.N) >= p.Parts.LeastNodes {
		return p.Parts.Packed
	}
	return 0
}

// Standard returns the Policy of users.
func Standard() *Policy {
	return &Policy{
		// In the order of the fields, a paragraph for each group of them. How a number was found
		// stands at its field.
		RunCost: 0.17, RunCycle: 4, FarByte: 0.1, NearBytes: 1 << 19, BodyNode: 160, BodyVisit: 40, StartNode: 3500, PlainNode: 1500, VisitNode: 30, SnapReview: 150, KeepWord: 3, EmitByte: 20,

		LeastWaste: 1.5e6, FirstShare: 4, ReviewShare: 4, PlanShare: 4, PlanGap: 16, PlanGrowth: 4, PlanBetter: 0.95,
		FollowShare: 1.0 / 8, LostOneIn: 3, TreeWorth: 20, PartialWaste: 0.3, BodyPrice: 1, MostBodies: 600, MemoBytes: 64 << 20, MostStops: 500, StopCycles: 8,
		GeneralReach: 2, SpecialReach: 2, MostRegs: 2048, MostNodes: 20000,

		LeastSplit: 60, VisitCompile: 8, VisitExtract: 3, BodyRoom: 1024, BodySpare: 512, PlainRoom: 1 << 15, LeastOwed: 2, ManyValues: 6,

		SaveEvery: 7, SaveSpread: 4, FirstKept: 600, LaterKept: 256, CallKept: 8, MemberKept: 1, LeastKept: 100,
		HitKept: 256, RingStates: 256, RingWords: 1 << 15, DrainAt: 16, DrainAfter: 1 << 18, LeastHits: 20, HitGap: 1024, MostPast: 4096, PastBytes: 16 << 20,

		GuardShare: 0.998, LeastGuard: 0.003, MaxDeciding: 18, LeastGain: 0.004, MaxTuples: 500, Worthwhile: 0.7,
		PlanSamples: 64, LaterSamples: 256, MaxRejected: 12, CandidatesSeen: 13,

		UnresolvedCost: 6, SplitCost: 4, SplitRatio: 0.85, GeneralRatio: 0.95, TryConditions: 6, VoteDepth: 3,

		FirstTrial: 1 << 18, LaterTrial: 1 << 5, TrialCycles: 1024, TrialRuns: 12, MostTrial: 512, TrialBetter: 0.9,
		SettledRate: 200, MostPostponed: 20,

		LeastMachine: 100, LeastOther: 0.2, MostMachines: 64,

		Gates: standardGates(), Parts: standardParts(), Control: standardControl(), Survey: standardSurveys(), Branches: standardBranches(), Packs: standardPacks(),
		Calls: standardCalls(), Warm: standardWarm(), Net: net.StandardCosts(),
		Lanes: standardLanes(), Apart: standardApart(), LaneCode: standardLaneCode(),
	}
}

// Eager is the Policy of tests: it specialises after a few hundred cycles, every state that is
// seen, whether that pays or not, and never returns to plain code.
func Eager() *Policy {
	p := Standard()
	p.SaveEvery, p.SaveSpread, p.CallKept, p.MemberKept, p.LeastKept = 1, 1, 16, 16, 32
	p.ReviewGrowth, p.BodyPrice, p.Worthwhile = 1.25, 0, math.Inf(1)
	p.FirstTrial = math.MaxUint64
	p.LeastMachine, p.LeastOther = 10, 0
	return p
}

// EagerParts is Eager, but nearly every net has parts, whether that pays or not.
func EagerParts() *Policy {
	p := Eager()
	p.Gates.LeastNodes, p.Parts.LeastNodes, p.Parts.Largest = 40, 40, 30
	p.Parts.Saves, p.Parts.ScoutSaves, p.Parts.ScoutAgain, p.Gates.Faster = math.Inf(1), math.Inf(1), 0, math.Inf(1)
	p.Gates.Wait, p.Parts.Node, p.Parts.Samples, p.Parts.Gap, p.Parts.Burst = 0, 0, 64, 3, 30
	p.Gates.Block, p.Gates.Blocks, p.Gates.Least = 1, 1, 1
	p.Net.Parts.Busy, p.Net.Parts.Enable = 0.6, 0
	return p
}

// StaticCost is the cost of a net's nodes if all of them are computed.
func StaticCost(n *net.Net) (cost float64) {
	for i := range n.N {
		cost += float64(n.N[i].Cost())
	}
	return cost
}

// Cycle is the effort of a cycle of some cost.
func (p *Policy) Cycle(cost float64) Effort { return Effort(p.RunCycle + p.RunCost*cost) }

// PlainCycle is the effort of a cycle of n in plain code of some bytes, at most: branches skip some
// of it.
func (p *Policy) PlainCycle(n *net.Net, bytes int) float64 {
	return float64(p.Cycle(StaticCost(n))) + p.FarByte*float64(max(0, bytes-p.NearBytes))
}
