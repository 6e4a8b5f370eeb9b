package sim

import (
	"slices"

	"etch/ir/bits"
)

// history keeps the last events with the values of ports and named nodes, as differences, to
// replay them to a tracer later.
type history struct {
	s       *Sim
	limit   int      // events
	slots   []uint32 // of all kept words
	base    []uint64 // values at the first moment
	last    []uint64 // values at the last moment
	moments queue[pastMoment]
	changes queue[pastChange] // changes of all moments but the first, in order
	events  int
	high    []Signal   // clocks that are high before the first moment
	clocks  [][]Signal // the distinct sets of clocks that occurred
}

// pastMoment is a kept moment.
type pastMoment struct {
	Moment
	now     uint64
	cycles  uint64
	changes int // number of changes since the moment before
}

// pastChange is the new value of a slot, given by its index in slots.
type pastChange struct {
	slot  int32
	value uint64
}

// follow applies m to the clock levels only, for moments that are not kept.
func (h *history) follow(m Moment) {
	// A clock is high between its After and its Fall.
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

// add keeps a moment, and forgets the oldest event if there are too many.
func (h *history) add(m Moment) {
	// History begins at the first Before, where all values are settled.
	if h.limit == 0 || h.events == 0 && m.Phase != Before {
		h.follow(m)
		return
	}

	// The first moment keeps all values, later moments the differences. Falling edges make none
	// where no state acts on them.
	p := pastMoment{Moment: m, now: h.s.m.Now, cycles: h.s.m.Cycles}
	p.Clocks = h.keep(m.Clocks)

	switch {
	case h.events == 0:
		h.begin()
	case m.Phase != Fall || len(h.s.m.P.Falls) > 0:
		p.changes = h.compare()
	}

	h.moments.push(p)
	if m.Phase == Before {
		if h.events++; h.events > h.limit {
			h.forget()
		}
	}
}

// keep returns a shared copy of a set of clocks.
func (h *history) keep(clocks []Signal) []Signal {
	// Few distinct sets of clocks occur, so that a list is searched in place of a map.
	for _, set := range h.clocks {
		if slices.Equal(set, clocks) {
			return set
		}
	}
	set := slices.Clone(clocks)
	h.clocks = append(h.clocks, set)
	return set
}

// begin records all values.
func (h *history) begin() {
	h.s.m.Settle()

	// Several signals may share a slot, as a port and the node behind it do.
	known := map[uint32]bool{}
	for sig := range h.s.Signals() {
		for k := range uint32(bits.WordCount(int(sig.width))) {
			if slot := sig.slot + k; !known[slot] {
				known[slot] = true
				h.slots = append(h.slots, slot)
				h.base = append(h.base, h.s.m.St.V[slot])
			}
		}
	}
	h.last = slices.Clone(h.base)
}

// compare records the words that differ from the last moment, and returns their number.
func (h *history) compare() (n int) {
	h.s.m.Settle()
	v, last := h.s.m.St.V, h.last
	for i, slot := range h.slots {
		if x := v[slot]; x != last[i] {
			last[i] = x
			h.changes.push(pastChange{int32(i), x})
			n++
		}
	}
	return n
}

// forget drops the first event: all moments up to the next Before, whose changes become part of
// the base.
func (h *history) forget() {
	h.events--

	moments := h.moments.all()
	n, gone := 0, 0

	// The levels of clocks advance with the moments that go.
	for n == 0 || moments[n].Phase != Before {
		h.follow(moments[n].Moment)
		n++
		gone += moments[n].changes
	}

	// The new first moment has no changes of its own: the base takes them.
	moments[n].changes = 0
	for _, c := range h.changes.all()[:gone] {
		h.base[c.slot] = c.value
	}
	h.moments.drop(n)
	h.changes.drop(gone)
}

// replay starts t and shows it the kept moments. Meanwhile the simulator has the old values.
func (h *history) replay(t Tracer) error {
	if h.events == 0 {
		return h.start(t)
	}

	// The simulator's values are replaced by a copy, and restored at the end.
	s, changes := h.s, h.changes.all()
	s.m.Settle()
	v, now, cycles := s.m.St.V, s.m.Now, s.m.Cycles
	defer func() {
		s.m.St.V, s.m.Now, s.m.Cycles = v, now, cycles
		s.m.Version++
	}()

	// Begin with the base, then apply the changes moment by moment.
	s.m.St.V = slices.Clone(v)
	for i, slot := range h.slots {
		s.m.St.V[slot] = h.base[i]
	}
	for i, m := range h.moments.all() {
		for _, c := range changes[:m.changes] {
			s.m.St.V[h.slots[c.slot]] = c.value
		}
		changes = changes[m.changes:]

		s.m.Now, s.m.Cycles = m.now, m.cycles
		s.m.Version++
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
	return t.Sample(Moment{After, h.s.m.Now, h.high})
}

// queue is a first-in, first-out list that moves its items rarely.
type queue[T any] struct {
	items []T
	first int
}

func (q *queue[T]) push(x T) { q.items = append(q.items, x) }

func (q *queue[T]) all() []T { return q.items[q.first:] }

// drop removes the first n items. Memory is reclaimed once three quarters of it are dropped.
func (q *queue[T]) drop(n int) {
	if q.first += n; q.first > len(q.items)/4*3 {
		q.items = q.items[:copy(q.items, q.items[q.first:])]
		q.first = 0
	}
}
