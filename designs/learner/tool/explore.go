package tool

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"etch/designs/cli"
	"etch/designs/explore"
	"etch/designs/learner"
	"etch/hw"
)

// exploreLearner is etch explore learner: the fastest learner of a network that fits a
// device.
func exploreLearner(app *cli.App, args []string, out cli.Output) error {
	q, err := questionOf(args, out)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a, err := q.answer()
	if err != nil {
		return err
	}
	if err := q.check(ctx, &a); err != nil {
		return err
	}
	if q.json {
		return cli.JSON(out.Out, a)
	}
	return q.print(out.Out, a)
}

// question is the flags of the verb.
type question struct {
	sizes      []int
	batch, top int
	formats    []int
	device     explore.Device
	family     string // of the points that the area is fitted to
	mhz        float64
	yosys, pnr bool
	json       bool
}

func questionOf(args []string, out cli.Output) (q question, err error) {
	f := cli.NewFlags("explore learner", out)
	net := f.String("net", "4-64-2", "`inputs-hidden-outputs` of the Q network, with any number of hidden layers")
	algorithm := f.String("algorithm", "dqn", "dqn; of ddpg there is no area model yet")
	f.IntVar(&q.batch, "batch", 32, "samples of a step, a power of two")
	device := f.String("device", "lfe5u-25f", "that it is to fit; etch explore -list-devices lists them")
	file := f.String("devices", "", "JSON `file` with more devices")
	budget := f.String("budget", "", "what the learner may take of the device, as dsp=60,lut=15000; the rest is free for it")
	formats := f.String("formats", "18,16", "`bits` of numbers that may be chosen: 18, 16 or both")
	f.Float64Var(&q.mhz, "clock", 100, "`MHz` that are assumed for steps a second")
	f.IntVar(&q.top, "top", 5, "configurations to print")
	f.BoolVar(&q.yosys, "yosys", false, "have yosys count the cells of the best")
	f.BoolVar(&q.pnr, "pnr", false, "place and route the best")
	f.BoolVar(&q.json, "json", false, "print one JSON document")
	if _, err := f.Positional(args); err != nil {
		return q, err
	}

	if *algorithm != "dqn" {
		return q, cli.Usagef("-algorithm %s: want dqn; for ddpg, etch explore learner_ddpg -sweep", *algorithm)
	}
	for text := range strings.SplitSeq(*net, "-") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 4096 {
			return q, cli.Usagef("-net %s: want sizes of 1 to 4096 as 8-64-4", *net)
		}
		q.sizes = append(q.sizes, n)
	}
	if len(q.sizes) < 2 || len(q.sizes) > 6 {
		return q, cli.Usagef("-net %s: want two to six sizes", *net)
	}
	for text := range strings.SplitSeq(*formats, ",") {
		if text != "16" && text != "18" {
			return q, cli.Usagef("-formats %s: want 16, 18 or 18,16", *formats)
		}
		n, _ := strconv.Atoi(text)
		q.formats = append(q.formats, n)
	}
	if q.top < 1 || q.top > 1000 || !(q.mhz > 0 && q.mhz <= 2000) {
		return q, cli.Usagef("-top %d, -clock %v: want 1 to 1000, up to 2000", q.top, q.mhz)
	}
	return q, q.on(*device, *file, *budget)
}

// families are the points that serve a family of devices.
var families = map[string]string{"xc7": "xc7", "xcup": "xc7", "ecp5": "ecp5"}

