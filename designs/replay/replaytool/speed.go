package replaytool

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"

	"etch/designs/cli"
	"etch/designs/replay"
	"etch/designs/replay/host"
	"etch/designs/replay/model"
)

// Speed compares the forms of the tree with each other, with trees of this machine's
// processor, and with the paper's claims.
var Speed = cli.Command{
	Name: "replay-speed", Usage: "[-leaves 1048576] [-mhz 300] [-repeat 15] [-json]",
	Doc: "cycles of 128 draws and 128 updates in simulation of all forms, beside Go trees of K = 2 and 16 and the paper's claims",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment replay-speed", out)
		leaves := f.Int("leaves", 1<<20, "of the simulated trees")
		mhz := f.Float64("mhz", 300, "the clock that is assumed where none was measured")
		repeat := f.Int("repeat", 15, "measurements of the processor, of which the median counts")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *leaves < 4096 || *leaves > 1<<20 || !(*mhz > 0 && *mhz <= 2000) || *repeat < 1 || *repeat > 10_000 {
			return cli.Usagef("-leaves %d, -mhz %v, -repeat %d: want 4096 to 2^20, up to 2000, 1 to 10000", *leaves, *mhz, *repeat)
		}

		// Circuits in simulation, then this machine's processor.
		r := SpeedReport{Leaves: *leaves, MHz: *mhz}
		var err error
		if r.Circuits, err = circuits(*leaves, out.Err); err != nil {
			return err
		}
		r.Processor = processor(*repeat)
		if *asJSON {
			return cli.JSON(out.Out, r)
		}
		return r.print(out.Out)
	},
}

// SpeedReport is the measurements of the circuits and of the processor.
type SpeedReport struct {
	Leaves    int            `json:"leaves"`
	MHz       float64        `json:"assumed_mhz"`
	Circuits  []CircuitSpeed `json:"circuits"`
	Processor []GoSpeed      `json:"go"`
}

// CircuitSpeed is the cycles of a batch of 128 operations, from the first offer to
// the last response.
type CircuitSpeed struct {
	Form    string `json:"form"`
	K       int    `json:"k"`
	Samples uint64 `json:"sample_cycles"`
	Updates uint64 `json:"update_cycles"`
	Bound   int    `json:"scan_bound,omitempty"` // Σf + (B−1)·max f
}

// circuits runs a batch through trees that are full.
func circuits(leaves int, progress io.Writer) (all []CircuitSpeed, err error) {
	for _, c := range []replay.Tree{
		{Form: replay.InPipeline, Config: replay.Config{K: 4}}, {Form: replay.InPipeline, Config: replay.Config{K: 64}},
		{Form: replay.InSeries, Config: replay.Config{K: 4}}, {Form: replay.InSeries, Config: replay.Config{K: 64}},
		{Form: replay.ByScan, Config: replay.Config{K: 64}}, {Form: replay.ByScan, Config: replay.Config{K: 64}, Early: true},
		{Form: replay.ByScan, Config: replay.Config{K: 4}},
	} {
		c.Params, c.Read, c.Strata, c.Seed, c.Samplers = model.Params{Capacity: leaves, Leaf: 16, Fraction: 12}, 1, 2, 1, 32
		x, err := circuit(c)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(progress, "%s, K = %d: %d cycles for %d draws\n", x.Form, x.K, x.Samples, batch)
		all = append(all, x)
	}
	return all, nil
}

func circuit(c replay.Tree) (x CircuitSpeed, err error) {
	// A full tree of random priorities.
	tree, err := host.Simulate(c)
	if err != nil {
		return x, err
	}
	defer tree.Close()

	r := rand.New(rand.NewPCG(1, 2))
	fill := make([]model.Operation, c.Capacity)
	if c.Form == replay.InSeries {
		fill = fill[:min(4096, len(fill))] // it takes the same cycles whatever is in the tree
	}
	for i := range fill {
		fill[i] = model.Operation{Kind: model.Insert, Priority: 1 + r.Uint64N(1<<16-1)}
	}

	nothing := func(int, model.Response) error { return nil }
	if _, err := tree.Run(fill, nothing); err != nil {
		return x, err
	}

	// A batch of draws, then one of updates.
	samples, updates := make([]model.Operation, batch), make([]model.Operation, batch)
	for i := range samples {
		samples[i] = model.Operation{Kind: model.Sample}
		updates[i] = model.Operation{Kind: model.Update, Index: r.IntN(len(fill)), Priority: r.Uint64N(1 << 16)}
	}

	x = CircuitSpeed{Form: name(c), K: c.K}
	if x.Samples, err = tree.Run(samples, nothing); err != nil {
		return x, err
	}
	if x.Updates, err = tree.Run(updates, nothing); err != nil {
		return x, err
	}

	// The paper's worst case: f of a level is a cycle for each of its words and one more.
	if c.Form == replay.ByScan {
		sum, most := 0, 0
		for _, l := range c.Levels() {
			sum, most = sum+l.Words()+1, max(most, l.Words()+1)
		}
		x.Bound = sum + (batch-1)*most
	}
	return x, nil
}

