package fuzz

import (
	"fmt"
	"math/rand/v2"

	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/randcircuit"
)

// Case is a circuit and its stimulus.
type Case struct {
	Name   string // "seed 7", or the file that it was read from
	Design *ir.Design
	Stim   *Stimulus

	nodes [][]bits.Value // see values
	refs  [2]*Trace      // answers of the interpreter, from zeros and from random state
}

// steps is the number of steps of a case.
const steps = 12

// longRun is the number of cycles of cases that give an engine time to adapt.
const longRun = 6000

// NewCase makes the case of a seed. size is the approximate number of operations per module; 0
// lets the seed choose between 6 and 48. The same seed and size give the same case for every
// judge.
//
// Of 16 seeds 10 make circuits of all kinds that every judge takes. One has narrow widths and no
// state. One is several instances of one module, and one is control logic; these two run for
// long by themselves. Three are free: clocks that are one above and two below, black boxes with
// a model, clocks that rise together and write one memory, widths of 1000 bits, latches that
// close as their data changes. Judges that cannot follow the last kind skip it with a reason. Of
// 5 seeds one may have latches, of 3 one has nets with several drivers, of 4 one has attributes.
func NewCase(seed uint64, size int) *Case {
	rng := rand.New(rand.NewPCG(seed, 0xf022))

	// A configuration for most seeds; the kind of the seed changes it or takes another
	// generator.
	c := randcircuit.Config{
		Nodes:   6 << (seed / 16 % 4),
		Modules: rng.IntN(4),
		Widths:  portable,
		State:   rng.IntN(8) > 0,
		Stmts:   rng.IntN(3) == 0,
		Control: rng.IntN(4) == 0,
		Clocks:  1 + rng.IntN(3),
		Split:   true,
		Falls:   rng.IntN(6) == 0,
		Latches: seed%5 == 2,
		Calm:    true,
		Pads:    seed%3 == 1,
		Pulls:   seed%12 == 1,
		Attrs:   seed%4 == 3,
	}

	// The number of operations is the caller's, or grows with the seed.
	if size > 0 {
		c.Nodes = size
	}
	out := &Case{Name: fmt.Sprintf("seed %d", seed)}

	// Clocks that write to one memory stay apart where every judge takes the case.
	apart, long := false, 0
	switch kind := seed % 16; {
	case kind < 10:
		apart = true
	case kind == 10:
		c = randcircuit.Config{Nodes: min(c.Nodes, 20), Widths: randcircuit.Narrow}
	case kind == 11:
		out.Design, long = randcircuit.Classes(seed, 2*c.Nodes, 2+rng.IntN(3)), longRun/12
	case kind == 12:
		out.Design, long = randcircuit.Control(seed), longRun
	default:
		c.Split, c.Extern, c.Stmts, c.Widths, c.Calm = false, true, rng.IntN(2) == 0, randcircuit.Widths, false
	}
	if out.Design == nil {
		out.Design = randcircuit.Design(seed, c)
	}
	nameReads(out.Design)

	// The stimulus draws from the same generator, after the circuit, so the seed fixes both.
	out.Stim = newStimulus(rng, out.Design.Top, steps, apart && writtenTwice(out.Design))
	out.Stim.Seed, out.Stim.Long = seed, long
	return out
}

// CaseOf makes a case of a design with a random stimulus. Clocks that write one memory do not
// rise together in it.
func CaseOf(d *ir.Design, seed uint64) *Case {
	nameReads(d)
	out := &Case{Name: fmt.Sprintf("%s, seed %d", d.Top.Name, seed), Design: d}
	out.Stim = newStimulus(rand.New(rand.NewPCG(seed, 0xca5e)), d.Top, steps, writtenTwice(d))
	out.Stim.Seed = seed
	return out
}

// nameReads names the data registers of read ports. A random start depends on the name, so the
// name has to survive the passes.
func nameReads(d *ir.Design) {
	for _, m := range d.Modules {
		for i := range m.Mems {
			for _, r := range m.Mems[i].Reads {
				if m.NameOf(r.Node) == "" {
					m.SetName(r.Node, m.Mems[i].Name+"_"+r.Name)
				}
			}
		}
	}
}

// portable is the widths of most circuits, many next to multiples of a word.
var portable = []int{1, 1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129}

// writtenTwice reports whether a memory is written by two clocks.
func writtenTwice(d *ir.Design) bool {
	for _, m := range d.Modules {
		for i := range m.Mems {
			for _, w := range m.Mems[i].Writes {
				if m.Unwired(w.Clk) != m.Unwired(m.Mems[i].Writes[0].Clk) {
					return true
				}
			}
		}
	}
	return false
}
