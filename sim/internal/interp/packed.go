package interp

import (
	"encoding/binary"
	"fmt"
	"math"

	"etch/ir"
	"etch/sim/internal/program"
	"etch/sim/pages"
)

// A large memory is one that would take at least as many slots of 64 bits as WithPacking says.
// Its words take 8, 16, 32 or 64 bits each, outside of the state, in pages that are allocated
// when touched (package pages). The state holds its address, for machine code. Nothing may walk
// through all of such a memory: it is copied and compared by the pages in use, and starts as 0
// if filling it would take long.

// mostRandom is the size in bytes of the largest memory that random contents fill, which takes
// about 0.2 s.
const mostRandom = 16 << 20

// Large is the large memories of a simulator.
type Large struct {
	blocks []*pages.Block // parallel to the memories; nil: not large. Empty without large ones
	limit  int
	Err    error // set once the limit is exceeded

	growth int    // bytes of the pages that an event can touch, at most
	looked uint64 // event of the last check
	safe   uint64 // the limit cannot be exceeded before the event behind this one
	stores int    // by the test
}

// Of is the block of a memory, nil if it is not large.
func (l *Large) Of(mem int32) *pages.Block {
	if l.blocks == nil {
		return nil
	}
	return l.blocks[mem]
}

// Any reports whether there are large memories.
func (l *Large) Any() bool { return l.blocks != nil }

// Copy copies the contents of all of them, nil without any.
func (l *Large) Copy() []*pages.Image {
	if l.blocks == nil {
		return nil
	}
	all := make([]*pages.Image, len(l.blocks))
	for i, b := range l.blocks {
		if b != nil {
			all[i] = b.Copy()
		}
	}
	return all
}

// forget makes the next check depend on nothing that was known before, since the contents have
// changed.
func (l *Large) forget() { l.looked, l.safe = 0, 0 }

// Load restores the contents that Copy returned.
func (l *Large) Load(all []*pages.Image) {
	l.forget()
	for i, m := range all {
		if m != nil {
			l.blocks[i].Load(m)
		}
	}
}

// OpenLarge allocates the blocks.
func (s *State) OpenLarge(limit int) error {
	s.Large.limit = limit
	for i := range s.P.Mems {
		m := &s.P.Mems[i]
		if m.Slot == 0 {
			continue
		}

		// The list exists only if some memory is large.
		if s.Large.blocks == nil {
			s.Large.blocks = make([]*pages.Block, len(s.P.Mems))
		}

		b, err := pages.New(m.Bytes())
		if err != nil {
			return fmt.Errorf("sim: memory %s: %w", s.memName(int32(i)), err)
		}
		s.Large.blocks[i] = b
	}

	// A word may lie on two pages and more. Every port writes at most once in an event and the
	// falling edges behind it.
	for i := range s.P.Writes {
		if m := &s.P.Mems[s.P.Writes[i].Mem]; m.Slot > 0 {
			s.Large.growth += (m.Slot*m.Words/pages.PageSize + 2) * pages.PageSize
		}
	}
	return nil
}

// memName is the full name of a memory.
func (s *State) memName(mem int32) string {
	m := &s.P.Mems[mem]
	return program.Join(s.P.Path(m.Inst), s.P.Mod(m.Inst).Mems[m.At].Name)
}

// LoadRow loads the word at a valid address into dst.
func (s *State) LoadRow(dst []uint64, mem int32, at int) {
	b := s.Large.Of(mem)
	if b == nil {
		copy(dst, s.Mems[mem][at*len(dst):])
		return
	}
	loadSlots(dst, b.Bytes(), s.P.Mems[mem].Slot, at)
}

// loadSlots loads row at of a packed memory into dst. Memories are little-endian, as for machine
// code.
func loadSlots(dst []uint64, all []byte, slot, at int) {
	p := all[at*slot*len(dst):]

	// A narrow slot holds a whole row, a slot of 8 bytes one word of it.
	switch slot {
	case 1:
		dst[0] = uint64(p[0])
	case 2:
		dst[0] = uint64(binary.LittleEndian.Uint16(p))
	case 4:
		dst[0] = uint64(binary.LittleEndian.Uint32(p))
	default:
		for k := range dst {
			dst[k] = binary.LittleEndian.Uint64(p[8*k:])
		}
	}
}

// StoreRow stores a word at a valid address of a large memory.
func (s *State) StoreRow(row []uint64, mem int32, at int) {
	slot := s.P.Mems[mem].Slot
	p := s.Large.Of(mem).Bytes()[at*slot*len(row):]

	// Words of up to 8, 16 and 32 bits take one slot of so many bytes; all others whole words.
	switch slot {
	case 1:
		p[0] = byte(row[0])
	case 2:
		binary.LittleEndian.PutUint16(p, uint16(row[0]))
	case 4:
		binary.LittleEndian.PutUint32(p, uint32(row[0]))
	default:
		for k, w := range row {
			binary.LittleEndian.PutUint64(p[8*k:], w)
		}
	}
}

