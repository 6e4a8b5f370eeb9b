package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"etch/designs/explore"
)

var exploreCommand = Command{
	Name: "explore", Usage: "DESIGN -sweep name=a,b,c|lo..hi… [-p name=value]… [-measure ops,cycles,yosys:FAMILY,pnr:DEVICE] [-pareto a,b] [-o DIR] [-jobs N] [-margin 2] [-retry] [-seeds 3] [-mhz 250] [-devices FILE] [-json] [-plot] | -list-devices | -model paper …",
	Doc:      exploreDoc,
	Examples: []string{"explore fifo -sweep depth=16..1024*2 -measure ops,yosys:xc7 -pareto lut,bram", "explore learner -net 8-64-4 -batch 64 -device xc7a35t"},
	Run:      func(app *App, args []string, out Output) error { return runExplore(app, args, nil, out) },
}

// exploreDoc is the verb's line of help.
const exploreDoc = "measures the configurations of a design and finds the best; interrupted, it goes on where it was"

// Elsewhere takes the dear measures of etch explore in other processes.
type Elsewhere interface {
	// Usage is its flags, for the verb's usage; Flags defines them.
	Usage() string
	Flags(f *Flags)
	// Open gives the pool for the results in a folder, nil where the flags ask for none.
	// Notes for the user go to err. close ends it.
	Open(dir string, err io.Writer) (pool explore.Pool, close func(), e error)
}

// ExploreElsewhere is the verb explore with dear measures taken elsewhere.
func ExploreElsewhere(make func() Elsewhere) Command {
	return Command{
		Name: exploreCommand.Name, Usage: make().Usage() + " " + exploreCommand.Usage, Doc: exploreDoc,
		Run: func(app *App, args []string, out Output) error { return runExplore(app, args, make(), out) },
	}
}

func runExplore(app *App, args []string, elsewhere Elsewhere, out Output) error {
	if d, ok := app.own(args); ok {
		err := d.Explore(app, args[1:], out)
		if c := d.ExploreHelp; err != nil && c.Usage != "" {
			c.Name = d.Name
			return &subError{c, err}
		}
		return err
	}

	e := newExploration(out)
	if e.elsewhere = elsewhere; elsewhere != nil {
		elsewhere.Flags(e.Flags)
	}
	names, err := e.rest(args)
	if err != nil {
		return err
	}

	if err := e.devicesOf(); err != nil {
		return err
	}

	// The forms of the command exclude each other: the list, the model, a design.
	switch {
	case e.list:
		return e.listDevices(out.Out)
	case e.model != "":
		return e.runModel(names, out)
	case len(names) == 0:
		return usagef("DESIGN is missing")
	case e.picture && strings.Count(e.pareto, ",") == 0:
		return usagef("-plot: want two axes in -pareto, as lut,mhz")
	case len(names) > 1:
		return usagef("what is %q?", names[1])
	}
	d, err := app.Design(names[0])
	if err != nil {
		return err
	}
	return e.run(d, out)
}

// own is the design that comes first and that has an exploration of its own, which is
// meant where no parameter is swept.
func (a *App) own(args []string) (d Design, ok bool) {
	if len(args) == 0 || slices.ContainsFunc(args, func(x string) bool { return strings.HasPrefix(strings.TrimLeft(x, "-"), "sweep") }) {
		return d, false
	}
	i := slices.IndexFunc(a.Designs, func(d Design) bool { return d.Name == args[0] && d.Explore != nil })
	if i < 0 {
		return d, false
	}
	return a.Designs[i], true
}

// exploration is the flags of the verb.
type exploration struct {
	*Flags
	params      Values
	sweeps      []explore.Sweep
	measure     string
	pareto      string
	dir         string
	jobs        int
	margin      float64
	retry       bool
	place       Placement
	devicesFile string
	devices     explore.Devices
	json, list  bool
	picture     bool
	model       string
	paper       paperFlags
	elsewhere   Elsewhere // nil: all is measured here
}