// on finds the device and takes the budget for what it has.
func (q *question) on(name, file, budget string) error {
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
	if q.family = families[d.Family]; q.family == "" {
		return cli.Usagef("%s is of family %s, for which there is no area model; there are models for xc7, xcup and ecp5", d.Name, d.Family)
	}
	if q.pnr && len(d.PNR) == 0 {
		return cli.Usagef("no place and route for %s", d.Name)
	}
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

// Choice is a configuration with what it takes.
type Choice struct {
	Config      learner.Config     `json:"-"`
	Given       cli.Values         `json:"parameters"`
	Bits        int                `json:"bits"`
	Beat        int                `json:"beat"`
	Cycles      int                `json:"cycles"`
	Steps       float64            `json:"steps_per_s"` // at the assumed clock
	Multipliers int                `json:"multipliers"`
	Cells       map[string]float64 `json:"cells,omitempty"` // estimated
	Lacks       string             `json:"lacks,omitempty"` // why it does not fit
}

// Answer is the configurations that fit, the fastest first.
type Answer struct {
	Best   []Choice           `json:"best"`
	Faster *Choice            `json:"faster,omitempty"` // the slowest that is faster than the best and does not fit
	Tried  int                `json:"tried"`            // configurations whose cycles were worked out
	Errors map[string]float64 `json:"model_errors"`     // the greatest of points that were not fitted, relative
	Points int                `json:"points"`
	Beyond float64            `json:"beyond,omitempty"` // LUT of the largest point, where the best is larger: the estimate is extrapolated
	Export string             `json:"export"`
	Yosys  map[string]float64 `json:"yosys,omitempty"`
	MHz    []float64          `json:"mhz,omitempty"`
}

// answerTime bounds the search among configurations.
const answerTime = 7 * time.Second

// answer works out the cycles of all configurations exactly, and the area of the fastest,
// by their netlists, until enough fit.
func (q question) answer() (a Answer, err error) {
	model, points, err := areaModel(q.family)
	if err != nil {
		return a, err
	}
	a.Points = len(points)
	if a.Errors, err = greatestErrors(points); err != nil {
		return a, err
	}
	choices, tried, err := q.choices()
	if err != nil {
		return a, err
	}
	a.Tried = tried
	end := time.Now().Add(answerTime)
	var last Choice
	for _, c := range choices {
		if len(a.Best) == q.top || time.Now().After(end) {
			break
		}
		if err := q.estimate(model, &c); err != nil {
			return a, err
		}
		switch {
		case c.Lacks == "":
			a.Best = append(a.Best, c)
		case len(a.Best) == 0:
			a.Faster = &c
		}
		last = c
	}
	if len(a.Best) == 0 {
		// The smallest says by what the device is too small.
		if err := q.estimate(model, &choices[len(choices)-1]); err != nil {
			return a, err
		}
		if last = choices[len(choices)-1]; last.Lacks != "" {
			return a, cli.Usagef("no learner of this network fits; the smallest of %d configurations takes %v: %s", tried, last.Given, last.Lacks)
		}
		a.Best = append(a.Best, last)
	}
	largest := 0.0
	for _, p := range points {
		largest = max(largest, p.Cells["lut"])
	}
	if a.Best[0].Cells["lut"] > largest {
		a.Beyond = largest
	}
	a.Export = "etch export learner " + a.Best[0].Given.String()
	return a, nil
}

// estimate adds the cells of a choice.
func (q question) estimate(m areaModelOf, c *Choice) error {
	// What multiplies more than there is needs no netlist.
	if c.Multipliers > 2*q.device.DSP {
		c.Cells = map[string]float64{"dsp": float64(c.Multipliers)}
		c.Lacks = q.device.Missing(c.Cells)
		return nil
	}
	d, _, err := hw.Build(c.Config)
	if err != nil {
		return err
	}
	c.Cells = m.cells(d)
	c.Lacks = q.device.Missing(c.Cells)
	return nil
}

// check has yosys and place and route look at the best.
func (q question) check(ctx context.Context, a *Answer) error {
	if !q.yosys && !q.pnr {
		return nil
	}
	d, _, err := hw.Build(a.Best[0].Config)
	if err != nil {
		return err
	}
	if q.yosys {
		if a.Yosys, err = cli.Synthesise(ctx, q.device.Family, d); err != nil {
			return err
		}
	}
	if q.pnr {
		p, err := cli.DefaultPlacement().On(q.device)
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
	fmt.Fprintf(w, "DQN %s, batch %d, on %s: %d configurations; cycles are exact, cells estimated from %d designs of %s (errors of such a design by a fit without it: LUT up to %.0f %%, FF %.0f %%)\n",
		strings.Trim(strings.ReplaceAll(fmt.Sprint(q.sizes), " ", "-"), "[]"), q.batch, q.device.Name, a.Tried, a.Points, q.family, 100*a.Errors["lut"], 100*a.Errors["ff"])
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "bits\ttiles\tDP\tbeat\tcycles a step\tsteps/s at %v MHz, assumed\tLUT\tFF\tDSP\tblock RAM\t\n", q.mhz)
	row := func(c Choice) {
		cell := func(name string) string {
			if n, ok := c.Cells[name]; ok {
				return fmt.Sprint(n)
			}
			return "-"
		}
		fmt.Fprintf(t, "%d\t%s\t%d\t%d\t%d\t%.0f\t%s\t%s\t%s\t%s\t\n", c.Bits, c.Given["tiles"], c.Config.DP, c.Beat, c.Cycles, c.Steps, cell("lut"), cell("ff"), cell("dsp"), cell("bram"))
	}
	for _, c := range a.Best {
		row(c)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if a.Beyond > 0 {
		fmt.Fprintf(w, "the best is larger than the largest of those designs, of %v LUT: its cells are extrapolated\n", a.Beyond)
	}
	if f := a.Faster; f != nil {
		fmt.Fprintf(w, "%d cycles (tiles %s, DP %d, %d bits) do not fit: %s\n", f.Cycles, f.Given["tiles"], f.Config.DP, f.Bits, f.Lacks)
	}
	if a.Yosys != nil {
		fmt.Fprintf(w, "yosys makes of the best: %v LUT, %v FF, %v DSP, %v block RAM\n", a.Yosys["lut"], a.Yosys["ff"], a.Yosys["dsp"], a.Yosys["bram"])
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
