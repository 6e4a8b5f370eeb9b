package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"etch/designs/explore"
	"etch/designs/explore/paper"
)

// paperFlags are the flags of -model paper.
type paperFlags struct {
	net, algorithm, batch string
	dsp, unit             int
}

func (p *paperFlags) define(f *Flags) {
	f.StringVar(&p.net, "net", "8-64-4", "of -model: `inputs-hidden-outputs` of the Q network, or of the actor")
	f.StringVar(&p.algorithm, "algorithm", "dqn", "of -model: dqn or ddpg")
	f.StringVar(&p.batch, "batch", "32,64,128,256", "of -model: `list` of batch sizes, with ranges as in -sweep")
	f.IntVar(&p.dsp, "dsp", 0, "of -model: DSP blocks to spend; by default one die of the paper's U200 for dqn, two for ddpg")
	f.IntVar(&p.unit, "max-unit", 32, "of -model: most multipliers of a tensor unit, 32 in the paper; 0 is no bound")
}

// dies of the U200 that the paper gives the learner (§4.2).
var dies = map[string]int{"dqn": 1, "ddpg": 2}

// paperRow is the best design for a batch beside the paper's two pipelines.
type paperRow struct {
	Best  paper.Point  `json:"best"`
	Paper *paper.Point `json:"table2,omitempty"` // DP = 2 and the largest unit, where it fits
}

// runModel explores the paper's model.
func (e *exploration) runModel(names []string, out Output) error {
	if e.model != "paper" {
		return usagef("no model %q; there is paper", e.model)
	}
	if len(names) > 0 || len(e.sweeps) > 0 || len(e.params) > 0 {
		return usagef("-model takes no design, -sweep or -p")
	}

	// Read the flags before anything is written.
	algorithm, limits, err := e.paper.model(e.devices)
	if err != nil {
		return err
	}
	batches, err := e.paper.batches()
	if err != nil {
		return err
	}

	// The paper's own choice, DP = 2 with the largest unit, stands beside the best.
	var rows []paperRow
	for _, b := range batches {
		best, err := algorithm.Best(b, limits)
		if err != nil {
			return err
		}
		row := paperRow{Best: best}
		if limits.MaxUnit > 0 && b%2 == 0 {
			if p := algorithm.At(b, 2, limits.MaxUnit); p.DSP <= limits.DSP {
				row.Paper = &p
			}
		}
		rows = append(rows, row)
	}

	if e.dir != "" {
		if err := e.paper.picture(e.dir, algorithm, batches[0], limits, out); err != nil {
			return err
		}
	}
	if e.json {
		return JSON(out.Out, map[string]any{"model": "paper", "algorithm": algorithm.Name, "dsp": limits.DSP, "max_unit": limits.MaxUnit, "rows": rows})
	}
	return printPaper(out.Out, algorithm, limits, rows)
}

// model is the algorithm and the limits that the flags name.
func (p *paperFlags) model(devices explore.Devices) (a paper.Algorithm, l paper.Limits, err error) {
	net, err := paper.ParseNet(p.net)
	if err != nil {
		return a, l, usagef("-net: %v", err)
	}

	switch p.algorithm {
	case "dqn":
		a = paper.DQN(net)
	case "ddpg":
		a = paper.DDPG(net)
	default:
		return a, l, usagef("no algorithm %q%s", p.algorithm, suggestion(p.algorithm, []string{"dqn", "ddpg"}))
	}
	if p.dsp < 0 || p.dsp > 1<<20 || p.unit < 0 || p.unit > 1<<16 {
		return a, l, usagef("-dsp %d, -max-unit %d: want 0 to 2^20, 0 to 2^16", p.dsp, p.unit)
	}

	// Without -dsp, the multipliers of the paper's dies.
	l = paper.Limits{DSP: p.dsp, MaxUnit: p.unit}
	if l.DSP == 0 {
		die, ok := devices.Find("u200-slr")
		if !ok {
			return a, l, fmt.Errorf("the table of devices has no u200-slr")
		}
		l.DSP = die.DSP * dies[p.algorithm]
	}
	return a, l, nil
}

// batches reads -batch.
func (p *paperFlags) batches() (list []int, err error) {
	s, err := explore.ParseSweep("batch=" + p.batch)
	if err != nil {
		return nil, usagef("-batch: %v", err)
	}

	// The ranges of a sweep serve here too.
	for _, v := range s.Values {
		b, err := strconv.Atoi(v)
		if err != nil || b < 1 || b > 1<<14 {
			return nil, usagef("-batch: %q is no number from 1 to 16384", v)
		}
		list = append(list, b)
	}
	return list, nil
}

// picture draws the cycles of a gradient step over the DSP blocks of every design
// within the limits, with the front: the paper's figure 7 in other axes.
func (p *paperFlags) picture(dir string, a paper.Algorithm, batch int, l paper.Limits, out Output) error {
	o := &explore.Outcome{
		Design: fmt.Sprintf("%s, batch %d", a.Name, batch), Axes: []explore.Axis{{Name: "dsp"}, {Name: "cycles"}},
		Columns: []string{"dsp", "cycles", "t"}, Sweeps: []explore.Sweep{{Name: "dp", Values: []string{"", ""}}, {Name: "max_unit", Values: []string{"", ""}}},
	}

	// A row a design, as if it had been swept.
	for _, x := range a.Explore(batch, l) {
		o.Rows = append(o.Rows, explore.Row{
			Values:  map[string]string{"dp": strconv.Itoa(x.DP), "max_unit": strconv.Itoa(x.Unit)},
			Results: map[string]float64{"dsp": float64(x.DSP), "cycles": float64(x.Cycles), "t": float64(x.Beat)}, State: explore.Done,
		})
	}

	// The same files as of a sweep.
	o.MarkFront()
	csv, err := o.CSV()
	if err != nil {
		return err
	}
	files := []File{{"paper.csv", csv}, {"paper.svg", o.SVG()}}
	if err := WriteFiles(dir, files...); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(out.Err, "wrote %s\n", filepath.Join(dir, f.Name))
	}
	return nil
}

// printPaper prints the best designs, each beside that of the paper's Table 2.
func printPaper(w io.Writer, a paper.Algorithm, l paper.Limits, rows []paperRow) error {
	unit := "any unit"
	if l.MaxUnit > 0 {
		unit = fmt.Sprintf("units of at most %d multipliers", l.MaxUnit)
	}
	fmt.Fprintf(w, "%s by the paper's model, %d DSP, %s\n", a.Name, l.DSP, unit)

	// The paper's choice has a line of its own only where it is not the best.
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "batch\t\tDP\tPI\tlargest unit\tT\tmultipliers\tDSP\tcycles a step")
	for _, r := range rows {
		line := func(what string, p paper.Point) {
			fmt.Fprintf(t, "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", p.Batch, what, p.DP, p.PI, p.Unit, p.Beat, p.Multipliers, p.DSP, p.Cycles)
		}
		line("best", r.Best)
		if r.Paper != nil && *r.Paper != r.Best {
			line("DP = 2", *r.Paper)
		}
	}
	return t.Flush()
}
