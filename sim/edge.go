package sim

import (
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// edge runs one event of plan p. All values are settled.
func (s *Sim) edge(p *plan) {
	s.statements(p)
	s.move(p)
}

// move is the part of an event after its statements: registers, read ports, boxes, writes.
func (s *Sim) move(p *plan) {
	w := s.workOf(p)
	s.compute(w)

	// All new values are computed from old ones before any is stored; black boxes see old
	// inputs.
	for i := range w.ticks {
		t := &w.ticks[i]
		b := &s.p.Boxes[t.box]
		s.models[t.box].Tick(t.input, s.boxInputs(b, make([]bits.Value, 0, len(b.Ins))))
	}
	for _, i := range w.writes {
		s.write(&s.p.Writes[i])
	}

	s.commit(w)
	s.count(p, 1)
	s.touch()
}

// count adds n events of p to the counters. Falling edges do not count.
func (s *Sim) count(p *plan, n int) {
	if p.falls {
		return
	}
	s.cycles += uint64(n)
	if s.recording != nil && len(s.models) > 0 {
		s.recording.boxEdge(n)
	}
	for _, k := range p.clocks {
		s.edges[k] += uint64(n)
	}
}

// compute computes the next values of registers and read ports from the old values, into w.next.
func (s *Sim) compute(w *work) {
	v, next := s.v, w.next
	// Registers of one word without reset, then the others, then read ports.
	for i := range w.moves {
		next[i] = v[w.moves[i].next]
	}
	next = next[len(w.moves):]
	for _, i := range w.others {
		r := &s.p.Regs[i]
		from := r.Next
		if v[r.Rst] != 0 {
			from = r.Reset
		}
		copy(next[:r.Words], v[from:])
		next = next[r.Words:]
	}

	for i := range w.reads {
		r := &s.p.Reads[w.reads[i].port]
		word := next[:s.p.Mems[r.Mem].Words]
		next = next[len(word):]
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
func (s *Sim) pass(r *program.ReadPort, writes []int32, word []uint64) {
	at, ok := s.place(r.Mem, r.Addr, r.AddrWords)
	if !ok {
		return
	}
	for _, i := range writes {
		w := &s.p.Writes[i]
		if to, ok := s.place(w.Mem, w.Addr, w.AddrWords); ok && to == at && s.v[w.En] != 0 {
			s.merge(w, word)
		}
	}
}

// write performs a port's write if it is enabled.
func (s *Sim) write(w *program.WritePort) {
	if s.v[w.En] == 0 {
		return
	}
	if at, ok := s.place(w.Mem, w.Addr, w.AddrWords); ok {
		if s.p.Mems[w.Mem].Slot > 0 {
			s.mergeLarge(w, at)
			return
		}
		n := s.p.Mems[w.Mem].Words
		s.merge(w, s.mems[w.Mem][at*n:][:n])
	}
}

// merge writes the data of a port to a word, under its mask.
func (s *Sim) merge(w *program.WritePort, word []uint64) {
	data := s.v[w.Data:][:len(word)]
	if w.Lanes == 0 {
		copy(word, data)
		return
	}

	lane := s.word[:bits.WordCount(w.Lane)]
	for k := range w.Lanes {
		if s.v[w.Mask+uint32(k/64)]>>uint(k%64)&1 != 0 {
			bits.SliceWords(lane, data, k*w.Lane, w.Lane)
			bits.PutWords(word, lane, k*w.Lane, w.Lane)
		}
	}
}

// commit stores the values that compute has put into w.next, in the same order.
func (s *Sim) commit(w *work) {
	v, next := s.v, w.next
	for i := range w.moves {
		v[w.moves[i].slot] = next[i]
	}
	next = next[len(w.moves):]
	for _, i := range w.others {
		r := &s.p.Regs[i]
		next = next[copy(v[r.Slot:][:r.Words], next):]
	}
	for i := range w.reads {
		r := &s.p.Reads[w.reads[i].port]
		next = next[copy(v[r.Slot:][:s.p.Mems[r.Mem].Words], next):]
	}
}
