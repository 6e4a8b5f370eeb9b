package schedule

import "etch/sim/net"

// Writes to a journal (net.Mem) are rare. So all of them stand inside one if, on the net's
// Entry, and those of one condition inside an if of their own; values that only they need are
// computed there. Nothing reads a journal, so the writes may stand anywhere before their
// operands are overwritten: they come before all other stores.

// journal is the scheduling state of a net's journal writes.
type journal struct {
	arm    int32 // the region around all of them; -1 without any
	always bool  // there is no common condition
	groups []entries
}

// entries is the writes under one condition.
type entries struct {
	en     net.ID // None: on every entry
	arm    int32
	writes []int32
}

// isEntry reports whether write i goes to a journal.
func (s *Scheduler) isEntry(i int) bool { return s.n.Mems[s.n.Writes[i].Mem].Journal }

// placeJournal makes the regions of journal writes and places their operands.
func (s *Scheduler) placeJournal() {
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

		// Group the writes by their enables; the common condition alone counts as none.
		w := &n.Writes[i]
		en := w.En
		if en >= 0 && (en == n.Entry || n.N[en].Op == net.Const) { // a constant 0 would have removed the write
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

// openJournal makes the region of all journal writes.
func (s *Scheduler) openJournal() {
	j := &s.journal
	if j.arm, j.always = 0, s.n.Entry < 0; !j.always {
		s.need(s.n.Entry, 0)
		j.arm = s.storeRegion(0)
	}
}

// storeRegion makes a new region for the operands of memory writes.
func (s *Scheduler) storeRegion(parent int32) int32 {
	r := s.region(parent)
	s.regions[r].store = true
	return r
}

// journalRoots calls f for all nodes that journal writes need.
func (s *Scheduler) journalRoots(f func(net.ID)) {
	f(s.n.Entry)
	for i := range s.n.Writes {
		if w := &s.n.Writes[i]; s.isEntry(i) {
			w.Each(f)
		}
	}
}

// enter emits all journal writes.
func (s *Scheduler) enter() {
	// Values that the journal shares with other code are computed outside of its branch.
	j := &s.journal
	s.journalRoots(func(x net.ID) { s.node(x, 0) })
	if j.always {
		s.entries()
		return
	}

	// One branch around all entries: a cycle without entries pays for this test only.
	s.demands(j.arm, 0)
	s.put(KIf, int32(s.n.Entry), -1)
	s.entries()
	s.put(KElse, -1, -1)
	s.put(KEnd, -1, -1)
}

// entries emits the writes, condition by condition.
func (s *Scheduler) entries() {
	j, n := &s.journal, s.n
	for k := range j.groups {
		g := &j.groups[k]

		// A branch of its own for each condition. Values needed on both sides of it are computed
		// before it.
		if g.en >= 0 {
			s.node(g.en, j.arm)
			s.operands(g, j.arm)
			s.demands(g.arm, j.arm)
			s.put(KIf, int32(g.en), -1)
		}

		for _, i := range g.writes {
			w := &n.Writes[i]
			for _, x := range [3]net.ID{w.Addr, w.Data, w.Mask} {
				s.node(x, g.arm)
			}
			s.put(KStore, i, -1)
		}

		if g.en >= 0 {
			s.put(KElse, -1, -1)
			s.put(KEnd, -1, -1)
		}
	}
}

// operands emits the operands of a group's writes that belong to region r.
func (s *Scheduler) operands(g *entries, r int32) {
	// Nodes placed in r are emitted here. Those of the group's own region wait for its branch.
	for _, i := range g.writes {
		w := &s.n.Writes[i]
		for _, x := range [3]net.ID{w.Addr, w.Data, w.Mask} {
			s.node(x, r)
		}
	}
}
