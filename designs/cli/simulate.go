package cli

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"etch/backends/yosys"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// SimCommand reads a design from files and runs it.
var SimCommand = Command{
	Name: "sim", Usage: "DESIGN|FILE… [BODY.v…] [-p name=value]… [-top NAME] [-cycles N] [-reset N] [-mem NAME=FILE]… [-set PORT=VALUE]… [-print NAME]… [-until NAME=VALUE] [-waves FILE] [-engine NAME] [-seed N] [-memory MIB] [-prune] [-json]",
	Doc: "simulates a design, by name or from files (FIRRTL: .fir, netlist text: .etch, either with the Verilog of black boxes behind it; Verilog: .v), until it stops; exits with the code of its stop, 1 if an assertion fails",
	Examples: []string{
		"sim uart -p clocks_per_bit=4 -set bytes_valid=1 -set bytes_data=0x55 -cycles 60 -waves uart.fst",
		"sim core.v -top core -mem memory=program.hex -until done=1 -print regs[1:3]",
	},
	Run: func(app *App, args []string, out Output) error {
		r, err := newRunner(app, args, out)
		if err != nil {
			return err
		}
		return r.run()
	},
}

// ExitError ends the command with a code.
type ExitError struct {
	Code int
	Msg  string
}

// Error is the message.
func (e *ExitError) Error() string { return e.Msg }

// runner is one call of etch sim.
type runner struct {
	app    *App
	out    Output
	given  Values
	json   bool
	files  []string // or a design's name
	top    string
	cycles uint64
	reset  int
	mems   []string // NAME=FILE
	sets   []string // PORT=VALUE
	prints []string
	until  string // NAME=VALUE
	engine string
	seed   string
	memory int // MiB
	prune  bool
	waves  *Waves
	source *VerilogFlags

	progress *Progress

	s       *sim.Sim
	text    *bufio.Writer
	design  *ir.Design
	printed []shown
	when    sim.Signal // of until
	value   bits.Value
	stopped *sim.Stop
	failed  *sim.Failure

	interrupted bool
}

func newRunner(app *App, args []string, out Output) (*runner, error) {
	r := &runner{app: app, out: out}
	f := NewFlags("sim", out)
	r.given = f.Values()

	// The flags of etch sim; etch why shares those of the stimulus and the files.
	f.BoolVar(&r.json, "json", false, "print one JSON document at the end; text of the design goes to standard error")
	f.StringVar(&r.top, "top", "", "main module, `name`")
	f.Uint64Var(&r.cycles, "cycles", 0, "`number` of cycles after reset; 0: until the design stops")
	f.IntVar(&r.reset, "reset", 1, "`number` of cycles with all resets high")
	f.StringVar(&r.until, "until", "", "end when a signal has a value, `NAME=VALUE`")
	f.StringVar(&r.engine, "engine", "auto", "`name` of the engine: auto, native, interpreter or lockstep")
	f.Words("engine", engineNames()...)
	f.IntVar(&r.memory, "memory", 1024, "`MiB` that memories of more than 8 MiB may fill, all together")
	f.StringVar(&r.seed, "seed", "", "start registers and memories at random, from this `number`")
	f.BoolVar(&r.prune, "prune", false, "run only what outputs, statements, -print, -until and -mem depend on: a large design runs faster, and nothing else is in its waves")
	r.stimulus(f)
	f.list("print", "print a signal or words of a memory at the end, `NAME`, MEM[ADDRESS] or MEM[FIRST:LAST]; may be repeated", &r.prints, false)
	r.waves, r.source = f.Waves(), f.Verilog()

	// Mistakes of the line are found before the design is read.
	var err error
	if r.files, err = f.rest(args); err != nil {
		return nil, err
	}
	if len(r.files) == 0 {
		return nil, usagef("DESIGN or FILE is missing; files of type %s are read", extensions())
	}
	if r.until != "" && !strings.Contains(r.until, "=") {
		return nil, usagef("-until: %q has no =", r.until)
	}
	if r.memory < 1 || r.memory > sim.MaxLarge>>20 {
		return nil, usagef("-memory: %d MiB, want 1 to %d", r.memory, sim.MaxLarge>>20)
	}
	if r.reset < 0 {
		return nil, usagef("-reset: %d cycles", r.reset)
	}
	return r, f.ApartFrom(r.read(), "waves")
}

