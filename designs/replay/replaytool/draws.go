package replaytool

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"text/tabwriter"

	"etch/designs/cli"
	"etch/designs/replay"
	"etch/designs/replay/host"
	"etch/designs/replay/model"
)

// Draws judges the draws of the circuit, and its exponents.
var Draws = cli.Command{
	Name: "replay-draws", Usage: "[-draws 10000000] [-seed 1] [-json]",
	Doc: "χ² of draws from the simulated circuit, plain and stratified, over skewed priorities; errors of priorities and weights against float64",
	Run: func(app *cli.App, args []string, out cli.Output) error {
		f := cli.NewFlags("experiment replay-draws", out)
		n := f.Int("draws", 10_000_000, "of each kind")
		seed := f.Uint64("seed", 1, "of the circuit's generator, not 0")
		asJSON := f.Bool("json", false, "print one JSON document")
		if _, err := f.Positional(args); err != nil {
			return err
		}
		if *n < 1000 || *n > 1<<32 || *seed == 0 {
			return cli.Usagef("-draws %d, -seed %d: want 1000 to 2^32, 1 and more", *n, *seed)
		}

		// Plain draws, then draws from 2^7 strata.
		var rows []DrawRow
		for _, strata := range []int{0, 7} {
			r, err := draws(*n, strata, *seed)
			if err != nil {
				return err
			}
			rows = append(rows, r)
		}
		e := exponentErrors()
		if *asJSON {
			return cli.JSON(out.Out, map[string]any{"draws": rows, "exponents": e})
		}
		return drawTable(out.Out, rows, e)
	},
}

// DrawRow is the statistics of draws of one kind.
type DrawRow struct {
	Strata int     `json:"strata"`
	Draws  int     `json:"draws"`
	Slots  int     `json:"slots"` // that can be drawn
	Chi    float64 `json:"chi_squared"`
	Sigmas float64 `json:"sigmas"` // (χ² − degrees of freedom) / √(2·degrees of freedom)
}

// draws counts how often each of 1000 slots comes; priorities are by rank, so that
// the largest is 1000 times the least.
func draws(n, strata int, seed uint64) (row DrawRow, err error) {
	// A full tree, priorities by rank.
	t := small
	t.Capacity, t.Seed = 1000, seed
	tree, err := host.Simulate(t)
	if err != nil {
		return row, err
	}
	defer tree.Close()

	priority, total := make([]float64, t.Capacity), 0.0
	for i := range priority {
		// Leaves have 16 bits: priorities go from 65,000 down to 65.
		p := uint64(65_000 / (i + 1))
		priority[i] = float64(p)
		total += priority[i]
		tree.Cycle(&model.Operation{Kind: model.Insert, Priority: p})
	}

	// A draw a cycle; the first responses are those of the inserts.
	latency := replay.Pipelined{Config: t.Config}.Latency()
	drawn, skip := make([]float64, t.Capacity), t.Capacity

	// Whole rounds of the strata, so that each is drawn from equally often.
	n = n >> strata << strata
	op := model.Operation{Kind: model.Sample, Strata: strata}
	for i := range n + latency {
		op.Stratum = i & (1<<strata - 1)
		offered := &op
		if i >= n {
			offered = nil
		}

		_, r, came := tree.Cycle(offered)
		switch {
		case !came:
		case skip > 0:
			skip--
		default:
			drawn[r.Index]++
		}
	}

	// χ² of the counts, in standard deviations of its distribution.
	row = DrawRow{Strata: 1 << strata, Draws: n, Slots: t.Capacity}
	for i, p := range priority {
		expected := p / total * float64(n)
		row.Chi += (drawn[i] - expected) * (drawn[i] - expected) / expected
	}

	free := float64(t.Capacity - 1)
	row.Sigmas = (row.Chi - free) / math.Sqrt(2*free)
	return row, nil
}

// ExponentErrors are the largest differences from float64.
type ExponentErrors struct {
	LSB    float64 `json:"priority_lsb"`    // of priorities below 2^14 LSB
	Ratio  float64 `json:"priority_ratio"`  // of those above, beyond the rounding
	Weight float64 `json:"weight_2^-16"`    // in units of 2^-16
	Tried  int     `json:"random_settings"` //
}

func exponentErrors() (e ExponentErrors) {
	r := rand.New(rand.NewPCG(5, 6))
	e.Tried = 1_000_000
	for range e.Tried {
		x := model.Exponents{Alpha: uint32(r.IntN(1<<16 + 1)), Beta: uint32(r.IntN(1<<16 + 1)), Epsilon: 1 + uint32(r.IntN(1<<14))}

		// A random number of bits, so that errors of all magnitudes come up.
		delta := uint32(r.Uint64() >> (32 + r.IntN(32)))

		// Priorities below the clamp, against float64.
		exact := math.Pow((float64(delta)+float64(x.Epsilon))/(1<<16), float64(x.Alpha)/(1<<16)) * float64(uint64(1)<<small.Fraction)
		if exact = max(1, exact); exact < float64(uint64(1)<<small.Leaf-1) {
			off := math.Abs(float64(x.Priority(small.Params, delta)) - exact)
			if exact < 1<<14 {
				e.LSB = max(e.LSB, off)
			} else {
				e.Ratio = max(e.Ratio, (off-0.5)/exact)
			}
		}

		// Weights of random pairs of priorities.
		a, b := 1+r.Uint64N(1<<16-1), 1+r.Uint64N(1<<16-1)
		want := math.Pow(float64(min(a, b))/float64(max(a, b)), float64(x.Beta)/(1<<16)) * (1 << 16)
		e.Weight = max(e.Weight, math.Abs(float64(x.Weight(min(a, b), max(a, b)))-want))
	}
	return e
}

func drawTable(w io.Writer, rows []DrawRow, e ExponentErrors) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "strata\tdraws\tslots\tχ²\tσ from its mean\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%d\t%d\t%d\t%.1f\t%+.2f\t\n", r.Strata, r.Draws, r.Slots, r.Chi, r.Sigmas)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "exponents against float64, %d random settings: priorities within %.2f LSB below 2^14 LSB and %.1e above, weights within %.2f·2^-16\n",
		e.Tried, e.LSB, e.Ratio, e.Weight)
	return err
}
