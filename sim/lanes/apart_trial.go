package lanes

import (
	"math"
	"time"

	"etch/sim/choose"
	"etch/sim/internal/contest"
)

// apartTrial is the trial of running lanes one after the other. A first turn of each form tells
// whether lanes apart come near the groups. Then the simulators run all lanes until their code has
// settled by its own estimate. At last both forms run by turns, a contest: their estimates are
// wrong by a factor of two or more, since the state of many lanes may exceed the caches in one form
// only. Cycles, not time, bound each step.
type apartTrial struct {
	stage  apartStage
	wanted bool          // the turn of groups is over
	spare  *singles      // the simulators, once there are any
	round  choose.Effort // of the present round of the learning
	best   choose.Effort // least estimate of a cycle at the end of any round
	rounds int           // of the learning
	idle   int           // of these, since best last fell
	turn   turn          // the present one
	runs   contest.Contest
}

// apartStage is the progress of a trial.
type apartStage uint8

const (
	apartWaiting  apartStage = iota // no trial yet
	apartFirst                      // a turn of each form
	apartLearning                   // lanes are apart, and code adapts to them
	apartContest                    // turns of groups and of lanes apart
	apartOver                       // there will be no other trial
)

// drop ends the trial and frees the simulators.
func (t *apartTrial) drop(keep func(error)) {
	t.stage, t.wanted = apartOver, false
	if t.spare != nil {
		t.spare.closeSims(keep)
		t.spare = nil
	}
}

// wantApart reports whether a trial is due.
func (s *study) wantApart(l *grouped) bool {
	// Groups with bodies that fit are far faster than lanes alone. Groups whose lanes diverge give up
	// their bodies first.
	if s.apart.stage != apartWaiting || s.within || len(l.traced) > 0 {
		return false
	}

	// Wait as long as it takes to make the simulators and to copy all lanes at each turn.
	turns := choose.Effort(2 * s.pol.Apart.Turns)
	after := choose.Effort(s.pol.Apart.After+s.pol.Apart.Make*float64(l.n)) + turns*s.copying(l)
	return s.running > after && s.mayGain(l) && l.roomApart()
}

// roomApart reports whether simulators for all lanes fit in the memory allowed to them.
func (l *grouped) roomApart() bool {
	words := l.m.Words() + l.study.pol.Apart.Words
	for _, r := range l.study.step.Roms {
		words += len(r)
	}
	return words <= l.study.pol.Apart.Bytes/8/l.n
}

// mayGain reports whether lanes may be faster one after the other: they diverge, or groups are
// slow per node.
func (s *study) mayGain(l *grouped) bool {
	// Only operations cost time.
	ops := 0
	for i := range s.step.N {
		if !s.step.N[i].Op.IsLeaf() {
			ops++
		}
	}
	return s.maker != nil || float64(s.event) > float64(l.n*ops)*s.pol.Apart.PerOp
}

// tryApart begins a trial, with a turn of groups.
func (s *study) tryApart() { s.apart.stage, s.stage = apartFirst, inContest }

// turnApart moves the lanes from groups to their simulators, for a turn of theirs.
func (s *study) turnApart(l *grouped) {
	// Lanes that are traced by now stay in groups.
	t := &s.apart
	t.wanted, s.stage = false, watching
	if len(l.traced) > 0 {
		t.drop(func(error) {})
		return
	}

	all, err := l.apart(t.spare)
	if err != nil {
		l.note("lanes cannot run one after the other: %v", err)
		t.drop(func(error) {})
		return
	}
	t.spare, all.trial = all, true
}

// turnTogether moves the lanes back into groups, for a turn of theirs.
func (s *study) turnTogether(l *singles) {
	l.trial = false
	l.together()
	s.stage = inContest
}

// tried runs at most n events of a trial by simulators, and returns how many.
func (s *study) tried(l *singles, n int) int {
	all, cycle := l.all(), l.cycleEffort(s.event)
	n = min(n, s.piece(cycle))
	if s.apart.stage == apartLearning {
		l.eachSim(func(s single) { s.RunEvents(all, n) })
		if s.learnt(choose.Effort(n)*cycle, cycle) {
			s.apart.stage = apartContest
			s.turnTogether(l)
		}
		return n
	}

	// The time is that of this thread, so the calling goroutine runs all simulators.
	took := contest.Clock(s.pol.Clock).Time(func() {
		for _, s := range l.sims {
			s.RunEvents(all, n)
		}
	})
	if s.turnOver(contest.Challenger, took, n, cycle) {
		s.decideApart(l)
	}
	return n
}

