package native

// Scratch words common to all code.
const (
	cyclesWord = iota // cycles still to run
	flagWord
	firstScratch
)

// Scratch words of adaptive code.
const (
	endWord = firstScratch + iota // in a class: the base behind the last instance
	firstPrivate
)

// Offsets in seenWords.
const (
	missesAt  = iota // cycles in bodies that do not assume all deciding registers
	generalAt        // of these, cycles in the general body
	untilAt          // misses until the next state is kept
	everyAt          // misses between kept states
	ringAt           // entries in the ring
	ringFirst        // the ring of missed states
)

// Scratch words of a Log.
const (
	logTo    = firstScratch + iota // address of the next row of narrow lanes; then of wide lanes
	logWide                        //
	logFirst                       // the first word for the nets
)

// Bits of a call's second argument.
const (
	isKept = 1 << iota // the lanes hold the packed registers since the last call
	keepOn             // leave them there
)
