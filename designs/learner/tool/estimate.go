package tool

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"etch/designs/cli"
	"etch/designs/explore/area"
	"etch/designs/learner"
	"etch/hw"
	"etch/ir"
)

// synthesised is the journal of etch explore learner -sweep … -measure yosys:FAMILY: one
// learner a line. The commands are in points.txt.
//
//go:embed points.jsonl
var synthesised []byte

// areaModelOf estimates cells for a family.
type areaModelOf struct {
	area.Model
	family string
}

func (m areaModelOf) cells(d *ir.Design) map[string]float64 { return m.Cells(area.Of(d, m.family)) }

// areaModel fits a model to the learners that were synthesised for a family. Their
// netlists are built again, so that the model is of this generator.
func areaModel(family string) (m areaModelOf, points []area.Point, err error) {
	for line := range bytes.Lines(synthesised) {
		// A line is a design, its parameters and its cells.
		var r struct {
			Measure string             `json:"measure"`
			Design  string             `json:"design"`
			Values  cli.Values         `json:"values"`
			Results map[string]float64 `json:"results"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return m, nil, fmt.Errorf("points.jsonl: %w", err)
		}
		if r.Measure != "yosys:"+family {
			continue
		}

		// Counts of the netlist as this generator makes it.
		d, err := synthesisedDesign(r.Design, r.Values)
		if err != nil {
			return m, nil, fmt.Errorf("points.jsonl: %w", err)
		}
		points = append(points, area.Point{Counts: area.Of(d, family), Cells: r.Results})
	}
	m.family = family
	m.Model, err = area.Fit(points)
	return m, points, err
}

// synthesisedDesign builds a design of points.jsonl.
func synthesisedDesign(name string, values cli.Values) (*ir.Design, error) {
	switch name {
	case "learner":
		return filled(learner.CartPole(32), values)
	case "learner_ddpg":
		return filled(learner.Pendulum(32), values)
	}
	return nil, fmt.Errorf("no design %q", name)
}

// filled builds a component with parameters.
func filled[C hw.Component[P], P any](c C, values cli.Values) (*ir.Design, error) {
	if err := cli.Fill(&c, values); err != nil {
		return nil, err
	}
	return builder(c)()
}

// greatestErrors are those of tables and flip-flops among points that were left out of
// the fit in turn.
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
