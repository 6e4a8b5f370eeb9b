package emit

import (
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// place is an address that means the same to all architectures: bytes from a base. Each Writer has
// registers for the bases.
type place struct {
	base base
	wide uint8 // of the row bases: which row
	off  int64
}

type base uint8

// The bases. The first three index a Writer's registers for bases, which are equal except in code for
// classes.
const (
	ofState  base = iota // the state of the instance
	ofWhole              // the whole state: scratch words lie below it, shared memories behind it
	ofMemory             // the state, moved by the distance of the instance's memories
	numBases
	ofRow   = numBases     // the row of a Log whose address rowAt has loaded
	ofFresh = numBases + 1 // the same; the access loads the address itself
)

// stateWord is a word of the state. Negative slots are scratch words.
func stateWord(slot int32) place { return place{base: ofState, off: 8 * int64(slot)} }

// scratchWord is scratch word i, below the state.
func scratchWord(i int32) place { return place{base: ofWhole, off: -8 * (int64(i) + 1)} }

// cell is a cell of packs or parts, at an offset from the state.
func cell(at int32) place { return place{base: ofState, off: int64(at)} }

// memoryWord is a word of the instance's memories, or of those that all instances share.
func memoryWord(shared bool, at int32) place {
	if shared {
		return place{base: ofWhole, off: 8 * int64(at)}
	}
	return place{base: ofMemory, off: 8 * int64(at)}
}

// source is the code that is being written. Cycles sets it, and its Writer embeds it.
type source struct {
	c     *schedule.Code
	n     *net.Net
	at    int32       // index of the instruction being written
	packs *pack.Packs // registers that live in elements of packs, or nil
	log   *LogLayout  // keeps outputs in rows, or nil
	cells []Cell      // of a part's net, by register, or nil
	near  []int32     // of a part: offsets from the state to which registers point
	words []Change    // of a part, by register, or nil
}

func (s *source) from() *source { return s }

// slot is the place that register r is written to.
func (s *source) slot(r int) place {
	if run := s.packs.RunOf(r); run != nil {
		return place{base: ofState, off: int64(s.packs.ElementAt(run, s.packs.Home[r]))}
	}
	if s.cells != nil {
		return cell(s.cells[r].At)
	}
	return stateWord(s.n.Regs[r].Slot)
}

// width is the number of bytes of the place of register r, if that is no element of a pack.
func (s *source) width(r int) uint8 {
	if s.cells != nil {
		return s.cells[r].Bytes
	}
	return 8
}

// leafWidth is the number of bytes of leaf(r).
func (s *source) leafWidth(r int) uint8 {
	if _, ok := s.c.Copied(r, s.at); ok {
		return 8
	}
	return s.width(r)
}

// leaf is the place of register r's value at the start of the cycle: a copy if r was
// overwritten, else r's own slot.
func (s *source) leaf(r int) place {
	if o, ok := s.c.Copied(r, s.at); ok {
		return scratchWord(o)
	}
	return s.slot(r)
}

// isByte reports whether node x is a register in a place of one byte.
func (s *source) isByte(x net.ID) bool {
	return x >= 0 && s.cells != nil && s.n.N[x].Op == net.Leaf && s.leafWidth(int(s.n.N[x].Imm)) == 1
}

// inElement reports whether node x is a packed register.
func (s *source) inElement(x net.ID) bool {
	nd := &s.n.N[x]
	return nd.Op == net.Leaf && s.packs.RunOf(int(nd.Imm)) != nil
}