// GoSpeed is the speed of a tree in Go on one core.
type GoSpeed struct {
	K       int     `json:"k"`
	Leaves  int     `json:"leaves"`
	Samples float64 `json:"samples_per_s"` // a random number, a product and a find each
	Updates float64 `json:"updates_per_s"`
}

// processor measures Go trees of two sizes, in turn.
func processor(repeat int) (all []GoSpeed) {
	for _, leaves := range []int{1 << 14, 1 << 20} {
		for _, k := range []int{2, 16} {
			// A full tree.
			t := newSumTree(k, leaves)
			r := rand.New(rand.NewPCG(3, 4))
			for i := range leaves {
				t.update(i, 1+r.Uint64N(1<<16-1))
			}

			// Draws and updates in turn, so that a slow spell of the machine meets both.
			const n = 100 * batch
			var samples, updates []float64
			found := 0
			for range repeat {
				began := time.Now()
				for range n / batch {
					s := t.sum()
					for range batch {
						found += t.find(r.Uint64N(s))
					}
				}
				samples = append(samples, time.Since(began).Seconds()/n)

				began = time.Now()
				for range n {
					t.update(int(r.Uint64N(uint64(leaves))), 1+r.Uint64N(1<<16-1))
				}
				updates = append(updates, time.Since(began).Seconds()/n)
			}

			// The result is used, so that no compiler drops the draws; medians count.
			if found == 0 {
				panic("no leaf but the first was ever found")
			}
			slices.Sort(samples)
			slices.Sort(updates)
			all = append(all, GoSpeed{k, leaves, 1 / samples[repeat/2], 1 / updates[repeat/2]})
		}
	}
	return all
}

func (r SpeedReport) print(w io.Writer) error {
	// Circuits: cycles, and time at the assumed clock.
	us := func(cycles uint64) float64 { return float64(cycles) / r.MHz }
	fmt.Fprintf(w, "%d leaves, %d draws and %d updates, memory reads of 1 cycle; µs at an assumed %v MHz\n", r.Leaves, batch, batch, r.MHz)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "form\tK\tdraws, cycles\tµs\tupdates, cycles\tµs\tΣf+(B−1)·max f\t")
	for _, c := range r.Circuits {
		bound := ""
		if c.Bound > 0 {
			bound = fmt.Sprint(c.Bound)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%d\t%.2f\t%s\t\n", c.Form, c.K, c.Samples, us(c.Samples), c.Updates, us(c.Updates), bound)
	}
	if err := t.Flush(); err != nil {
		return err
	}

	// The processor's rivals, then the paper's claims.
	fmt.Fprintf(w, "\nGo, one core of this machine; the pipelined tree does 1 a cycle, %.0f M/s at %v MHz\n", r.MHz, r.MHz)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "leaves\tK\tdraws, M/s\tupdates, M/s\t128 draws, µs\t")
	for _, g := range r.Processor {
		fmt.Fprintf(t, "%d\t%d\t%.2f\t%.2f\t%.1f\t\n", g.Leaves, g.K, g.Samples/1e6, g.Updates/1e6, batch/g.Samples*1e6)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, `
The paper claims sampling up to 7.4 times as fast as its CPU and 21 times as its GPU, insertion about 40,
updates about 125 times, with K = 64 scanned (its published code: 200 MHz). Those are ratios of its own
baselines. Its scan of 128 draws from 2^20 leaves takes the cycles above, the pipelined form those of the first line.
`)
	return nil
}
