package model

import "fmt"

// Kind is a sort of operation.
type Kind uint8

// The operations, in the order of their codes in hardware.
const (
	Insert    Kind = iota // a transition with a priority takes the oldest slot
	InsertMax             // the same with the largest priority so far
	Update                // the transition of a slot and generation gets another priority
	Sample                // a draw, from stratum Stratum of 2^Strata
	Find                  // the slot of a target
	Clear                 // empties the tree
)

// Kinds are all operations by their codes.
func Kinds() []Kind { return []Kind{Insert, InsertMax, Update, Sample, Find, Clear} }

// String is the name of an operation.
func (k Kind) String() string {
	names := [...]string{"insert", "insert_max", "update", "sample", "find", "clear"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("operation %d", uint8(k))
}

// Operation is one operation with its operands.
type Operation struct {
	Kind       Kind
	Index      int    // of an update
	Generation uint8  // of an update
	Priority   uint64 // of an insert or update
	Stratum    int    // of a sample: 0 to 2^Strata - 1
	Strata     int    // of a sample: 0 is a plain draw
	Target     uint64 // of a find
}

// Response is the answer to an operation. Index is that of the slot that an insert
// filled, an update named, or a draw found; Generation that of the slot, and 0 where
// nothing was written or drawn; Priority is 0 of all but draws.
type Response struct {
	Index      int
	Generation uint8
	Priority   uint64
	Sum        uint64 // of all leaves after the operation
	Unfilled   bool   // an update was dropped: nothing is in the slot
	Stale      bool   // an update was dropped: something else is in the slot
	Empty      bool   // a draw from a sum of 0
	OutOfRange bool   // the target is not below the sum
}

// Apply does an operation.
func (t *Tree) Apply(op Operation) (r Response) {
	var d Drawn

	// An operation that is dropped leaves generation and priority at 0.
	switch op.Kind {
	case Insert:
		r.Index, r.Generation = t.Insert(op.Priority)
	case InsertMax:
		r.Index, r.Generation = t.InsertMax()
	case Update:
		r.Index = op.Index
		switch t.Update(op.Index, op.Generation, op.Priority) {
		case Unfilled:
			r.Unfilled = true
		case Stale:
			r.Stale = true
		default:
			r.Generation = op.Generation
		}
	case Sample:
		d = t.Stratified(op.Stratum, op.Strata)
	case Find:
		d = t.Find(op.Target)
	case Clear:
		t.Clear()
	}

	if op.Kind == Sample || op.Kind == Find {
		r = Response{Index: d.Index, Generation: d.Generation, Priority: d.Priority, Empty: d.Empty, OutOfRange: d.OutOfRange}
	}
	r.Sum = t.Sum()
	return r
}

// Seed gives the generator a state, and does nothing for 0, which it cannot have.
func (t *Tree) Seed(state uint64) {
	if state != 0 {
		t.state = state
	}
}
