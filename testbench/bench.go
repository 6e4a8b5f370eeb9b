package testbench

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"etch/backends/yosys"
	"etch/hw"
	"etch/ir"
	"etch/sim"
	"etch/testbench/cosim"
	"etch/testbench/extern"
)

// Bench is a component under test, with its simulator.
type Bench struct {
	// Sim is the simulator, for what Bench has no method for: internal signals by
	// path, memories, traces, snapshots. Agents and threads do not see edges made through it.
	Sim *sim.Sim
	// Design is the netlist that runs.
	Design *ir.Design

	t         testing.TB
	ports     []port
	known     []known // handles seen, by place
	resets    []int   // inputs whose type is a reset
	clocks    int     // how many there are
	async     bool    // some register has an asynchronous reset
	agents    []*agent
	failures  []sim.Failure // not reported yet
	starting  bool          // New resets: assertions see state that no reset has reached yet
	failed    int           // reported or counted
	edges     []sim.Signal  // scratch of Tick
	recorder  *cosim.Recorder
	recording string   // its folder
	tools     []string // that will judge the recording
	asked     bool     // by the test's own option
	threads   []*Thread
	current   *Thread // that runs now, nil for the test itself
	busy      bool    // there are agents or threads
	walking   bool    // edge goes over the threads
	looking   bool    // threads look behind Settle: nothing may be set
	resting   bool    // agents rest, since Reset makes the edge
	periods   bool    // a clock has a period
	cycles    uint64  // edges that agents and threads have seen
	sets      uint64  // sets of inputs since there are threads
	testSets  uint64  // those that the test knows of, see knownSets
	edgeSets  uint64  // those before the last edge
	edgePorts []*port // scratch of Advance
	marks     uint8   // see markedBusy
	marked    bool    // Step, Tick and Reset are known to t as helpers
}

// New builds c and resets it. It ends the test with every diagnostic if c cannot
// be built; with go test -v it logs the [hw.Warnings]. P is the view of the ports for the Bench's methods.
func New[P any](t testing.TB, c hw.Component[P], opts ...Option) (*Bench, P) {
	t.Helper()
	o := collect(opts)
	if v := reflect.ValueOf(c); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		t.Fatalf("testbench.New: the component is nil")
	}
	d, p, err := hw.Build(c, o.build...)
	if err != nil {
		t.Fatalf("building %T:\n%v", c, err)
	}
	if testing.Verbose() { // looking for them goes over the whole netlist
		if w := hw.Warnings(d); len(w) > 0 {
			t.Logf("warnings of %T:\n%v", c, w)
		}
	}
	return start(t, d, o), p
}

// Run is New for a netlist: its ports are reached by name with [Bench.Signal]
// and the methods of Sim. The design must pass [ir.Verify].
func Run(t testing.TB, d *ir.Design, opts ...Option) *Bench {
	t.Helper()
	if d == nil || d.Top == nil {
		t.Fatalf("testbench.Run: there is no design")
	}
	if err := ir.Verify(d); err != nil {
		t.Fatalf("testbench.Run: %v", err)
	}
	return start(t, d, collect(opts))
}

// start makes the bench of a design and resets it.
func start(t testing.TB, d *ir.Design, o *options) *Bench {
	t.Helper()
	o.chooseStart(t)
	s, err := simulator(d, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	b := &Bench{Sim: s, Design: d, t: t}
	for i, sig := range s.Top() {
		b.ports = append(b.ports, newPort(sig))
		if sig.IsClock() {
			b.clocks++
		}
		if i >= len(d.Top.Ports) {
			continue // what stands for the outside of a pad
		}
		if p := d.Top.Ports[i]; p.Dir == ir.In && isReset(d.Top.TypeOf(p.Type).Kind) {
			b.resets = append(b.resets, i)
		}
	}
	b.known = make([]known, knownSize(len(b.ports)))
	for _, m := range d.Modules {
		b.async = b.async || slices.ContainsFunc(m.Regs, func(r ir.Register) bool { return r.Async })
	}
	if b.async { // as if somebody looked: a recorder does
		b.settle()
	}
	s.OnFailure(b.failure)
	b.tellSeed(o.start)
	t.Cleanup(b.finish)
	b.record(o)
	b.dumps(o)
	if !o.held {
		b.starting = true
		b.Reset()
		b.starting = false
	}
	return b
}

// simulator makes the simulator of a design. A black box that has neither a model
// body nor a Model runs its Verilog, which yosys reads.
func simulator(d *ir.Design, o *options) (*sim.Sim, error) {
	s, err := sim.New(d, o.simOptions()...)
	if err == nil || !slices.ContainsFunc(d.Modules, yosys.NeedsBody) {
		return s, err
	}
	if err := extern.Attach(context.Background(), d, yosys.Source{}); err != nil {
		return nil, err
	}
	return sim.New(d, o.simOptions()...)
}

func isReset(k ir.Kind) bool { return k == ir.Reset || k == ir.AsyncReset }

// mostFailures is how many failures of assertions a test reports one by one.
const mostFailures = 20

// failure notes that an assertion failed. The simulator calls it in the middle
// of an edge; report tells the test afterwards, with the line of the Step.
func (b *Bench) failure(f sim.Failure) {
	if b.starting {
		return
	}
	if b.failed++; b.failed <= mostFailures {
		b.failures = append(b.failures, f)
	}
}

// report fails the test for what assertions have found since the last time.
func (b *Bench) report() {
	if len(b.failures) == 0 {
		return
	}
	b.t.Helper()
	for _, f := range b.failures {
		b.t.Errorf("%v", f)
	}
	b.failures = b.failures[:0]
}

// finish reports what is left at the end of the test.
func (b *Bench) finish() {
	b.t.Helper()
	if b.busy {
		b.notice()
	}
	b.report()
	if b.failed > mostFailures {
		b.t.Errorf("%d assertions have failed, of which %d are reported", b.failed, mostFailures)
	}
}
