package native

import (
	"errors"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/net"
)

// Scout runs a net that is large enough for parts and small enough for bodies. Parts take fewer
// samples and less compiling, so they are tried first. If they do not pay, bodies take over; if they
// do, bodies get a chance later (scout_chance.go).
type Scout struct {
	pol    *choose.Policy
	parts  *Gated
	bodies *Engine
	now    Keeper // one of the two
	turned bool   // it has just taken over, and keeps nothing of the state
	chance chance
}

// newScout returns the Engine itself if the net cannot have parts.
func newScout(n *net.Net, e *Engine, o Options) (Runner, error) {
	plain, err := compilePlain(n, o, o.policy().LeastPacked(n))
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}

	// A net with packs keeps bodies: parts are for plain code without packs. The scout's parts must
	// save more, since bodies are the alternative.
	if !plain.keeps {
		g := newGated(n, o, plain, plain.Scratch()+gateScratch)
		if f, ok := g.second.(*partFinder); ok {
			f.saves = g.pol.Parts.ScoutSaves

			// Bodies take the place of regions: the search starts with parts.
			g.turn(g.wait)
			return &Scout{pol: o.policy(), parts: g, bodies: e, now: g}, nil
		}
	}
	return e, plain.Close()
}

// Run implements [Runner].
func (s *Scout) Run(base unsafe.Pointer, cycles uint64) uint64 {
	left := s.RunOn(base, cycles, false)
	s.GiveBack(base)
	return left
}

// RunOn implements [Keeper].
func (s *Scout) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	again, s.turned = again && !s.turned, false
	left := s.measured(base, cycles, again)
	if s.bodies != nil && s.parts != nil && s.parts.tried {
		s.decide(base, cycles-left)
	}
	return left
}

// decide keeps one of the two once the trial of parts has ended.
func (s *Scout) decide(base unsafe.Pointer, ran uint64) {
	switch {
	case s.chance.phase != noChance || s.parts.on && s.pol.Parts.ScoutAgain > 0:
		s.follow(base, ran)
	case s.parts.on:
		s.keepParts(base)
	default:
		s.keepBodies(base)
	}
}

// keepParts gives up the bodies.
func (s *Scout) keepParts(base unsafe.Pointer) {
	s.turn(base, s.parts)
	s.parts.follow(&s.bodies.diary)
	s.bodies.Close()
	s.bodies = nil
}

// keepBodies gives up the parts, whose notes come first, because they were made first.
func (s *Scout) keepBodies(base unsafe.Pointer) {
	s.turn(base, s.bodies)
	s.bodies.follow(&s.parts.diary)
	s.parts.Close()
	s.parts = nil
}

// turn has one of the two run.
func (s *Scout) turn(base unsafe.Pointer, to Keeper) {
	if s.now != to {
		s.now.GiveBack(base)
		s.now, s.turned = to, true
	}
}

// GiveBack implements [Keeper].
func (s *Scout) GiveBack(base unsafe.Pointer) { s.now.GiveBack(base) }

// Whole implements [Keeper].
func (s *Scout) Whole() bool { return s.now.Whole() }

// Lasts implements [Lasting].
func (s *Scout) Lasts() bool { return s.now == Keeper(s.parts) && s.parts.Lasts() }

// Share implements [Lasting].
func (s *Scout) Share(slots []uint32) {
	if s.parts != nil {
		s.parts.Share(slots)
	}
}

// CycleEffort implements [Runner].
func (s *Scout) CycleEffort() float64 { return s.now.CycleEffort() }

// Report implements [Reporter].
func (s *Scout) Report() Report { return s.now.(Reporter).Report() }

// Scratch is the number of words below the state that the code uses.
func (s *Scout) Scratch() int {
	k := 0
	if s.parts != nil {
		k = s.parts.Scratch()
	}
	if s.bodies != nil {
		k = max(k, s.bodies.Scratch())
	}
	return k
}

// Size is the number of bytes of machine code at present.
func (s *Scout) Size() int { return s.now.Size() }

// Close frees the code.
func (s *Scout) Close() (err error) {
	if s.parts != nil {
		err = s.parts.Close()
	}
	if s.bodies != nil {
		err = errors.Join(err, s.bodies.Close())
	}
	return err
}
