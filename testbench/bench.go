package testbench

import (
	"fmt"
	"testing"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Bench is a component under test, with its simulator.
type Bench struct {
	// Sim is the simulator, for what Bench has no method for: internal signals by
	// path, memories, traces, snapshots.
	Sim *sim.Sim
	// Design is the netlist that runs.
	Design *ir.Design

	t      testing.TB
	top    []sim.Signal
	hooks  []hook
	agents []agent
}

// hook follows what a test does to its design, as co-simulation and waves do.
type hook interface {
	set(b *Bench, port int)             // input port has a new value
	edge(b *Bench, clocks []int, n int) // about to make n edges of these clock ports; nil is all
	settled(b *Bench, clocks []int)     // after each edge
	wantsEachEdge() bool                // n is then always 1
}

// Option is an option of New.
type Option func(*options)

type options struct {
	sim   []sim.Option
	build []hw.Option
	hooks []func(*Bench)
	held  bool
}

// WithSeed starts registers and memories without initial value at random.
func WithSeed(seed uint64) Option {
	return func(o *options) { o.sim = append(o.sim, sim.WithSeed(seed)) }
}

// WithSim passes options to the simulator.
func WithSim(opts ...sim.Option) Option {
	return func(o *options) { o.sim = append(o.sim, opts...) }
}

// WithBuild passes options to hw.Build.
func WithBuild(opts ...hw.Option) Option {
	return func(o *options) { o.build = append(o.build, opts...) }
}

// WithoutReset leaves the design at power-up: New does not reset it.
func WithoutReset() Option { return func(o *options) { o.held = true } }

// New builds c and resets it. It ends the test with every diagnostic if c cannot
// be built.
func New[P any](t testing.TB, c hw.Component[P], opts ...Option) (*Bench, P) {
	t.Helper()
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	d, p, err := hw.Build(c, o.build...)
	if err != nil {
		t.Fatalf("building %T:\n%v", c, err)
	}
	b, err := newBench(t, d, &o)
	if err != nil {
		t.Fatal(err)
	}
	return b, p
}

// Run is New for a netlist: its ports are reached by name with [Bench.Signal].
func Run(t testing.TB, d *ir.Design, opts ...Option) *Bench {
	t.Helper()
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	b, err := newBench(t, d, &o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newBench(t testing.TB, d *ir.Design, o *options) (*Bench, error) {
	s, err := sim.New(d, o.sim...)
	if err != nil {
		return nil, err
	}
	b := &Bench{Sim: s, Design: d, t: t, top: s.Top()}
	s.OnFailure(func(f sim.Failure) { t.Errorf("%v", f) })
	for _, h := range o.hooks {
		h(b)
	}
	if !o.held {
		b.Reset()
	}
	return b, nil
}

// port is the top's port behind a handle.
func (b *Bench) port(what string, sig hw.Signal) (int, sim.Signal) {
	m, i, ok := hw.PortOf(sig)
	if !ok || m != b.Design.Top {
		b.t.Helper()
		b.t.Fatalf("%s: the signal is not a port of %s", what, b.Design.Top.Name)
	}
	return i, b.top[i]
}

// Set drives an input with a number; a negative one only a signed input.
func (b *Bench) Set(sig hw.Signal, v int) {
	i, s := b.port("Set", sig)
	var err error
	if v >= 0 && !s.Type().Kind.Signed() {
		err = b.Sim.Set(s, uint64(v))
	} else {
		err = b.Sim.SetInt(s, int64(v))
	}
	b.drove(i, err)
}

// SetBits drives an input of any width.
func (b *Bench) SetBits(sig hw.Signal, v bits.Value) {
	i, s := b.port("Set", sig)
	b.drove(i, b.Sim.SetBits(s, v))
}

func (b *Bench) drove(port int, err error) {
	if err != nil {
		b.t.Helper()
		b.t.Fatal(err)
	}
	for _, h := range b.hooks {
		h.set(b, port)
	}
}

// Get reads a port as a number, signed if its type is.
func (b *Bench) Get(sig hw.Signal) int {
	_, s := b.port("Get", sig)
	if s.Width() > 64 {
		b.t.Helper()
		b.t.Fatalf("Get: %s has %d bits; GetBits reads it", s.Name(), s.Width())
	}
	return b.number(s)
}

// GetBits reads a port of any width.
func (b *Bench) GetBits(sig hw.Signal) bits.Value {
	_, s := b.port("Get", sig)
	return b.Sim.GetBits(s)
}

func (b *Bench) number(s sim.Signal) int {
	if s.Type().Kind.Signed() {
		return int(b.Sim.GetInt(s))
	}
	return int(b.Sim.Get(s))
}

// High reports whether a port is not zero.
func (b *Bench) High(sig hw.Signal) bool {
	_, s := b.port("High", sig)
	return !b.Sim.GetBits(s).IsZero()
}

// Expect checks a port against a number.
func (b *Bench) Expect(sig hw.Signal, want int) {
	if got := b.Get(sig); got != want {
		b.t.Helper()
		_, s := b.port("Expect", sig)
		b.t.Errorf("cycle %d: %s = %s, want %s", b.Sim.Cycles(), s.Name(), b.show(s, got), b.show(s, want))
	}
}

// show prints a number as the port's type would.
func (b *Bench) show(s sim.Signal, v int) string {
	if t := s.Type(); t.Kind == ir.EnumKind {
		if name := t.Enum.NameOf(uint64(v)); name != "" {
			return name
		}
	}
	return fmt.Sprint(v)
}

// ExpectBits checks a port of any width.
func (b *Bench) ExpectBits(sig hw.Signal, want bits.Value) {
	if got := b.GetBits(sig); !got.Equal(want) {
		b.t.Helper()
		_, s := b.port("Expect", sig)
		b.t.Errorf("cycle %d: %s = %v, want %v", b.Sim.Cycles(), s.Name(), got, want)
	}
}

// Signal finds a signal of any instance by its path, as in "seconds.count", for
// Peek and Poke; it ends the test if there is none.
func (b *Bench) Signal(path string) sim.Signal {
	s, err := b.Sim.Signal(path)
	if err != nil {
		b.t.Helper()
		b.t.Fatal(err)
	}
	return s
}

// Peek reads a signal of any instance by its path.
func (b *Bench) Peek(path string) int {
	b.t.Helper()
	return b.number(b.Signal(path))
}

// Step makes n rising edges of all clocks together.
func (b *Bench) Step(n int) {
	if !b.eachEdge() {
		b.before(nil, n)
		b.Sim.Step(n)
		b.after(nil)
		return
	}
	for range n {
		b.before(nil, 1)
		b.Sim.Step(1)
		b.after(nil)
	}
}

// Tick makes one rising edge of the given clocks, all at once.
func (b *Bench) Tick(clocks ...hw.Clock) {
	var ports []int
	var sigs []sim.Signal
	for _, c := range clocks {
		i, s := b.port("Tick", c)
		ports, sigs = append(ports, i), append(sigs, s)
	}
	b.before(ports, 1)
	b.Sim.TickAll(sigs...)
	b.after(ports)
}

// Reset holds every reset of the top high for one edge of all clocks.
func (b *Bench) Reset() {
	resets := b.resets()
	for _, v := range []uint64{1, 0} {
		for _, i := range resets {
			b.drove(i, b.Sim.Set(b.top[i], v))
		}
		if v == 1 {
			b.Step(1)
		}
	}
}

func (b *Bench) resets() (ports []int) {
	for i, p := range b.Design.Top.Ports {
		k := b.Design.Top.TypeOf(p.Type).Kind
		if p.Dir == ir.In && (k == ir.Reset || k == ir.AsyncReset) {
			ports = append(ports, i)
		}
	}
	return ports
}

func (b *Bench) eachEdge() bool {
	for _, h := range b.hooks {
		if h.wantsEachEdge() {
			return true
		}
	}
	return len(b.agents) > 0
}

func (b *Bench) before(clocks []int, n int) {
	for _, a := range b.agents {
		a.drive()
	}
	for _, a := range b.agents {
		a.sample(clocks)
	}
	for _, h := range b.hooks {
		h.edge(b, clocks, n)
	}
}

func (b *Bench) after(clocks []int) {
	for _, h := range b.hooks {
		h.settled(b, clocks)
	}
}
