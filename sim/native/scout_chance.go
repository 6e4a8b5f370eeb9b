package native

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/internal/contest"
)

// Bodies are the faster code of many cores, but they take longer to learn, at the speed of code without
// parts. So where parts pay, they run first. Once they have run so long that learning is a small share,
// bodies learn. If their first plan promises more than parts give, the two are measured by turns.

// phase is the progress of a chance.
type phase uint8

const (
	noChance phase = iota
	waiting        // parts run
	learning       // bodies run
	racing         // both, by turns
)

// chance is the second chance of bodies.
type chance struct {
	phase phase
	ran   choose.Effort // in this phase
	turns               // of the race: bodies challenge parts
}

// unit is the effort by which the phases are measured: a run after which bodies make their first plan.
func (s *Scout) unit() choose.Effort { return s.bodies.machines[0].firstPlan }

// follow goes on after a call of so many cycles.
func (s *Scout) follow(base unsafe.Pointer, ran uint64) {
	c := &s.chance
	c.ran += choose.Effort(s.now.CycleEffort()) * choose.Effort(ran)
	switch c.phase {
	case noChance:
		*c = chance{phase: waiting}
	case waiting:
		// Parts may lose a later trial. Short calls are no run in which bodies could be measured.
		if s.parts.gates == nil {
			s.keepBodies(base)
		} else if c.ran >= choose.Effort(s.pol.Parts.ScoutAgain)*s.unit() && ran >= s.pol.Gates.Least {
			s.turn(base, s.bodies)
			c.phase, c.ran = learning, 0
		}
	case learning:
		switch {
		case s.hopeless():
			s.keepParts(base)
		case c.ran >= choose.Effort(s.pol.Parts.ScoutLearn)*s.unit():
			c.phase = racing
			s.turn(base, s.parts)
		}
	case racing:
		s.race(base)
	}
}

// hopeless reports whether learning bodies have given up, or promise less than parts give although they
// had the time for a plan.
func (s *Scout) hopeless() bool {
	return s.bodies.plain != nil || s.chance.ran >= 2*s.unit() && s.bodies.CycleEffort() >= s.parts.CycleEffort()
}

// measured runs a call, and adds its time to the race if there is one.
func (s *Scout) measured(base unsafe.Pointer, cycles uint64, again bool) (left uint64) {
	c := &s.chance
	if c.phase != racing || cycles < s.pol.Gates.Least {
		return s.now.RunOn(base, cycles, again)
	}
	took := contest.Clock(s.pol.Clock).Time(func() { left = s.now.RunOn(base, cycles, again) })

	// The first call of a block finds cold caches, and parts compute all their values.
	if block := s.pol.Gates.Block; !c.opens(block) {
		c.runs.Add(c.kind(block), took, cycles-left)
	}
	c.step++
	return left
}

// race goes on with the other kind of code behind each block of calls, and ends the race.
func (s *Scout) race(base unsafe.Pointer) {
	c, block := &s.chance, s.pol.Gates.Block
	switch {
	case s.bodies.plain != nil:
		s.keepParts(base)
	case !c.over(block, s.pol.Parts.ScoutBlocks):
		if c.kind(block) == contest.Incumbent {
			s.turn(base, s.parts)
		} else {
			s.turn(base, s.bodies)
		}
	case c.runs.Verdict(s.pol.Parts.ScoutBetter) == contest.Faster:
		s.tellRace()
		s.keepBodies(base)
	default:
		s.tellRace()
		s.keepParts(base)
	}
}

func (s *Scout) tellRace() {
	r := &s.chance.runs
	s.bodies.note("a cycle takes %.0f ns with parts, %.0f with bodies", r.PerCycle(contest.Incumbent), r.PerCycle(contest.Challenger))
}
