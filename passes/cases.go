package passes

import (
	"sort"

	"etch/ir"
	"etch/ir/bits"
)

// entry is a key of a Case with its value.
type entry struct {
	key   bits.Value
	value arm
}

// makeCase makes the simplest node with the value of the entry whose key equals the
// selector, else other. Keys must rise strictly.
func (r *rebuilder) makeCase(w int, sel ir.ID, entries []entry, other arm) arm {
	entries, other = coverAll(entries, other, r.width(sel))
	// Entries equal to the default are dropped; their lines join its lines.
	kept := make([]entry, 0, len(entries))
	for _, e := range entries {
		if r.same(e.value.v, other.v) {
			other.pos = r.bothLines(other.pos, e.value.pos)
		} else {
			kept = append(kept, e)
		}
	}

	// With one entry left it is a multiplexer.
	switch len(kept) {
	case 0:
		return other
	case 1:
		return r.muxOrPlain(w, r.equal(sel, kept[0].key), kept[0].value, other)
	}

	keys, args, arms := make([]bits.Value, len(kept)), make([]ir.ID, 2, len(kept)+2), []arm{other}
	args[0], args[1] = sel, other.v
	for i, e := range kept {
		keys[i] = e.key
		args, arms = append(args, e.value.v), append(arms, e.value)
	}

	v := r.m.AddCase(w, r.old.Node(r.cur).Pos, keys, args...)
	r.setArms(v, arms)
	return arm{v: v}
}

// coverAll makes the last value the default if the keys cover every selector.
func coverAll(entries []entry, other arm, selWidth int) ([]entry, arm) {
	if selWidth < 31 && len(entries) == 1<<selWidth {
		last := len(entries) - 1
		return entries[:last], entries[last].value
	}
	return entries, other
}

// caseRule simplifies Case id of the old module; ok is false if there is nothing to
// simplify.
func (r *rebuilder) caseRule(id ir.ID, args []ir.ID) (arm, bool) {
	// A constant selector decides.
	w, sel := r.old.Width(id), args[0]
	arms := r.arms(id, args)
	other, values := arms[0], arms[1:]
	keys := r.old.KeysOf(id)
	if v, ok := r.constOf(sel); ok {
		for i, k := range keys {
			if k.Equal(v) {
				return values[i], true
			}
		}
		return other, true
	}

	// A value that is a Case on the same selector is decided by its key. Zeros on top of
	// the selector are dropped.
	entries := make([]entry, 0, len(keys))
	changed := false
	for i, k := range keys {
		v := values[i]
		if inner, ok := r.entryOf(v.v, sel, k); ok {
			inner.pos = r.bothLines(inner.pos, v.pos)
			v, changed = inner, true
		}
		entries = append(entries, entry{k, v})
	}

	if short, ok := r.shortSelector(sel, entries); ok {
		sel, entries, changed = r.m.Args(sel)[0], short, true
	}

	if changed || r.needless(sel, entries, other.v) {
		return r.makeCase(w, sel, entries, other), true
	}
	return arm{}, false
}

// needless reports whether makeCase would make fewer entries than keys.
func (r *rebuilder) needless(sel ir.ID, entries []entry, other ir.ID) bool {
	if len(entries) < 2 || r.width(sel) < 31 && len(entries) == 1<<r.width(sel) {
		return true
	}
	for _, e := range entries {
		if r.same(e.value.v, other) {
			return true
		}
	}
	return false
}

// entryOf is the value of v if the selector is key, provided that v is a Case on the same
// selector.
func (r *rebuilder) entryOf(v, sel ir.ID, key bits.Value) (arm, bool) {
	if r.op(v) != ir.Case || r.m.Args(v)[0] != sel {
		return arm{}, false
	}
	// Keys rise: binary search.
	keys := r.m.KeysOf(v)
	i := sort.Search(len(keys), func(i int) bool { return keys[i].Cmp(key) >= 0 })
	if i < len(keys) && keys[i].Equal(key) {
		return r.inner(v, 1+i), true
	}
	return r.inner(v, 0), true
}

// openCase is a Case taken apart.
type openCase struct {
	entries []entry
	other   arm
}

// maxMerged bounds the entries of a Case that absorbs a Case with other uses, so that a
// long chain of them does not grow quadratically.
const maxMerged = 32

// outside merges a default that is a Case on the same selector into the entries. An entry
// outside wins over one inside.
func (r *rebuilder) outside(other, sel ir.ID, entries []entry) (openCase, bool) {
	args := r.m.Args(other)
	if r.op(other) != ir.Case || args[0] != sel || len(entries)+len(args) > maxMerged {
		return openCase{}, false
	}

	// Outer entries come first, since the first of a key wins.
	all := append([]entry(nil), entries...)
	for i, k := range r.m.KeysOf(other) {
		all = append(all, entry{k, r.inner(other, 1+i)})
	}
	return openCase{firstOfKey(all), r.inner(other, 0)}, true
}

// firstOfKey sorts entries by key and keeps the first of each key.
func firstOfKey(all []entry) []entry {
	sort.SliceStable(all, func(i, j int) bool { return all[i].key.Cmp(all[j].key) < 0 })
	kept := all[:0]
	for i, e := range all {
		if i == 0 || !e.key.Equal(kept[len(kept)-1].key) {
			kept = append(kept, e)
		}
	}
	return kept
}

// shortSelector drops the zeros on top of the selector, and the keys that it can no longer
// reach.
func (r *rebuilder) shortSelector(sel ir.ID, entries []entry) ([]entry, bool) {
	if r.op(sel) != ir.ZExt {
		return nil, false
	}

	// A key that needs more bits than are left never matches.
	w := r.width(r.m.Args(sel)[0])
	var short []entry
	for _, e := range entries {
		if e.key.Len() <= w {
			short = append(short, entry{e.key.Trunc(w), e.value})
		}
	}
	return short, true
}
