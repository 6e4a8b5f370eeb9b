package lanes

import (
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/drive"
	"etch/sim/lanes/internal/code"
)

// engine holds the state of all lanes and runs them. There are two: grouped has the lanes in
// vectors, singles has a simulator for each. A trial may replace one by the other: common.engine is
// the present one.
type engine interface {
	// put writes the words of a leaf in one lane; missing upper words are 0. fill does so in all
	// lanes, putSlice with v[i] in lane i.
	put(sig sim.Signal, lane int, words []uint64)
	fill(sig sim.Signal, words []uint64)
	putSlice(sig sim.Signal, v []uint64)

	// get, getBits and getSlice read a signal, which is one of l.one.
	get(sig sim.Signal, lane int) uint64
	getBits(sig sim.Signal, lane int) bits.Value
	getSlice(sig sim.Signal, dst []uint64)

	// readMem and writeMem take the word at addr of a memory, which exists.
	readMem(mem, addr, lane int) bits.Value
	writeMem(mem, addr, lane int, v bits.Value) error

	// state is a stepper with the state of a lane. It is to be read before the next call.
	state(lane int) *drive.Stepper

	// some runs at most n events of the clocks in on, and returns how many.
	some(on []byte, n int) int
	// reset runs one cycle of a lane with its resets high.
	reset(lane int)
	// restart returns all lanes to power-up, restartLane one.
	restart()
	restartLane(lane int)

	coverage(lane int) []sim.CoverPoint
	// trace tells t about a lane, if the engine can do so at no cost for the other lanes.
	trace(lane int, t sim.Tracer) (can bool, err error)
	// takeLog moves the results of statements out of the lanes, in any order.
	takeLog() results
	// failure returns the first error of the lanes' own.
	failure() error

	// close frees machine code.
	close(keep func(error))
}

// common is the data that both engines share.
type common struct {
	n      int // lanes
	engine engine
	one    *sim.Sim       // provides names, and checks values given to inputs
	m      *drive.Stepper // that of one: it interprets a lane
	seed   uint64         // of lane 0; lane i has seed + i
	seeded bool
	edges  []byte         // the set of all clocks
	cycles uint64         // events so far
	worker []*code.Worker // one for each goroutine
	traced []traced       // simulators that repeat lanes for tracers
	diary
}

// all is the set of all clocks. It must not be changed.
func (l *common) all() []byte { return l.edges }

// none is the empty set of edges.
func (l *common) none() []byte { return make([]byte, l.m.P.EdgeCount()) }
