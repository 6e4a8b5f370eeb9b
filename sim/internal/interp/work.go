package interp

import (
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// Work is the interpreter's part of an event: the lists of everything that changes.
type Work struct {
	moves  []move  // registers of one word without reset
	others []int32 // the other registers
	reads  []planRead
	writes []int32
	ticks  []boxTick
	next   []uint64 // new values: of moves, then others, then reads
}

// move is a register of one word without reset.
type move struct{ slot, next uint32 }

// planRead is a read port with the simultaneous writes that it must see.
type planRead struct {
	port  int32
	fresh []int32 // for ir.New: the write ports of its memory and clock
}

// boxTick is an edge of a black box's clock.
type boxTick struct {
	box   int32
	input int          // position among its ins
	in    []bits.Value // the values of its ins at the last Look
}

// NewWork lists everything that changes in an event of the edges for which moves is true.
func NewWork(pr *program.Program, moves func(edge int32) bool) *Work {
	w, words := &Work{}, 0
	plain := func(r *program.Register) bool { return r.Words == 1 && r.Rst == program.ZeroSlot }

	// Plain registers apart, for a loop without branches.
	count := 0
	for i := range pr.Regs {
		if r := &pr.Regs[i]; moves(r.Clock) && plain(r) {
			count++
		}
	}
	w.moves = make([]move, 0, count)

	for i := range pr.Regs {
		r := &pr.Regs[i]
		switch {
		case !moves(r.Clock):
			continue
		case plain(r):
			w.moves = append(w.moves, move{r.Slot, r.Next})
		default:
			w.others = append(w.others, int32(i))
		}
		words += int(r.Words)
	}

	// Writes come first, since reads of ir.New refer to them.
	for i := range pr.Writes {
		if moves(pr.Writes[i].Clock) {
			w.writes = append(w.writes, int32(i))
		}
	}
	for i := range pr.Reads {
		if r := &pr.Reads[i]; moves(r.Clock) {
			w.reads = append(w.reads, planRead{int32(i), seenBy(pr, r, w.writes)})
			words += pr.Mems[r.Mem].Words
		}
	}

	for i := range pr.Boxes {
		for k := range pr.Boxes[i].Ins {
			if moves(pr.Boxes[i].Ins[k].Clock) {
				w.ticks = append(w.ticks, boxTick{box: int32(i), input: k})
			}
		}
	}

	w.next = make([]uint64, words)
	return w
}

// Bytes is the approximate memory that w takes.
func (w *Work) Bytes() int {
	k := 8*(len(w.moves)+len(w.next)) + 4*(len(w.others)+len(w.writes)) + 64*len(w.ticks)
	for i := range w.reads {
		k += 32 + 4*len(w.reads[i].fresh)
	}
	return k
}

// seenBy returns the write ports that read port r must see.
func seenBy(pr *program.Program, r *program.ReadPort, writes []int32) []int32 {
	var seen []int32

	// Only writes of the port's own clock are visible, and only to ir.New.
	for _, i := range writes {
		if w := &pr.Writes[i]; r.Fresh && w.Mem == r.Mem && w.Clock == r.Clock {
			seen = append(seen, i)
		}
	}
	return seen
}

// Act is the part of an event after its statements: registers, read ports, boxes, writes.
func (s *State) Act(w *Work) {
	s.compute(w)

	// All new values are computed from old ones before any is stored; black boxes see old
	// inputs.
	s.Look(w)
	s.Tick(w)

	// Ports write in order, so the later one wins.
	for _, i := range w.writes {
		s.write(&s.P.Writes[i])
	}
	s.commit(w)
}

// compute computes the next values of registers and read ports from the old values, into w.next.
func (s *State) compute(w *Work) {
	v, next := s.V, w.next
	// Registers of one word without reset, then the others, then read ports.
	for i := range w.moves {
		next[i] = v[w.moves[i].next]
	}
	next = next[len(w.moves):]
	for _, i := range w.others {
		r := &s.P.Regs[i]
		from := r.Next
		if v[r.Rst] != 0 {
			from = r.Reset
		}
		copy(next[:r.Words], v[from:])
		next = next[r.Words:]
	}

	for i := range w.reads {
		r := &s.P.Reads[w.reads[i].port]
		word := next[:s.P.Mems[r.Mem].Words]
		next = next[len(word):]

		// A disabled port keeps its data.
		if v[r.En] == 0 {
			copy(word, v[r.Slot:])
			continue
		}
		s.loadWord(word, r.Mem, r.Addr, r.AddrWords)
		s.pass(r, w.reads[i].fresh, word)
	}
}

// pass merges into word, which read port r reads, the data that the given write ports are about
// to write there.
func (s *State) pass(r *program.ReadPort, writes []int32, word []uint64) {
	at, ok := s.place(r.Mem, r.Addr, r.AddrWords)
	if !ok {
		return
	}

	// In order here too, so that the later port wins.
	for _, i := range writes {
		w := &s.P.Writes[i]
		if to, ok := s.place(w.Mem, w.Addr, w.AddrWords); ok && to == at && s.V[w.En] != 0 {
			s.merge(w, word)
		}
	}
}

// write performs a port's write if it is enabled.
func (s *State) write(w *program.WritePort) {
	if s.V[w.En] == 0 {
		return
	}
	if at, ok := s.place(w.Mem, w.Addr, w.AddrWords); ok {
		// A row of a large memory is unpacked, changed, and packed again.
		if s.P.Mems[w.Mem].Slot > 0 {
			s.mergeLarge(w, at)
			return
		}
		n := s.P.Mems[w.Mem].Words
		s.merge(w, s.Mems[w.Mem][at*n:][:n])
	}
}

// merge writes the data of a port to a word, under its mask.
func (s *State) merge(w *program.WritePort, word []uint64) {
	data := s.V[w.Data:][:len(word)]
	if w.Lanes == 0 {
		copy(word, data)
		return
	}

	lane := s.word[:bits.WordCount(w.Lane)]

	// One bit of the mask enables one lane of the word.
	for k := range w.Lanes {
		if s.V[w.Mask+uint32(k/64)]>>uint(k%64)&1 != 0 {
			bits.SliceWords(lane, data, k*w.Lane, w.Lane)
			bits.PutWords(word, lane, k*w.Lane, w.Lane)
		}
	}
}

// commit stores the values that compute has put into w.next, in the same order.
func (s *State) commit(w *Work) {
	v, next := s.V, w.next
	for i := range w.moves {
		v[w.moves[i].slot] = next[i]
	}

	// Registers of several words follow, then read data: the order of compute.
	next = next[len(w.moves):]
	for _, i := range w.others {
		r := &s.P.Regs[i]
		next = next[copy(v[r.Slot:][:r.Words], next):]
	}
	for i := range w.reads {
		r := &s.P.Reads[w.reads[i].port]
		next = next[copy(v[r.Slot:][:s.P.Mems[r.Mem].Words], next):]
	}
}
