package why

import (
	"slices"

	"etch/ir/bits"
)

// Windows of cycles that are replayed to find a change: the first one, and the longest; and the
// cycles that are looked at in all for an explanation of some rows.
const (
	firstSpan = 16
	mostSpan  = 1 << 12
	reach     = 1 << 13
)

// companionSpan is the length in cycles of windows in which the state is looked at too that causes
// found later may ask for. A shorter window costs less than the reads.
const companionSpan = 1 << 10

// changes are the cycles from lo to hi at which a probe has another value than at the cycle
// before, rising. Whether it changed at lo itself is not known.
type changes struct {
	lo, hi uint64
	at     []uint64
}

// last returns the last change up to a cycle of the range.
func (h *changes) last(cycle uint64) (uint64, bool) {
	i, found := slices.BinarySearch(h.at, cycle)
	switch {
	case found:
		return cycle, true
	case i == 0:
		return 0, false
	}
	return h.at[i-1], true
}

// add adds the changes of a window. The ranges of a probe are disjoint: those that the window
// overlaps become one with it.
func (e *Explainer) add(p probe, w changes) {
	rest := slices.DeleteFunc(e.known[p], func(h changes) bool {
		if h.hi < w.lo || w.hi < h.lo {
			return false
		}
		w = changes{min(h.lo, w.lo), max(h.hi, w.hi), append(w.at, h.at...)}
		return true
	})

	// The cycles of two ranges are known twice, and the same.
	slices.Sort(w.at)
	w.at = slices.Compact(w.at)
	e.known[p] = append(rest, w)
}

// search is a probe whose last change up to a cycle is looked for.
type search struct {
	i      int
	p      probe
	at     uint64 // no change is between it and the cycle
	before bits.Value
	window changes
}

// ages returns, by probe, the cycle from which on it has had its value at a cycle; the cycle
// itself for values that are no state. Replay goes forwards only, so windows before the cycle are
// replayed, each longer than the last, until every probe has changed in one.
func (e *Explainer) ages(probes []probe, cycle uint64) ([]uint64, error) {
	// Without a change, the age is the first cycle that is looked at.
	first := e.first
	if !e.whole && cycle-first > reach {
		first = cycle - reach
	}

	ages := make([]uint64, len(probes))
	var open []*search
	for i, p := range probes {
		ages[i] = cycle
		if k := p.kind(); k != State && k != Word {
			continue
		}

		// A label does not matter to the age, and the probe is a key of known.
		p.label = ""
		open = append(open, &search{i: i, p: p, at: cycle})
	}

	// Backwards in windows that grow: most probes have changed lately, and leave the search early.
	for {
		open = slices.DeleteFunc(open, func(x *search) (found bool) {
			ages[x.i], found = e.look(x, first)
			return found
		})
		if len(open) == 0 {
			return ages, nil
		}
		if err := e.window(open, cycle, first); err != nil {
			return nil, err
		}
	}
}

// look goes on with a search in the changes that are known. It returns the age if that is decided,
// by a change or because none has come since the first cycle.
func (e *Explainer) look(x *search, first uint64) (age uint64, found bool) {
	for _, h := range e.known[x.p] {
		if x.at < h.lo || h.hi < x.at {
			continue
		}
		if at, ok := h.last(x.at); ok {
			return max(at, first), true
		}
		x.at = h.lo
		break
	}
	return first, x.at <= first
}

// window replays cycles before the latest cycle of the searches, about three times as many as lie
// between it and the cycle that they began at. Where few are left up to the first cycle the window
// goes beyond it, since the next search often begins a cycle earlier.
func (e *Explainer) window(open []*search, cycle, first uint64) error {
	hi := uint64(0)
	for _, x := range open {
		hi = max(hi, x.at)
	}
	span := min(firstSpan+3*(cycle-hi), mostSpan)
	lo := hi - min(span, max(hi-first, 4*firstSpan), hi-e.first)

	// A search whose cycle is before the window needs none of it.
	var all []*search
	for _, x := range open {
		if x.at >= lo {
			all = append(all, x)
		}
	}
	if hi-lo >= companionSpan {
		all = append(all, e.companions(all)...)
	}

	if err := e.scan(all, lo, hi); err != nil {
		return err
	}
	for _, x := range all {
		e.add(x.p, x.window)
	}
	return nil
}

// scan replays the cycles from lo to hi and notes the changes of each probe.
func (e *Explainer) scan(open []*search, lo, hi uint64) error {
	for _, x := range open {
		x.window = changes{lo: lo, hi: hi}
	}

	// The values of a cycle before are void once the run moves.
	e.cycle = ^uint64(0)
	for at := lo; at <= hi; at++ {
		if err := e.run.Go(at); err != nil {
			return err
		}

		// The first cycle of the window has none before it to differ from.
		for _, x := range open {
			v := e.raw(x.p)
			if at > lo && !v.Equal(x.before) {
				x.window.at = append(x.window.at, at)
			}
			x.before = v
		}
	}
	return nil
}

// isStart reports whether nothing is known of state before a cycle.
func (e *Explainer) isStart(c *Cause) bool {
	return c.Since == e.first || !e.whole && c.Cycle-c.Since >= reach
}

// raw is the value of a state probe where the run stands.
func (e *Explainer) raw(p probe) bits.Value {
	if p.addr > 0 {
		return e.read(p)
	}
	return e.sim.GetBits(e.signal(p.at))
}
