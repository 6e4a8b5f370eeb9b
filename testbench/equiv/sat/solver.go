package sat

// Lit is a variable, or its inverse: twice the variable, plus one for the inverse.
type Lit int32

// Not returns the inverse of l.
func (l Lit) Not() Lit { return l ^ 1 }

// Answer is the result of Solve.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota // the bound was reached
	Yes                   // satisfiable: Value gives a model
	No                    // not satisfiable under the assumptions
)

// String returns "unknown", "yes" or "no".
func (a Answer) String() string { return [...]string{"unknown", "yes", "no"}[a] }

// Solver is a set of clauses, with a search by conflict-driven clause learning. It is not safe
// for concurrent use.
type Solver struct {
	clauses [][]Lit // those that were given, of two literals and more
	learned []*clause
	watches [][]watch // by literal: clauses to examine when it becomes true
	value   []int8    // by literal: 1 true, -1 false, 0 open
	level   []int32   // by variable
	reason  []*clause // by variable
	saved   []bool    // by variable: its last sign, true for inverted
	model   []bool    // by variable
	order   heap
	focus   []bool // by variable; nil: all are decided
	trail   []Lit
	limits  []int // start of each level in the trail
	head    int   // length of the propagated part of the trail
	bump    float64
	grow    float32 // gain of an active clause
	wrong   bool    // unsatisfiable without assumptions
	room    int     // number of learned clauses to keep
	seen    []bool
	levels  []int32 // scratch
	marks   []int32
	mark    int32

	// Narrow leaves variables outside the focus open even when they are implied. It saves much
	// work if all clauses are those of gates, whose outputs always have a value.
	Narrow bool
	// Conflicts counts all conflicts so far.
	Conflicts int
	// Stop, if set, is asked at restarts, some hundred conflicts apart; if it returns true, Solve
	// ends with Unknown.
	Stop func() bool
}

// clause has its two watched literals first.
type clause struct {
	lits     []Lit
	activity float32
	glue     int32 // levels among its literals when it was learned
	learned  bool
	dead     bool
}

// watch is a clause and one of its other literals: while this literal is true, the clause needs
// no visit.
type watch struct {
	c    *clause
	some Lit
}

// New returns a solver without clauses.
func New() *Solver { return &Solver{bump: 1, grow: 1, room: 4000} }

// Vars returns the number of variables.
func (s *Solver) Vars() int { return len(s.level) }

// Var adds a variable.
func (s *Solver) Var() Lit {
	v := int32(len(s.level))
	s.watches = append(s.watches, nil, nil)
	s.value = append(s.value, 0, 0)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, nil)
	s.saved = append(s.saved, true)
	s.model = append(s.model, false)
	s.seen = append(s.seen, false)
	s.order.add(v)
	if s.focus != nil {
		s.focus = append(s.focus, true)
	}
	return Lit(v) << 1
}

// Add adds a clause: one of lits is true. Without literals the set becomes unsatisfiable.
func (s *Solver) Add(lits ...Lit) {
	s.undo(0)
	var kept []Lit
	for i, l := range lits {
		switch {
		case s.value[l] > 0 || has(lits[:i], l.Not()):
			// It is true already, or holds a literal and its inverse.
			return
		case s.value[l] == 0 && !has(lits[:i], l):
			kept = append(kept, l)
		}
	}
	switch len(kept) {
	case 0:
		s.wrong = true
	case 1:
		s.assign(kept[0], nil)
		s.wrong = s.wrong || s.propagate() != nil
	default:
		s.attach(&clause{lits: kept})
	}
}

// Focus makes Solve decide these variables only, or all again without any: a model then has
// values for them and for the variables that they imply. If all others are gates above or
// beside, which always have a value, the answer is that of all clauses; No is right in any case.
func (s *Solver) Focus(vars []Lit) {
	s.undo(0)
	s.order.clear()
	if len(vars) == 0 {
		s.focus = nil
		for v := range s.level {
			s.order.append(int32(v))
		}
		s.order.build()
		return
	}
	if s.focus == nil {
		s.focus = make([]bool, len(s.level))
	}
	clear(s.focus)
	for _, l := range vars {
		s.focus[l>>1] = true
		s.order.append(int32(l >> 1))
	}
	s.order.build()
}

// has reports whether l is among lits.
func has(lits []Lit, l Lit) bool {
	for _, k := range lits {
		if k == l {
			return true
		}
	}
	return false
}

// attach watches the first two literals of a clause.
func (s *Solver) attach(c *clause) {
	s.watches[c.lits[0].Not()] = append(s.watches[c.lits[0].Not()], watch{c, c.lits[1]})
	s.watches[c.lits[1].Not()] = append(s.watches[c.lits[1].Not()], watch{c, c.lits[0]})
}

// Value returns the value of l in the model of the last Solve that returned Yes.
func (s *Solver) Value(l Lit) bool { return s.model[l>>1] != (l&1 == 1) }

// Solve looks for a model of all clauses in which the assumptions hold, and stops after a number
// of conflicts; -1 is no bound. The search restarts after lengths of Luby's sequence.
func (s *Solver) Solve(conflicts int, assumptions ...Lit) Answer {
	s.undo(0)
	if s.wrong {
		return No
	}

	left := conflicts
	for round := 1; ; round++ {
		// A round of the search has a share of the conflicts; between rounds the caller may stop
		// it.
		part := 100 * luby(round)
		if left >= 0 {
			part = min(part, left)
		}
		before := s.Conflicts
		if a := s.search(part, assumptions); a != Unknown {
			s.undo(0)
			return a
		}
		s.undo(0)
		if left >= 0 {
			if left -= s.Conflicts - before; left <= 0 {
				return Unknown
			}
		}
		if s.Stop != nil && s.Stop() {
			return Unknown
		}
	}
}