// read is the files that the command line tells to read.
func (r *runner) read() []string {
	files := slices.Clone(r.files)
	for _, m := range r.mems {
		_, file, _ := strings.Cut(m, "=")
		files = append(files, file)
	}
	return files
}

// stimulus adds the flags that load memories and drive inputs.
func (r *runner) stimulus(f *Flags) {
	f.list("mem", "load a memory from a hex file, or a .bin file of raw bytes, `NAME=FILE`; may be repeated", &r.mems, true)
	f.list("set", "drive an input or a pad with a constant, `PORT=VALUE`; may be repeated", &r.sets, true)
}

func (r *runner) run() error {
	d, err := r.subject()
	if err != nil {
		return err
	}
	if r.cycles == 0 && r.until == "" && !stops(d) {
		return usagef("-cycles or -until is missing: %s has no stop statement", d.Top.Name)
	}

	// A black box without a body has no behaviour to simulate.
	if err := giveBodies(d, nil, r.source); err != nil {
		return err
	}
	if err := bodiless(d, r.files); err != nil {
		return err
	}
	r.progress = NewProgress(r.out.Err, "simulates "+shortList(r.files))
	defer r.progress.End()
	if err := r.prepare(d); err != nil {
		return err
	}
	defer r.s.Close()

	// The first signal keeps the waves and prints until then; a second one ends it at once.
	ctx, free := Interruptible()
	defer free()
	context.AfterFunc(ctx, free)
	if err := r.waves.Trace(r.s); err != nil {
		return err
	}

	start := time.Now()
	r.step(ctx)
	took := time.Since(start)
	r.text.Flush()
	r.progress.End()
	if err := r.waves.Close(nil); err != nil {
		return err
	}
	if err := r.results(took); err != nil {
		return err
	}
	return r.verdict()
}

// subject is the design of the command line, by its name or from files.
func (r *runner) subject() (*ir.Design, error) {
	if name := r.files[0]; len(r.files) == 1 && !isFile(name) {
		if r.top != "" {
			return nil, usagef("-top is for files; %s is a design", name)
		}
		d, err := r.app.Design(name)
		if err != nil {
			return nil, err
		}
		return d.built(r.given, r.out.Err)
	}

	// From here on files.
	for name := range r.given {
		return nil, usagef("-p %s=…: a file has no parameters; -param is for Verilog", name)
	}

	d, notes, err := readDesign(r.files, readOptions{top: r.top, verilog: r.source, run: true})
	printNotes(r.out, notes)
	return d, err
}

// isFile reports whether a word is a file's name: it has an extension or a folder.
func isFile(name string) bool {
	return filepath.Ext(name) != "" || strings.ContainsRune(name, filepath.Separator)
}

// results prints the values of -print, the number of cycles and the speed.
func (r *runner) results(took time.Duration) error {
	n := r.s.Cycles()
	rate := float64(n) / max(took.Seconds(), 1e-9)

	if !r.json {
		for _, p := range r.printed {
			for _, v := range p() {
				fmt.Fprintf(r.out.Out, "%s = %s\n", v.Name, v.Value)
			}
		}
		fmt.Fprintf(r.out.Err, "%d cycles in %v, %.4g cycles/s, engine %v\n", n, took.Round(time.Microsecond), rate, r.s.Engine())
		return nil
	}

	// One document with the same facts.
	end := simulated{Cycles: n, Seconds: took.Seconds(), Engine: r.s.Engine().String(), Values: []printedValue{}}
	for _, p := range r.printed {
		end.Values = append(end.Values, p()...)
	}
	if r.stopped != nil {
		end.Stop = &simulatedStop{r.stopped.Code, r.stopped.Cycle}
	}
	if r.failed != nil {
		end.Failure = r.failed.Error()
	}
	return JSON(r.out.Out, end)
}

// simulated is the end of a run, for -json.
type simulated struct {
	Cycles  uint64         `json:"cycles"`
	Seconds float64        `json:"seconds"`
	Engine  string         `json:"engine"`
	Stop    *simulatedStop `json:"stop,omitempty"`
	Failure string         `json:"failure,omitempty"`
	Values  []printedValue `json:"values"`
}

// simulatedStop is the stop that ended a run.
type simulatedStop struct {
	Code  int    `json:"code"`
	Cycle uint64 `json:"cycle"`
}

// stops reports whether a design may end its simulation.
func stops(d *ir.Design) bool {
	for _, m := range d.Modules {
		if slices.ContainsFunc(m.Stmts, func(s ir.Stmt) bool { return s.Kind == ir.Stop }) {
			return true
		}
	}
	return false
}

