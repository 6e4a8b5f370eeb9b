package sim

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"etch/ir/bits"
	"etch/sim/internal/drive"
	"etch/sim/internal/quads"
)

// Recording is what was done to a Sim: the values given to its inputs, pokes, words written to
// memories, and the edges. A [Player] does it again and so has every signal at every cycle,
// where a dump of waves would have kept a few.
//
// A set that changes up to 16 bits takes at most 4 bytes (up to 4,096 words of inputs), one that
// changes nothing takes none, and successive edges of the same clocks without a set in between take
// one number together. Narrow inputs that are moved by the same difference edge after edge, as
// counters and addresses are, take no more than edges do, also where they begin again at the end of a
// range.
// Black boxes with a [Model] replay from their recorded outputs, so that a run needs neither the
// Model nor its Save. Inputs set by a tracer or a writer of prints in the middle of a Step count as
// set after it.
type Recording struct {
	s            *Sim
	limit        int     // bytes
	older, newer segment // older is empty until newer has been full once

	codes    []code         // by word of the inputs: how a set of it is written
	quads    []quad         // four words each
	expected quads.Expected // by quad
	direct   int            // quads whose words are read without a look at their fields; they come first
	single   bool           // all inputs are direct quads that one MoveAll reads
	first    uintptr        // bytes from the simulator's first word to theirs
	others   []uint32       // words without a field in a quad
	inputs   []uint64       // by word: the value last recorded, of those
	outs     []uint64       // the last outputs of black boxes, word by word
	seen     uint64         // version of the simulator at which inputs are recorded
	edges    uint64         // made since the last entry and not written yet
	steps
	clocks  []byte // the clocks of these edges
	running bool   // the simulator is in a Step or a Run
	broken  string // why the recording cannot be replayed
}

// segment is a part of a recording: a state, and what was done from there on.
type segment struct {
	from    *Snapshot // nil: power-up
	outs    []uint64  // of black boxes, in that state
	cycle   uint64    // of that state
	full    [][]byte  // the entries up to the last chunk
	before  int       // bytes of full
	entries []byte    // of the last chunk
}

// The lowest two bits of an entry's first number are its tag, the rest a number n.
const (
	tagSet   = iota // word n of the inputs takes the value that follows
	tagEdges        // n edges
	tagOther        // n is one of the entries below
	tagQuad         // words of a quad take the values that follow, of two bytes each
)

// Other entries.
const (
	entryClocks = iota // a byte for each clock: whether it is one of the edges from here on
	entrySettle        // asynchronous resets take effect
	entryPoke          // a register: instance, node, words
	entryWrite         // a memory's word: memory, address, words
	entryPeriod        // a clock's period: clock, period, phase
	entryRun           // Run: until
	entryBox           // a word of the outputs of black boxes: its number, value
	entryMove          // quads named since the last edge move from here on
	entryRest          // no quad moves from here on
	entryFall          // falling edges, of a design with black boxes
)

// Record begins a recording of s, in place of the one there may be. Above limit bytes, the
// oldest part is dropped: at least the last half of limit stays, behind a copy of the state.
// Restore and Restart begin it again. With a limit of 0 nothing is recorded any more.
func (s *Sim) Record(limit int) *Recording {
	if limit <= 0 {
		s.recording, s.m.Recorder = nil, nil
		return nil
	}
	r := &Recording{s: s, limit: limit, outs: make([]uint64, s.m.P.BoxWords())}
	r.inputs = make([]uint64, s.m.P.Inputs.Hi-s.m.P.Inputs.Lo)
	r.layOut(s.inputBits(), len(s.m.St.V)-int(s.m.P.Inputs.Lo))
	s.recording, s.m.Recorder = r, recorder{r}
	r.begin(nil)
	return r
}

// inputBits returns the bits of each word of the inputs, 64 for one that belongs to no port.
func (s *Sim) inputBits() []uint8 {
	in := s.m.P.Inputs
	count := make([]uint8, in.Hi-in.Lo)
	for i := range count {
		count[i] = 64
	}
	for _, sig := range s.top {
		for k := range bits.WordCount(int(sig.width)) {
			if at := sig.slot + uint32(k); in.Has(at) {
				count[at-in.Lo] = uint8(min(64, int(sig.width)-64*k))
			}
		}
	}
	return count
}

// Recorded returns the recording in progress, nil without one.
func (s *Sim) Recorded() *Recording { return s.recording }

// begin starts the recording at the simulator's present state, of which there may be a copy.
func (r *Recording) begin(from *Snapshot) {
	r.older, r.newer, r.edges, r.broken = segment{}, segment{}, 0, ""
	r.open(from)
}

