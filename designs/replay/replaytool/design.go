package replaytool

import (
	"fmt"
	"io"

	"etch/designs/cli"
	"etch/designs/replay"
	"etch/designs/replay/model"
)

// small is the tree that the command makes without parameters.
var small = replay.Tree{
	Config: replay.Config{Params: model.Params{Capacity: 4096, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 128},
	Seed:   1,
}

// Designs are the replay memories as designs of the etch command.
func Designs() []cli.Design {
	tree := cli.Component("replay", "prioritized replay: a sum tree, exact, one operation a cycle", small)
	tree.Report, tree.Measures = report, measures
	return []cli.Design{
		tree,
		cli.Component("replay_memory", "the tree with transitions, exponents, batches and a rate limit behind an AXI4-Lite port",
			replay.Accelerator{Config: small.Config, Data: 64, Flight: 4, Seed: 1}),
	}
}

// Placed are the trees whose clock rate etch experiment fmax measures.
func Placed() []cli.Placed {
	return []cli.Placed{{Design: "replay", Given: cli.Values{"capacity": "16384", "read": "2"}}}
}

// Report is the tree's own part of etch report.
type Report struct {
	Latency    int            `json:"latency"`      // cycles from an operation to its result, 0 where it varies
	Batch      int            `json:"batch_cycles"` // for 128 plain draws from a full tree, 0 where it varies
	RowBits    int            `json:"row_bits"`     // of memories
	LeafBits   int            `json:"leaf_bits"`    // of the head's copy
	BitsALeaf  float64        `json:"bits_a_leaf"`
	Levels     []replay.Level `json:"levels"`
	Multiplier int            `json:"multipliers"` // of 17 bits, of the product
}

// batch is the number of draws whose cycles reports give.
const batch = 128

// measures are the cycles of a batch of draws and of one of updates on a full tree, as
// simulated, and the latency where it is fixed.
func measures(given cli.Values) (map[string]float64, error) {
	c, err := cli.WithValues(small, given)
	if err != nil {
		return nil, err
	}
	t := c.(replay.Tree)

	x, err := circuit(t)
	if err != nil {
		return nil, err
	}

	numbers := map[string]float64{fmt.Sprint("draws_", batch): float64(x.Samples), fmt.Sprint("updates_", batch): float64(x.Updates)}
	if n := latency(t); n > 0 {
		numbers["latency"] = float64(n)
	}
	return numbers, nil
}

func report(given cli.Values, w io.Writer, dir string) (any, error) {
	c, err := cli.WithValues(small, given)
	if err != nil {
		return nil, err
	}
	t := c.(replay.Tree)
	if err := t.Validate(); err != nil {
		return nil, cli.Usagef("%v", err)
	}

	// Latency and batches where they are fixed, and bits of memories.
	r := Report{Levels: t.Levels(), Multiplier: t.Multipliers()}
	r.RowBits, r.LeafBits = t.MemoryBits()
	switch t.Form {
	case replay.InPipeline:
		r.Latency = replay.Pipelined{Config: t.Config}.Latency()
		r.Batch = batch - 1 + r.Latency
	case replay.InSeries:
		r.Latency = replay.Serial{Config: t.Config}.Latency()
		r.Batch = batch * r.Latency
	case replay.ByScan:
		// One word for each child in place of a row of one fewer.
		r.RowBits = 0
		for _, l := range t.Levels() {
			r.RowBits += ((t.Capacity-1)>>l.Below + 1) * (t.Leaf + l.Below)
		}
	}

	// Bits a leaf, and the same in words.
	r.BitsALeaf = float64(r.RowBits+r.LeafBits) / float64(t.Capacity)
	fmt.Fprintf(w, "%v, %d levels of up to %d children; %d multipliers of 17 bits\n", t.Form, len(r.Levels), t.K, r.Multiplier)
	if r.Latency > 0 {
		fmt.Fprintf(w, "%d cycles from an operation to its result; %d draws in %d cycles\n", r.Latency, batch, r.Batch)
	}
	fmt.Fprintf(w, "memory: %d bits of rows, %d bits of leaves for writes, %.1f bits a leaf\n", r.RowBits, r.LeafBits, r.BitsALeaf)

	return r, nil
}