// luby returns element i, from 1, of Luby's sequence 1 1 2 1 1 2 4 1 1 2 …
func luby(i int) int {
	for k := 1; ; k++ {
		if i == 1<<k-1 {
			return 1 << (k - 1)
		}
		if i < 1<<k-1 {
			return luby(i - 1<<(k-1) + 1)
		}
	}
}

// search decides and propagates until there is an answer or the number of conflicts.
func (s *Solver) search(conflicts int, assumptions []Lit) Answer {
	for n := 0; ; {
		if bad := s.propagate(); bad != nil {
			s.Conflicts++
			n++
			if len(s.limits) == 0 {
				// Without a decision, the clauses contradict one another.
				s.wrong = true
				return No
			}
			s.learn(bad)
			continue
		}
		if n >= conflicts {
			return Unknown
		}

		if len(s.learned) > s.room+len(s.trail) {
			s.reduce()
		}

		// Each decision begins a level.
		next, answer := s.decide(assumptions)
		if answer != Unknown {
			return answer
		}
		s.limits = append(s.limits, len(s.trail))
		if next >= 0 {
			s.assign(next, nil)
		}
	}
}

// decide returns the next literal to try: assumptions first, then the most active open variable
// with its last sign. It returns -1 for the level of an assumption that is true already.
func (s *Solver) decide(assumptions []Lit) (Lit, Answer) {
	// Each assumption has a level of its own; one that is false ends the search.
	if n := len(s.limits); n < len(assumptions) {
		switch l := assumptions[n]; s.value[l] {
		case 1:
			return -1, Unknown
		case -1:
			return 0, No
		default:
			return l, Unknown
		}
	}

	// Then the most active open variable. Without one all clauses hold: the values are a model.
	for {
		v, ok := s.order.pop()
		if !ok {
			for v := range s.model {
				s.model[v] = s.value[2*v] > 0
			}
			return 0, Yes
		}
		if s.value[2*v] == 0 {
			l := Lit(v) << 1
			if s.saved[v] {
				l++
			}
			return l, Unknown
		}
	}
}

// assign makes a literal true; why is its reason.
func (s *Solver) assign(l Lit, why *clause) {
	v := l >> 1
	s.value[l], s.value[l^1] = 1, -1
	s.level[v], s.reason[v] = int32(len(s.limits)), why
	s.trail = append(s.trail, l)
}

// undo goes back to a level.
func (s *Solver) undo(level int) {
	if len(s.limits) <= level {
		return
	}
	for i := len(s.trail) - 1; i >= s.limits[level]; i-- {
		l := s.trail[i]
		s.value[l], s.value[l^1] = 0, 0

		// The sign is tried first the next time (phase saving).
		s.saved[l>>1] = l&1 == 1
		if s.focus == nil || s.focus[l>>1] {
			s.order.put(int32(l >> 1))
		}
	}
	s.trail = s.trail[:s.limits[level]]
	s.limits = s.limits[:level]
	s.head = len(s.trail)
}

// propagate assigns all implied literals (unit propagation by two watched literals) and returns
// a clause that has become false, nil if there is none.
func (s *Solver) propagate() *clause {
	for s.head < len(s.trail) {
		l := s.trail[s.head]
		s.head++
		list := s.watches[l]

		// Watches that stay move to the front of the same list.
		kept := list[:0]
		for i := 0; i < len(list); i++ {
			w := list[i]

			// While another literal is true, the clause itself need not be touched.
			if s.value[w.some] > 0 {
				kept = append(kept, w)
				continue
			}

			c := w.c
			if c.dead {
				continue
			}

			// The false literal goes to second place.
			if c.lits[0] == l.Not() {
				c.lits[0], c.lits[1] = c.lits[1], c.lits[0]
			}

			first := c.lits[0]
			if s.value[first] > 0 {
				kept = append(kept, watch{c, first})
				continue
			}

			// The other watch is not true: find a new one, or else the first literal is implied.
			if s.move(c, first) {
				continue
			}

			kept = append(kept, watch{c, first})

			// Outside of the focus, implied variables stay open.
			if s.Narrow && s.focus != nil && len(s.limits) > 0 && s.value[first] == 0 && !s.focus[first>>1] {
				continue
			}

			// All literals are false: a conflict. The remaining watches stay.
			if s.value[first] < 0 {
				kept = append(kept, list[i+1:]...)
				s.watches[l] = kept
				s.head = len(s.trail)
				return c
			}
			s.assign(first, c)
		}

		s.watches[l] = kept
	}
	return nil
}

// move gives a clause another second watch, if it has a literal that is not false.
func (s *Solver) move(c *clause, first Lit) bool {
	for k := 2; k < len(c.lits); k++ {
		if l := c.lits[k]; s.value[l] >= 0 {
			c.lits[1], c.lits[k] = l, c.lits[1]
			s.watches[l.Not()] = append(s.watches[l.Not()], watch{c, first})
			return true
		}
	}
	return false
}
