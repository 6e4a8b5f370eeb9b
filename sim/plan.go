package sim

import (
	"slices"

	"etch/sim/internal/program"
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
	work   *work // nil until the interpreter runs such an event
}

// work is the interpreter's part of an event: the lists of everything that changes.
type work struct {
	moves  []move  // registers of one word without reset
	others []int32 // the other registers
	reads  []planRead
	writes []int32
	ticks  []boxTick
	next   []uint64 // new values: of moves, then others, then reads
}

// move is a register of one word without reset.
type move struct{ slot, next uint32 }

// planRead is a read port with the simultaneous writes that it must see.
type planRead struct {
	port  int32
	fresh []int32 // for ir.New: the write ports of its memory and clock
}

// boxTick is an edge of a black box's clock.
type boxTick struct {
	box   int32
	input int // position among its ins
}

// maxPlans bounds the number of plans kept, since sets of clocks are many.
const maxPlans = 256

// planFor returns the plan for the clocks marked in s.set.
func (s *Sim) planFor() *plan {
	s.asked++
	if p, ok := s.plans[string(s.set)]; ok {
		p.asked = s.asked
		return p
	}
	if len(s.plans) >= maxPlans {
		s.forgetPlans()
	}
	p := s.makePlan()
	p.asked = s.asked
	s.plans[p.key] = p
	return p
}

// forgetPlans drops the half of the plans that was not asked for the longest.
func (s *Sim) forgetPlans() {
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
func (s *Sim) workOf(p *plan) *work {
	if p.work == nil {
		p.work = s.makeWork(p)
	}
	return p.work
}

// makeWork lists everything that changes in an event of p.
func (s *Sim) makeWork(p *plan) *work {
	w, pr, words := &work{}, s.p, 0
	plain := func(r *program.Register) bool { return r.Words == 1 && r.Rst == program.ZeroSlot }

	// Plain registers apart, for a loop without branches.
	count := 0
	for i := range pr.Regs {
		if r := &pr.Regs[i]; p.moves(r.Clock) && plain(r) {
			count++
		}
	}
	w.moves = make([]move, 0, count)

	for i := range pr.Regs {
		r := &pr.Regs[i]
		switch {
		case !p.moves(r.Clock):
			continue
		case plain(r):
			w.moves = append(w.moves, move{r.Slot, r.Next})
		default:
			w.others = append(w.others, int32(i))
		}
		words += int(r.Words)
	}

	for i := range pr.Writes {
		if p.moves(pr.Writes[i].Clock) {
			w.writes = append(w.writes, int32(i))
		}
	}
	for i := range pr.Reads {
		if r := &pr.Reads[i]; p.moves(r.Clock) {
			w.reads = append(w.reads, planRead{int32(i), s.seenBy(r, w.writes)})
			words += pr.Mems[r.Mem].Words
		}
	}

	for i := range pr.Boxes {
		for k := range pr.Boxes[i].Ins {
			if p.moves(pr.Boxes[i].Ins[k].Clock) {
				w.ticks = append(w.ticks, boxTick{int32(i), k})
			}
		}
	}

	w.next = make([]uint64, words)
	return w
}

// seenBy returns the write ports that read port r must see.
func (s *Sim) seenBy(r *program.ReadPort, writes []int32) []int32 {
	var seen []int32
	for _, i := range writes {
		if w := &s.p.Writes[i]; r.Fresh && w.Mem == r.Mem && w.Clock == r.Clock {
			seen = append(seen, i)
		}
	}
	return seen
}
