package learnertool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"etch/designs/cli"
	"etch/designs/explore"
)

// exploreDQN is etch explore learner, exploreDDPG etch explore learner_ddpg: the fastest
// learner of a network that fits a device.
func exploreDQN(_ *cli.App, args []string, out cli.Output) error  { return ask("dqn", args, out) }
func exploreDDPG(_ *cli.App, args []string, out cli.Output) error { return ask("ddpg", args, out) }

// ask answers a question of the command line.
func ask(algorithm string, args []string, out cli.Output) error {
	q, err := questionOf(algorithm, args, out)
	if err != nil {
		return err
	}
	ctx, stop := cli.Interruptible()
	defer stop()

	// Formats that do not learn are no answer: they are left out before the search.
	var learned []Learned
	if q.quality.env != "" {
		if learned, err = q.learning(ctx, out.Err); err != nil {
			return cli.Interrupted(ctx, err)
		}
	}

	// The answer, checked by synthesis or place and route where that is asked for.
	a, err := q.answer(ctx)
	if ctx.Err() != nil {
		err = errors.New("interrupted before there was an answer")
	}
	if err != nil {
		return cli.Interrupted(ctx, err)
	}
	a.Learned = learned
	if err := q.check(ctx, &a); err != nil {
		return cli.Interrupted(ctx, err)
	}

	if q.json {
		return cli.JSON(out.Out, a)
	}
	return q.print(out.Out, a)
}

// question is the flags of the verb.
type question struct {
	algorithm  string // dqn or ddpg
	sizes      []int  // of the Q network or of the actor
	batch, top int
	replay     int // transitions that the memory in front of the learner holds; 0: none
	formats    []int
	quality    quality
	dir        string // of the runs of quality
	device     explore.Device
	family     string // of the points that the area is fitted to
	mhz        float64
	yosys, pnr bool
	seeds      int           // of place and route
	time       time.Duration // of the search, without -quality, -yosys and -pnr
	json       bool
}

// usual are the networks of CartPole and of the pendulum.
var usual = map[string]string{"dqn": "4-64-2", "ddpg": "3-64-1"}

func questionOf(algorithm string, args []string, out cli.Output) (q question, err error) {
	f := cli.NewFlags("explore learner", out)
	net := f.String("net", "", "`inputs-hidden-outputs` of the Q network or of the actor, with any number of hidden layers; by default 4-64-2, of ddpg 3-64-1. The critic has the actor's hidden layers")
	f.StringVar(&q.algorithm, "algorithm", algorithm, "dqn or ddpg")
	f.IntVar(&q.batch, "batch", 32, "samples of a step, a power of two")
	f.IntVar(&q.replay, "replay", 0, "`transitions` of a replay memory in front of the learner, behind an AXI4-Lite port; 0: the learner alone")
	device := f.String("device", "lfe5u-25f", "that it is to fit; etch explore -list-devices lists them")
	file := f.String("devices", "", "JSON `file` with more devices")
	budget := f.String("budget", "", "what the learner may take of the device, as dsp=60,lut=15000; the rest is free for it")
	formats := f.String("formats", "", "`bits` of numbers that may be chosen, 9 to 18; by default 18,16, with -quality 18,16,14,12,11,10")
	good := f.String("quality", "", "cartpole:SEEDS or pendulum:SEEDS: only formats with which the bit-exact model learns it with all seeds; takes minutes")
	f.StringVar(&q.dir, "o", "explore-learner", "`folder` for results.jsonl, the runs of -quality, which are not made again")
	f.Float64Var(&q.mhz, "clock", 100, "`MHz` that are assumed for steps a second")
	f.IntVar(&q.top, "top", 5, "configurations to print")
	f.BoolVar(&q.yosys, "yosys", false, "have yosys count the cells of the best")
	f.BoolVar(&q.pnr, "pnr", false, "place and route the best")
	f.IntVar(&q.seeds, "seeds", 3, "runs of place and route, of which the median counts")
	f.DurationVar(&q.time, "time", 7*time.Second, "for the search among configurations, without -quality, -yosys and -pnr")
	f.BoolVar(&q.json, "json", false, "print one JSON document")
	if _, err := f.Positional(args); err != nil {
		return q, err
	}

	// The network, by default that of the algorithm's task.
	if usual[q.algorithm] == "" {
		return q, cli.Usagef("-algorithm %s: want dqn or ddpg", q.algorithm)
	}
	if q.sizes, err = sizesOf(cmp.Or(*net, usual[q.algorithm])); err != nil {
		return q, err
	}
	if q.algorithm == "ddpg" && len(q.sizes) < 3 {
		return q, cli.Usagef("-net %s: an actor has a hidden layer at least", *net)
	}

	// Narrow formats are worth a try only where training says whether they learn.
	if *formats == "" {
		*formats = "18,16"
		if *good != "" {
			*formats = "18,16,14,12,11,10"
		}
	}
	if q.formats, err = bitsOf(*formats); err != nil {
		return q, err
	}

	// Bounds, then the flags that are checked against files and against the network.
	if q.top < 1 || q.top > 1000 || !(q.mhz > 0 && q.mhz <= 2000) || q.seeds < 1 || q.seeds > 1000 || q.replay < 0 || q.replay > 1<<20 {
		return q, cli.Usagef("-top %d, -clock %v, -seeds %d, -replay %d: want 1 to 1000, up to 2000, 1 to 1000, up to %d", q.top, q.mhz, q.seeds, q.replay, 1<<20)
	}
	if q.time <= 0 {
		return q, cli.Usagef("-time %v: want a time above 0, as 7s", q.time)
	}
	if q.batch < 1 {
		return q, cli.Usagef("-batch %d: want a power of two", q.batch)
	}
	if err := q.on(*device, *file, *budget); err != nil {
		return q, err
	}
	return q, q.parseQuality(*good)
}

