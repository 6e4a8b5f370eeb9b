package drive

import (
	"unsafe"

	"etch/sim/internal/nets"
)

// room is the memory that machine code needs beside the state: scratch words before it, tables
// behind it. Lists of tables are always prefixes of one another.
type room struct {
	scratch int
	roms    [][]uint64
	fixed   []nets.FixedPort // inputs of a class's instances that never change
	changes int              // of fixed
	own     int              // number of the scratch words of the clock set being compiled
	effects effects          // of the clock set being compiled
}

// allocate allocates the memory of the state, or moves the state to a larger one.
func (s *Stepper) allocate(scratch int) {
	p := s.P
	at, covers, end := p.StateWords()
	total := int(p.Behind())
	for _, r := range s.roms {
		total += len(r)
	}

	// Scratch words come first, a multiple of 8, so that the state stays aligned.
	old, oldBase := s.block, s.base
	s.base = (scratch + 7) &^ 7
	s.block = make([]uint64, s.base+total)
	words := s.block[s.base:]
	if old != nil {
		copy(words[:end], old[oldBase:])
	}

	// The parts of the block, and addresses of large memories.
	s.St.V = words[:p.Words:p.Words]
	s.St.Mems = make([][]uint64, len(p.Mems))
	for i := range p.Mems {
		if b := s.St.Large.Of(int32(i)); b != nil {
			words[at[i]] = uint64(b.Addr())
			continue
		}
		n := p.Mems[i].Depth * p.Mems[i].Words
		s.St.Mems[i] = words[at[i]:][:n:n]
	}

	s.Covered = words[covers:][:p.Covers:p.Covers]
	s.journal = words[end:p.Behind()]
	rest := words[p.Behind():]
	for _, r := range s.roms {
		rest = rest[copy(rest, r):]
	}
}

// FixedPorts writes the constant inputs of a class's instances.
func (s *Stepper) FixedPorts() {
	for _, f := range s.room.fixed {
		s.St.V[f.Slot] = f.Value
	}
	s.fixed = s.room.changes
}

// fit reserves room for code that needs scratch words and tables.
func (s *Stepper) fit(scratch int, roms [][]uint64) {
	if len(roms) > len(s.room.roms) {
		s.room.roms = roms
	}
	s.room.scratch = max(s.room.scratch, scratch)
	s.furnish()
}

// furnish moves the state if the reserved room exceeds its own.
func (s *Stepper) furnish() {
	if s.fixed != s.room.changes {
		s.FixedPorts()
	}
	if s.room.scratch <= s.base && len(s.room.roms) <= len(s.roms) {
		return
	}
	s.roms = s.room.roms
	s.allocate(s.room.scratch)
}

// Base is the address of slot 0.
func (s *Stepper) Base() unsafe.Pointer { return unsafe.Pointer(&s.block[s.base]) }
