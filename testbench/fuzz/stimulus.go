package fuzz

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/randcircuit"
)

// Stimulus is the inputs and clocks of a top, by name, over some steps. Names that the top does
// not have are passed over; inputs and clocks of the top that have no name here stay 0 and
// still.
type Stimulus struct {
	Seed   uint64 // of random state to start from, and of options of judges
	Long   int    // cycles of an extra run that compares engines; 0: none
	Clocks []string
	Inputs []string
	Steps  []Step
}

// Step sets all inputs, then lets clocks rise together. Outputs are compared before the edge and
// after it.
type Step struct {
	Rise uint64       // bit i: Clocks[i] rises
	In   []bits.Value // parallel to Inputs
}

// newStimulus draws the steps for a top. Clocks rise together, alone and now and then not at
// all; never together if apart is set. A reset is on in one step of five; other inputs change in
// three of four.
func newStimulus(rng *rand.Rand, top *ir.Module, steps int, apart bool) *Stimulus {
	st := &Stimulus{}
	var ports []*ir.Port
	for i := range top.Ports {
		switch p := &top.Ports[i]; {
		case p.Dir == ir.Out:
		case top.TypeOf(p.Type).Kind == ir.Clock:
			st.Clocks = append(st.Clocks, p.Name)
		default:
			st.Inputs = append(st.Inputs, p.Name)
			ports = append(ports, p)
		}
	}

	// Inputs that do not change keep their value from step to step.
	in := make([]bits.Value, len(ports))
	for n := range steps {
		// A reset that is on in every second step would hide most of the state.
		for i, p := range ports {
			switch kind := top.TypeOf(p.Type).Kind; {
			case kind == ir.Reset || kind == ir.AsyncReset:
				in[i] = bits.New(1, uint64(rng.IntN(5)/4))
			case n == 0 || rng.IntN(4) > 0:
				in[i] = randcircuit.Value(rng, p.Width)
			}
		}

		// A copy of the values, as in is written again.
		st.Steps = append(st.Steps, Step{Rise: rising(rng, len(st.Clocks), apart), In: append([]bits.Value(nil), in...)})
	}
	return st
}

// rising draws the set of clocks that rise in a step.
func rising(rng *rand.Rand, clocks int, apart bool) uint64 {
	// A step without any edge tests logic and latches alone.
	switch {
	case clocks == 0 || rng.IntN(12) == 0:
		return 0
	case apart:
		return 1 << rng.IntN(clocks)
	}
	return 1 + rng.Uint64N(1<<clocks-1)
}

// Write writes a stimulus as text: the names of clocks and inputs, then a line per step with a
// digit per clock, 1 for a rising one, the last clock on the left, and the inputs.
//
//	run seed 7 long 0
//	clocks "clk0" "clk1"
//	inputs "rst" "in0"
//	01 1'h0 8'hff
func (st *Stimulus) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	list := func(what string, names []string) {
		b.WriteString(what)
		for _, n := range names {
			b.WriteString(" " + strconv.QuoteToASCII(n))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "run seed %d long %d\n", st.Seed, st.Long)
	list("clocks", st.Clocks)
	list("inputs", st.Inputs)
	for _, s := range st.Steps {
		fmt.Fprintf(b, "%0*b", max(1, len(st.Clocks)), s.Rise)
		for _, v := range s.In {
			b.WriteString(" " + v.String())
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// ReadStimulus reads the text of Write; blank lines and comments from // on are passed over.
// Errors name the line.
func ReadStimulus(r io.Reader) (*Stimulus, error) {
	st := &Stimulus{}
	lines := bufio.NewScanner(r)

	// A line of stimulus may hold values of thousands of bits.
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "//")
		if err := st.line(strings.Fields(text)); err != nil {
			return nil, fmt.Errorf("stimulus: line %d: %w", n, err)
		}
	}
	return st, lines.Err()
}

// line parses a line of a stimulus.
func (st *Stimulus) line(words []string) (err error) {
	switch {
	case len(words) == 0:
	case words[0] == "run":
		_, err = fmt.Sscanf(strings.Join(words, " "), "run seed %d long %d", &st.Seed, &st.Long)
	case words[0] == "clocks":
		st.Clocks, err = unquote(words[1:])
	case words[0] == "inputs":
		st.Inputs, err = unquote(words[1:])
	// The counts have to agree, since values have no names.
	case len(words) != 1+len(st.Inputs):
		return fmt.Errorf("%d values for %d inputs", len(words)-1, len(st.Inputs))
	default:
		var s Step
		if s.Rise, err = strconv.ParseUint(words[0], 2, 64); err != nil {
			return err
		}
		for _, w := range words[1:] {
			v, err := bits.Parse(w)
			if err != nil {
				return err
			}
			s.In = append(s.In, v)
		}
		st.Steps = append(st.Steps, s)
	}
	return err
}

// unquote removes the quotes of names.
func unquote(words []string) (names []string, err error) {
	for _, w := range words {
		name, err := strconv.Unquote(w)
		if err != nil {
			return nil, fmt.Errorf("%s is no quoted name", w)
		}
		names = append(names, name)
	}
	return names, nil
}