// sizesOf reads -net.
func sizesOf(net string) (sizes []int, err error) {
	for text := range strings.SplitSeq(net, "-") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 4096 {
			return nil, cli.Usagef("-net %s: want sizes of 1 to 4096 as 8-64-4", net)
		}
		sizes = append(sizes, n)
	}
	if len(sizes) < 2 || len(sizes) > 6 {
		return nil, cli.Usagef("-net %s: want two to six sizes", net)
	}
	return sizes, nil
}

// bitsOf reads -formats.
func bitsOf(formats string) (bits []int, err error) {
	for text := range strings.SplitSeq(formats, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < narrowest || n > widest || slices.Contains(bits, n) {
			return nil, cli.Usagef("-formats %s: want different numbers of bits from %d to %d, as 18,16", formats, narrowest, widest)
		}
		bits = append(bits, n)
	}
	return bits, nil
}

// families are the points that serve a family of devices.
var families = map[string]string{"xc7": "xc7", "xcup": "xc7", "ecp5": "ecp5"}

// on finds the device and takes the budget for its resources.
func (q *question) on(name, file, budget string) error {
	// The device, of the table or of the user's own.
	known, err := explore.BuiltIn()
	if err == nil && file != "" {
		known, err = known.WithFile(file)
	}
	if err != nil {
		return err
	}
	d, ok := known.Find(name)
	if !ok {
		return cli.Usagef("no device %q; there are %s", name, strings.Join(known.Names(), ", "))
	}

	// It has an area model, and place and route where that is asked for.
	if q.family = families[d.Family]; q.family == "" {
		return cli.Usagef("%s is of family %s, for which there is no area model; there are models for xc7, xcup and ecp5", d.Name, d.Family)
	}
	if q.pnr && len(d.PNR) == 0 {
		return cli.Usagef("no place and route for %s", d.Name)
	}

	// A budget lowers the resources, and raises none.
	has := map[string]*int{"lut": &d.LUT, "ff": &d.FF, "dsp": &d.DSP, "bram": &d.BRAM}
	for part := range strings.SplitSeq(budget, ",") {
		if budget == "" {
			break
		}
		key, text, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(text)
		if has[key] == nil || err != nil || n < 0 {
			return cli.Usagef("-budget %s: want numbers of lut, ff, dsp and bram, as dsp=60,lut=15000", budget)
		}
		*has[key] = min(*has[key], n)
	}
	q.device = d
	return nil
}