func newExploration(out Output) *exploration {
	e := &exploration{Flags: NewFlags("explore", out), place: DefaultPlacement()}
	e.params = e.Values()

	// The flags in the order of -h: the sweep, the measures, the output, the run, the placement.
	e.Func("sweep", "a parameter and its values, `name=list`: of values and ranges lo..hi, lo..hi+step, lo..hi*factor, with commas, or semicolons between lists; may be repeated", func(text string) error {
		s, err := explore.ParseSweep(text)
		e.sweeps = append(e.sweeps, s)
		return err
	})
	e.StringVar(&e.measure, "measure", "ops", "`list` of ops (counts of the netlist), cycles (the design's own numbers), counts:FAMILY (bits that an area model is fitted to), yosys:FAMILY or yosys:DEVICE (cells), pnr:DEVICE (cells and MHz)")
	e.StringVar(&e.pareto, "pareto", "", "`axes` of the front, as lut,mhz: the least of each but of mhz, *_per_s and *_rate, or as min: or max: says")
	e.StringVar(&e.dir, "o", "", "`folder` for results.jsonl, explore.csv, explore.json and pareto.svg; by default explore-DESIGN")
	e.IntVar(&e.jobs, "jobs", 0, "measures at a time; 0 is one a processor")
	e.Float64Var(&e.margin, "margin", 2, "a configuration that another beats by this factor in all cheaper results gets no dearer measure; 0 measures all")
	e.BoolVar(&e.retry, "retry", false, "measure again what failed")
	e.IntVar(&e.place.Seeds, "seeds", e.place.Seeds, "runs of place and route of each, of which the median counts")
	e.Float64Var(&e.place.MHz, "mhz", e.place.MHz, "the clock for place and route to strive for")
	e.StringVar(&e.devicesFile, "devices", "", "JSON `file` with more devices, an array as -list-devices -json prints")
	e.BoolVar(&e.list, "list-devices", false, "list the devices with their resources")
	e.BoolVar(&e.json, "json", false, "print one JSON document")
	e.BoolVar(&e.picture, "plot", false, "draw the first two axes in letters below the table")

	// The forms without a design.
	e.StringVar(&e.model, "model", "", "explore a `model` instead of a design: paper, the replay accelerator's learner")
	e.paper.define(e.Flags)
	return e
}

// devicesOf reads the built-in devices, and over them the file of -devices if there is one.
func (e *exploration) devicesOf() (err error) {
	if e.devices, err = explore.BuiltIn(); err != nil || e.devicesFile == "" {
		return err
	}
	e.devices, err = e.devices.WithFile(e.devicesFile)
	return err
}

// plan checks the flags and makes a plan of them. Parameters are checked by name here,
// by value when a candidate is built.
func (e *exploration) plan(d Design) (p explore.Plan, err error) {
	if len(e.sweeps) == 0 {
		return p, usagef("-sweep is missing%s", parameterNames(d))
	}

	// A wrong name is wrong for all candidates: it is an error of the command and not of
	// each of them.
	all := Values{}
	for name := range e.params {
		all[name] = ""
	}
	for _, s := range e.sweeps {
		all[s.Name] = ""
	}
	if err := CheckNames(all, d.Params); err != nil {
		return p, err
	}

	// NaN fails every comparison, hence the bounds as conditions that must hold.
	if !(e.margin == 0 || e.margin >= 1 && e.margin <= 1e6) || e.jobs < 0 || e.jobs > 1024 || e.place.Seeds < 1 || e.place.Seeds > 1000 || !(e.place.MHz >= 1 && e.place.MHz <= 1000) {
		return p, usagef("-margin %v, -jobs %d, -seeds %d, -mhz %v: want 0 or 1 to 1e6, 0 to 1024, 1 to 1000, 1 to 1000", e.margin, e.jobs, e.place.Seeds, e.place.MHz)
	}

	p = explore.Plan{
		Design: d.Name, Sweeps: e.sweeps, Fixed: e.params, Margin: e.margin, Workers: e.jobs, Retry: e.retry,
		Build: d.netlist,
		Text:  plainVerilog,
		Meter: &explore.Meter{},
	}
	if p.Axes, err = explore.ParseAxes(e.pareto); err != nil {
		return p, usagef("-pareto: %v", err)
	}
	p.Measures, err = bench{d, e.devices, e.place}.parse(e.measure)
	return p, err
}

// parameterNames is "; the parameters are …".
func parameterNames(d Design) string {
	if len(d.Params) == 0 {
		return "; " + d.Name + " has no parameters"
	}
	var names []string
	for _, p := range d.Params {
		names = append(names, p.Name)
	}
	return "; the parameters are " + strings.Join(names, ", ")
}

// run explores a design. Interrupted, it writes the tables of the results so far.
func (e *exploration) run(d Design, out Output) error {
	plan, err := e.plan(d)
	if err != nil {
		return err
	}

	// Open the folder before the work, so that a bad path is reported at once.
	dir := cmp.Or(e.dir, "explore-"+d.Name)
	if e.elsewhere != nil {
		pool, end, err := e.elsewhere.Open(dir, out.Err)
		if err != nil {
			return err
		}
		defer end()
		plan.Pool = pool
	}
	if err := WritableIn(dir, "explore.csv"); err != nil {
		return err
	}
	journal, err := explore.OpenJournal(dir)
	if err != nil {
		return err
	}

	// A line that is rewritten would fill a file: it is for terminals only.
	ctx, stop := Interruptible()
	defer stop()
	done := func() {}
	if terminal(out.Err) {
		done = live(out.Err, 500*time.Millisecond, plan.Meter.Line)
	}
	result, err := explore.Run(ctx, journal, plan)
	done()

	// Tables are written at the end and at Ctrl-C, not when the journal itself failed.
	err = errors.Join(Interrupted(ctx, err), journal.Close())
	if result == nil {
		return err
	}
	if err == nil || ctx.Err() != nil {
		err = errors.Join(err, e.write(dir, result, out))
	}
	return err
}

