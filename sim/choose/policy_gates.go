package choose

// Gates is code of regions that runs only if they change (native/gated.go). The trial is measured.
type Gates struct {
	Node       float64 // effort of dividing a net into regions and compiling it with gates, per node; measured
	LeastNodes int     // nodes of the smallest net that is sampled
	MostNodes  int     // nodes of the largest
	Samples    int     // cycles sampled, a multiple of 64; chosen
	Gap        uint64  // the longest gap between samples, in cycles; half of it on average
	Wait       float64 // run before the first look, in efforts of compiling
	Again      float64 // run before the next look, in efforts of the last wait
	Looks      int     // the largest number of looks
	Saves      float64 // the estimated cost must fall to at most this share
	Faster     float64 // gates are dropped if they clearly take more than this share of the time
	Block      int     // successive calls of a trial by one kind of code
	Blocks     int     // blocks of each kind in a trial
	Least      uint64  // cycles of the shortest first call by gates: fewer do not pay for raising all flags
}

func standardGates() Gates {
	return Gates{
		Node: 2500, LeastNodes: 1500, MostNodes: 1 << 19, Samples: 256, Gap: 8, Wait: 2, Again: 16, Looks: 3, Saves: 0.7,
		Faster: 0.85, Block: 4, Blocks: 3, Least: 16,
	}
}

// Parts is code of parts (native/gated_parts.go, active*.go), in place of gates in large nets.
// Laboratory, if nothing else is said.
type Parts struct {
	LeastNodes int     // nodes of the smallest net that is divided into parts
	Packed     float32 // such a net is packed only if packs save this share of the work, since packed code has no parts
	Samples    int     // samples, a multiple of 64
	Burst      int     // successive samples
	Gap        uint64  // the longest gap between bursts, in cycles
	Span       float64 // run between the first and last sample, in efforts of the look, at most; chosen
	SpanLater  float64 // the same while gates run: samples from a longer time hold for more of the run
	Largest    float64 // cost of the largest part
	Saves      float64 // the estimated cost must fall to at most this share
	ScoutSaves float64 // the same in nets that may have bodies, which save more than half of most cores' work without tests of flags
	// Nets that may have bodies: where parts pay, bodies get a chance later (native/scout_chance.go).
	// The unit is a run after which bodies make their first plan. Chosen.
	ScoutAgain  float64 // run of parts before that; 0: never
	ScoutLearn  float64 // run of bodies before both are measured
	ScoutBetter float64 // bodies must clearly take less than this share of the time; with more plans they improve
	ScoutBlocks int     // blocks of calls of each kind
	Cost        float64 // effort per unit of cost of a cycle by parts; measured: 0.26 to 0.28
	CostCrowd   float64 // and times the crowd: SmallBoom has 0.7 to 0.9, since the parts of a cycle exceed the first-level cache of code
	Node        float64 // effort of sampling, dividing and compiling, per node; measured: 3800 to 4400
	Looks       int     // the largest number of looks
	Again       float64 // run before the next look, in efforts of the last one
	Drifting    float64 // the same if parts run and the work has drifted, times the looks so far; chosen
	Later       float64 // run with regions before parts are looked for, in efforts of that look
	Better      float64 // the share of the effort of regions that a cycle of parts must not exceed
	Drift       float64 // divide again once the flags before a cycle have grown by this factor
	Rests       float64 // and once they have fallen to this share, if parts run in every cycle; chosen
	Window      int     // observations of these flags that one mean is taken of; chosen
	Between     uint64  // cycles from one observation to the next, at least: a mean of a few cycles says little; chosen
	// Rare is the share of cycles below which a part is put behind the others, out of the way of
	// the instruction fetch. Chosen.
	Rare float64
	// RareArm is the share of a part's runs below which an arm is put behind all other code. The
	// rest has fewer taken branches, and less code that is fetched in vain. SmallBoom is as fast
	// with 0.02 to 0.45.
	RareArm float64
	// A word that changes in over Often - OftenCrowd·crowd of a part's runs sets flags by arithmetic.
	// A mispredicted branch takes as long as 60 instructions, a change by arithmetic about seven;
	// where cycles have few branches, a processor predicts most changes.
	Often      float64
	OftenCrowd float64
	Masked     int // double words of flags that such a change sets, at most; chosen
}

func standardParts() Parts {
	return Parts{
		LeastNodes: 5000, Packed: 0.2, Samples: 256, Burst: 4, Gap: 8000, Span: 0.6, SpanLater: 1.2, Largest: 1200, Saves: 0.6, ScoutSaves: 0.3, ScoutAgain: 20, ScoutLearn: 8, ScoutBetter: 1, ScoutBlocks: 8, Cost: 0.27, CostCrowd: 0.5, Node: 5000, Looks: 8, Again: 1, Drifting: 0.3, Later: 2, Better: 0.7, Drift: 1.5,
		Rests: 0.2, Window: 64, Between: 256, Rare: 0.3, RareArm: 0.3, Often: 0.08, OftenCrowd: 0.05, Masked: 4,
	}
}
