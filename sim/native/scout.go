package native

import (
	"errors"
	"unsafe"

	"etch/sim/net"
)

// Scout runs a net that is large enough for parts and small enough for bodies. Parts take fewer
// samples and less compiling, so they are tried first. If they do not pay, bodies take over.
type Scout struct {
	parts  *Gated
	bodies *Engine
	now    Keeper // one of the two
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
			return &Scout{parts: g, bodies: e, now: g}, nil
		}
	}
	return e, plain.Close()
}

// Run implements [Runner].
func (s *Scout) Run(base unsafe.Pointer, cycles uint64) uint64 {
	left := s.now.Run(base, cycles)
	s.decide()
	return left
}

// RunOn implements [Keeper].
func (s *Scout) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	left := s.now.RunOn(base, cycles, again)
	s.decide()
	return left
}

// decide keeps one of the two once the trial of parts has ended.
func (s *Scout) decide() {
	if s.bodies == nil || s.parts == nil || !s.parts.tried {
		return
	}

	// Parts have won: bodies will not be needed.
	if s.parts.on {
		s.parts.follow(&s.bodies.diary)
		s.bodies.Close()
		s.bodies = nil
		return
	}

	// Bodies have won. The notes of the parts come first, because they were made first.
	s.bodies.follow(&s.parts.diary)
	s.parts.Close()
	s.parts, s.now = nil, s.bodies
}

// GiveBack implements [Keeper].
func (s *Scout) GiveBack(base unsafe.Pointer) { s.now.GiveBack(base) }

// Whole implements [Keeper].
func (s *Scout) Whole() bool { return s.now.Whole() }

// Lasts implements [Lasting].
func (s *Scout) Lasts() bool { return s.parts != nil && s.parts.Lasts() }

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