// check has yosys and place and route look at the best.
func (q question) check(ctx context.Context, a *Answer) error {
	if !q.yosys && !q.pnr {
		return nil
	}
	d, err := a.Best[0].built(ctx)
	if err != nil {
		return err
	}

	// Cells that say whether the estimate was right.
	if q.yosys {
		if a.Yosys, err = cli.Synthesise(ctx, q.device.Family, d); err != nil {
			return err
		}
		a.Lacks = q.device.Missing(a.Yosys)
	}

	// The clock of some placements; none where it does not fit.
	if q.pnr {
		place := cli.DefaultPlacement()
		place.Seeds = q.seeds
		p, err := place.On(q.device)
		if err != nil {
			return err
		}
		t, err := cli.PlaceAndRoute(ctx, d, p)
		if err != nil {
			return err
		}
		a.MHz = t.MHz
	}
	return nil
}

func (q question) print(w io.Writer, a Answer) error {
	// The question as it was understood, with formats that were tried in front.
	what := strings.ToUpper(q.algorithm) + " " + strings.ReplaceAll(list(q.sizes), ",", "-")
	if q.replay > 0 {
		what += fmt.Sprintf(" with %d transitions", q.replay)
	}
	for _, l := range a.Learned {
		fmt.Fprintf(w, "%d bits: %d of %d seeds solve %s, in %.0f gradient steps on average\n", l.Bits, l.Solved, l.Seeds, q.quality.env, l.Steps)
	}
	if len(a.Learned) > 0 {
		fmt.Fprintf(w, "the fewest bits that learn with every seed: %d\n", fewest(a.Learned).Bits)
	}
	fmt.Fprintf(w, "%s, batch %d, on %s: %d configurations; cycles are exact, cells estimated from %d designs of %s (errors of such a design by a fit without it: LUT up to %.0f %%, FF %.0f %%)\n",
		what, q.batch, q.device.Name, a.Tried, a.Points, q.family, 100*a.Errors["lut"], 100*a.Errors["ff"])

	if err := q.table(w, a.Best); err != nil {
		return err
	}

	// Limits of the answer: estimates that reach far, time, the next faster one.
	if a.Beyond > 0 {
		fmt.Fprintf(w, "the best is larger than the largest of those designs, of %v LUT: its cells are extrapolated\n", a.Beyond)
	}
	if a.Late != "" {
		fmt.Fprintln(w, a.Late)
	}
	if f := a.Faster; f != nil {
		fmt.Fprintf(w, "%d cycles (tiles %s, DP %d, %d bits) do not fit: %s\n", f.Cycles, f.Tiles, f.DP, f.Bits, f.Lacks)
	}

	// The best as the tools see it, and the command that writes it.
	if a.Yosys != nil {
		fmt.Fprintf(w, "yosys makes of the best: %v LUT, %v FF, %v DSP, %v block RAM\n", a.Yosys["lut"], a.Yosys["ff"], a.Yosys["dsp"], a.Yosys["bram"])
		if a.Lacks != "" {
			fmt.Fprintf(w, "so it does not fit: %s\n", a.Lacks)
		}
	}
	switch n := len(a.MHz); {
	case n > 0:
		fmt.Fprintf(w, "placed and routed: %.1f MHz (%.1f to %.1f): %.0f steps/s\n", a.MHz[n/2], a.MHz[0], a.MHz[n-1], math.Floor(1e6*a.MHz[n/2]/float64(a.Best[0].Cycles)))
	case q.pnr:
		fmt.Fprintln(w, "it does not fit, as place and route counts")
	}
	fmt.Fprintln(w, a.Export)
	return nil
}

// table prints a row a configuration, the fastest first.
func (q question) table(w io.Writer, best []Choice) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "bits\ttiles\tDP\tbeat\tcycles a step\tsteps/s at %v MHz, assumed\tLUT\tFF\tDSP\tblock RAM\t\n", q.mhz)
	row := func(c Choice) {
		cell := func(name string) string {
			if n, ok := c.Cells[name]; ok {
				return fmt.Sprint(n)
			}
			return "-"
		}
		fmt.Fprintf(t, "%d\t%s\t%d\t%d\t%d\t%.0f\t%s\t%s\t%s\t%s\t\n", c.Bits, c.Tiles, c.DP, c.Beat, c.Cycles, c.Steps, cell("lut"), cell("ff"), cell("dsp"), cell("bram"))
	}
	for _, c := range best {
		row(c)
	}
	return t.Flush()
}
