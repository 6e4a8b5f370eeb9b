package vector

// Arch is a kind of machine code.
type Arch uint8

// The kinds.
const (
	AVX2   Arch = iota // of amd64: vectors of 4 words
	AVX512             // of amd64 with F, BW and DQ: vectors of 8 words
	NEON               // of arm64: vectors of 4 words, in two registers each
)

// Words is the length of a vector in words of 64 bits.
func (a Arch) Words() int {
	if a == AVX512 {
		return 8
	}
	return 4
}

// label is a place in machine code.
type label int32

// base is what addresses are counted from.
type base uint8

// The bases. Those that aim sets are for macros.
const (
	ofState base = iota
	ofScratch
	ofMems
	ofRows // rows to transpose
	ofAddr
	ofData
	ofMask
	ofWord // the memory that a macro is about
	bases
)

// place is an address: bytes from a base.
type place struct {
	base base
	at   int
}

// plus is a place n bytes behind p.
func (p place) plus(n int) place { return place{p.base, p.at + n} }

// machine writes the code of an Arch. It knows nothing of programs: what comes
// behind what is the assembler's.
type machine interface {
	flow
	macros

	load(d uint8, p place)
	store(p place, x uint8)
	move(d, x uint8)
	zero(d uint8)
	// operate writes an instruction that has a result and no effect besides; m is
	// its second operand where that is in memory.
	operate(in *Instr, m place)
	// swap has every second block of size bits, 1 to 16, of x, from the second on,
	// change places with the block below it of y. mask has ones at the other blocks.
	// Registers 8 and 9 may be overwritten.
	swap(x, y uint8, size int, mask uint8)
	// bits makes a mask of the part's bits in slice slot, storeBits stores x as
	// those, and may overwrite t. At places are numbers 1<<(i%16).
	bits(d uint8, slot int32, places place)
	storeBits(slot int32, x, t uint8, places place)
}

// flow is what decides where code goes on.
type flow interface {
	newLabel() label
	bind(l label)
	align(n int) // to a multiple of n bytes, if that makes a difference
	jump(l label)
	call(l label) // a subroutine, which ends with ret
	ret()
	// test jumps to l if x has ones, or else if it has none.
	test(x uint8, ones bool, l label)
	// enter takes what the code is called with; with frame it keeps where that is.
	enter(frame bool)
	// leave returns the cycles left.
	leave()
	// count ends n cycles and jumps to l if any are left, or else if none are.
	count(n int, left bool, l label)
	fewer(n int, l label) // jumps if fewer cycles than n are left
	unforced(l label)     // jumps if no cycle is forced
	nextPart()            // goes on to the next part of a group
	// unless jumps to l if the element of so many bits at p is not v, or, with
	// below, not less than v.
	unless(p place, bits int, below bool, v uint64, l label)
	// Words of the frame: ifZero jumps to l, setOne and increment change them.
	ifZero(at int, l label)
	setOne(at int)
	increment(at int)
	// text is the code, once it is complete.
	text() ([]byte, error)
}

// macros is the code of macros, instance by instance.
type macros interface {
	// aim has a base lead to p, advance moves it by n bytes.
	aim(b base, p place)
	advance(b base, n int)
	// repeat begins a loop of n rounds, again ends it.
	repeat(n int) label
	again(l label)
	// element moves a word between a memory and what is aimed at.
	element(m *Access, at wordAt)
	// gather makes a vector of words of a memory, whose addresses are behind addr; t may
	// be overwritten. It needs no bases aimed.
	gather(d, t uint8, m *Access, addr place, from []wordAt)
}

// wordAt is where a macro finds what belongs to an instance, in bytes from the
// bases.
type wordAt struct {
	index     int // of its address
	indexBits int // 16 or 32
	word      int // of word 0 of its memory
	data      int // and of the mask
	high      int // from the lower 32 bits of data to the upper ones where they are apart, else 0
}

// newMachine returns the writer for an Arch.
func newMachine(a Arch) machine {
	if a == NEON {
		return &a64{}
	}
	return newX86(a)
}
