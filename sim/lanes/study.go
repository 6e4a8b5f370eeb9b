package lanes

import (
	"math/rand/v2"
	"time"

	"etch/sim/choose"
	"etch/sim/internal/contest"
	"etch/sim/internal/nets"
	"etch/sim/lanes/internal/code"
)

// never is a cycle that never comes.
const never = 1 << 63

// study makes bodies for control states that all lanes of a group often share: processors at
// the same instruction, or protocols that started together. Bodies use the form Words.
//
// Estimated efforts decide when to sample, to plan and to try, so that equal runs do so in the
// same cycles. Only the contests are measured: of bodies with plain code, and of groups with lanes
// that run one after the other. The results of lanes do not depend on any of this.
type study struct {
	pol     *choose.Policy
	step    *nets.Netlist
	survey  *choose.Survey // nil: there is no control state
	home    form           // without bodies
	bodies  form           // with bodies for the event of all clocks, if there are any
	within  bool           // lanes are in the bodies' form
	maker   *code.Bodies
	control control
	stage   stage

	samples, split     int // states sampled in this stage; of these, states in which lanes of a group differed
	gathered           int // cycles in this stage
	plans              int
	weight             float64 // cycles that a sampled state stands for
	cycles, from       uint64
	missed             uint64 // missed cycles since from, of all groups
	again              uint64 // cycle of the next try
	running, compiling choose.Effort
	event              choose.Effort // of an event of all groups, in code without bodies
	patience           choose.Effort // lost in missed cycles before bodies are added
	random             *rand.Rand    // a fixed sequence: every run samples the same states
	apart              apartTrial
}

// stage is the present activity of a study.
type stage uint8

const (
	sampling  stage = iota // sampling states
	missing                // sampling missed states
	comparing              // timing both forms
	inContest              // timing groups, by turns with lanes that run one after the other
	watching
)

// newStudy returns a study of the event of all clocks, or nil without machine code.
func (l *grouped) newStudy(step *nets.Netlist, pol *choose.Policy) *study {
	if !l.target.Native {
		return nil
	}
	s := &study{pol: pol, step: step, survey: choose.NewSurvey(step.Net, pol), home: l.form, weight: 1, random: rand.New(rand.NewPCG(1, 0))}

	// Without control state there are no bodies to plan. Lanes may still run one after the other.
	if s.survey == nil {
		s.stage, s.again = watching, never
	}

	// Workers share the groups, so an event takes as long as the share of the busiest one.
	per := l.layout.Lanes(l.target)
	turns := (len(l.groups) + len(l.worker) - 1) / len(l.worker)
	s.event = choose.Effort(pol.Lanes.Instr * l.events[string(l.all())].Cost() * float64(per*turns))
	s.patience = choose.Effort(pol.Lanes.Waste)
	return s
}

// follow makes the study decide by a policy, from now on.
func (s *study) follow(pol *choose.Policy) {
	s.pol, s.patience = pol, choose.Effort(pol.Lanes.Waste)
	if s.survey != nil {
		s.survey.Follow(pol)
	}
}

// events runs n events of all groups, the first at cycle, and learns from them. It returns how
// many it ran: fewer if lanes are to be tried one after the other.
func (s *study) events(l *grouped, n int, cycle uint64) (made int) {
	s.pad(l)
	for n > 0 && !s.apart.wanted {
		// The stages in order: warm up, sample random moments, gather misses, time, compare, then
		// only watch.
		k := n
		switch {
		case s.running < choose.Effort(s.pol.Lanes.Start):
			k = min(n, 2*s.pol.Lanes.Events)
			s.run(l, k, cycle)
		case n < s.pol.Lanes.Least:
			s.run(l, k, cycle)
		case s.stage == sampling:
			k = 1 + s.random.IntN(s.pol.Lanes.Gap)
			s.run(l, k, cycle)
			s.sample(l)
		case s.stage == missing:
			k = min(n, s.pol.Lanes.Events)
			s.gather(l, k, cycle)
		case s.stage == inContest:
			k = s.timeGroups(l, n, cycle)
		case s.stage == comparing:
			k = s.compare(l, n, cycle)
		default:
			k = min(n, 2*s.pol.Lanes.Events)
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
func (s *study) pad(l *grouped) {
	// Only the last group may have unused lanes. Bodies check the control state of all lanes, so
	// unused lanes must follow a lane that is used.
	g := l.groups[len(l.groups)-1]
	if !s.within || l.n-g.first >= g.Lanes() {
		return
	}
	for r := range int(l.m.P.Inputs.Hi - l.m.P.Inputs.Lo) {
		v := g.Word(r, 0)
		for at := l.n - g.first; at < g.Lanes(); at++ {
			g.SetWord(r, at, v)
		}
	}
}

// timed runs n events and returns their time, for a contest.
func (s *study) timed(l *grouped, n int, cycle uint64) time.Duration {
	// The time is that of this thread, so the first worker runs all groups.
	l.alone = true
	defer func() { l.alone = false }()
	return contest.Clock(s.pol.Clock).Time(func() { s.run(l, n, cycle) })
}

// run runs n events with the program of the present form.
func (s *study) run(l *grouped, n int, cycle uint64) {
	l.runGroups(l.form.events[string(l.all())], l.all(), n, cycle)
	s.count(l, n)
}

// count adds n cycles with their effort, and the missed ones that the workers report.
func (s *study) count(l *grouped, n int) {
	s.cycles += uint64(n)
	s.running += choose.Effort(n) * s.event
	for _, w := range l.worker {
		s.missed += w.Missed
		w.Missed = 0
	}
}

// since is the number of cycles since the last plan, over all groups.
func (s *study) since(l *grouped) uint64 { return (s.cycles - s.from) * uint64(len(l.groups)) }

// watch starts sampling for more bodies once missed cycles have cost enough, or starts another
// try when it is due.
func (s *study) watch(l *grouped) {
	switch {
	case s.wantApart(l):
		s.tryApart()
	case s.within:
		if s.missed == 0 || choose.Effort(s.missed)*s.event/choose.Effort(len(l.groups)) < s.patience {
			return
		}
		s.stage, s.samples, s.split, s.gathered = missing, 0, 0, 0
		s.survey.Scale(float64(max(1, s.since(l)-min(s.missed, s.since(l)))))
		s.weight = float64(s.missed) / float64(s.pol.Lanes.Misses)
	case s.cycles < s.again || s.running < choose.Effort(s.pol.Lanes.Share)*s.compiling+2*s.copying(l):
	case s.plans >= s.pol.Lanes.Plans:
		s.again = never
	default:
		s.stage, s.samples = sampling, 0
		s.weight = float64(s.cycles) / float64(s.pol.Lanes.Samples)
	}
}

// copying estimates the effort of copying all lanes to another form.
func (s *study) copying(l *grouped) choose.Effort {
	// Tables, the last memories, are the same for all lanes.
	words := len(s.step.Regs)
	for _, m := range s.step.Mems[:len(s.step.Mems)-len(s.step.Roms)] {
		words += m.Words
	}
	return choose.Effort(s.pol.Lanes.Copy * float64(l.n*words))
}
