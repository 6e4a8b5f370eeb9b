package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/lanes"
)

// runLanes compares lanes with the interpreter. Lane k makes the steps of the stimulus
// with the inputs of k steps later, so that lanes differ; a few of them are compared in
// all that they give. The seed chooses the number of lanes, the form of vectors and the
// machine.
func runLanes(c *Case) Verdict {
	seed := c.Stim.Seed

	// Numbers that fill no vector: a mistake at a vector's end shows.
	n := []int{1, 3, 5, 70, 9}[seed%5]
	choice := lanes.Choice{Form: lanes.Form(seed / 2 % 4), Portable: seed/8%4 == 0, Bodies: true}
	opts := append(c.options(c.start(), sim.Auto), lanes.WithChoice(choice), lanes.WithWorkers(1+int(seed/32%2)))

	d := engineTakes(c.Design)
	r, err := newLaneRun(d, c.Stim, n, opts)
	if err != nil {
		return Verdict{Kind: Broken, Text: err.Error()}
	}
	defer r.lanes.Close()

	// Lanes that run one by one are judged by native already.
	if name := r.lanes.Engine(); name == "interpreter" || name == "native" {
		return Verdict{Skipped: "lanes one by one"}
	}
	r.follow()

	stage := "lanes in form " + choice.Form.String()
	for _, w := range r.watched {
		want := laneTrace(Answer(c.Design, c.Stim.later(w.lane), c.laneOptions(w.lane)...))
		if w.trace.Err = r.lanes.Err(); r.lanes.FailureCount() > sim.MaxFailures {
			want.Said, w.trace.Said = nil, nil // some failures were dropped
		}
		if text := w.trace.Diff(want, c.Design.Top, true); text != "" {
			return Verdict{Kind: Differs, Stage: stage, Text: fmt.Sprintf("lane %d of %d: %s", w.lane, n, text)}
		}
	}
	if c.Stim.Long == 0 {
		return Verdict{}
	}

	// Half of the long runs have their lanes one after the other instead of in groups.
	choice.Apart = seed/64%2 == 1
	if text := longLanes(c, d, n, append(opts, lanes.WithChoice(choice))); text != "" {
		return Verdict{Kind: Differs, Stage: "long run of " + stage, Text: text}
	}
	return Verdict{}
}

// laneOptions is the options of a simulator that starts as a lane does.
func (c *Case) laneOptions(lane int) []sim.Option {
	o := c.options(c.start(), sim.Interpreter)
	if c.start() == fromRandom {
		o = append(o, sim.WithSeed(c.Stim.Seed+uint64(lane)))
	}
	return o
}

// later is the stimulus with the inputs of k steps later, from the beginning again
// behind the last.
func (st *Stimulus) later(k int) *Stimulus {
	if k == 0 || len(st.Steps) == 0 {
		return st
	}
	out := *st

	// A copy of the steps, since the case keeps its own.
	out.Steps = slices.Clone(st.Steps)
	for i := range out.Steps {
		out.Steps[i].In = st.Steps[(i+k)%len(st.Steps)].In
	}
	return &out
}

// laneRun is lanes that follow a stimulus.
type laneRun struct {
	lanes   *lanes.Lanes
	stim    *Stimulus
	bound   binding
	out     *laneSpeaker
	told    int // failures that have been taken in
	watched []*watchedLane
}

// laneSpeaker collects what lanes print: they write once for each lane and cycle, with
// the lane's name in front.
type laneSpeaker struct {
	said map[int]string
	deaf bool // the text of a long run is dropped: nobody compares it
}

func (p *laneSpeaker) Write(b []byte) (int, error) {
	if p.deaf {
		return len(b), nil
	}
	var lane int

	// The name and the text are apart by the first colon.
	name, text, _ := strings.Cut(string(b), ": ")
	if _, err := fmt.Sscanf(name, "lane %d", &lane); err != nil {
		return 0, err
	}
	p.said[lane] += text
	return len(b), nil
}

// watchedLane is a lane that is compared.
type watchedLane struct {
	lane    int
	trace   *Trace
	stopped bool // its first stop has been taken in
}

func newLaneRun(d *ir.Design, st *Stimulus, n int, opts []sim.Option) (*laneRun, error) {
	r := &laneRun{stim: st, bound: st.bind(d.Top), out: &laneSpeaker{said: map[int]string{}}}
	var err error
	if r.lanes, err = lanes.New(d, n, append(opts, sim.WithOutput(r.out))...); err != nil {
		return nil, err
	}

	// The first, the middle and the last: a mistake of vectors shows at their borders.
	for _, lane := range slices.Compact([]int{0, n / 2, n - 1}) {
		r.watched = append(r.watched, &watchedLane{lane: lane, trace: &Trace{Ports: outputs(d.Top)}})
	}
	return r, nil
}

