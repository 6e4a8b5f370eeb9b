package vector

// Arch is a kind of machine code.
type Arch uint8

// The kinds.
const (
	AVX2   Arch = iota // of amd64: vectors of 4 words
	AVX512             // of amd64 with F, BW and DQ: vectors of 8 words
	NEON               // of arm64: vectors of 4 words, in two registers each
)

// Words returns the length of a vector in 64-bit words.
func (a Arch) Words() int {
	if a == AVX512 {
		return 8
	}
	return 4
}

// label is a place in machine code.
type label int32

// base is the origin of an address.
type base uint8

// The bases. Those from ofRows on are set by aim, for macros.
const (
	ofState base = iota
	ofScratch
	ofMems
	ofRows // rows to transpose
	ofAddr
	ofData
	ofMask
	ofWord // the memory of a macro
	bases
)

// place is an address: bytes from a base.
type place struct {
	base base
	at   int
}

// plus is the place n bytes behind p.
func (p place) plus(n int) place { return place{p.base, p.at + n} }

// machine writes the code of an Arch. It knows nothing of programs: the assembler decides on the
// order.
type machine interface {
	flow
	macros

	load(d uint8, p place)
	store(p place, x uint8)
	// fetch writes an op that makes a value of memory, put one that stores a part of a vector.
	fetch(op Op, d uint8, p place)
	put(op Op, p place, x uint8)
	move(d, x uint8)
	zero(d uint8)
	// operate writes an instruction with a result and no other effect; m is its second operand
	// if that is in memory.
	operate(in *Instr, m place)
	// swap exchanges every second block of size bits, 1 to 16, of x, from the second on, with
	// the block of y below it. mask has ones at the other blocks. Registers 8 and 9 are
	// temporaries.
	swap(x, y uint8, size int, mask uint8)
	// bits makes a mask of the subgroup's bits in slice slot; storeBits stores mask x as these bits,
	// with t as temporary. At places are the numbers 1<<(i%16).
	bits(d uint8, slot int32, places place)
	storeBits(slot int32, x, t uint8, places place)
}

// flow writes control flow.
type flow interface {
	newLabel() label
	bind(l label)
	align(n int) // to a multiple of n bytes, where that matters
	jump(l label)
	call(l label) // a subroutine that ends with ret
	ret()
	// test jumps to l if x has ones (ones), or if it has none (!ones).
	test(x uint8, ones bool, l label)
	// enterPiece begins a piece of others' code.
	enterPiece()
	// enter takes the arguments of a call; with frame it keeps the frame's address.
	enter(frame bool)
	// leave returns the cycles left.
	leave()
	// count counts n cycles and jumps to l if any are left (left), or if none are (!left).
	count(n int, left bool, l label)
	fewer(n int, l label) // jumps if fewer than n cycles are left
	unforced(l label)     // jumps if no cycle is forced
	nextSubgroup()        // advances to the next subgroup of a group
	// unless jumps to l if the element of so many bits at p is not v, or, with below, is not
	// less than v.
	unless(p place, bits int, below bool, v uint64, l label)
	// Words of the frame: ifZero jumps to l, setOne and increment change one.
	ifZero(at int, l label)
	setOne(at int)
	increment(at int)
	// text is the completed code.
	text() ([]byte, error)
}

// macros writes the code of macros, instance by instance.
type macros interface {
	// aim sets a base to p, advance moves it by n bytes.
	aim(b base, p place)
	advance(b base, n int)
	// repeat begins a loop of n rounds; again ends it.
	repeat(n int) label
	again(l label)
	// element moves a word between a memory and the aimed rows.
	element(m *Access, at wordAt)
	// gather makes a vector of memory words, whose addresses are at addr; t is a temporary. It
	// needs no aimed bases.
	gather(d, t uint8, m *Access, addr place, from []wordAt)
}

// wordAt is the places of an instance's data in a macro, in bytes from the bases.
type wordAt struct {
	index     int // of its address
	indexBits int // 16 or 32
	word      int // of word 0 of its memory
	data      int // of data and mask
	high      int // from the lower 32 bits of data to the upper ones if they are apart, else 0
}

// newMachine returns the writer for an Arch.
func newMachine(a Arch) machine {
	if a == NEON {
		return newA64()
	}
	return newX86(a)
}
