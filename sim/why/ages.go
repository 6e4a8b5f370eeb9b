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

// stay is cycles over which state has one value, which it took at from, or had before if from is
// only as far as was looked.
type stay struct {
	from, to uint64
	open     bool
}

// ages returns, by probe, the cycle from which on it has had its value at a cycle; the cycle
// itself for values that are no state. Replay goes forwards only, so windows before the cycle are
// replayed, each longer than the last, until every probe has changed in one.
func (e *Explainer) ages(probes []probe, cycle uint64) ([]uint64, error) {
	ages := make([]uint64, len(probes))
	var open []search
	for i, p := range probes {
		ages[i] = cycle
		if k := p.kind(); k != State && k != Word {
			continue
		}

		// A label does not matter to the age, and the probe is a key of known.
		p.label = ""
		if from, ok := e.stays(p, cycle); ok {
			ages[i] = from
		} else {
			open = append(open, search{i: i, p: p})
		}
	}

	// Without a change, the age is the first cycle that was looked at.
	first := e.first
	if !e.whole && cycle-first > reach {
		first = cycle - reach
	}
	found := func(x *search, from uint64) {
		ages[x.i] = from
		e.known[x.p] = append(e.known[x.p], stay{from, cycle, from == first && first > e.first})
	}

	// Backwards in windows that grow: most probes have changed lately, and leave the search early.
	for hi, span := cycle, uint64(firstSpan); len(open) > 0 && hi > first; span = min(4*span, mostSpan) {
		lo := hi - min(span, hi-first)
		if err := e.scan(open, lo, hi); err != nil {
			return nil, err
		}

		// A probe that changed in the window has its age, for no later window remains.
		open = slices.DeleteFunc(open, func(x search) bool {
			if x.changed > 0 {
				found(&x, x.changed)
			}
			return x.changed > 0
		})
		hi = lo
	}

	// The rest did not change as far back as was looked.
	for i := range open {
		found(&open[i], first)
	}
	return ages, nil
}

// stays returns the begin of known cycles without a change that a cycle is among.
func (e *Explainer) stays(p probe, cycle uint64) (from uint64, ok bool) {
	for _, s := range e.known[p] {
		if s.from <= cycle && cycle <= s.to && (!s.open || cycle-s.from >= reach) {
			return s.from, true
		}
	}
	return 0, false
}

// search is a probe whose last change is looked for.
type search struct {
	i       int
	p       probe
	before  bits.Value
	changed uint64 // the last cycle of a change, 0 for none
}

// scan replays the cycles from lo to hi and notes the last change of each probe.
func (e *Explainer) scan(open []search, lo, hi uint64) error {
	// The values of a cycle before are void once the run moves.
	e.cycle = ^uint64(0)
	for at := lo; at <= hi; at++ {
		if err := e.run.Go(at); err != nil {
			return err
		}

		// The first cycle of the window has none before it to differ from.
		for i := range open {
			x := &open[i]
			v := e.raw(x.p)
			if at > lo && !v.Equal(x.before) {
				x.changed = at
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