// follow makes all steps, in all lanes.
func (r *laneRun) follow() {
	top := r.lanes.Top()
	for _, w := range r.watched {
		r.look(w, top) // as watch does: a latch may be open while inputs rest at 0
		w.trace.Samples = nil
	}

	// As in watch: outputs before the edge, the edge, outputs after it.
	for k := range r.stim.Steps {
		r.set(k)
		for _, w := range r.watched {
			r.look(w, top)
		}
		if clocks := r.bound.rising(nil, &r.stim.Steps[k], top); len(clocks) > 0 {
			r.lanes.TickAll(clocks...)
		}
		for _, w := range r.watched {
			r.look(w, top)
		}
		r.hear()
	}

	// Counts of covers are read once, at the end of all steps.
	for _, w := range r.watched {
		w.trace.Covers = covers(r.lanes.Coverage(w.lane))
	}
}

// set sets the inputs of step k in every lane.
func (r *laneRun) set(k int) {
	for lane := range r.lanes.Len() {
		err := r.bound.set(&r.stim.Steps[(k+lane)%len(r.stim.Steps)], r.lanes.Top(), func(sig sim.Signal, v bits.Value) error {
			return r.lanes.SetBits(sig, lane, v)
		})
		if err != nil {
			panic(err) // the stimulus is of the circuit
		}
	}
}

// look samples the outputs of a lane.
func (r *laneRun) look(w *watchedLane, top []sim.Signal) {
	var words []uint64
	for _, i := range w.trace.Ports {
		words = append(words, r.lanes.GetBits(top[i], w.lane).Words()...)
	}
	w.trace.Samples = append(w.trace.Samples, words)
}

// hear gives what statements said in a step to the lanes that said it, in the order of
// laneTrace.
func (r *laneRun) hear() {
	failures := r.lanes.Failures()

	// Lanes give the failures of all lanes in one list, prints by lane.
	for _, w := range r.watched {
		var said []string
		if text := r.out.said[w.lane]; text != "" {
			said = append(said, "print "+text)
		}
		for _, f := range failures[r.told:] {
			if f.Lane == w.lane {
				said = append(said, failureText(f.Failure))
			}
		}

		// A lane that has stopped prints the stop once; Stops has it in every later step too.
		for _, s := range r.lanes.Stops() {
			if s.Lane == w.lane && !w.stopped {
				said, w.stopped = append(said, stopText(s.Stop)), true
			}
		}
		w.trace.Said = append(w.trace.Said, said)
	}
	r.told = len(failures)
	clear(r.out.said)
}

// laneTrace is a trace in which statements say what lanes keep of them: the prints of a
// step as one text, then failures, then the first stop of all.
func laneTrace(t *Trace) *Trace {
	out := *t
	out.Said = nil
	stopped := false

	// Order within a step is lost in lanes, but not between kinds of statements.
	for _, lines := range t.Said {
		var prints string
		var rest, stops []string
		for _, l := range lines {
			switch text, printed := strings.CutPrefix(l, "print "); {
			case printed:
				prints += text
			case !strings.HasPrefix(l, "end by "):
				rest = append(rest, l)
			case !stopped:
				stops, stopped = append(stops, l), true
			}
		}
		if prints != "" {
			rest = append([]string{"print " + prints}, rest...)
		}
		out.Said = append(out.Said, append(rest, stops...))
	}
	return &out
}

// longLanes runs lanes for long with inputs that rest, and the watched ones in
// simulators of their own, and says where their outputs or counts differ; "" if nowhere.
func longLanes(c *Case, d *ir.Design, n int, opts []sim.Option) string {
	r, err := newLaneRun(d, c.Stim, n, opts)
	if err != nil {
		return err.Error()
	}
	defer r.lanes.Close()
	r.out.deaf = true

	// A simulator for each lane that is watched, not for all.
	var sims []*sim.Sim
	for _, w := range r.watched {
		s, err := sim.New(c.Design, append(c.laneOptions(w.lane), sim.WithOutput(&speaker{}))...)
		if err != nil {
			return err.Error()
		}
		defer s.Close()
		sims = append(sims, s)
	}

	// Three parts, each from a reset: inputs rest for long, so that lanes specialise to them.
	for part := range 3 {
		if len(c.Stim.Steps) > 0 {
			r.set(part)
			for i, w := range r.watched {
				if err := r.bound.set(&c.Stim.Steps[(part+w.lane)%len(c.Stim.Steps)], sims[i].Top(), sims[i].SetBits); err != nil {
					return err.Error()
				}
			}
		}
		r.lanes.Reset()
		r.lanes.Step(c.Stim.Long / 3)
		for i, w := range r.watched {
			sims[i].Reset()
			sims[i].Step(c.Stim.Long / 3)
			for _, port := range w.trace.Ports {
				got, want := r.lanes.GetBits(r.lanes.Top()[port], w.lane), sims[i].GetBits(sims[i].Top()[port])
				if !got.Equal(want) {
					return fmt.Sprintf("lane %d of %d, part %d: %s = %s, want %s", w.lane, n, part, c.Design.Top.Ports[port].Name, got, want)
				}
			}
			if got, want := covers(r.lanes.Coverage(w.lane)), covers(sims[i].Coverage()); !slices.Equal(got, want) {
				return fmt.Sprintf("lane %d of %d, part %d: coverage is %q, want %q", w.lane, n, part, got, want)
			}
		}
	}
	return ""
}
