package sim

import (
	"encoding/binary"
	"fmt"
	"time"

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

// largeState is the large memories of a simulator.
type largeState struct { // by memory; nil if it is not large. Empty without large memories
	blocks []*pages.Block // parallel to the memories; nil: not large. Empty without large ones
	limit  int
	err    error // set once the limit is exceeded

	events int // since the last check
	looked time.Time
}

// of is the block of a memory, nil if it is not large.
func (l *largeState) of(mem int32) *pages.Block {
	if l.blocks == nil {
		return nil
	}
	return l.blocks[mem]
}

func (l *largeState) any() bool { return l.blocks != nil }

// copy copies the contents of all of them, nil without any.
func (l *largeState) copy() []*pages.Image {
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

func (l *largeState) load(all []*pages.Image) {
	for i, m := range all {
		if m != nil {
			l.blocks[i].Load(m)
		}
	}
}

// openLarge allocates the blocks.
func (s *state) openLarge(limit int) error {
	s.large.limit = limit
	for i := range s.p.Mems {
		m := &s.p.Mems[i]
		if m.Slot == 0 {
			continue
		}
		if s.large.blocks == nil {
			s.large.blocks = make([]*pages.Block, len(s.p.Mems))
		}

		b, err := pages.New(m.Bytes())
		if err != nil {
			return fmt.Errorf("sim: memory %s: %w", s.memName(int32(i)), err)
		}
		s.large.blocks[i] = b
	}
	return nil
}

// memName is the full name of a memory.
func (s *state) memName(mem int32) string {
	m := &s.p.Mems[mem]
	return program.Join(s.p.Path(m.Inst), s.p.Mod(m.Inst).Mems[m.At].Name)
}

// loadRow loads the word at a valid address into dst.
func (s *state) loadRow(dst []uint64, mem int32, at int) {
	b := s.large.of(mem)
	if b == nil {
		copy(dst, s.mems[mem][at*len(dst):])
		return
	}
	loadSlots(dst, b.Bytes(), s.p.Mems[mem].Slot, at)
}

// loadSlots loads row at of a packed memory into dst. Memories are little-endian, as for machine
// code.
func loadSlots(dst []uint64, all []byte, slot, at int) {
	p := all[at*slot*len(dst):]
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

// storeRow stores a word at a valid address of a large memory.
func (s *state) storeRow(row []uint64, mem int32, at int) {
	slot := s.p.Mems[mem].Slot
	p := s.large.of(mem).Bytes()[at*slot*len(row):]
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
func (s *state) mergeLarge(w *program.WritePort, at int) {
	n := s.p.Mems[w.Mem].Words
	row := s.word[n : 2*n] // the first half holds mask lanes
	s.loadRow(row, w.Mem, at)
	s.merge(w, row)
	s.storeRow(row, w.Mem, at)
}

// fillLarge stores the initial contents of a large memory. Random contents of more than
// mostRandom would touch all pages: such a memory starts as 0.
func (s *state) fillLarge(i int32, mem *ir.Memory) {
	at := &s.p.Mems[i]
	s.large.of(i).Clear()
	row := make([]uint64, at.Words)
	if mem.Init != nil {
		for k, v := range mem.Init {
			if v.CopyTo(row); !v.IsZero() {
				s.storeRow(row, i, k)
			}
		}
		return
	}

	if s.seeded && !s.p.IsBoxed(at.Inst) && at.Depth*at.Words*at.Slot <= mostRandom {
		rnd := newRandom(s.seed, program.Join(s.p.Path(at.Inst), mem.Name))
		for k := range at.Depth {
			rnd.fill(row, at.Width)
			s.storeRow(row, i, k)
		}
	}
}

// differsLarge finds the first word of a large memory that differs from an image.
func (s *state) differsLarge(mem int32, was *pages.Image) (at int, then, now []uint64, ok bool) {
	m, b := &s.p.Mems[mem], s.large.of(mem)
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
	s.loadRow(now, mem, at)
	return at, then, now, true
}

// Interval of the memory checks. Allocating a page takes 0.5 µs or more, so the limit is
// exceeded by at most 160 MB.
const (
	largeEvents = 1 << 10
	largeTime   = 20 * time.Millisecond
)

// passedLimit counts events and reports whether large memories exceed their limit. Pages that
// were only read are released before that is decided.
func (s *state) passedLimit(events int) bool {
	l := &s.large
	if l.blocks == nil || l.err != nil {
		return l.err != nil
	}
	if l.events += events; l.events < largeEvents {
		return false
	}
	l.events = 0
	now := time.Now()
	if now.Sub(l.looked) < largeTime {
		return false
	}
	l.looked = now

	// The cheap count first: resident pages include pages that only hold zeros.
	resident := 0
	for _, b := range l.blocks {
		if b != nil {
			resident += b.Resident()
		}
	}
	if resident <= l.limit {
		return false
	}
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

	m := &s.p.Mems[which]
	mem := &s.p.Mod(m.Inst).Mems[m.At]
	l.err = fmt.Errorf("sim: memory %s%s of %d words of %d bits holds %d bytes in pages that were touched, all large memories %d: the limit is %d (WithMemoryLimit)",
		s.memName(which), s.p.Line(m.Inst, mem.Pos), m.Depth, m.Width, most, held, l.limit)
	return true
}
