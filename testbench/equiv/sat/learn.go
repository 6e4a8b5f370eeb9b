package sat

import "slices"

// learn derives a clause from a conflict, goes back to the level at which the clause implies its
// first literal, and assigns that literal.
func (s *Solver) learn(bad *clause) {
	lits := s.analyse(bad)

	// The second literal has the highest level of the rest: it is the other watch.
	back := int32(0)
	for i := 1; i < len(lits); i++ {
		if at := s.level[lits[i]>>1]; at > back {
			back = at
			lits[1], lits[i] = lits[i], lits[1]
		}
	}
	glue := s.glue(lits)
	s.undo(int(back))
	if len(lits) == 1 {
		// A single literal is a fact.
		s.assign(lits[0], nil)
	} else {
		c := &clause{lits: lits, learned: true, activity: s.grow, glue: glue}
		s.learned = append(s.learned, c)
		s.attach(c)
		s.assign(lits[0], c)
	}

	// Growing increments make old activity decay (VSIDS).
	s.bump /= 0.95
	s.grow /= 0.999
}

// analyse resolves a conflict back to its first unique implication point: the literal of this
// level on which all of the conflict depends. Its inverse comes first in the result.
func (s *Solver) analyse(bad *clause) []Lit {
	lits := []Lit{0}
	now := int32(len(s.limits))
	open, at := 0, len(s.trail)-1
	var l Lit = -1

	// Resolve with the reason of the latest literal until one literal of this level is open.
	for c := bad; ; {
		s.use(c)
		for _, q := range c.lits {
			v := q >> 1
			if q == l || s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.raise(int32(v))
			if s.level[v] == now {
				open++
			} else {
				lits = append(lits, q)
			}
		}

		// Back on the trail to the next literal of the conflict.
		for !s.seen[s.trail[at]>>1] {
			at--
		}
		l = s.trail[at]
		at--
		s.seen[l>>1] = false
		if open--; open == 0 {
			break
		}
		c = s.reason[l>>1]
	}
	lits[0] = l.Not()
	return s.shorten(lits)
}

// shorten removes literals that follow from the others by one clause.
func (s *Solver) shorten(lits []Lit) []Lit {
	all := slices.Clone(lits[1:])
	kept := lits[:1]
	for _, q := range all {
		if !s.implied(q) {
			kept = append(kept, q)
		}
	}

	// The marks of analyse have served.
	for _, q := range all {
		s.seen[q>>1] = false
	}
	return kept
}

// implied reports whether the reason of q has only literals of the clause.
func (s *Solver) implied(q Lit) bool {
	c := s.reason[q>>1]
	if c == nil {
		return false
	}
	for _, p := range c.lits {
		if v := p >> 1; v != q>>1 && !s.seen[v] && s.level[v] > 0 {
			return false
		}
	}
	return true
}

// glue returns the number of levels among literals, a measure of a clause's use (Audemard and
// Simon).
func (s *Solver) glue(lits []Lit) int32 {
	// Numbering the calls saves clearing marks.
	s.mark++
	for len(s.marks) <= len(s.limits) {
		s.marks = append(s.marks, 0)
	}
	n := int32(0)
	for _, l := range lits {
		if at := s.level[l>>1]; s.marks[at] != s.mark {
			s.marks[at] = s.mark
			n++
		}
	}
	return n
}

// use makes a clause more active.
func (s *Solver) use(c *clause) {
	if !c.learned {
		return
	}

	// All activities are scaled down before they overflow.
	if c.activity += s.grow; c.activity > 1e20 {
		for _, k := range s.learned {
			k.activity *= 1e-20
		}
		s.grow *= 1e-20
	}
}

// raise makes a variable more active.
func (s *Solver) raise(v int32) {
	if s.order.weight[v] += s.bump; s.order.weight[v] > 1e100 {
		for i := range s.order.weight {
			s.order.weight[i] *= 1e-100
		}
		s.bump *= 1e-100
	}
	s.order.up(v)
}

// reduce forgets the less active half of the learned clauses, except short ones and clauses of
// few levels. A clause that is the reason of an assignment stays.
func (s *Solver) reduce() {
	slices.SortStableFunc(s.learned, func(a, b *clause) int {
		switch {
		case a.activity < b.activity:
			return -1
		case a.activity > b.activity:
			return 1
		}
		return 0
	})
	kept := s.learned[:0]
	half := len(s.learned) / 2
	for i, c := range s.learned {
		if i >= half || len(c.lits) == 2 || c.glue <= 2 || s.reason[c.lits[0]>>1] == c && s.value[c.lits[0]] > 0 {
			kept = append(kept, c)
			continue
		}
		c.dead = true // its watches go when they are met
	}
	clear(s.learned[len(kept):])
	s.learned = kept
	s.room += s.room / 20
}
