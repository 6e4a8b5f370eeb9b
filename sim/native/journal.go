package native

import "etch/sim/net"

// Writes to a journal (net.Mem) are rare: all of them are inside one if, that of the
// net's Entry, and those of one condition are inside an if of their own. What only
// they need is computed there. Nothing reads a journal, so that they may come
// whenever what they read has not been written yet, before all other stores.

// journal is the writes to journals of a net that is being scheduled.
type journal struct {
	arm    int32 // the region of all of them, -1: there are none
	always bool  // they are not skipped together
	groups []entries
}

// entries are the writes of one condition.
type entries struct {
	en     net.ID // None: they happen whenever anything is written
	arm    int32
	writes []int32
}

// isEntry reports whether write i is one to a journal.
func (s *scheduler) isEntry(i int) bool { return s.n.Mems[s.n.Writes[i].Mem].Journal }

// placeJournal makes the regions of writes to journals, and places what they need.
func (s *scheduler) placeJournal() {
	n, j := s.n, &s.journal
	*j = journal{arm: -1}
	group := map[net.ID]int{}
	for i := range n.Writes {
		if !s.isEntry(i) {
			continue
		}
		if j.arm < 0 {
			s.openJournal()
		}
		w := &n.Writes[i]
		en := w.En
		if en >= 0 && (en == n.Entry || n.N[en].Op == net.Const) { // a 0 would have taken the write out
			en = net.None
		}
		k, ok := group[en]
		if !ok {
			k = len(j.groups)
			group[en] = k
			j.groups = append(j.groups, entries{en: en, arm: j.arm})
			if en >= 0 {
				s.need(en, j.arm)
				j.groups[k].arm = s.storeRegion(j.arm)
			}
		}
		g := &j.groups[k]
		g.writes = append(g.writes, int32(i))
		for _, x := range [3]net.ID{w.Addr, w.Data, w.Mask} {
			s.need(x, g.arm)
		}
	}
}

func (s *scheduler) openJournal() {
	j := &s.journal
	if j.arm, j.always = 0, s.n.Entry < 0; !j.always {
		s.need(s.n.Entry, 0)
		j.arm = s.storeRegion(0)
	}
}

// storeRegion is a new region for the operands of memory writes.
func (s *scheduler) storeRegion(parent int32) int32 {
	r := s.region(parent)
	s.regions[r].store = true
	return r
}

// journalRoots calls f for what the writes to journals need.
func (s *scheduler) journalRoots(f func(net.ID)) {
	f(s.n.Entry)
	for i := range s.n.Writes {
		if w := &s.n.Writes[i]; s.isEntry(i) {
			w.Each(f)
		}
	}
}

// enter emits all writes to journals.
func (s *scheduler) enter() {
	j := &s.journal
	s.journalRoots(func(x net.ID) { s.node(x, 0) })
	if j.always {
		s.entries()
		return
	}
	s.demands(j.arm, 0)
	s.put(kIf, int32(s.n.Entry), -1)
	s.entries()
	s.put(kElse, -1, -1)
	s.put(kEnd, -1, -1)
}

// entries emits the writes, one condition after the other.
func (s *scheduler) entries() {
	j, n := &s.journal, s.n
	for k := range j.groups {
		g := &j.groups[k]
		if g.en >= 0 {
			s.node(g.en, j.arm)
			s.operands(g, j.arm)
			s.demands(g.arm, j.arm)
			s.put(kIf, int32(g.en), -1)
		}
		for _, i := range g.writes {
			w := &n.Writes[i]
			for _, x := range [3]net.ID{w.Addr, w.Data, w.Mask} {
				s.node(x, g.arm)
			}
			s.put(kStore, i, -1)
		}
		if g.en >= 0 {
			s.put(kElse, -1, -1)
			s.put(kEnd, -1, -1)
		}
	}
}

// operands emits what the writes of a group read that belongs to region r.
func (s *scheduler) operands(g *entries, r int32) {
	for _, i := range g.writes {
		w := &s.n.Writes[i]
		for _, x := range [3]net.ID{w.Addr, w.Data, w.Mask} {
			s.node(x, r)
		}
	}
}