// open starts the newer segment at the present state. At power-up the seed says it all, but for
// the periods of clocks.
func (r *Recording) open(from *Snapshot) {
	s := r.s
	r.newer = segment{from: from, cycle: s.m.Cycles, outs: append([]uint64(nil), r.outs...)}

	// Any change since power-up, or a period, makes a copy of the state necessary.
	running := slices.ContainsFunc(s.m.Clocks, func(c drive.FreeClock) bool { return c.Period > 0 })
	if from == nil && (s.m.Version != s.m.Born || running) {
		r.newer.from = s.snapshotAlone()
	}
	r.remember(s.m.St.V[s.m.P.Inputs.Lo:s.m.P.Inputs.Hi])
	r.seen, r.clocks, r.steps = s.m.Version, r.clocks[:0], steps{flushes: r.flushes}
}

// chunkBytes is the size of a chunk: entries grow up to about that many bytes, and then the next
// chunk begins, so that nothing large is copied.
const chunkBytes = 1 << 18

// room makes room for n more bytes of entries.
func (r *Recording) room(n int) {
	seg := &r.newer

	// Up to half a chunk, entries grow by copying. Beyond that the chunk stays as it is and the
	// next one begins.
	switch free := cap(seg.entries) - len(seg.entries); {
	case free >= n:
	case len(seg.entries) < chunkBytes/2:
		seg.entries = slices.Grow(seg.entries, n)
	default:
		seg.full = append(seg.full, seg.entries)
		seg.before += len(seg.entries)
		seg.entries = make([]byte, 0, max(chunkBytes, n))
	}
}

// endEdges writes the edges made so far.
func (r *Recording) endEdges() {
	if r.edges > 0 {
		r.newer.entries = binary.AppendUvarint(r.newer.entries, r.edges<<2|tagEdges)
		r.edges = 0
	}
}

// other writes an entry with its numbers, behind what happened before it.
func (r *Recording) other(entry uint64, numbers ...uint64) {
	r.flush()
	r.endEdges()
	r.put(entry, numbers...)
}

// put appends an entry's code and its numbers, each as a varint.
func (r *Recording) put(entry uint64, numbers ...uint64) {
	r.newer.entries = binary.AppendUvarint(r.newer.entries, entry<<2|tagOther)
	for _, x := range numbers {
		r.newer.entries = binary.AppendUvarint(r.newer.entries, x)
	}
}

// byHand records n cycles of the clocks in the simulator's set, and runs them.
func (r *Recording) byHand(n int) {
	s := r.s
	if n != 1 || !r.quick || s.m.Version == r.seen || !r.sameClocks() {
		r.anyCycles(n)
		return
	}

	// The most frequent case is one edge of the same clocks as before, in a recording that moves,
	// behind sets of inputs that all lie behind one another. The code for it is short and lies in
	// one place: in a large design that of the edge drives it out of the nearest cache each time.
	r.seen = s.m.Version
	r.flushes++
	unlike := r.expected.MoveAll(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s.m.St.V)), r.first))
	if unlike != 0 {
		r.nameUnlike(unlike)
	}

	before := s.m.Cycles
	r.running = true
	s.m.CyclesByHand(1)
	r.running = false
	if made := s.m.Cycles - before; unlike != 0 || made != 1 {
		r.made(made)
		return
	}
	r.edges++
}

// anyCycles is byHand in any case.
func (r *Recording) anyCycles(n int) {
	// Entries of edges count events of one set of clocks; another set is announced first.
	s := r.s
	if r.sameClocks() {
		r.flushEdge(n)
	} else {
		r.flush()
		r.clocks = append(r.clocks[:0], s.m.On...)
		r.endEdges()
		r.put(entryClocks)
		r.newer.entries = append(r.newer.entries, r.clocks...)
	}

	before := s.m.Cycles
	r.running = true
	s.m.CyclesByHand(n)
	r.running = false
	r.made(s.m.Cycles - before)
	r.quick = r.isQuick()
}

// made counts edges that the simulator has made.
func (r *Recording) made(n uint64) {
	// Of a design with black boxes, boxEdge counts the edges: their outputs come in between.
	if len(r.s.m.St.Models) == 0 {
		r.edges += n
	}
	if n != 1 {
		r.takeBack()
	}

	// At half the limit the newer segment becomes the older one, so that both together stay within
	// it.
	if r.newer.size() > r.limit/2 {
		r.turn()
	}
}

