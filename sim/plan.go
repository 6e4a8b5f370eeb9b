package sim

import (
	"slices"

	"etch/sim/internal/interp"
)

// plan is the program's part that an event of one set of clocks concerns.
type plan struct {
	clocks []int32 // clocks that rise, in port order
	on     []byte  // by edge
	key    string  // the same
	asked  uint64  // the last time that it was asked for
	waited int     // events interpreted for want of code
	falls  bool    // clocks fall, none rises
	stmts  []int32
	work   *interp.Work // nil until the interpreter runs such an event
}

// planFor returns the plan for the clocks marked in s.set.
func (s *Sim) planFor() *plan {
	s.asked++
	if p, ok := s.plans[string(s.set)]; ok {
		p.asked = s.asked
		return p
	}
	if len(s.plans) >= s.tunables().Warm.Plans {
		s.forgetPlans()
	}
	p := s.makePlan()
	p.asked = s.asked
	s.plans[p.key] = p
	return p
}

// forgetPlans drops the half of the plans that was not asked for the longest.
func (s *Sim) forgetPlans() {
	// Age is the number of requests since, so the median splits the plans in two halves.
	var times []uint64
	for _, p := range s.plans {
		times = append(times, p.asked)
	}
	slices.Sort(times)
	for key, p := range s.plans {
		if p.asked < times[len(times)/2] {
			delete(s.plans, key)
		}
	}
}

// clocksOf is the rising clocks of p, for tracers.
func (s *Sim) clocksOf(p *plan) []Signal {
	// The list is kept until another plan comes.
	if s.told.p != p {
		s.told = rising{p: p}
		for _, k := range p.clocks {
			s.told.clocks = append(s.told.clocks, s.top[s.p.Clocks[k]])
		}
	}
	return s.told.clocks
}

// rising is the clocks of a plan.
type rising struct {
	p      *plan
	clocks []Signal
}

// makePlan selects the clocks and statements of s.set.
func (s *Sim) makePlan() *plan {
	p, pr := &plan{on: slices.Clone(s.set), key: string(s.set)}, s.p

	// The set has rising edges first, by clock; falling edges follow.
	for k := range pr.Clocks {
		if s.set[k] != 0 {
			p.clocks = append(p.clocks, int32(k))
		}
	}
	p.falls = len(p.clocks) == 0 && slices.Contains(s.set, 1)

	for i := range pr.Stmts {
		if p.moves(pr.Stmts[i].Clock) {
			p.stmts = append(p.stmts, int32(i))
		}
	}
	return p
}

// moves reports whether an edge belongs to the event.
func (p *plan) moves(edge int32) bool { return edge >= 0 && p.on[edge] != 0 }

// workOf returns the interpreter's work in an event of p, made at the first call.
func (s *Sim) workOf(p *plan) *interp.Work {
	if p.work == nil {
		p.work = interp.NewWork(s.p, p.moves)
		s.forgetWorks(p)
	}
	return p.work
}

// maxWorkBytes bounds the memory of the lists that workOf makes, which grow with the design.
var maxWorkBytes = 64 << 20

// forgetWorks drops the lists of the half of the plans that was not asked for the longest, if all
// together take too much. The plans stay, with their counts, and p keeps its lists.
func (s *Sim) forgetWorks(p *plan) {
	bytes := 0
	var times []uint64
	for _, q := range s.plans {
		if q.work != nil {
			bytes += q.work.Bytes()
			times = append(times, q.asked)
		}
	}
	if bytes <= maxWorkBytes {
		return
	}

	slices.Sort(times)
	for _, q := range s.plans {
		if q != p && q.asked <= times[len(times)/2] {
			q.work = nil
		}
	}
}
