package native

import "etch/sim/net"

// vec is a vector register of laneCount lanes of 32 bits, or what stands for one.
type vec uint8

const noVec = vec(0xff)

// vecPool is the vector registers that are free.
type vecPool struct{ free []vec }

func (p *vecPool) take() vec {
	r := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return r
}

func (p *vecPool) give(r vec) { p.free = append(p.free, r) }

// packAt is a place in memory: off bytes from something.
type packAt struct {
	from packBase
	size int32 // of a lane in its run, in bytes
	off  int32
}

type packBase uint8

const (
	fromState packBase = iota
	fromLane           // the state, and size times the lane at hand
	fromCell           // the cell at hand
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

// Operations of vectors beside those of nodes.
const (
	vecShl = iota // by the same amount in all lanes
	vecShr
	vecSar
)

// packWriter writes packs for one kind of processor. In a cycle plain code keeps
// nothing in registers when segments run.
type packWriter interface {
	writer
	packStateWriter

	// vectors is how many registers there are. The writer may take more from the
	// pool for a moment.
	vectors(p *vecPool) int
	// inMemory reports whether operands of 32-bit lanes may be in memory.
	inMemory() bool

	load(dst vec, p packAt)  // lanes as they are stored, in p.size bytes each
	store(p packAt, src vec) // likewise
	// storeFirst stores the first lanes.
	storeFirst(p packAt, src vec, lanes int32)
	copyLanes(to, from packAt) // of one size
	// loadCells loads a vector of 32 bits each.
	loadCells(dst vec, p packAt)
	// mend puts lanes of mask into v, from memory whose first one is at p.
	mend(v vec, p packAt, mask uint8)
	constant(dst vec, v uint32, p packAt)
	spread(dst vec, p packAt) // one word in all lanes

	move(dst, a vec)
	// two is an operation of nodes, or opMulPairs.
	two(op net.Op, dst, a vec, b packOperand)
	shiftSigned(dst, a, b vec)
	shift(how int, dst, a vec, k uint8)
	signed16(dst, a vec, k uint8) // 16 bits, signed, of which the upper k do not count
	// equal, greater (signed) and atMost (unsigned) make masks of -1 and 0.
	equal(dst, a, b vec)
	greater(dst, a, b vec)
	atMost(dst, a, b, tmp vec)
	// selector makes of 1 and 0 what choose takes, which masks are too.
	selector(dst, a vec)
	// choose is dst = b where sel says so, else a.
	choose(dst, a vec, b packOperand, sel vec)
}

// packStateWriter writes what is around segments.
type packStateWriter interface {
	// enterPacks is enter; it jumps to kept if the lanes hold packed registers, as
	// the second argument says.
	enterPacks(k *packs, kept label)
	// idle jumps to l if there are no cycles to do.
	idle(l label)
	// ifKept jumps to l if lanes are to be kept, as the second argument says.
	ifKept(l label)
	// leavePacks is leave; constants lie behind the code.
	leavePacks(constants []uint32)
	// pull copies registers, from slot on, to the lanes of their run, push back.
	pull(r *laneRun, slot uint32)
	push(r *laneRun, slot uint32)
	// setCell stores a constant.
	setCell(at int32, v uint32)
	// startSegments comes before all segments of a cycle.
	startSegments()
	// unlessCell jumps to l if the cell at an offset from the state is 0.
	unlessCell(at int32, l label)
	// setLane and setCells move what fromLane and fromCell are from; moveBlock goes
	// on by lanes and bytes of cells.
	setLane(lane int32)
	setCells(at int32)
	moveBlock(lanes, cells int32)
	// repeat begins a loop of n rounds, again ends it.
	repeat(n int, aligned bool) label
	again(l label)
}
