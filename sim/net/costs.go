package net

// Costs are the tunables of the transformations of nets: estimated costs, in scalar instructions as
// those of [Node.Cost], and thresholds. Package choose has them in its Policy, which says what the
// words for their origins mean.
type Costs struct {
	Regions RegionCosts
	Parts   PartCosts
	Banks   BankCosts
	Vectors VectorLimits
}

// StandardCosts returns the Costs of users.
func StandardCosts() Costs {
	return Costs{
		Regions: RegionCosts{Gate: 2.5, Watch: 1.5, Keep: 3, Register: 1, Large: 400, BusyOneIn: 2, Holds: 4, Watched: 1 << 22},
		Parts: PartCosts{
			Test: 1.5, Compare: 2.5, Write: 3, Flag: 1, Near: 20, Learned: 2500, Crowded: 25000,
			Missed: 10, MissedCrowd: 80, Pass: 1.5, PassCrowd: 12, WriteCrowd: 5, Compared: 5, Rarely: 1.5, Seldom: 0.05, Busy: 0.9, Enable: 5,
		},
		Banks:   BankCosts{Least: 32, Span: 3, Bits: 1024, Recent: 16, SharedOneIn: 3, Bank: 60, Bit: 3, Word: 2, LookUp: 5, Alone: 4, AloneInput: 2},
		Vectors: VectorLimits{Least: 4, Step: 1 << 16, Shape: 64, LookedUp: 3},
	}
}

// RegionCosts are those of [Net.Divide] and [Net.Gated]. Chosen, not measured.
type RegionCosts struct {
	Gate  float64 // cost of testing a region's flag
	Watch float64 // of comparing a word written outside of the region
	Keep  float64 // of keeping a value used outside of the region
	// Register is the cost of storing a register's next value.
	Register float64
	// Large is the cost from which regions are not merged: the test is negligible there, and
	// samples are incomplete.
	Large     float64
	BusyOneIn int // a region may be busy in at most one of so many samples
	Holds     int // nested muxes whose holding arms spare a comparison
	Watched   int // registers in the lists of all regions, at most: they take memory
}

// PartCosts are those of [Activity.Partition]. The crowd tells how far the branches of a cycle
// exceed those that a processor predicts, from 0 to 1. Costs that depend on it are sums a +
// b·crowd. They were fitted to processor time: a with ysyx3 (crowd 0) and Rocket (0.2), b with
// SmallBoom (1); MissedCrowd and PassCrowd on a processor with 1 MB of second-level cache, the others
// on one with 2 MB.
type PartCosts struct {
	Test    float64 // cost of testing a part's flag; chosen
	Compare float64 // of comparing a kept value; chosen
	Write   float64 // of a write of a memory: a store with its address and test; chosen
	Flag    float64 // of a part in each cycle, beside Test: one instruction; chosen
	Near    int     // not a cost: the newest ready clusters, compared when a part is extended; chosen

	// The active cost of a cycle up to which a processor learns all branches, and from which on it
	// learns few.
	Learned float64
	Crowded float64

	// Enable is what the registers of an enable must save in a cycle to be a part of their own. Fitted to
	// ysyx3 (2 to 10 are equal, with 0 or 20 a cycle takes 1.1 times as long) and Rocket (at most 5).
	Enable float64

	// A part that runs in a share Busy of the cycles or more runs in all of them: comparisons only to
	// wake such parts cost more than the other runs. SmallBoom takes as long with 0.6 to 0.97.
	Busy float64

	Missed      float64 // of a test that is mispredicted
	MissedCrowd float64 // and for a crowd of 1, in addition
	Pass        float64 // of a value that passes from part to part: its comparison, store and loads
	PassCrowd   float64 // and for a crowd of 1, in addition
	WriteCrowd  float64 // of comparing the next value of a register with the present one, for a crowd of 1

	// Costs of comparing a value with the kept one: if it changes in more than the share Seldom of its
	// part's runs, or in fewer. Counted in the code; Seldom is chosen.
	Compared float64
	Rarely   float64
	Seldom   float64
}

// BankCosts are those of [Net.Gather]. Chosen, not measured, if nothing else is said.
type BankCosts struct {
	Least  int // look-ups of the smallest bank
	Span   int // look-ups of a Cat tree that are kept side by side, at least
	Bits   int // operand bits that engines can address at once: a limit of their instructions
	Recent int // clusters that an output is compared with: the latest, which keeps the time linear
	// SharedOneIn lets an output exceed Bits if over one in so many of its source bits are in the
	// cluster already.
	SharedOneIn int

	Bank       int // cost of a bank
	Bit        int // of an operand of one bit, which must be packed first
	Word       int // of another operand
	LookUp     int // of a look-up in a bank
	Alone      int // of a look-up alone: it takes its bit of the table
	AloneInput int // and for each input, which is gathered
}

// VectorLimits are those of [Net.Vectors]. Chosen, not measured.
type VectorLimits struct {
	Least    int    // registers of a vector that becomes a memory
	Step     int64  // words from one register of a vector to the next, at most
	Shape    int    // muxes of a next value that are looked at
	LookedUp uint64 // registers of a look-up that becomes a read, at least
}
