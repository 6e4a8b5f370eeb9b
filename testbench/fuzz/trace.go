package fuzz

import (
	"fmt"
	"sort"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Trace is the answer of a circuit to a stimulus: two samples of all outputs per step, before
// the edge and after it, and the output of statements in each step.
type Trace struct {
	Ports   []int      // the outputs among the top's ports
	Samples [][]uint64 // their words one after another
	Said    [][]string // what statements printed, by step
	Lines   [][]string // the same in the words of emitted Verilog
	Covers  []string   // "path.name 3"
	Err     error      // of the simulator
}

// The kinds of state to start from.
const (
	fromZero = iota
	fromRandom
)

// Reference returns the interpreter's answer, computed once.
func (c *Case) Reference(start int) *Trace {
	if c.refs[start] == nil {
		c.refs[start] = Answer(c.Design, c.Stim, c.options(start, sim.Interpreter)...)
	}
	return c.refs[start]
}

// options returns the simulator's options for a kind of start and an engine.
func (c *Case) options(start int, e sim.Engine) []sim.Option {
	o := []sim.Option{sim.WithEngine(e)}
	if start == fromRandom {
		o = append(o, sim.WithSeed(c.Stim.Seed))
	}
	return o
}

// packing packs all memories in half of the cases, as the simulator packs large ones.
func (c *Case) packing() []sim.Option {
	if c.Stim.Seed/8%2 == 0 {
		return nil
	}
	return []sim.Option{sim.WithPacking(1)}
}

// speaker collects the output of statements, in our words and in the words of emitted Verilog.
type speaker struct{ said, lines []string }

// Write collects a print.
func (p *speaker) Write(b []byte) (int, error) {
	p.said, p.lines = append(p.said, "print "+string(b)), append(p.lines, string(b))
	return len(b), nil
}

// stop collects a stop. A stop that fails comes as a failure too, with Verilog's line.
func (p *speaker) stop(s sim.Stop) {
	p.said = append(p.said, stopText(s))
	if s.Code == 0 {
		p.lines = append(p.lines, fmt.Sprintf("stop %s reached in %s", s.Name, strings.TrimSuffix("dut."+s.Instance, ".")))
	}
}

// failure collects a failed assertion.
func (p *speaker) failure(f sim.Failure) {
	p.said = append(p.said, failureText(f))
	line := fmt.Sprintf("%s %s failed in %s", f.Kind, f.Name, strings.TrimSuffix("dut."+f.Instance, "."))
	if f.Message != "" {
		line += ": " + f.Message
	}
	p.lines = append(p.lines, line)
}

// stopText tells a stop apart from the failure that a stop with another code than 0 is too.
func stopText(s sim.Stop) string {
	return fmt.Sprintf("end by %s: %d", join(s.Instance, s.Name), s.Code)
}

func failureText(f sim.Failure) string {
	return fmt.Sprintf("%s %s: %s", f.Kind, join(f.Instance, f.Name), f.Message)
}

func covers(points []sim.CoverPoint) (lines []string) {
	for _, p := range points {
		lines = append(lines, fmt.Sprintf("%s %d", join(p.Instance, p.Name), p.Count))
	}
	return lines
}

// Answer returns the answer of a simulator of the design to the stimulus.
func Answer(d *ir.Design, st *Stimulus, opts ...sim.Option) *Trace {
	return watch(d, st, func(*sim.Sim) {}, opts...)
}

// watch is Answer with a call of look just before each edge.
func watch(d *ir.Design, st *Stimulus, look func(*sim.Sim), opts ...sim.Option) *Trace {
	t := &Trace{}
	out := &speaker{}
	s, err := sim.New(d, append(opts, sim.WithOutput(out))...)
	if err != nil {
		t.Err = err
		return t
	}
	defer s.Close()
	s.OnFailure(out.failure)
	s.OnStop(out.stop)
	t.Ports = outputs(d.Top)
	b, top := st.bind(d.Top), s.Top()
	var clks []sim.Signal
	rest := *t
	rest.sample(s, top) // inputs rest at 0 first, and a latch may be open then

	// A step: inputs, sample, edge, sample.
	for n := range st.Steps {
		step := &st.Steps[n]

		// A value that does not fit its port ends the run: the rest would mean nothing.
		if t.Err = b.set(step, top, s.SetBits); t.Err != nil {
			return t
		}
		t.sample(s, top)
		look(s)

		// Clocks of a step rise at the same moment: one call for all.
		if clks = b.rising(clks[:0], step, top); len(clks) > 0 {
			s.TickAll(clks...)
		}
		t.sample(s, top)
		t.Said, t.Lines = append(t.Said, out.said), append(t.Lines, out.lines)
		out.said, out.lines = nil, nil
	}
	t.Covers = covers(s.Coverage())
	t.Err = s.Err()
	return t
}

// join returns the path of a name in an instance.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// sample adds a sample of all outputs.
func (t *Trace) sample(s *sim.Sim, top []sim.Signal) {
	var words []uint64
	for _, i := range t.Ports {
		words = s.AppendWords(words, top[i])
	}
	t.Samples = append(t.Samples, words)
}

// binding is the ports of a top for the names of a stimulus, -1 for a name that it lacks.
type binding struct{ clocks, inputs []int }

// bind finds the ports for the names of a stimulus. The direction and kind of a port have to
// fit.
func (st *Stimulus) bind(top *ir.Module) binding {
	// After an edit a name may belong to a port of another kind.
	find := func(names []string, clock bool) (ports []int) {
		for _, n := range names {
			at := top.PortIndex(n)
			if at >= 0 && (top.Ports[at].Dir == ir.Out || (top.TypeOf(top.Ports[at].Type).Kind == ir.Clock) != clock) {
				at = -1
			}
			ports = append(ports, at)
		}
		return ports
	}
	return binding{find(st.Clocks, true), find(st.Inputs, false)}
}

// outputs lists the places of the outputs among the ports of a top.
func outputs(top *ir.Module) (ports []int) {
	for i, p := range top.Ports {
		if p.Dir == ir.Out {
			ports = append(ports, i)
		}
	}
	return ports
}

// set sets the inputs of a step by to.
func (b *binding) set(step *Step, top []sim.Signal, to func(sim.Signal, bits.Value) error) error {
	for i, port := range b.inputs {
		if port >= 0 {
			if err := to(top[port], step.In[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// rising appends the clocks that rise in a step.
func (b *binding) rising(clocks []sim.Signal, step *Step, top []sim.Signal) []sim.Signal {
	for i, port := range b.clocks {
		if port >= 0 && step.Rise>>i&1 == 1 {
			clocks = append(clocks, top[port])
		}
	}
	return clocks
}

// Diff returns the first difference of a trace from the wanted one, "" if there is none. The
// order of statements within a step counts only if ordered.
func (t *Trace) Diff(want *Trace, top *ir.Module, ordered bool) string {
	if t.Err != nil {
		return "error: " + t.Err.Error()
	}

	// An edit or a backend may lose a port: samples could not be compared.
	if len(t.Ports) != len(want.Ports) {
		return fmt.Sprintf("%d outputs, want %d", len(t.Ports), len(want.Ports))
	}

	// Samples, to the first port that differs; then statements; then coverage.
	for i := range want.Samples {
		if bits.EqualWords(t.Samples[i], want.Samples[i], 64*len(want.Samples[i])) {
			continue
		}

		// The sample differs as a whole; find the port whose words differ.
		at := 0
		for _, port := range want.Ports {
			p := &top.Ports[port]
			n := bits.WordCount(p.Width)
			x, y := t.Samples[i][at:at+n], want.Samples[i][at:at+n]
			if !bits.EqualWords(x, y, 64*n) {
				return differs(i, p.Name, bits.FromWords(p.Width, x).String(), bits.FromWords(p.Width, y).String())
			}
			at += n
		}
	}
	for i := range want.Said {
		if x, y := said(t.Said[i], ordered), said(want.Said[i], ordered); x != y {
			return fmt.Sprintf("step %d: statements said %q, want %q", i, x, y)
		}
	}
	if x, y := said(t.Covers, ordered), said(want.Covers, ordered); x != y {
		return fmt.Sprintf("coverage is %q, want %q", x, y)
	}
	return ""
}

// differs returns the text of a difference in sample i.
func differs(i int, port, got, want string) string {
	return fmt.Sprintf("step %d, %s: %s = %s, want %s", i/2, [...]string{"before the edge", "after the edge"}[i%2], port, got, want)
}

// said joins the lines of statements, sorted unless ordered.
func said(lines []string, ordered bool) string {
	if !ordered && len(lines) > 1 {
		lines = append([]string(nil), lines...)
		sort.Strings(lines)
	}
	return strings.Join(lines, "\n")
}