// piece is the number of events of a call, by the effort of one: the same in all equal runs.
func (s *study) piece(event choose.Effort) int {
	return min(max(int(choose.Effort(s.pol.Apart.Round)/event), s.pol.Apart.Least), s.pol.Apart.Most)
}

// cycleEffort estimates a cycle of all lanes, or returns unknown while there is no code.
func (l *singles) cycleEffort(unknown choose.Effort) (sum choose.Effort) {
	// Lane k uses the code of worker k modulo their number.
	for w, s := range l.sims[:min(len(l.worker), l.n)] {
		effort, ok := s.m.CycleEffort(l.all())
		if !ok {
			return unknown
		}
		lanes := (l.n - w + len(l.worker) - 1) / len(l.worker)
		sum += choose.Effort(effort * float64(lanes))
	}
	return sum
}

// learnt accounts for some running of a trial, whose cycles are now estimated at an effort each. It
// reports whether the code has settled: its estimate has not fallen for some rounds.
func (s *study) learnt(ran, cycle choose.Effort) bool {
	t := &s.apart
	if t.round += ran; t.round < choose.Effort(s.pol.Apart.Round) {
		return false
	}

	t.round = 0
	t.rounds++
	if t.idle++; cycle < choose.Effort(s.pol.Apart.Less)*t.best {
		t.idle = 0
	}
	t.best = min(t.best, cycle)
	return t.idle >= s.pol.Apart.Idle || t.rounds >= s.pol.Apart.Tries
}

// timeGroups runs at most n events of a turn of groups, and returns how many.
func (s *study) timeGroups(l *grouped, n int, cycle uint64) int {
	n = min(n, s.piece(s.event))
	s.apart.wanted = s.turnOver(contest.Incumbent, s.timed(l, n, cycle), n, s.event)
	return n
}

// turn is a turn of one form: several runs, each of one call or of several short ones.
type turn struct {
	runs   int
	ran    choose.Effort // by the present run, estimated
	took   time.Duration
	cycles int
}

// turnOver accounts for a call of n events with an effort each. It reports whether the turn is over.
func (s *study) turnOver(k contest.Kind, took time.Duration, n int, event choose.Effort) bool {
	t := &s.apart.turn
	t.took, t.cycles = t.took+took, t.cycles+n
	if t.ran += choose.Effort(n) * event; t.ran < choose.Effort(s.pol.Apart.Run) {
		return false
	}

	// The first run finds the caches full of the other form.
	if t.runs > 0 {
		s.apart.runs.Add(k, t.took, uint64(t.cycles))
	}
	*t = turn{runs: t.runs + 1}
	if t.runs <= s.pol.Apart.Runs {
		return false
	}
	*t = turn{}
	return true
}

// decideApart decides at the end of a turn of the simulators. Groups are the default, since they need
// less memory.
func (s *study) decideApart(l *singles) {
	t := &s.apart
	better := false
	switch {
	case t.stage == apartFirst && t.runs.Verdict(s.beyond()) != contest.Slower:
		t.stage, t.best, t.runs = apartLearning, choose.Effort(math.Inf(1)), contest.Contest{}
		return
	case t.stage == apartFirst:
	case t.runs.Runs(contest.Challenger) < s.pol.Apart.Runs*s.pol.Apart.Turns:
		s.turnTogether(l)
		return
	default:
		better = t.runs.Verdict(s.pol.Apart.Better) == contest.Faster
	}
	l.note("cycle %d: a cycle takes %.0f ns one after the other, %.0f in groups: %s", l.cycles, t.runs.PerCycle(contest.Challenger), t.runs.PerCycle(contest.Incumbent), verdict(better, "lanes stay apart", "groups stay"))

	// The trial is over, and the simulators go unless they have won.
	l.trial, t.stage = false, apartOver
	if !better {
		l.together()
		t.drop(func(error) {})
	}
}

// beyond is the factor of time by which simulators that have learned nothing may be slower.
func (s *study) beyond() float64 {
	if s.maker == nil {
		return s.pol.Apart.Plain
	}
	return s.pol.Apart.Beyond
}
