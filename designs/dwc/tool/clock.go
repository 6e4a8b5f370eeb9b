package tool

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/dwc"
)

//go:embed clock.csv
var clockTable string

// clockRow is a measured pipeline: the slowest and the median of three seeds, MHz.
type clockRow struct {
	form          dwc.Form
	pipeline      dwc.Pipeline
	worst, median float64
	lut, ff       int
}

// clockRows reads the table of measurements, whose first lines say how it was made.
// The columns are form, the registers of the pipeline joined by +, worst, median, LUT, FF.
func clockRows() (rows []clockRow, err error) {
	for line := range strings.Lines(clockTable) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if strings.HasPrefix(line, "#") || fields[0] == "form" {
			continue
		}

		if len(fields) != 6 {
			return nil, fmt.Errorf("clock.csv: %q has %d fields, want 6", line, len(fields))
		}
		r := clockRow{form: dwc.Form(fields[0])}
		if r.pipeline, err = readPipeline(fields[1]); err != nil {
			return nil, err
		}

		for i, to := range []*float64{&r.worst, &r.median} {
			if *to, err = strconv.ParseFloat(fields[2+i], 64); err != nil {
				return nil, fmt.Errorf("clock.csv: %w", err)
			}
		}
		for i, to := range []*int{&r.lut, &r.ff} {
			if *to, err = strconv.Atoi(fields[4+i]); err != nil {
				return nil, fmt.Errorf("clock.csv: %w", err)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// readPipeline reads registers such as encoder+counts=2+output; none is no register.
func readPipeline(text string) (p dwc.Pipeline, err error) {
	if text == "none" {
		return p, nil
	}
	given := cli.Values{}
	for part := range strings.SplitSeq(text, "+") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			value = "true"
		}
		given[name] = value
	}
	return p, cli.Fill(&p, given)
}

// pipelineFor is the measured pipeline of least latency whose slowest run reached the
// wanted clock, the fastest of several. Only the controller that comes with etch was
// measured: another model has other paths, so that its clock is not known.
func pipelineFor(set settings, given cli.Values) (best clockRow, err error) {
	// The rate, and nothing beside it that the measurements do not cover.
	mhz, err := strconv.ParseFloat(strings.TrimSuffix(set.Clock, "MHz"), 64)
	if err != nil || !(mhz > 0) || !strings.HasSuffix(set.Clock, "MHz") {
		return best, cli.Usagef("clock=%s: want a rate in MHz, as in 100MHz", set.Clock)
	}
	for name := range given {
		if strings.HasPrefix(name, "pipeline.") {
			return best, cli.Usagef("clock chooses the pipeline: leave out %s", name)
		}
	}
	if name := unmeasured(set); name != "" {
		return best, cli.Usagef("clock=%s with %s: only the controller that comes with etch was measured, reduced, with its own head and a ROM of logic; measure yours with etch experiment fmax and give its pipeline", set.Clock, name)
	}

	rows, err := clockRows()
	if err != nil {
		return best, err
	}

	// The least latency of those that reached the rate; of equal ones the fastest.
	fastest, found := clockRow{}, false
	for _, r := range rows {
		if r.form != set.Form {
			continue
		}
		if r.worst > fastest.worst {
			fastest = r
		}
		shorter := r.latency() < best.latency() || r.latency() == best.latency() && r.worst > best.worst
		if r.worst >= mhz && (!found || shorter) {
			best, found = r, true
		}
	}
	switch {
	case fastest.worst == 0:
		return best, cli.Usagef("clock=%s: nothing of form=%s was measured", set.Clock, set.Form)
	case !found:
		return best, cli.Usagef("clock=%s: no measured pipeline of form=%s reaches that on an ECP5-85 -6; the fastest has %.1f MHz at latency %d", set.Clock, set.Form, fastest.worst, fastest.latency())
	}
	return best, nil
}

// unmeasured is the first parameter that makes another circuit than the measured one,
// with its value; "" if there is none.
func unmeasured(set settings) string {
	switch {
	case set.Model != "":
		return "model=" + set.Model
	case set.Head != "":
		return "head=" + set.Head
	case set.Whole:
		return "whole=true"
	case set.ROM != dwc.Logic:
		return "rom=" + string(set.ROM)
	}
	return ""
}

// latency is the number of registers on the way through the controller that comes
// with etch.
func (r clockRow) latency() int {
	n := r.pipeline.Counts
	for _, on := range []bool{r.pipeline.Input, r.pipeline.Encoder, r.pipeline.Layers, r.pipeline.Votes, r.pipeline.Sums, r.pipeline.Output} {
		if on {
			n++ // it has two layers, so that Layers is one register
		}
	}
	return n
}
