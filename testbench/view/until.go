package view

import (
	"fmt"
	"regexp"
	"strings"

	"etch/ir/bits"
	"etch/ir/input"
	"etch/sim"
)

// mostSearched bounds the cycles of one search for a condition.
const mostSearched = 200_000

// condition is a comparison of a signal with a number.
type condition struct {
	sig   sim.Signal
	op    string
	value bits.Value
}

// comparison is NAME, !NAME or NAME OP NUMBER.
var comparison = regexp.MustCompile(`^\s*(!?)\s*([\pL_$][\pL\pN_$:.\[\]]*)\s*(?:(==|=|!=|<=|>=|<|>)\s*(\S+))?\s*$`)

// conditions reads comparisons that are joined by &&.
func (v *View) conditions(text string) (list []condition, err error) {
	for part := range strings.SplitSeq(text, "&&") {
		m := comparison.FindStringSubmatch(part)
		if m == nil || m[1] != "" && m[3] != "" {
			return nil, fmt.Errorf("%q is no condition, as in state == idle && count >= 5, or !busy", input.Message(part))
		}

		// The names of values come from the signal's type, so the signal is found first.
		c := condition{op: m[3]}
		if c.sig, err = v.signal(m[2]); err != nil {
			return nil, err
		}

		// Without comparison a name means "not 0", and with ! "0".
		switch {
		case m[3] != "":
			c.value, err = parseValue(c.sig, m[4])
		case m[1] != "":
			c.op, c.value = "==", bits.Zero(c.sig.Width())
		default:
			c.op, c.value = "!=", bits.Zero(c.sig.Width())
		}
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// holds reports whether a comparison holds in the present cycle.
func (c *condition) holds(s *sim.Sim) bool {
	now := s.GetBits(c.sig)
	order := now.Cmp(c.value)
	if c.sig.Type().Kind.Signed() {
		order = now.CmpS(c.value)
	}
	return compared(c.op, order)
}

// until goes to the next cycle in which conditions hold, or, with back, to the last one before. A live
// run makes the cycles that it lacks.
func (v *View) until(q query) (any, error) {
	list, err := v.conditions(q.Get("condition"))
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}

	// The conditions hold together, in one cycle.
	hold := func() bool {
		for i := range list {
			if !list[i].holds(v.run.Sim()) {
				return false
			}
		}
		return true
	}

	// Forwards or backwards from the present cycle, which itself does not count.
	from := v.run.Cycle()
	find := v.ahead
	if q.Get("back") != "" {
		find = v.behind
	}
	found, err := find(from, hold)
	switch {
	case err != nil:
		return nil, err
	case found:
		return v.span(), nil
	}

	// The search stands at its end now: a page that found nothing stays where it was.
	reached := v.run.Cycle()
	if err := v.run.Go(from); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s does not hold between cycles %d and %d", input.Message(q.Get("condition")), min(from, reached), max(from, reached))
}

// ahead goes on from a cycle until a condition holds. A live run is as long as before if it does not.
func (v *View) ahead(from uint64, hold func() bool) (found bool, err error) {
	// A recorded run ends with its record; a live one goes on as far as a search may go.
	l, alive := v.run.(*live)
	_, last := v.run.Cycles()
	end := last
	if alive {
		end = from + mostSearched
	}

	// Cycles that exist are visited, cycles behind the last one are made.
	for cycle := from + 1; cycle <= min(end, from+mostSearched); cycle++ {
		if alive && cycle > last {
			err = l.Extend(cycle)
		} else {
			err = v.run.Go(cycle)
		}
		if err != nil || hold() {
			return err == nil, err
		}
	}
	if alive {
		l.last = last
	}
	return false, nil
}

// behind finds the last cycle before one in which a condition holds: piece by piece, each forwards.
func (v *View) behind(from uint64, hold func() bool) (found bool, err error) {
	const piece = 1024

	// A run goes forwards only, from checkpoints. Going back cycle by cycle would restore one for
	// each.
	first, _ := v.run.Cycles()
	if from > mostSearched {
		first = max(first, from-mostSearched)
	}
	for end := from; end > first; {
		begin := max(first, end-min(end, piece))

		// The piece is read to its end, since its last hit is the answer.
		at, has := uint64(0), false
		for cycle := begin; cycle < end; cycle++ {
			if err := v.run.Go(cycle); err != nil {
				return false, err
			}
			if hold() {
				at, has = cycle, true
			}
		}
		if has {
			return true, v.run.Go(at)
		}
		end = begin
	}
	return false, v.run.Go(first)
}

// edge answers with the next cycle in which a signal has another value, or, with back, with the last
// change before. Where there is none within mostSearched cycles, the answer is the cycle itself.
func (v *View) edge(q query) (any, error) {
	sig, err := v.signal(q.Get("name"))
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}
	from := v.run.Cycle()
	now := v.run.Sim().GetBits(sig)
	other := func() bool { return !v.run.Sim().GetBits(sig).Equal(now) }

	// Forwards: the first cycle with another value is the edge.
	var found bool
	if q.Get("back") == "" {
		_, last := v.run.Cycles()
		for c := from + 1; c <= min(last, from+mostSearched) && !found && err == nil; c++ {
			err = v.run.Go(c)
			found = err == nil && other()
		}
	} else if found, err = v.behind(from, other); found {
		// The last cycle with another value is the one before the change; if that was just before, the
		// change is the present cycle's own, and the wanted one is the start of the other value.
		if c := v.run.Cycle(); c+1 < from {
			err = v.run.Go(c + 1)
		} else {
			now = v.run.Sim().GetBits(sig)
			if found, err = v.behind(c, other); found {
				err = v.run.Go(v.run.Cycle() + 1)
			}
		}
	}

	// No edge: the run stands at the cycle of the request again.
	if err == nil && !found {
		err = v.run.Go(from)
	}
	return v.span(), err
}
