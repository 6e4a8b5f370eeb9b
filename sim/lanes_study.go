package sim

import (
	"math/rand/v2"
	"time"

	"etch/sim/choose"
	"etch/sim/internal/nets"
	"etch/sim/lanes"
)

// Policy of bodies for lanes.
const (
	laneLeast     = 32                   // events per call: shorter calls are left alone
	laneStart     = 5 * time.Millisecond // running time before anything is tried
	laneSamples   = 1000                 // states sampled for the first plan
	laneMisses    = 128                  // missed states sampled before bodies are added
	laneGathers   = 8192                 // cycles after which a sixteenth of these is enough
	laneLooks     = 8                    // samples per group and call
	laneEvents    = 512                  // events per call while sampling misses
	laneTimed     = 1024                 // cycles per measured run: it stands for the unmeasured ones before
	laneTrial     = 128                  // the most cycles in one form per part of a trial
	laneTrials    = 4                    // parts of a trial
	laneWaste     = 2 * time.Millisecond // the least loss by missed cycles before bodies are added
	laneShare     = 4                    // run this many compile times before compiling again
	laneAgain     = 16                   // run this many times the cycles so far before another try
	laneCopy      = 20 * time.Nanosecond // approximate time to copy a word to another form
	laneNever     = 1 << 63              // a cycle that never comes
	mostLanePlans = 12
)

// laneStudy makes bodies for control states that all lanes of a group often share: processors at
// the same instruction, or protocols that started together. Bodies use the form Words.
// Measurement decides whether this pays; the results of lanes do not depend on it.
type laneStudy struct {
	step    *nets.Netlist
	survey  *choose.Survey // nil: there is no control state
	home    laneForm       // without bodies
	bodies  laneForm       // with bodies for the event of all clocks, if there are any
	within  bool           // lanes are in the bodies' form
	maker   *lanes.Bodies
	control laneControl
	stage   laneStage

	samples, split     int // states sampled in this stage; of these, states in which lanes of a group differed
	gathered           int // cycles in this stage
	plans              int
	weight             float64 // cycles that a sampled state stands for
	cycles, from       uint64
	missed             uint64 // missed cycles since from, of all groups
	again              uint64 // cycle of the next try
	running, compiling time.Duration
	miss               time.Duration // approximate time of a missed cycle of a group
	patience           time.Duration // time in missed cycles before bodies are added
	untimed            int           // cycles not yet measured
	random             *rand.Rand    // a fixed sequence: every run samples the same states
	apart              apartTrial
	eager              bool // for tests: bodies always win
}

// laneStage is the present activity of a study.
type laneStage uint8

const (
	laneSampling  laneStage = iota // sampling states
	laneMissing                    // sampling missed states
	laneComparing                  // timing both forms
	laneTiming                     // timing groups, before lanes run one after the other
	laneWatching
)

// newLaneStudy returns a study of the event of all clocks, or nil without machine code.
func (l *Lanes) newLaneStudy(step *nets.Netlist) *laneStudy {
	if !l.target.Native {
		return nil
	}
	s := &laneStudy{step: step, survey: choose.NewSurvey(step.Net), home: l.laneForm, weight: 1, patience: laneWaste, random: rand.New(rand.NewPCG(1, 0))}
	if s.survey == nil {
		s.stage, s.again = laneWatching, laneNever
	}
	return s
}

// events runs n events of all groups, the first at cycle, and learns from them. It returns how
// many it ran: fewer if lanes are to be tried one after the other.
func (s *laneStudy) events(l *Lanes, n int, cycle uint64) (made int) {
	s.pad(l)
	for n > 0 && !s.apart.wanted {
		// The stages in order: warm up, sample random moments, gather misses, time, compare, then
		// only watch.
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

// pad copies the inputs of the last group's first lane to its unused lanes: a body needs all
// lanes of a group to agree.
func (s *laneStudy) pad(l *Lanes) {
	g := l.groups[len(l.groups)-1]
	if !s.within || l.n-g.first >= g.Lanes() {
		return
	}
	for r := range int(l.one.p.Inputs.Hi - l.one.p.Inputs.Lo) {
		v := g.Word(r, 0)
		for at := l.n - g.first; at < g.Lanes(); at++ {
			g.SetWord(r, at, v)
		}
	}
}

// run runs n events and sometimes measures their time. Reading the clock takes as long as many
// cycles, so a measured run stands for the unmeasured ones before it.
func (s *laneStudy) run(l *Lanes, n int, cycle uint64) {
	if s.untimed += n; s.untimed < laneTimed {
		s.make(l, n, cycle)
		return
	}

	took := s.timed(l, n, cycle)
	s.running += took * time.Duration(s.untimed) / time.Duration(n)
	s.untimed = 0
}

// timed runs n events and returns their time.
func (s *laneStudy) timed(l *Lanes, n int, cycle uint64) time.Duration {
	start := time.Now()
	s.make(l, n, cycle)
	return time.Since(start)
}

// make runs n events with the program of the present form.
func (s *laneStudy) make(l *Lanes, n int, cycle uint64) {
	l.runGroups(l.laneForm.events[string(l.all())], l.all(), n, cycle)
	s.count(l, n)
}

// count adds n cycles, and the missed ones that the workers report.
func (s *laneStudy) count(l *Lanes, n int) {
	s.cycles += uint64(n)
	for _, w := range l.worker {
		s.missed += w.Missed
		w.Missed = 0
	}
}

// since is the number of cycles since the last plan, over all groups.
func (s *laneStudy) since(l *Lanes) uint64 { return (s.cycles - s.from) * uint64(len(l.groups)) }

// watch starts sampling for more bodies once missed cycles have cost enough, or starts another
// try when it is due.
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

// copying estimates the time to copy all lanes to another form.
func (s *laneStudy) copying(l *Lanes) time.Duration {
	words := len(s.step.Regs)
	for _, m := range s.step.Mems[:len(s.step.Mems)-len(s.step.Roms)] {
		words += m.Words
	}
	return time.Duration(l.n*words) * laneCopy
}
