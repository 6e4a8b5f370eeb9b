package fuzz

import (
	"context"
	"etch/ir/pads"
	"time"

	"etch/ir"
)

// Shrink makes a case smaller as long as a judge says the same kind of thing of
// it, at most for the given time: fewer steps, no hierarchy, fewer outputs,
// statements, ports, registers and operations, narrower values, smaller numbers.
// If the case does not fail again, it comes back as it is. Only this judge is
// asked; but where a faster one reads the same text and sees the same mistake, that
// one goes first.
func Shrink(ctx context.Context, w *workshop, j *Judge, c *Case, v Verdict, limit time.Duration) (*Case, error) {
	until := time.Now().Add(limit)
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

func shrink(ctx context.Context, w *workshop, j *Judge, c *Case, v Verdict, until time.Time) (*Case, error) {
	s := &shrinker{ctx: ctx, w: w, j: j, want: v, best: c, until: until}
	s.larger = true
	if !s.try(c.again(c.Design, c.Stim)) && s.err == nil {
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
	larger bool // a candidate may be larger than the best one
	err    error
}

// mostCandidates is how many candidates a judge with a tool looks at in one go.
const mostCandidates = 64

func (s *shrinker) more() bool {
	return s.err == nil && s.ctx.Err() == nil && time.Now().Before(s.until)
}

// try looks for the first candidate that still fails and is smaller, and makes it
// the best.
func (s *shrinker) try(candidates ...*Case) bool {
	for len(candidates) > 0 && s.more() {
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

// atOnce is how many candidates the judge is asked about in one go: one where that
// costs nothing, and where a tool refuses what it is given, as it then says little
// of the others.
func (s *shrinker) atOnce() int {
	if len(s.j.Tools) == 0 || s.want.Kind == Refused {
		return 1
	}
	return min(mostCandidates, s.j.Batch)
}

// fails asks the judge about candidates, of which invalid ones are left out.
func (s *shrinker) fails(candidates []*Case) (asked []*Case, bad []bool) {
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
