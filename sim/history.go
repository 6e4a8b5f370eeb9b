package sim

import (
	"slices"

	"etch/ir/bits"
)

// history keeps the moments of the last events with the values of ports and named
// nodes, to show them to a tracer later.
type history struct {
	s       *Sim
	limit   int      // events
	slots   []uint32 // of all that is kept
	base    []uint64 // their values at the first moment
	last    []uint64 // those at the last one
	moments queue[pastMoment]
	changes queue[pastChange] // of all moments but the first, one after the other
	events  int
	high    []Signal   // clocks that are high before the first moment
	clocks  [][]Signal // the sets that there have been
}

// pastMoment is a moment that is over.
type pastMoment struct {
	Moment
	now     uint64
	cycles  uint64
	changes int // how many there are since the moment before
}

// pastChange is the new value of a slot, which has a number in slots.
type pastChange struct {
	slot  int32
	value uint64
}

// follow notes what m does to the clocks, where nothing is kept.
func (h *history) follow(m Moment) {
	for _, clk := range m.Clocks {
		at := slices.Index(h.high, clk)
		switch {
		case m.Phase == After && at < 0:
			h.high = append(h.high, clk)
		case m.Phase == Fall && at >= 0:
			h.high = slices.Delete(h.high, at, at+1)
		}
	}
}

// add keeps a moment, and forgets the event that is too old.
func (h *history) add(m Moment) {
	if h.limit == 0 || h.events == 0 && m.Phase != Before {
		h.follow(m)
		return
	}
	p := pastMoment{Moment: m, now: h.s.now, cycles: h.s.cycles}
	p.Clocks = h.keep(m.Clocks)
	switch {
	case h.events == 0:
		h.begin()
	case m.Phase != Fall || len(h.s.p.falls) > 0:
		p.changes = h.compare()
	}
	h.moments.push(p)
	if m.Phase == Before {
		if h.events++; h.events > h.limit {
			h.forget()
		}
	}
}

// keep returns a copy of a set of clocks; of equal sets the same one.
func (h *history) keep(clocks []Signal) []Signal {
	for _, set := range h.clocks {
		if slices.Equal(set, clocks) {
			return set
		}
	}
	set := slices.Clone(clocks)
	h.clocks = append(h.clocks, set)
	return set
}

// begin takes down all values.
func (h *history) begin() {
	h.s.settle()
	known := map[uint32]bool{}
	for sig := range h.s.Signals() {
		for k := range uint32(bits.WordCount(int(sig.width))) {
			if slot := sig.slot + k; !known[slot] {
				known[slot] = true
				h.slots = append(h.slots, slot)
				h.base = append(h.base, h.s.v[slot])
			}
		}
	}
	h.last = slices.Clone(h.base)
}

// compare adds what is not as it was at the last moment, and returns how much.
func (h *history) compare() (n int) {
	h.s.settle()
	v, last := h.s.v, h.last
	for i, slot := range h.slots {
		if x := v[slot]; x != last[i] {
			last[i] = x
			h.changes.push(pastChange{int32(i), x})
			n++
		}
	}
	return n
}

// forget drops the first event: the moments up to the next Before, which there
// is, and the changes up to it.
func (h *history) forget() {
	h.events--
	moments := h.moments.all()
	n, gone := 0, 0
	for n == 0 || moments[n].Phase != Before {
		h.follow(moments[n].Moment)
		n++
		gone += moments[n].changes
	}
	moments[n].changes = 0
	for _, c := range h.changes.all()[:gone] {
		h.base[c.slot] = c.value
	}
	h.moments.drop(n)
	h.changes.drop(gone)
}

// replay starts t and shows it what is kept. While it does, the simulator has the
// values of then.
func (h *history) replay(t Tracer) error {
	if h.events == 0 {
		return h.start(t)
	}
	s, changes := h.s, h.changes.all()
	s.settle()
	v, now, cycles := s.v, s.now, s.cycles
	defer func() {
		s.v, s.now, s.cycles = v, now, cycles
		s.version++
	}()
	s.v = slices.Clone(v)
	for i, slot := range h.slots {
		s.v[slot] = h.base[i]
	}
	for i, m := range h.moments.all() {
		for _, c := range changes[:m.changes] {
			s.v[h.slots[c.slot]] = c.value
		}
		changes = changes[m.changes:]
		s.now, s.cycles = m.now, m.cycles
		s.version++
		if i == 0 {
			if err := h.start(t); err != nil {
				return err
			}
		}
		if err := t.Sample(m.Moment); err != nil {
			return err
		}
	}
	return nil
}

// start starts t and raises the clocks that are high.
func (h *history) start(t Tracer) error {
	if err := t.Start(h.s); err != nil || len(h.high) == 0 {
		return err
	}
	return t.Sample(Moment{After, h.s.now, h.high})
}

// queue is a list to whose end things are pushed and from whose begin they are
// dropped.
type queue[T any] struct {
	items []T
	first int
}

func (q *queue[T]) push(x T) { q.items = append(q.items, x) }

func (q *queue[T]) all() []T { return q.items[q.first:] }

// drop drops n items. Their room is used again once it is most of all.
func (q *queue[T]) drop(n int) {
	if q.first += n; q.first > len(q.items)/4*3 {
		q.items = q.items[:copy(q.items, q.items[q.first:])]
		q.first = 0
	}
}
