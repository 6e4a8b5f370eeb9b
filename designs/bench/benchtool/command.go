package benchtool

import (
	"context"
	"slices"
	"strings"
	"time"

	"etch/designs/bench"
	"etch/designs/bench/rival"
	"etch/designs/cli"
)

// Limits of building models.
const (
	buildLimit      = 10 * time.Minute // of one model
	foreignLimit    = 30 * time.Minute // of one model of a user's own design
	shortBuilds     = 20 * time.Second // of all models of a short run together
	shortOps        = 1000             // of a design whose model a short run builds
	scaleBuildLimit = 2 * time.Minute  // of one model of the size series
)

// Command is etch bench.
var Command = cli.Command{
	Name: "bench", Usage: "[scale | repeat | cover] [-v] [-json] [-short] [-design a,b | -verilog a.v,b.v -top NAME … | -firrtl FILE …] [-engine a,b] [-rival a,b] [-cycles n]",
	Doc:      "cycles per second of etch's engines and of Verilator (with -firrtl of GSIM too), medians of 5; with scale by size of the design; with repeat how far equal runs differ; with cover the cost of coverage",
	Examples: []string{"bench -short", "bench repeat -design rv32i -runs 3", "bench -verilog core.v -top core -cycles 100000", "bench -firrtl core.fir -mem soc.ram=program.bin -cycles 1000000"},
	Run: func(_ *cli.App, args []string, out cli.Output) error {
		ctx, stop := cli.Interruptible()
		defer stop()
		if len(args) > 0 && args[0] == "scale" {
			return runScale(ctx, args[1:], out)
		}
		if len(args) > 0 && args[0] == "repeat" {
			return runRepeat(ctx, args[1:], out)
		}
		if len(args) > 0 && (args[0] == "cover" || args[0] == "-cover") {
			return runCover(ctx, args[1:], out)
		}
		return runBench(ctx, args, out)
	},
}

// flags are those of both forms.
type flags struct {
	*cli.Flags
	json, short *bool
	engine      *string
	rival       *string
	cycles      *uint64
}

func newFlags(name string, out cli.Output) flags {
	f := cli.NewFlags(name, out)
	var engines []string
	for _, e := range Engines {
		engines = append(engines, e.Name)
	}
	f.Words("engine", engines...)
	f.Words("rival", "verilator", "gsim", "none")
	return flags{
		f,
		f.Bool("json", false, "print one JSON document"),
		f.Bool("short", false, "take less than a minute: shorter runs, small designs, no lanes, no long builds"),
		f.String("engine", "", "`engines`, comma-separated; all without it, of -firrtl native"),
		f.String("rival", "", "`rivals`, comma-separated: verilator, gsim (with -firrtl) or none; all that fit without it"),
		f.Uint64("cycles", 0, "cycles of a run; as many as take half a second without it"),
	}
}

// settings are the settings that the flags ask for; args must hold nothing else.
func (f flags) settings(args []string, limit time.Duration, out cli.Output) (*settings, error) {
	if _, err := f.Positional(args); err != nil {
		return nil, err
	}

	o := &settings{short: *f.short, cycles: *f.cycles, slot: 0.5, buildLimit: limit, log: out.Err}
	if o.cycles > 1<<40 {
		return nil, cli.Usagef("-cycles: at most %d", 1<<40)
	}
	var err error
	if o.engines, err = chosen("engine", *f.engine, Engines, func(e Engine) string { return e.Name }); err != nil {
		return nil, err
	}

	// A short run takes the engines of one instance alone, whose slots are short as well.
	if o.short {
		o.slot, o.buildsEnd = 0.08, time.Now().Add(shortBuilds)
		if *f.engine == "" {
			o.engines = singles(o.engines)
		}
	}

	return o, f.rivals(o)
}

// rivals finds the rivals that the flag names. Without one etch's engines are still measured; the
// table says why there is no ratio.
func (f flags) rivals(o *settings) error {
	names := *f.rival
	if o.named = strings.Contains(names, "gsim"); names == "" {
		names = "verilator,gsim"
	}
	some, err := chosen("rival", names, []string{"verilator", "gsim", "none"}, func(s string) string { return s })
	if err != nil {
		return err
	}
	if slices.Contains(some, "none") && len(some) > 1 {
		return cli.Usagef("-rival: none excludes others")
	}

	// A missing rival is no error: the table has its reason.
	if o.why = "not raced (-rival " + names + ")"; slices.Contains(some, "verilator") {
		if o.verilator, err = rival.Find(); err != nil {
			o.why = err.Error()
		}
	}
	o.wantsGSIM = slices.Contains(some, "gsim")
	return nil
}

func runBench(ctx context.Context, args []string, out cli.Output) error {
	f := newFlags("bench", out)
	names := f.String("design", "", "`designs`, comma-separated; all without it")
	verbose := f.Bool("v", false, "print a report of each engine's code on standard error")
	foreign := newForeign(f)
	o, err := f.settings(args, buildLimit, out)
	if err != nil {
		return err
	}

	// The log and the line of progress share standard error.
	o.working = cli.NewProgress(out.Err, "reads the design")
	defer o.working.End()
	o.log = o.working.Through(out.Err)

	designs := bench.Designs()
	if o.short && *names == "" {
		designs = bench.Small()
	}

	// A foreign design takes the place of the listed ones.
	if foreign.given() {
		if *names != "" {
			return cli.Usagef("-design and -verilog or -firrtl exclude each other")
		}
		d, err := foreign.design(ctx, o.log)
		if err != nil {
			return err
		}
		designs, o.foreign, o.buildLimit = []bench.Design{d}, foreign, foreignLimit

		// The interpreter takes a second for a few cycles of a large core, and lanes its memory many
		// times: both run if they are asked for.
		if *f.engine == "" && foreign.firrtl != "" {
			o.engines = slices.DeleteFunc(slices.Clone(o.engines), func(e Engine) bool { return e.Name != "native" })
		}
	}

	if designs, err = chosen("design", *names, designs, func(d bench.Design) string { return d.Name }); err != nil {
		return err
	}
	tracks, err := o.lay(ctx, designs...)
	if err != nil {
		return err
	}

	rows := []Row{}
	for i, t := range tracks {
		o.working.Now("races " + t.name)
		o.working.Count(uint64(i), uint64(len(tracks)), "designs")
		more, err := o.race(ctx, t)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
		if *verbose {
			if err := o.explain(t); err != nil {
				return err
			}
		}
	}

	o.working.End()
	if *f.json {
		return cli.JSON(out.Out, map[string]any{"rows": rows})
	}
	return printTable(out.Out, o.engines, rows)
}