// sameClocks reports whether the clocks of the entries of edges are those in the simulator's set.
func (r *Recording) sameClocks() bool {
	set := r.s.m.On
	if len(r.clocks) != len(set) {
		return false
	}
	for i, k := range r.clocks { // one or two clocks: a call would take longer
		if set[i] != k {
			return false
		}
	}
	return true
}

func (r *Recording) run(until uint64) {
	r.other(entryRun, until)

	// A Run is a single entry. It has no place for outputs that black boxes change between its
	// edges.
	if len(r.s.m.St.Models) > 0 {
		r.broken = "it has a Run, for clocks with periods, of black boxes with Models"
	}
	r.running = true
	r.s.m.EventsUntil(until)
	r.running = false
	if r.newer.size() > r.limit/2 {
		r.turn()
	}
}

// turn makes the newer segment the older one. While a clock is high that moves state when it
// falls, it waits.
func (r *Recording) turn() {
	if len(r.s.m.P.Falls) > 0 && len(r.s.m.High) > 0 {
		return
	}
	r.flush()
	r.endEdges()
	r.older = r.newer

	// The new segment begins with a copy of the present state.
	r.open(nil)
}

func (r *Recording) period(clock int, period, phase uint64) {
	r.other(entryPeriod, uint64(clock), period, phase)
}

// poke records a change of a register.
func (r *Recording) poke(sig Signal, v bits.Value) {
	r.other(entryPoke, uint64(sig.inst), uint64(sig.id))
	r.words(v)
}

// write records a change of a memory's word.
func (r *Recording) write(mem int32, addr int, v bits.Value) {
	r.other(entryWrite, uint64(mem), uint64(addr))
	r.words(v)
}

// words appends v as 64-bit words, little-endian, without its width.
func (r *Recording) words(v bits.Value) {
	words := make([]uint64, bits.WordCount(v.Width()))
	v.CopyTo(words)
	for _, x := range words {
		r.newer.entries = binary.LittleEndian.AppendUint64(r.newer.entries, x)
	}
}

// recorder is a Recording as a drive.Recorder: a type of its own, so that users of a Recording do not
// see these methods.
type recorder struct{ r *Recording }

// Settled records what happens when values settle: asynchronous resets take effect, unless an
// edge brings this about, and black boxes change their outputs.
func (to recorder) Settled(pending bool) {
	r := to.r
	if !r.running && pending && len(r.s.m.P.Async) > 0 {
		r.other(entrySettle)
	}
	r.boxOutputs()
}

// BoxOutputs records the outputs of black boxes, which are settled.
func (to recorder) BoxOutputs() { to.r.boxOutputs() }

// BoxEdge counts edges of a design with black boxes.
func (to recorder) BoxEdge(n int) {
	to.r.edges += uint64(n)
	to.r.endEdges()
}

// BoxFall records a falling edge of a design with black boxes, whose outputs may have changed since
// the rising one. Other designs need no entry: a cycle ends with its falling edges.
func (to recorder) BoxFall() {
	to.r.endEdges()
	to.r.put(entryFall)
}

// boxOutputs records the outputs of black boxes, which are settled.
func (r *Recording) boxOutputs() {
	s := r.s

	// Outputs of black boxes are recorded where they change: nothing else tells the player of them.
	at := 0
	for i := range s.m.P.Boxes {
		for _, out := range s.m.P.Boxes[i].Outs {
			for k := range bits.WordCount(out.Width) {
				if x := s.m.St.V[out.Slot+uint32(k)]; x != r.outs[at] {
					r.outs[at] = x
					if !r.running {
						r.flush()
					}
					r.endEdges()
					r.put(entryBox, uint64(at), x)
				}
				at++
			}
		}
	}
}

// Cycles returns the first and the last cycle that the recording has, as Sim.Cycles counts them.
func (r *Recording) Cycles() (first, last uint64) {
	if r.older.entries != nil {
		return r.older.cycle, r.s.m.Cycles
	}
	return r.newer.cycle, r.s.m.Cycles
}

// Bytes returns the size of the recording without the states it starts from.
func (r *Recording) Bytes() int { return r.older.size() + r.newer.size() }

// size is the number of bytes of all entries.
func (g *segment) size() int { return g.before + len(g.entries) }

// chunks appends the segment to parts, with its chunks as segments that go on where the one
// before ends.
func (g *segment) chunks(segments []segment) []segment {
	// The first chunk has the state; the others continue it.
	first := segment{from: g.from, outs: g.outs, cycle: g.cycle}
	for _, entries := range append(g.full[:len(g.full):len(g.full)], g.entries) {
		first.entries = entries
		segments = append(segments, first)
		first = segment{cycle: g.cycle}
	}
	return segments
}
