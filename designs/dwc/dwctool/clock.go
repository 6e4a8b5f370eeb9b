package dwctool

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"etch/designs/cli"
)

// readClockRate reads a wanted rate as in 100MHz.
func readClockRate(text string) (mhz float64, err error) {
	number, unit := strings.CutSuffix(text, "MHz")
	if mhz, err = strconv.ParseFloat(number, 64); err != nil || !unit || !(mhz > 0) {
		return 0, cli.Usagef("clock=%s: want a rate in MHz, as in 100MHz", text)
	}
	return mhz, nil
}

// pipelineFor is the measured pipeline of least latency whose slowest placement reached
// the wanted rate, the fastest of several. Only rows of this circuit count: another model
// has other paths.
func (c *circuit) pipelineFor(set settings, given cli.Values) (best clockRow, err error) {
	mhz, err := readClockRate(set.Clock)
	if err != nil {
		return best, err
	}

	// Registers that the caller wants would contradict the choice.
	for name := range given {
		if strings.HasPrefix(name, "pipeline.") {
			return best, cli.Usagef("clock chooses the pipeline: leave out %s", name)
		}
	}

	rows, err := clockRows(set.Clocks)
	if err != nil {
		return best, err
	}
	identity, err := c.identity()
	if err != nil {
		return best, err
	}

	// The least latency that reaches the rate; of equal latencies the fastest.
	fastest, found := clockRow{}, false
	for _, r := range rows {
		if r.circuit != identity {
			continue
		}
		if r.worst > fastest.worst {
			fastest = r
		}
		shorter := c.stages(r) < c.stages(best) || c.stages(r) == c.stages(best) && r.worst > best.worst
		if r.worst >= mhz && (!found || shorter) {
			best, found = r, true
		}
	}

	// No row of this circuit, or none that is fast enough: the message says which.
	switch {
	case fastest.worst == 0:
		return best, cli.Usagef("clock=%s: this circuit, %s, was not measured: etch experiment dwc-clock %swrites a table of it, which clocks=FILE reads", set.Clock, identity, measureFlags(given))
	case !found:
		return best, cli.Usagef("clock=%s: no measured pipeline of this circuit reaches that on an ECP5-85 -6; the fastest has %.1f MHz at latency %d", set.Clock, fastest.worst, c.stages(fastest))
	}
	return best, nil
}

// stages is the latency of the circuit with a measured pipeline.
func (c *circuit) stages(r clockRow) int {
	with := *c
	with.pipeline = r.pipeline
	return with.latency()
}

// measureFlags are the flags that make dwc-clock measure a circuit, each with a space
// behind.
func measureFlags(given cli.Values) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if name != "clock" && name != "clocks" {
			fmt.Fprintf(&b, "-p %s=%s ", name, given[name])
		}
	}
	return b.String()
}
