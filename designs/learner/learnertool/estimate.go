package learnertool

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"etch/designs/explore"
	"etch/designs/explore/area"
	"etch/ir"
)

// synthesised is the journal of etch explore learner -sweep … -measure counts:FAMILY,yosys:FAMILY:
// of each learner a line with the counts of its netlist and one with its cells. The commands
// are in points.txt.
//
//go:embed points.jsonl
var synthesised []byte

// areaModelOf estimates cells for a family.
type areaModelOf struct {
	area.Model
	family string
}

func (m areaModelOf) cells(d *ir.Design) map[string]float64 { return m.Cells(area.Of(d, m.family)) }

// areaModel fits a model to the learners that were synthesised for a family.
func areaModel(family string) (m areaModelOf, points []area.Point, err error) {
	// Fitted each time: a table of factors could be of other points.
	all, err := synthesisedFor(family)
	for _, p := range all {
		points = append(points, p.Point)
	}
	if err == nil {
		m.family = family
		m.Model, err = area.Fit(points)
	}
	return m, points, err
}

// synthesisedPoint is a learner of points.jsonl.
type synthesisedPoint struct {
	area.Point
	line explore.Record // with its cells
}

// synthesisedFor joins counts and cells by their subject, the hash of the netlist that
// both are of. So a point stays true when the generator changes: it learns how
// cells follow from counts, whoever made the netlist.
func synthesisedFor(family string) (points []synthesisedPoint, err error) {
	// Lines stand in the order in which they were measured.
	counts := map[string]area.Counts{}
	var cells []explore.Record
	for line := range bytes.Lines(synthesised) {
		var r explore.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("points.jsonl: %w", err)
		}

		switch r.Measure {
		case "counts:" + family:
			if counts[r.Subject], err = area.OfNumbers(r.Results); err != nil {
				return nil, fmt.Errorf("points.jsonl: %s %v: %w", r.Design, r.Values, err)
			}
		case "yosys:" + family:
			cells = append(cells, r)
		}
	}

	// A learner without its other line is a mistake of who added it.
	for _, r := range cells {
		c, ok := counts[r.Subject]
		if !ok {
			return nil, fmt.Errorf("points.jsonl: %s %v has cells of %s and no line of counts:%s with the same subject", r.Design, r.Values, r.Measure, family)
		}
		points = append(points, synthesisedPoint{area.Point{Counts: c, Cells: r.Results}, r})
	}
	return points, nil
}

// greatestErrors are the largest relative errors of tables and of flip-flops by
// cross-validation: each point is left out of the fit in turn.
func greatestErrors(points []area.Point) (map[string]float64, error) {
	all, err := area.Errors(points)
	greatest := map[string]float64{}
	for _, e := range all {
		for cell, x := range e {
			greatest[cell] = max(greatest[cell], math.Abs(x))
		}
	}
	return greatest, err
}
