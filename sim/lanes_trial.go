package sim

import "time"

// compare runs the lanes in both forms for a moment, part events several times,
// and keeps the faster one.
func (s *laneStudy) compare(l *Lanes, part int, cycle uint64) {
	s.stage = laneWatching
	l.collect()
	start := time.Now()
	home, other := l.groups, l.regrouped(s.bodies.layout)
	s.compiling += time.Since(start)
	best := [2]time.Duration{1 << 62, 1 << 62}
	for k := range uint64(laneTrials) {
		for i := range best {
			l.laneForm, l.groups = s.home, home
			if i == 1 {
				l.laneForm, l.groups = s.bodies, other
			}
			best[i] = min(best[i], s.timed(l, part, cycle+k*uint64(part)))
		}
	}
	s.cycles -= uint64(laneTrials * part) // they were made twice
	s.from, s.missed = s.cycles, 0
	if s.within = best[1] < best[0] || s.eager; !s.within {
		l.laneForm, l.groups = s.home, home
		s.drop(l)
	}
}

// leave gives up the bodies there are, and has the lanes in their own form again.
func (s *laneStudy) leave(l *Lanes) {
	if s.within {
		l.collect()
		groups := l.groups
		if s.home.layout != s.bodies.layout {
			groups = l.regrouped(s.home.layout)
		}
		l.laneForm, l.groups, s.within = s.home, groups, false
	}
	s.drop(l)
}

// drop frees the bodies.
func (s *laneStudy) drop(l *Lanes) {
	for _, p := range s.bodies.events {
		s.forget(l, p)
	}
	if s.bodies.look != nil {
		s.forget(l, s.bodies.look)
	}
	s.bodies.close(func(error) {})
}