// mergeLarge performs the write of a port to a large memory.
func (s *State) mergeLarge(w *program.WritePort, at int) {
	n := s.P.Mems[w.Mem].Words
	row := s.word[n : 2*n] // the first half holds mask lanes
	s.LoadRow(row, w.Mem, at)
	s.merge(w, row)
	s.StoreRow(row, w.Mem, at)
}

// fillLarge stores the initial contents of a large memory. Random contents of more than
// mostRandom would touch all pages: such a memory starts as 0.
func (s *State) fillLarge(i int32, mem *ir.Memory) {
	at := &s.P.Mems[i]
	s.Large.forget()
	s.Large.Of(i).Clear()
	row := make([]uint64, at.Words)
	if mem.Init != nil {
		// The block is all zeros, so a word of 0 needs no store, which would touch its page.
		for k, v := range mem.Init {
			if v.CopyTo(row); !v.IsZero() {
				s.StoreRow(row, i, k)
			}
		}
		return
	}

	if s.Seeded && !s.P.IsBoxed(at.Inst) && at.Depth*at.Words*at.Slot <= mostRandom {
		// Each memory has a random sequence of its own.
		rnd := NewRandom(s.Seed, program.Join(s.P.Path(at.Inst), mem.Name))
		for k := range at.Depth {
			rnd.fill(row, at.Width)
			s.StoreRow(row, i, k)
		}
	}
}

// DiffersLarge finds the first word of a large memory that differs from an image.
func (s *State) DiffersLarge(mem int32, was *pages.Image) (at int, then, now []uint64, ok bool) {
	m, b := &s.P.Mems[mem], s.Large.Of(mem)

	// The first difference is a byte; the row around it is reported.
	place, ok := b.Copy().Differs(was)
	if !ok {
		return 0, nil, nil, false
	}

	size := m.Slot * m.Words
	at = place / size
	raw := make([]byte, size)
	was.Bytes(raw, at*size)
	then, now = make([]uint64, m.Words), make([]uint64, m.Words)
	loadSlots(then, raw, m.Slot, 0)
	s.LoadRow(now, mem, at)
	return at, then, now, true
}

// The limit is checked after every so many events, and after so many stores by the test. So equal
// runs end at the same event under every engine, and exceed the limit by the pages that these
// events can touch: 128 MiB for each write port with words of a page or less.
const (
	checkEvents = 1 << 14
	checkStores = 1 << 10
)

// UntilCheck is the number of events from event number at to the next check of large memories.
func (s *State) UntilCheck(at uint64) int {
	if s.Large.blocks == nil {
		return math.MaxInt
	}
	return int(checkEvents - at%checkEvents)
}

// PassedLimit reports whether large memories exceed their limit, after event number at.
func (s *State) PassedLimit(at uint64) bool {
	l := &s.Large
	switch {
	case l.blocks == nil || l.Err != nil:
		return l.Err != nil
	case at%checkEvents != 0 || at == l.looked || at <= l.safe:
		return false
	}
	l.looked = at
	return s.exceeds(at)
}

// Stored counts a store by the test and reports whether large memories exceed their limit, after
// event number at.
func (s *State) Stored(at uint64) bool {
	l := &s.Large
	l.safe = 0
	if l.stores++; l.Err != nil || l.stores%checkStores != 0 {
		return l.Err != nil
	}
	return s.exceeds(at)
}

// exceeds checks the limit after event number at. Pages that were only read are released before
// that is decided.
func (s *State) exceeds(at uint64) bool {
	l := &s.Large

	// The cheap count first: resident pages include pages that only hold zeros.
	resident := 0
	for _, b := range l.blocks {
		if b != nil {
			resident += b.Resident()
		}
	}
	if resident <= l.limit {
		// Asking the system takes as long as many events. Events touch few pages, so some checks
		// cannot find anything, and are left out.
		l.safe = at + uint64((l.limit-resident)/max(l.growth, 1))
		return false
	}

	// Then the exact count, which releases pages that were only read. The largest memory is named.
	held, most, which := 0, 0, int32(0)
	for i, b := range l.blocks {
		if b == nil {
			continue
		}
		k := b.Held()
		if held += k; k > most {
			most, which = k, int32(i)
		}
	}
	if held <= l.limit {
		return false
	}

	m := &s.P.Mems[which]
	mem := &s.P.Mod(m.Inst).Mems[m.At]
	l.Err = fmt.Errorf("sim: memory %s%s of %d words of %d bits holds %d bytes in pages that were touched, all large memories %d: the limit is %d (WithMemoryLimit)",
		s.memName(which), s.P.Line(m.Inst, mem.Pos), m.Depth, m.Width, most, held, l.limit)
	return true
}
