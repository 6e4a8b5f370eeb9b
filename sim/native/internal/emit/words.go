package emit

// Scratch words common to all code.
const (
	cyclesWord = iota // cycles still to run
	flagWord
	FirstScratch
)

// Scratch words of adaptive code.
const (
	endWord = FirstScratch + iota // in a class: the base behind the last instance
	FirstPrivate
)

// Offsets in seenWords.
const (
	MissesAt  = iota // cycles in bodies that do not assume all deciding registers
	GeneralAt        // of these, cycles in the general body
	UntilAt          // misses until the next state is kept
	EveryAt          // misses between kept states
	RingAt           // entries in the ring
	RingFirst        // the ring of missed states
)

// Scratch words of a Log.
const (
	LogTo    = FirstScratch + iota // address of the next row of narrow fields; then of wide fields
	logWide                        //
	LogFirst                       // the first word for the nets
)

// Bits of a call's second argument.
const (
	IsKept = 1 << iota // the elements hold the packed registers since the last call
	KeepOn             // leave them there
)
