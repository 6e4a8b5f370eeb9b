package drive

// Recorder hears of a Stepper's events that do not follow from sets of inputs and from edges.
type Recorder interface {
	// Settled is called when values have settled. pending: asynchronous resets may have acted.
	Settled(pending bool)
	// BoxOutputs is called when the outputs of black boxes have settled.
	BoxOutputs()
	// BoxEdge is called behind n rising events of a design with black boxes, BoxFall behind a
	// falling one.
	BoxEdge(n int)
	BoxFall()
}

// Phase is the position of a sample around an event.
type Phase uint8

// The phases.
const (
	Before Phase = iota // settled; the clocks are about to rise
	After               // the clocks have just risen; settled again
	Fall                // the clocks have fallen, with their effects
	Idle                // time advances without an edge; inputs may have changed
)

// Observer is told of every event.
type Observer interface {
	// Sample is called at a moment of a phase. at is its time, and clocks the numbers of the
	// clocks that rise or fall, valid until the event is over.
	Sample(phase Phase, at uint64, clocks []int32)
	// Bulk runs up to n cycles of p and samples them afterwards. It returns the number of cycles
	// run, 0 if they must be sampled one by one.
	Bulk(c *ClockSet, n int) int
}
