package dwctool

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"

	"etch/designs/cli"
	"etch/designs/dwc"
)

//go:embed clock.csv
var clockTable string

// clockHeading names the columns of a table of clock rates. A pipeline's registers are
// joined by +, none is no register.
const clockHeading = "circuit,registers,worst MHz,median MHz,LUT,FF"

// clockRow is a measured pipeline of a circuit: the slowest and the median of its
// placements, MHz.
type clockRow struct {
	circuit       string // as by circuit.identity
	registers     string
	pipeline      dwc.Pipeline
	worst, median float64
	lut, ff       int
}

func (r clockRow) String() string {
	return fmt.Sprintf("%s,%s,%.1f,%.1f,%d,%d", r.circuit, r.registers, r.worst, r.median, r.lut, r.ff)
}

// identity tells circuits apart that run at different rates: the model without its provenance,
// and all parameters but the pipeline.
func (c *circuit) identity() (string, error) {
	// The provenance never changes the circuit.
	m := *c.model
	m.Provenance = nil
	sum := sha256.New()
	if err := m.Write(sum); err != nil {
		return "", err
	}

	// A style of ROM matters only where there is a ROM.
	head, net := c.head, "reduced"
	if head == "rom" {
		head += "-" + string(c.rom)
	}
	if c.whole {
		net = "whole"
	}
	return fmt.Sprintf("%.12x/%s/%s/%s", sum.Sum(nil)[:6], c.form, head, net), nil
}

// clockRows are the measurements that come with etch, and the measurements in a file unless path is
// "".
func clockRows(path string) ([]clockRow, error) {
	rows, err := readClocks("clock.csv", clockTable)
	if err != nil || path == "" {
		return rows, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	own, err := readClocks(path, string(text))
	return append(rows, own...), err
}

// readClocks reads a table; lines that begin with # say how it was made.
func readClocks(file, text string) (rows []clockRow, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line == clockHeading {
			continue
		}
		r, err := readClock(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", file, n, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// readClock reads a line of a table.
func readClock(line string) (r clockRow, err error) {
	fields := strings.Split(line, ",")
	if len(fields) != 6 {
		return r, fmt.Errorf("%d fields, want 6: %s", len(fields), clockHeading)
	}
	r.circuit, r.registers = fields[0], fields[1]
	if r.pipeline, err = readPipeline(fields[1]); err != nil {
		return r, err
	}

	// Two rates and two counts of cells, in the order of clockHeading.
	for i, to := range []*float64{&r.worst, &r.median} {
		if *to, err = strconv.ParseFloat(fields[2+i], 64); err != nil || !(*to > 0) {
			return r, fmt.Errorf("%q is no clock rate", fields[2+i])
		}
	}
	for i, to := range []*int{&r.lut, &r.ff} {
		if *to, err = strconv.Atoi(fields[4+i]); err != nil {
			return r, fmt.Errorf("%q is no number of cells", fields[4+i])
		}
	}
	return r, nil
}

// readPipeline reads registers such as encoder+counts=2+output; none is no register.
func readPipeline(text string) (p dwc.Pipeline, err error) {
	if text == "none" {
		return p, nil
	}

	// The names are the fields of dwc.Pipeline, as in the parameters pipeline.NAME.
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
