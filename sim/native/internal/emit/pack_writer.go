package emit

import (
	"etch/sim/native/internal/pack"
	"etch/sim/net"
)

// vec is a vector register of laneCount lanes of 32 bits, or a pair that serves as one.
type vec uint8

const noVec = vec(0xff)

// vecPool is the free vector registers.
type vecPool struct{ free []vec }

func (p *vecPool) take() vec {
	r := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return r
}

func (p *vecPool) give(r vec) { p.free = append(p.free, r) }

// packAt is a place in memory: off bytes from a base.
type packAt struct {
	from packBase
	size int32 // of a lane in its run, in bytes
	off  int32
}

type packBase uint8

const (
	fromState packBase = iota
	fromLane           // the state, plus size times the current lane
	fromCell           // the current cell
	fromPool           // off is the number of a constant
)

func (p packAt) plus(off int32) packAt {
	p.off += off
	return p
}

// packOperand is a vector, in a register or in memory.
type packOperand struct {
	reg vec
	at  packAt
	mem bool
}

// Shifts by one amount for all lanes.
const (
	vecShl = iota
	vecShr
	vecSar
)

// PackWriter writes packs for one kind of processor. Segments may use all registers: plain code
// keeps nothing in them when segments run.
type PackWriter interface {
	Writer
	packStateWriter

	// Vectors is the number of registers available. The writer may take further ones from the
	// pool temporarily.
	Vectors(p *vecPool) int
	// inMemory reports whether operands with 32-bit lanes may be in memory.
	inMemory() bool

	load(dst vec, p packAt)  // lanes as they are stored, in p.size bytes each
	store(p packAt, src vec) // the reverse of load
	// storeFirst stores the first lanes only.
	storeFirst(p packAt, src vec, lanes int32)
	copyLanes(to, from packAt) // of one size
	// loadCells loads a vector of 32-bit cells.
	loadCells(dst vec, p packAt)
	// mend loads the lanes of mask into v; p is the first of them.
	mend(v vec, p packAt, mask uint8)
	constant(dst vec, v uint32, p packAt)
	spread(dst vec, p packAt) // one word in all lanes

	move(dst, a vec)
	// two computes an operation of nodes, or opMulPairs.
	two(op net.Op, dst, a vec, b packOperand)
	shiftSigned(dst, a, b vec)
	shift(how int, dst, a vec, k uint8)
	signed16(dst, a vec, k uint8) // sign-extends 16-bit numbers whose upper k bits are undefined
	// equal, greater (signed) and atMost (unsigned) make masks of -1 and 0.
	equal(dst, a, b vec)
	greater(dst, a, b vec)
	atMost(dst, a, b, tmp vec)
	// selector turns 1 and 0 into an argument for choose; masks are arguments already.
	selector(dst, a vec)
	// choose computes dst = b where sel is set, else a.
	choose(dst, a vec, b packOperand, sel vec)
}

// packStateWriter writes the code around segments.
type packStateWriter interface {
	// enterPacks is Enter, keeps the second argument in the flag's word, and tests bits of it.
	enterPacks(bits int32)
	// testPacks sets the flags by bits of the second argument: equal if all are 0.
	testPacks(bits int32)
	// idle jumps to l if no cycles are to run.
	idle(l Label)
	// leavePacks is leave, followed by the constants.
	leavePacks(constants []uint32)
	// pull copies registers, from slot on, to the lanes of their run; push copies them back.
	pull(r *pack.LaneRun, slot uint32)
	push(r *pack.LaneRun, slot uint32)
	// startSegments comes before all segments of a cycle.
	startSegments()
	// unlessCell jumps to l if the cell at an offset from the state is 0.
	unlessCell(at int32, l Label)
	// setLane and setCells set the current lane and cell; moveBlock advances both, by lanes and
	// by bytes of cells.
	setLane(lane int32)
	setCells(at int32)
	moveBlock(lanes, cells int32)
	// repeat begins a loop of n rounds; again ends it.
	repeat(n int, aligned bool) Label
	again(l Label)
}