// failure is called at failed assertions and stops with a code.
func (r *runner) failure(f sim.Failure) {
	// stop is called as well where the design stops, and keeps the code.
	if r.failed == nil && f.Kind != ir.Stop {
		r.failed = &f
	}
	r.s.Halt()
}

// stop is called at stops.
func (r *runner) stop(s sim.Stop) {
	if r.stopped == nil {
		r.stopped = &s
	}
	r.s.Halt()
}

// few and many are the least and the largest number of cycles that are made in one
// go, which takes about goTime.
const (
	few    = 16
	many   = 1 << 16
	goTime = 20 * time.Millisecond
)

// step makes the cycles: it ends at a stop, at a failed assertion, when the signal
// of -until has its value, after the cycles that were asked for, or with ctx.
func (r *runner) step(ctx context.Context) {
	r.resets(true)
	for range r.reset {
		r.s.Step(1)
	}
	r.resets(false)
	r.stopped, r.failed = nil, nil // stops and failures in reset do not count

	// Steps grow until one takes goTime, so that signals are noticed.
	chunk := uint64(few)
	if r.until != "" {
		chunk = 1
	}
	for left := r.cycles; (r.cycles == 0 || left > 0) && r.stopped == nil && r.failed == nil && r.s.Err() == nil; {
		if r.interrupted = ctx.Err() != nil; r.interrupted {
			return
		}
		if r.until != "" && r.s.GetBits(r.when).Equal(r.value) {
			return
		}

		// The condition of -until is asked before every cycle: then a step is one cycle.
		n := chunk
		if r.cycles > 0 {
			n = min(n, left)
			left -= n
		}
		start := time.Now()
		r.s.Step(int(n))
		r.told(r.s.Cycles())
		if r.until == "" && time.Since(start) < goTime {
			chunk = min(2*chunk, many)
		}
	}
}

// told shows the cycles that are done, of those that the run takes at most; a run until a signal
// has its value makes them one by one, and not each is shown.
func (r *runner) told(cycles uint64) {
	if r.progress == nil || r.until != "" && cycles%few != 0 {
		return
	}
	all := r.cycles
	if all > 0 {
		all += uint64(r.reset)
	}
	r.progress.Count(cycles, all, "cycles")
}

// resets drives every reset of the top.
func (r *runner) resets(on bool) {
	v := uint64(0)
	if on && r.reset > 0 {
		v = 1
	}

	// A reset that -set drives is left alone.
	for _, p := range r.s.Top() {
		if level := resetLevel(p); level != 0 && !r.isSet(p.Base()) {
			if on && level == yosys.Low {
				fmt.Fprintf(r.progress.Through(r.out.Err), "note: %s is taken for a reset that acts when low\n", p.Base())
			}
			if err := r.s.Set(p, v^uint64(level-yosys.High)); err != nil {
				panic(err) // a reset is an input of one bit
			}
		}
	}
}

// resetLevel tells when an input resets: by its type or, as in Verilog, by its
// name.
func resetLevel(p sim.Signal) yosys.Level {
	switch k := p.Type().Kind; {
	case !p.IsInput() || p.Width() != 1 || k == ir.Clock:
		return 0
	case k == ir.Reset || k == ir.AsyncReset:
		return yosys.High
	}
	return yosys.ResetByName(p.Base())
}

// isSet reports whether -set drives an input.
func (r *runner) isSet(port string) bool {
	for _, s := range r.sets {
		if name, _, _ := strings.Cut(s, "="); name == port {
			return true
		}
	}
	return false
}

func (r *runner) verdict() error {
	if err := r.s.Err(); err != nil {
		return err
	}
	if r.failed != nil {
		return r.failed
	}
	if r.interrupted {
		return &ExitError{130, "interrupted; what is printed, and waves, are of the cycles until then"}
	}
	if r.stopped == nil {
		return nil
	}

	// The exit code has 8 bits, and a code other than 0 must not become 0.
	fmt.Fprintf(r.out.Err, "stop(%d) in cycle %d\n", r.stopped.Code, r.stopped.Cycle)
	if r.stopped.Code == 0 {
		return nil
	}
	code := r.stopped.Code & 0xff
	if code == 0 {
		code = 1
	}
	return &ExitError{code, fmt.Sprintf("the design stopped with code %d", r.stopped.Code)}
}
