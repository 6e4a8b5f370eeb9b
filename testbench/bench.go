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
	// Sim is the simulator, for uses that Bench has no method for: internal signals by path,
	// memories, traces, snapshots. Agents and threads do not see edges made through it.
	Sim *sim.Sim
	// Design is the netlist under test.
	Design *ir.Design

	t         testing.TB
	ports     []port
	resets    []int // inputs whose type is a reset
	clocks    int   // number of clocks of the top
	async     bool  // some register has an asynchronous reset
	agents    []*agent
	failures  []sim.Failure // not reported yet
	starting  bool          // New resets: failures of assertions do not count yet
	failed    int           // number of failed assertions
	whys      int           // number of failed checks that were explained
	edges     []sim.Signal  // scratch of Tick
	recorder  *cosim.Recorder
	recording string   // folder of the recording
	tools     []string // that will judge the recording
	asked     bool     // the test's own option has asked for co-simulation
	threads   []*Thread
	current   *Thread // the thread that runs now, nil for the test itself
	busy      bool    // there are agents or threads
	walking   bool    // edge goes over the threads
	looking   bool    // threads look, in Settle: they may set no input
	resting   bool    // agents rest, since Reset makes the edge
	periods   bool    // a clock has a period
	cycles    uint64  // edges that agents and threads have seen, to find edges made through Sim
	sets      uint64  // number of sets of inputs, counted while there are threads
	testSets  uint64  // sets that happened before the test's turn, see knownSets
	edgeSets  uint64  // sets before the last edge
	edgePorts []*port // scratch of Advance
	marks     uint8   // see markedBusy
	marked    bool    // Step, Tick and Reset are known to t as helpers
}

// New builds c and resets it. It ends the test with every diagnostic if c cannot be built; with
// go test -v it logs the [hw.Warnings]. P is the struct of ports for the Bench's methods.
func New[P any](t testing.TB, c hw.Component[P], opts ...Option) (*Bench, P) {
	t.Helper()
	o := collect(opts)

	// An interface that holds a nil pointer is not nil itself: ask before a method is called.
	if v := reflect.ValueOf(c); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		t.Fatalf("testbench.New: the component is nil")
	}

	d, p, err := hw.Build(c, o.build...)
	if err != nil {
		t.Fatalf("building %T:\n%v", c, err)
	}
	if testing.Verbose() { // finding them walks the whole netlist
		if w := hw.Warnings(d); len(w) > 0 {
			t.Logf("warnings of %T:\n%v", c, w)
		}
	}
	return start(t, d, o), p
}

// Run is New for a netlist: the test reaches its ports by name with [Bench.Signal] and the
// methods of Sim. The design must pass [ir.Verify].
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

	// The state at power-up is chosen before the simulator exists, since it starts with it.
	o.chooseStart(t)
	s, err := simulator(d, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	b := &Bench{Sim: s, Design: d, t: t}
	b.recordRun()

	// List the ports, and among them the clocks and resets. The simulator has more signals on
	// top than the design has ports: each pad has a second one, the value driven from outside.
	for i, sig := range s.Top() {
		b.ports = append(b.ports, newPort(sig))
		if sig.IsClock() {
			b.clocks++
		}
		if i >= len(d.Top.Ports) { // the outside of a pad
			continue
		}
		if p := d.Top.Ports[i]; p.Dir == ir.In && isReset(d.Top.TypeOf(p.Type).Kind) {
			b.resets = append(b.resets, i)
		}
	}

	for _, m := range d.Modules {
		b.async = b.async || slices.ContainsFunc(m.Regs, func(r ir.Register) bool { return r.Async })
	}
	if b.async { // asynchronous resets take effect without a look too, as under a recorder
		b.settle()
	}

	// Watch from here on, and at last reset. The seed is told before anything can fail.
	s.OnFailure(b.failure)
	b.tellSeed(o.start)
	t.Cleanup(b.finish)
	b.record(o)
	b.coverage()
	b.dumps(o)
	if !o.held {
		b.starting = true
		b.Reset()
		b.starting = false
	}
	return b
}

// simulator makes the simulator of a design. A black box without a body for simulation runs its
// Verilog, which yosys reads.
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

// isReset reports whether a kind is a reset, synchronous or not.
func isReset(k ir.Kind) bool { return k == ir.Reset || k == ir.AsyncReset }

// mostFailures is the number of failed assertions that a test reports one by one.
const mostFailures = 20

// failure stores the failure of an assertion. The simulator calls it in the middle of an edge;
// report tells the test afterwards, with the line of the Step.
func (b *Bench) failure(f sim.Failure) {
	// Nothing is known of the state before the first reset: assertions may fail in it.
	if b.starting {
		return
	}
	if b.failed++; b.failed <= mostFailures {
		b.failures = append(b.failures, f)
	}
}

// report fails the test for the failures stored since the last report.
func (b *Bench) report() {
	if len(b.failures) == 0 {
		return
	}
	b.t.Helper()
	for _, f := range b.failures {
		b.t.Errorf("%v", f)
		b.whyFailed(f)
	}
	b.failures = b.failures[:0]
}

// finish reports the remaining failures at the end of the test.
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