// write makes the files of an outcome and prints it.
func (e *exploration) write(dir string, o *explore.Outcome, out Output) error {
	// All files are made in memory before the first is written.
	csv, err := o.CSV()
	if err != nil {
		return err
	}
	var doc strings.Builder
	if err := JSON(&doc, o); err != nil {
		return err
	}
	files := []File{{"explore.csv", csv}, {"explore.json", []byte(doc.String())}}
	svg := o.SVG()
	if svg != nil {
		files = append(files, File{pictureName, svg})
	}
	if err := WriteFiles(dir, files...); err != nil {
		return err
	}
	if svg == nil { // an older picture would belong to another table
		if err := os.Remove(filepath.Join(dir, pictureName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}

	// The table is the result and goes to standard output, all else to the other.
	if e.json {
		fmt.Fprint(out.Out, doc.String())
	} else if err := printOutcome(out.Out, o); err != nil {
		return err
	} else if e.picture {
		fmt.Fprint(out.Out, "\n", o.Text(pictureColumns, pictureRows))
	}
	var names []string
	for _, f := range files {
		names = append(names, filepath.Join(dir, f.Name))
	}
	fmt.Fprintf(out.Err, "%s; wrote %s\n", summary(o), strings.Join(names, ", "))

	// A failure of the machine is not in the journal, so that a second run of the command tries it
	// again.
	for _, p := range o.Passing {
		fmt.Fprintf(out.Err, "%v\n", p)
	}
	if len(o.Passing) > 0 {
		return fmt.Errorf("%d measurements failed for the machine's sake; the same command tries them again", len(o.Passing))
	}
	return o.Err()
}

// pictureName is the file of the front.
const pictureName = "pareto.svg"

// Size of -plot, in letters: with axis and comment signs it fits 90 columns.
const pictureColumns, pictureRows = 66, 16

// summary counts the configurations by state.
func summary(o *explore.Outcome) string {
	text := fmt.Sprintf("%d configurations", len(o.Rows))

	// A state is one word in the table; a summary has room for more.
	for i, s := range []explore.State{explore.Done, explore.Refused, explore.Failed, explore.Unfit, explore.Spared, explore.Open} {
		n := o.Count(s)
		switch {
		case n == 0:
		case i == 0:
			text += fmt.Sprintf(", %d %s", n, s)
		default:
			text += fmt.Sprintf(", %d %s", n, stateWords[s])
		}
	}
	return text + fmt.Sprintf(" (%d results new)", o.Fresh)
}

// stateWords are the states in a summary.
var stateWords = map[explore.State]string{
	explore.Refused: "refused as invalid", explore.Failed: "failed", explore.Unfit: "too large for the device",
	explore.Spared: "beaten and spared dear measures", explore.Open: "left to do",
}

// printOutcome prints the table; configurations of the front have a star.
func printOutcome(w io.Writer, o *explore.Outcome) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range o.Sweeps {
		fmt.Fprintf(t, "%s\t", s.Name)
	}
	for _, c := range o.Columns {
		fmt.Fprintf(t, "%s\t", c)
	}
	fmt.Fprintln(t)

	// A row: its values, its results, and a star or the reason why it has no results.
	for _, r := range o.Rows {
		for _, s := range o.Sweeps {
			fmt.Fprintf(t, "%s\t", r.Values[s.Name])
		}
		for _, c := range o.Columns {
			text := "-"
			if x, ok := r.Results[c]; ok {
				text = fmt.Sprintf("%.6g", x)
			}
			fmt.Fprintf(t, "%s\t", text)
		}
		switch {
		case r.Front:
			fmt.Fprint(t, "*")
		case r.State != explore.Done:
			fmt.Fprint(t, message(fmt.Errorf("%s: %s", r.State, firstLine(r.Note))))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// firstLine is a text up to its first line break, and at most 160 letters of it.
func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if r := []rune(text); len(r) > 160 {
		return string(r[:159]) + "…"
	}
	return text
}

// listDevices prints the table of devices.
func (e *exploration) listDevices(w io.Writer) error {
	if e.json {
		return JSON(w, e.devices)
	}

	// A dash for devices that only yosys knows.
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "device\tfamily\tLUT\tinputs\tFF\tDSP\tsize\tblock RAM\tkbit\tlarge RAM\tkbit\tplace and route")
	for _, d := range e.devices {
		pnr := "-"
		if len(d.PNR) > 0 {
			pnr = d.PNR[0]
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%s\n", d.Name, d.Family, d.LUT, d.LUTInputs, d.FF, d.DSP, d.DSPSize, d.BRAM, d.BRAMKbit, d.URAM, d.URAMKbit, pnr)
	}
	return t.Flush()
}
