package lanes

import (
	"etch/sim/choose"
	"etch/sim/internal/contest"
)

// compare runs the lanes in both forms, in several stretches each. Bodies stay, because they were
// planned for a saving, unless they are clearly slower: vectors of bodies wait for each other where
// lanes disagree, and no estimate knows how often. It returns how many of at most n events it ran.
// With one layout for both forms every event counts; with two layouts each event runs twice, once
// in each.
func (s *study) compare(l *grouped, n int, cycle uint64) (made int) {
	s.stage = watching
	l.keepLogs()

	trials := s.pol.Lanes.Trials
	home, other, by := l.groups, l.groups, 2*trials
	if s.home.layout != s.bodies.layout {
		other, by = l.regrouped(s.bodies.layout), trials
		s.compiling += s.copying(l)
	}

	stretch := min(n/by, s.pol.Lanes.Trial)
	var runs contest.Contest
	for k := range trials {
		for i := range 2 {
			// Both forms run in turn, so that a disturbance from outside hits both.
			l.form, l.groups = s.home, home
			if contest.Kind(i) == contest.Challenger {
				l.form, l.groups = s.bodies, other
			}
			at := k
			if by > trials {
				at = 2*k + i
			}
			runs.Add(contest.Kind(i), s.timed(l, stretch, cycle+uint64(at*stretch)), uint64(stretch))
		}
	}

	// Keep the faster form; events made twice count once.
	twice := (2*trials - by) * stretch
	s.cycles -= uint64(twice)
	s.running -= choose.Effort(twice) * s.event
	s.from, s.missed = s.cycles, 0
	s.within = runs.Verdict(s.pol.Lanes.Better) != contest.Slower
	l.note("cycle %d: a cycle takes %.0f ns with bodies, %.0f without: %s", s.cycles, runs.PerCycle(contest.Challenger), runs.PerCycle(contest.Incumbent), verdict(s.within, "bodies stay", "bodies lost"))
	if !s.within {
		l.form, l.groups = s.home, home
		s.drop(l)
	}
	return by * stretch
}

// verdict is one of two texts.
func verdict(yes bool, then, otherwise string) string {
	if yes {
		return then
	}
	return otherwise
}

// leave gives up the bodies and returns the lanes to their own form.
func (s *study) leave(l *grouped) {
	// Results of statements are collected before the groups that hold them go.
	if s.within {
		l.keepLogs()
		groups := l.groups
		if s.home.layout != s.bodies.layout {
			groups = l.regrouped(s.home.layout)
		}
		l.form, l.groups, s.within = s.home, groups, false
	}
	s.drop(l)
}

// drop frees the bodies.
func (s *study) drop(l *grouped) {
	for _, p := range s.bodies.events {
		if p != nil {
			s.forget(l, p)
		}
	}
	if s.bodies.look != nil {
		s.forget(l, s.bodies.look)
	}
	s.bodies.close(func(error) {})
}
