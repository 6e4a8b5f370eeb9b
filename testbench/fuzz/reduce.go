package fuzz

import (
	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
)

// steps leaves out steps, many at first. A long run is dropped or halved before.
func (s *shrinker) steps() {
	if s.best.Stim.Long > 0 {
		without := *s.best.Stim
		without.Long = 0
		half := *s.best.Stim
		half.Long /= 2
		for s.more() && s.try(s.best.again(s.best.Design, &without), s.best.again(s.best.Design, &half)) && s.best.Stim.Long > 100 {
			half.Long /= 2
		}
	}

	// Try every block of n steps, from the end, then blocks of half the size.
	for n := len(s.best.Stim.Steps) / 2; n > 0 && s.more(); n /= 2 {
		for s.more() {
			var list []*Case
			all := s.best.Stim.Steps
			for at := len(all); at > 0; at -= n {
				st := *s.best.Stim
				st.Steps = append(append([]Step(nil), all[:max(0, at-n)]...), all[at:]...)
				list = append(list, s.best.again(s.best.Design, &st))
			}
			if !s.try(list...) {
				break
			}
		}
	}
}

// shape removes the hierarchy, dead nodes, and names and types.
func (s *shrinker) shape() {
	flat := s.best.Design.Clone()
	if c, err := passes.Flatten(flat); err == nil && c[passes.Flattened] > 0 {
		s.larger = true // instances of one module become several copies
		s.try(s.best.again(flat, s.best.Stim))
		s.larger = false
	}
	s.try(s.remade(s.best, nil, nil, false))
	s.try(s.remade(s.best, nil, nil, true))
}

// edits applies the edits of a list on top of each other, as many as keep the mistake. Then it
// makes the list anew for the smaller design, until no edit works.
func (s *shrinker) edits(list func(d *ir.Design) []edit) {
	for s.more() {
		base, kept := s.best, []edit(nil)
		all := list(base.Design)
		group := s.atOnce()

		// Large parts first; what is left is tried one by one.
		kept = s.chunks(base, all)
		for at := 0; at < len(all) && s.more(); {
			n := min(group, len(all)-at)
			kept = s.group(base, kept, all[at:at+n])
			at += n
		}

		// A whole list without success: no edit works any more.
		if len(kept) == 0 {
			return
		}
	}
}

// leastChunk is the smallest number of edits that are tried together at first.
const leastChunk = 12

// chunks tries large parts of the list: halves, quarters and so on. It returns the edits that
// work together.
func (s *shrinker) chunks(base *Case, all []edit) (kept []edit) {
	for size := len(all) / 2; size >= leastChunk && s.more(); size /= 2 {
		for at := 0; at < len(all) && s.more(); {
			var cases []*Case
			var lists [][]edit
			for ; at < len(all) && len(cases) < s.atOnce(); at += size {
				// The list is cut to its length, so that append copies it: the candidates must not
				// share.
				edits := append(kept[:len(kept):len(kept)], all[at:min(at+size, len(all))]...)
				cases, lists = append(cases, s.remade(base, edits, nil, false)), append(lists, edits)
			}

			// At most one candidate wins; its edits become the base of the next ones.
			if s.try(cases...) {
				for i, c := range cases {
					if c == s.best {
						kept = lists[i]
					}
				}
			}
		}
	}
	return kept
}

// group tries each edit of a group on top of the kept ones. Then it tries all that work singly
// together, or the first half of them, and so on, since edits may exclude each other. It returns
// the edits kept now.
func (s *shrinker) group(base *Case, kept, group []edit) []edit {
	// Each candidate starts from base, since an edit names a node of base.
	with := func(more ...edit) (*Case, []edit) {
		edits := append(kept[:len(kept):len(kept)], more...)
		return s.remade(base, edits, nil, false), edits
	}
	var cases []*Case
	var of []edit

	// Edits that cannot be made are nil and drop out here.
	for _, e := range group {
		if c, _ := with(e); c != nil {
			cases, of = append(cases, c), append(of, e)
		}
	}

	// One call of the judge for all single edits.
	asked, bad := s.fails(cases)
	var work []edit
	for i, c := range cases {
		for k := range asked {
			if asked[k] == c && bad[k] {
				work = append(work, of[i])
			}
		}
	}

	// Combine the edits that work.
	cases = cases[:0]
	var lists [][]edit
	for n := len(work); n > 0; n /= 2 {
		c, edits := with(work[:n]...)
		cases, lists = append(cases, c), append(lists, edits)
	}
	if s.try(cases...) {
		for i, c := range cases {
			if c == s.best {
				return lists[i]
			}
		}
	}
	return kept
}

// narrow makes all values of one width narrower.
func (s *shrinker) narrow() {
	for again := true; again && s.more(); {
		again = false

		// Try the narrowest widths first; after a success the widths are others.
		for _, w := range widths(s.best.Design) {
			var list []*Case
			seen := map[int]bool{w: true}

			// Powers of two and their neighbours, where a mistake of words may hide; then halves.
			for _, to := range []int{1, 2, 3, 4, 7, 8, w / 4, w / 2, w - 1} {
				if to > 0 && to < w && !seen[to] {
					seen[to] = true
					list = append(list, s.remade(s.best, nil, func(have int) int {
						if have == w {
							return to
						}
						return have
					}, false))
				}
			}
			if s.try(list...) {
				again = true
				break
			}
		}
	}
}

// values makes numbers of the stimulus 0: all of an input, and then single ones.
func (s *shrinker) values() {
	// The numbers that keep reports stay; all others become 0.
	change := func(keep func(input, step int) bool) *Case {
		st := *s.best.Stim
		st.Steps = append([]Step(nil), st.Steps...)
		for n := range st.Steps {
			st.Steps[n].In = append([]bits.Value(nil), st.Steps[n].In...)
			for i, v := range st.Steps[n].In {
				if !keep(i, n) {
					st.Steps[n].In[i] = bits.Zero(v.Width())
				}
			}
		}
		return s.best.again(s.best.Design, &st)
	}

	// Whole inputs first: one try may clear hundreds of numbers.
	var list []*Case
	for i := range s.best.Stim.Inputs {
		list = append(list, change(func(input, _ int) bool { return input != i }))
	}
	for i := range s.best.Stim.Inputs {
		for n := range s.best.Stim.Steps {
			list = append(list, change(func(input, step int) bool { return input != i || step != n }))
		}
	}

	// Zeros found, others may become possible.
	if s.try(list...) {
		s.values()
	}
}
