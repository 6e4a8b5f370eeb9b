package fuzz

import (
	"context"
	"etch/ir/pads"
	"time"

	"etch/ir"
)

// Shrink makes a case smaller as long as a judge gives the same kind of verdict, at most for the
// given time: fewer steps, no hierarchy, fewer outputs, statements, ports, registers and
// operations, narrower values, smaller numbers. A case that does not fail again comes back
// unchanged.
//
// Only this judge is asked, but a faster one goes first if it reads the same text and finds the
// same mistake.
func Shrink(ctx context.Context, w *workshop, j *Judge, c *Case, v Verdict, limit time.Duration) (*Case, error) {
	until := time.Now().Add(limit)

	// The faster judge shrinks first; the slow one only has to confirm the result.
	if fast := find(j.faster); fast != nil && fast.Ready() == nil {
		first, err := fast.look(ctx, w, []*Case{c})
		if err == nil && first[0].Kind == v.Kind {
			small, err := shrink(ctx, w, fast, c, first[0], until)
			if err != nil {
				return nil, err
			}
			if again, err := j.look(ctx, w, []*Case{small}); err == nil && again[0].same(v) {
				c = small
			}
		}
	}
	return shrink(ctx, w, j, c, v, until)
}

// shrink is Shrink with one judge. Each round tries everything, until a round finds nothing.
func shrink(ctx context.Context, w *workshop, j *Judge, c *Case, v Verdict, until time.Time) (*Case, error) {
	s := &shrinker{ctx: ctx, w: w, j: j, want: v, best: c, until: until}

	// The mistake has to appear again, in the design without nets too: the edits know no nets.
	// This may make the case larger.
	s.larger = true
	if !s.try(c.again(c.Design, c.Stim)) && s.err == nil {
		// The mistake is gone or depends on luck: the case stays as it is.
		return c, nil
	}
	if c.Design.HasNets() && !s.try(c.again(pads.Lower(c.Design), c.Stim)) {
		return c, s.err // edits know no nets
	}
	s.larger = false
	for s.more() {
		before := s.best
		s.steps()
		s.shape()
		s.edits(tableEdits)
		s.edits(nodeEdits)
		s.narrow()
		if s.best == before {
			break
		}
	}

	// Numbers last, when the fewest inputs and steps are left.
	s.values()
	return s.best, s.err
}

// shrinker holds the smallest failing case so far.
type shrinker struct {
	ctx    context.Context
	w      *workshop
	j      *Judge
	want   Verdict
	best   *Case
	until  time.Time
	larger bool // a candidate may be larger than best
	err    error
}

// mostCandidates is the largest number of candidates for one call of a judge with a tool.
const mostCandidates = 64

// more reports whether there is time left and no error.
func (s *shrinker) more() bool {
	return s.err == nil && s.ctx.Err() == nil && time.Now().Before(s.until)
}

// try makes the first candidate that is smaller and still fails the best case. It reports
// whether there was one.
func (s *shrinker) try(candidates ...*Case) bool {
	for len(candidates) > 0 && s.more() {
		// A judge with a tool gets many candidates in one call, as its start costs most.
		n := min(len(candidates), s.atOnce())
		at, ok := s.fails(candidates[:n])
		for i, bad := range ok {
			if bad {
				s.best = at[i]
				return true
			}
		}
		candidates = candidates[n:]
	}
	return false
}

// atOnce returns the number of candidates for one call of the judge. It is one for a judge
// inside this process, and for a tool that refuses the text, since it then says little about the
// other circuits.
func (s *shrinker) atOnce() int {
	if len(s.j.Tools) == 0 || s.want.Kind == Refused {
		return 1
	}
	return min(mostCandidates, s.j.Batch)
}

// fails asks the judge about candidates. It leaves out invalid ones and those that are not
// smaller.
func (s *shrinker) fails(candidates []*Case) (asked []*Case, bad []bool) {
	// The weight has to fall each time, so that shrinking ends.
	weight := s.best.weight()
	for _, c := range candidates {
		if c != nil && (s.larger || c.weight() < weight) && valid(c) {
			asked = append(asked, c)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	verdicts, err := s.j.look(s.ctx, s.w, asked)

	// The end of the time is no error; the best case so far stands.
	if err != nil {
		if s.ctx.Err() == nil {
			s.err = err
		}
		return nil, nil
	}
	for _, v := range verdicts {
		bad = append(bad, v.same(s.want))
	}
	return asked, bad
}

// valid reports whether a case can be judged at all.
func valid(c *Case) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return ir.Verify(c.Design) == nil && c.Reference(fromZero).Err == nil
}
