package drive

import (
	"slices"

	"etch/sim/internal/interp"
)

// Plan is the program's part that an event of one set of clocks concerns.
type Plan struct {
	Clocks []int32      // clocks that rise, in port order
	Falls  bool         // clocks fall, none rises
	on     []byte       // by edge: 1 if it is one of the event
	key    string       // the same
	asked  uint64       // shared.asked when it was last asked for
	waited int          // events interpreted for want of code
	stmts  []int32      // statements of these edges, by their index in the program
	work   *interp.Work // nil until the interpreter runs such an event
}

// PlanFor returns the plan for the edges marked in On.
func (s *Stepper) PlanFor() *Plan {
	s.asked++
	if p, ok := s.plans[string(s.On)]; ok {
		p.asked = s.asked
		return p
	}
	if len(s.plans) >= s.Tunables().Warm.Plans {
		s.forgetPlans()
	}
	p := s.makePlan()
	p.asked = s.asked
	s.plans[p.key] = p
	return p
}

// forgetPlans drops the half of the plans that was not asked for the longest.
func (s *Stepper) forgetPlans() {
	median := s.medianAsked(func(*Plan) bool { return true })
	for key, p := range s.plans {
		if p.asked < median {
			delete(s.plans, key)
		}
	}
}

// medianAsked is the median of the last requests, counted by asked, for the plans that f accepts, of
// which there is one at least.
func (s *Stepper) medianAsked(f func(p *Plan) bool) uint64 {
	var times []uint64
	for _, p := range s.plans {
		if f(p) {
			times = append(times, p.asked)
		}
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// makePlan selects the clocks and statements of s.On.
func (s *Stepper) makePlan() *Plan {
	p, pr := &Plan{on: slices.Clone(s.On), key: string(s.On)}, s.P

	// The set has rising edges first, by clock; falling edges follow.
	for k := range pr.Clocks {
		if s.On[k] != 0 {
			p.Clocks = append(p.Clocks, int32(k))
		}
	}
	p.Falls = len(p.Clocks) == 0 && slices.Contains(s.On, 1)

	for i := range pr.Stmts {
		if p.moves(pr.Stmts[i].Clock) {
			p.stmts = append(p.stmts, int32(i))
		}
	}
	return p
}

// moves reports whether an edge belongs to the event.
func (p *Plan) moves(edge int32) bool { return edge >= 0 && p.on[edge] != 0 }

// workOf returns the interpreter's work in an event of p, made at the first call.
func (s *Stepper) workOf(p *Plan) *interp.Work {
	if p.work == nil {
		p.work = interp.NewWork(s.P, p.moves)
		s.forgetWorks(p)
	}
	return p.work
}

// MaxWorkBytes bounds the memory of the lists that workOf makes, which grow with the design.
var MaxWorkBytes = 64 << 20

// forgetWorks drops the lists of the half of the plans that was not asked for the longest, if all
// together take too much. The plans stay, with their counts, and p keeps its lists.
func (s *Stepper) forgetWorks(p *Plan) {
	if bytes, _ := s.WorkBytes(); bytes <= MaxWorkBytes {
		return
	}
	median := s.medianAsked(func(q *Plan) bool { return q.work != nil })
	for _, q := range s.plans {
		if q != p && q.asked <= median {
			q.work = nil
		}
	}
}

// WorkBytes is the memory of these lists, and the number of plans that have them.
func (s *Stepper) WorkBytes() (bytes, plans int) {
	for _, p := range s.plans {
		if p.work != nil {
			bytes, plans = bytes+p.work.Bytes(), plans+1
		}
	}
	return bytes, plans
}
