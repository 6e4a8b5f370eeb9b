package program

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// Machine code does not stop when a design prints. It records the arguments of print statements
// and goes on; the text is formatted and written when the code returns, in the original order.
// The record is the journal, in memory behind the state. It has a record for each cycle that
// prints: the cycle's number within the call, one bit per print statement that prints, and the
// words of all arguments, each at a fixed place.

// Journal is the layout of the memory that records prints.
type Journal struct {
	State   uint32  // slot of the number of records; behind it, of the cycles of this call; 0: nothing is printed
	Prints  []int32 // print statements, by bit
	Args    []int   // by print statement: offset of its arguments in a record
	Words   int     // per record
	Records int     // number of records for which there is room
}

// Sizes of journals. The numbers of words and of records are powers of two.
const (
	journalWords = 1 << 14 // approximate size of a journal, in words
	mostRecords  = 1 << 10
	leastRecords = 1 << 4
	mostRecord   = 1 << 16 // words; designs that need more are interpreted
	CycleBits    = 48
)

// says reports whether the design has statements of these kinds.
func (p *Program) says(kinds ...ir.StmtKind) bool {
	for _, k := range p.kinds {
		if k.run > 0 && slices.ContainsFunc(k.mod.Stmts, func(st ir.Stmt) bool { return slices.Contains(kinds, st.Kind) }) {
			return true
		}
	}
	return false
}

// lay computes the layout of a record.
func (j *Journal) lay(stmts []Statement) {
	if j.State == 0 {
		return
	}
	for i := range stmts {
		if stmts[i].Src.Kind == ir.Print {
			j.Prints = append(j.Prints, int32(i))
		}
	}

	// Number of the cycle, mark bits, then all arguments.
	at := 1 + (len(j.Prints)+63)/64
	for _, i := range j.Prints {
		j.Args = append(j.Args, at)
		for _, a := range stmts[i].Args {
			at += bits.WordCount(a.Width)
		}
	}

	// A record of too many words switches the journal off, and the design is interpreted.
	if j.Words = Pow2(at); j.Words > mostRecord {
		*j = Journal{}
		return
	}
	j.Records = min(max(journalWords/j.Words, leastRecords), mostRecords)
}

// Room is the size of the journal, in words.
func (j *Journal) Room() uint32 { return uint32(j.Words * j.Records) }
