package sim

import (
	"math/rand/v2"
	"time"

	"etch/sim/lanes"
	"etch/sim/native"
)

// Policy of bodies for lanes.
const (
	laneLeast     = 32                   // events at a time: shorter runs are left alone
	laneStart     = 5 * time.Millisecond // of running, before anything is tried
	laneSamples   = 1000                 // states that are looked at for the first plan
	laneMisses    = 128                  // and those without a body, to add bodies
	laneGathers   = 8192                 // cycles that are enough for a few of those
	laneLooks     = 8                    // of them in a group at a time
	laneEvents    = 512                  // events at a time while they are looked for
	laneTimed     = 1024                 // cycles of which some are timed for all
	laneTrial     = 128                  // cycles of one form in a part of a trial, at most
	laneTrials    = 4                    // parts
	laneWaste     = 2 * time.Millisecond // that cycles without a body take, before some are added
	laneShare     = 4                    // times what compiling takes, to run before compiling again
	laneAgain     = 16                   // times the cycles so far, before another try
	laneCopy      = 20 * time.Nanosecond // about what a word takes to another form
	laneNever     = 1 << 63              // cycles: no other try
	mostLanePlans = 12
)

// laneStudy makes bodies for the control states that all lanes of a group often
// share: instances of a processor that are at one instruction, or of a protocol
// that began together. Bodies are in word form. Whether lanes agree so often, and
// it pays, is found out by the clock; what lanes do does not depend on it.
type laneStudy struct {
	step    *netlist
	survey  *native.Survey // nil: there is no control state
	home    laneForm       // without bodies
	bodies  laneForm       // with bodies for the event of all clocks, if there are any
	within  bool           // lanes are in bodies' form
	maker   *lanes.Bodies
	control laneControl
	stage   laneStage

	samples, split     int // states seen in this stage; those in which lanes of a group did not agree
	gathered           int // cycles of this stage
	plans              int
	weight             float64 // of a state
	cycles, from       uint64
	missed             uint64 // since from, of all groups
	again              uint64 // cycles at which it is tried again
	running, compiling time.Duration
	miss               time.Duration // about what a cycle of a group takes without a body
	patience           time.Duration // what such cycles may take until bodies are added
	untimed            int           // cycles since running was added to
	random             *rand.Rand    // one sequence: every run looks at the same states
	apart              apartTrial
	eager              bool // for tests: bodies win, whatever the clock says
}

// laneStage is what a study does.
type laneStage uint8

const (
	laneSampling laneStage = iota // looking at states now and then
	laneMissing                   // looking at those that no body is for
	laneComparing
	laneTiming // before lanes are tried one after the other
	laneWatching
)

// newLaneStudy returns a study of the event of all clocks, nil where there is no
// machine code.
func (l *Lanes) newLaneStudy(step *netlist) *laneStudy {
	if !l.target.Native {
		return nil
	}
	s := &laneStudy{step: step, survey: native.NewSurvey(step.Net), home: l.laneForm, weight: 1, patience: laneWaste, random: rand.New(rand.NewPCG(1, 0))}
	if s.survey == nil {
		s.stage, s.again = laneWatching, laneNever
	}
	return s
}

// events makes n events of all groups, the first of them at cycle, and learns from
// them. It returns how many: fewer when lanes are to be tried in another way.
func (s *laneStudy) events(l *Lanes, n int, cycle uint64) (made int) {
	s.pad(l)
	for n > 0 && !s.apart.wanted {
		k := n
		switch {
		case s.running < laneStart:
			k = min(n, 2*laneEvents)
			s.run(l, k, cycle)
		case n < laneLeast:
			s.run(l, k, cycle)
		case s.stage == laneSampling:
			k = 1 + s.random.IntN(8)
			s.run(l, k, cycle)
			s.sample(l)
		case s.stage == laneMissing:
			k = min(n, laneEvents)
			s.gather(l, k, cycle)
		case s.stage == laneTiming:
			k = s.timeGroups(l, n, cycle)
		case s.stage == laneComparing:
			k = s.compare(l, n, cycle)
		default:
			k = min(n, 2*laneEvents)
			s.run(l, k, cycle)
			s.watch(l)
		}
		n, made = n-k, made+k
		cycle += uint64(k)
	}
	return made
}

// pad gives the lanes of the last group that nobody wants the inputs of its first
// one: in bodies all lanes of a group have to agree.
func (s *laneStudy) pad(l *Lanes) {
	g := l.groups[len(l.groups)-1]
	if !s.within || l.n-g.first >= g.Lanes() {
		return
	}
	for r := range int(l.one.p.inputs.hi - l.one.p.inputs.lo) {
		v := g.Word(r, 0)
		for at := l.n - g.first; at < g.Lanes(); at++ {
			g.SetWord(r, at, v)
		}
	}
}

// run makes n events, and now and then times what that takes: reading the clock takes
// as long as many cycles do, so that a short run stands for those before it.
func (s *laneStudy) run(l *Lanes, n int, cycle uint64) {
	if s.untimed += n; s.untimed < laneTimed {
		s.make(l, n, cycle)
		return
	}
	took := s.timed(l, n, cycle)
	s.running += took * time.Duration(s.untimed) / time.Duration(n)
	s.untimed = 0
}

// timed makes n events and returns how long they took.
func (s *laneStudy) timed(l *Lanes, n int, cycle uint64) time.Duration {
	start := time.Now()
	s.make(l, n, cycle)
	return time.Since(start)
}

// make makes n events with the program of the form that lanes are in.
func (s *laneStudy) make(l *Lanes, n int, cycle uint64) {
	l.runGroups(l.laneForm.events[string(l.all())], l.all(), n, cycle)
	s.count(l, n)
}

// count adds up cycles, and how many of them no body was there for.
func (s *laneStudy) count(l *Lanes, n int) {
	s.cycles += uint64(n)
	for _, w := range l.worker {
		s.missed += w.Missed
		w.Missed = 0
	}
}

// since is the cycles since the last plan, of all groups.
func (s *laneStudy) since(l *Lanes) uint64 { return (s.cycles - s.from) * uint64(len(l.groups)) }

// watch has bodies added when cycles without one have taken as long as that will, or
// finds out whether it is time to try again.
func (s *laneStudy) watch(l *Lanes) {
	switch {
	case s.wantApart(l):
		s.stage = laneTiming
	case s.within:
		if time.Duration(s.missed)*s.miss < s.patience && !(s.eager && s.missed > 0) {
			return
		}
		s.stage, s.samples, s.split, s.gathered = laneMissing, 0, 0, 0
		s.survey.Scale(float64(max(1, s.since(l)-min(s.missed, s.since(l)))))
		s.weight = float64(s.missed) / laneMisses
	case s.cycles < s.again || !s.eager && s.running < laneShare*s.compiling+2*s.copying(l):
	case s.plans >= mostLanePlans:
		s.again = laneNever
	default:
		s.stage, s.samples = laneSampling, 0
		s.weight = float64(s.cycles) / laneSamples
	}
}

// copying is about the time that all lanes take to another form.
func (s *laneStudy) copying(l *Lanes) time.Duration {
	words := len(s.step.Regs)
	for _, m := range s.step.Mems[:len(s.step.Mems)-len(s.step.roms)] {
		words += m.Words
	}
	return time.Duration(l.n*words) * laneCopy
}
