package sim

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"time"

	"etch/ir"
	"etch/sim/native"
	"etch/sim/pages"
)

// A large memory is one that would take as many slots of 64 bits as WithPacking says.
// Its words have slots of 8, 16, 32 or 64 bits, outside the state, in pages that are
// made when they are touched (package pages); in the state is the address of them, for
// machine code. Nothing may go through all of such a memory: it is copied and compared
// by pages that hold something, and starts as 0 where it would take long to fill.

const (
	// defaultPacking keeps memories up to 8 MiB in the state, where machine code
	// addresses them directly and lanes have them in groups.
	defaultPacking = 1<<20 + 1

	// defaultLimit is the bytes that large memories may touch, of one simulator.
	defaultLimit = 1 << 30

	// mostRandom is the bytes of the largest memory that WithSeed fills: about 0.2 s.
	mostRandom = 16 << 20
)

// WithPacking has memories that would take slots of 64 bits or more be packed: words of
// up to 32 bits in 8, 16 or 32 bits, on pages that are made when they are touched. It
// is 2^20+1 without it, 8 MiB. Results do not depend on it, but [Lanes] with such
// memories run one after the other.
func WithPacking(slots int) Option { return func(c *config) { c.pack = max(1, slots) } }

// WithMemoryLimit bounds the bytes of pages in which packed memories (see [WithPacking])
// hold anything but zeros, of a Sim or of each lane; 2^30 without it. When a run goes
// past it, which is looked at every 20 ms or so, no more cycles are made and Err says
// which memory holds how much.
func WithMemoryLimit(bytes int) Option { return func(c *config) { c.limit = max(1, bytes) } }

// pack decides whether a memory is large, by the slots that make it so.
func (m *memory) pack(from int) bool {
	if m.depth < (from+m.words-1)/m.words {
		return false
	}
	if m.slot = 8; m.width <= 32 {
		m.slot = max(1, 1<<bits.Len(uint(m.width-1))/8)
	}
	return true
}

// bytes is the size of a large memory, with room for every address that reads may have.
func (m *memory) bytes() int { return m.span() * m.slot }

// largeState is the large memories of a simulator.
type largeState struct {
	blocks []*pages.Block // parallel to the memories; nil: not large. Empty without large ones
	limit  int
	err    error // the limit was passed

	events int // since it was thought of looking
	looked time.Time
}

// of is the block of a memory, nil for one that is not large.
func (l *largeState) of(mem int32) *pages.Block {
	if l.blocks == nil {
		return nil
	}
	return l.blocks[mem]
}

func (l *largeState) any() bool { return l.blocks != nil }

// copy takes all of them down, nil where there are none.
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

// openLarge makes the blocks.
func (s *Sim) openLarge(limit int) error {
	s.large.limit = limit
	for i := range s.p.mems {
		m := &s.p.mems[i]
		if m.slot == 0 {
			continue
		}
		if s.large.blocks == nil {
			s.large.blocks = make([]*pages.Block, len(s.p.mems))
		}
		b, err := pages.New(m.bytes())
		if err != nil {
			return fmt.Errorf("sim: memory %s: %w", Mem{s, int32(i)}.Name(), err)
		}
		s.large.blocks[i] = b
	}
	return nil
}

// native reports whether a design may get machine code.
func (s *Sim) native() bool { return native.Supported(features) && len(s.p.boxes) == 0 }

// loadRow sets dst to the word at an address of a memory, which exists.
func (s *Sim) loadRow(dst []uint64, mem int32, at int) {
	b := s.large.of(mem)
	if b == nil {
		copy(dst, s.mems[mem][at*len(dst):])
		return
	}
	loadSlots(dst, b.Bytes(), s.p.mems[mem].slot, at)
}

// loadSlots sets dst to row at of a packed memory. Machine code is little-endian.
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

// storeRow changes the word at an address of a large memory.
func (s *Sim) storeRow(row []uint64, mem int32, at int) {
	slot := s.p.mems[mem].slot
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

// mergeLarge does a write port's write.
func (s *Sim) mergeLarge(w *writePort, at int) {
	n := s.p.mems[w.mem].words
	row := s.word[n : 2*n] // the first half is for lanes
	s.loadRow(row, w.mem, at)
	s.merge(w, row)
	s.storeRow(row, w.mem, at)
}

// fillLarge gives a large memory its initial contents. Random ones of more than
// mostRandom would touch all pages: it starts as 0.
func (s *Sim) fillLarge(i int32, mem *ir.Memory) {
	at := &s.p.mems[i]
	s.large.of(i).Clear()
	row := make([]uint64, at.words)
	if mem.Init != nil {
		for k, v := range mem.Init {
			if v.CopyTo(row); !v.IsZero() {
				s.storeRow(row, i, k)
			}
		}
		return
	}
	if s.seeded && !s.p.isBoxed(at.inst) && at.depth*at.words*at.slot <= mostRandom {
		rnd := newRandom(s.seed, join(s.p.path(at.inst), mem.Name))
		for k := range at.depth {
			rnd.fill(row, at.width)
			s.storeRow(row, i, k)
		}
	}
}

// differsLarge finds the first word of a large memory that is not as in an image.
func (s *Sim) differsLarge(mem int32, was *pages.Image) (at int, then, now []uint64, ok bool) {
	m, b := &s.p.mems[mem], s.large.of(mem)
	place, ok := b.Copy().Differs(was)
	if !ok {
		return 0, nil, nil, false
	}
	size := m.slot * m.words
	at = place / size
	raw := make([]byte, size)
	was.Bytes(raw, at*size)
	then, now = make([]uint64, m.words), make([]uint64, m.words)
	loadSlots(then, raw, m.slot, 0)
	s.loadRow(now, mem, at)
	return at, then, now, true
}

// How often large memories are looked at: a page takes 0.5 µs or more to be made, so
// that they go past their limit by 160 MB at most.
const (
	largeEvents = 1 << 10
	largeTime   = 20 * time.Millisecond
)

// passedLimit reports whether large memories hold more than they may, behind another
// so many events. Pages that were only read are given back before that is said.
func (s *Sim) passedLimit(events int) bool {
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
	m := &s.p.mems[which]
	mem := &s.p.mod(m.inst).Mems[m.at]
	l.err = fmt.Errorf("sim: memory %s%s of %d words of %d bits holds %d bytes in pages that were touched, all large memories %d: the limit is %d (WithMemoryLimit)",
		Mem{s, which}.Name(), s.p.line(m.inst, mem.Pos), m.depth, m.width, most, held, l.limit)
	if s.err == nil {
		s.err = l.err
	}
	return true
}
