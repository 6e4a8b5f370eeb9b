package floattool

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"etch/designs/cli"
)

// span is where an input lies.
type span struct {
	low, high float64
	log       bool // uniform in the logarithm
}

// spansOf reads ranges of inputs.
func spansOf(text string, inputs []string) ([]span, error) {
	spans := make([]span, len(inputs))

	// Inputs that no range names lie in -1 to 1.
	for i := range spans {
		spans[i] = span{-1, 1, false}
	}
	for part := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}

		name, where, ok := strings.Cut(part, "=")
		i := slices.Index(inputs, strings.TrimSpace(name))
		if !ok || i < 0 {
			return nil, fmt.Errorf("%q: want one of the inputs %s, as a=-1..1", part, strings.Join(inputs, ", "))
		}

		// Both ends, in their order; a logarithm needs them above 0.
		where, log := strings.CutSuffix(where, ":log")
		low, high, _ := strings.Cut(where, "..")
		a, err1 := strconv.ParseFloat(low, 64)
		b, err2 := strconv.ParseFloat(high, 64)
		if err1 != nil || err2 != nil || !(a <= b) || math.IsInf(b-a, 0) || log && a <= 0 {
			return nil, fmt.Errorf("%q: want the lesser end first as -1..1, both above 0 for :log", part)
		}
		spans[i] = span{a, b, log}
	}
	return spans, nil
}

// draw makes n samples.
func draw(spans []span, n int, seed uint64) (list [][]float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		x := make([]float64, len(spans))

		// A sample takes its numbers in the order of the inputs, so that a seed gives the same ones
		// for every format.
		for i, s := range spans {
			if s.log {
				x[i] = math.Exp(math.Log(s.low) + r.Float64()*(math.Log(s.high)-math.Log(s.low)))
			} else {
				x[i] = s.low + r.Float64()*(s.high-s.low)
			}
		}
		list = append(list, x)
	}
	return list
}

// readSamples reads the columns of the inputs; others are not looked at.
func readSamples(path string, inputs []string) (list [][]float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()

	// The columns may stand in any order, among others.
	in, err := cli.CSV(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: line 1: no header; want %s", path, strings.Join(inputs, ","))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}

	at := make([]int, len(inputs))
	for i, name := range inputs {
		if at[i] = slices.IndexFunc(header, func(h string) bool { return strings.TrimSpace(h) == name }); at[i] < 0 {
			return nil, fmt.Errorf("%s: line 1: there is no column %s", path, name)
		}
	}

	for {
		// Every sample is a number of float64; infinities and NaN have no error to speak of.
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, cli.RecordError(err, record, header))
		}

		x := make([]float64, len(at))
		for i, k := range at {
			if x[i], err = strconv.ParseFloat(strings.TrimSpace(record[k]), 64); err != nil || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
				line, _ := in.FieldPos(k)
				return nil, fmt.Errorf("%s: line %d: column %s: %q is not a number", path, line, inputs[i], record[k])
			}
		}
		if list = append(list, x); len(list) > 1_000_000 {
			return nil, fmt.Errorf("%s: more than 1000000 samples", path)
		}
	}

	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no samples", path)
	}
	return list, nil
}
