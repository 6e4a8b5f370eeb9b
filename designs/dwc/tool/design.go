package tool

import (
	"fmt"
	"io"
	"strconv"

	"etch/designs/cli"
	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/designs/dwc/network"
	"etch/designs/dwc/pretrained"
	"etch/hw"
	"etch/ir"
)

// params are the parameters of the design dwc.
var params = []cli.Param{
	{Name: "model", Type: "file", Default: "", Doc: "model file; without it the pendulum controller that comes with etch"},
	{Name: "head", Type: "string", Default: "", Doc: "rom, counts or argmax; without it what the model has"},
	{Name: "rom", Type: "string", Default: "logic", Doc: "logic or block"},
	{Name: "whole", Type: "bool", Default: "false", Doc: "build every table: no reduction"},
	{Name: "pipeline.input", Type: "bool", Default: "false", Doc: "register behind the ports"},
	{Name: "pipeline.encoder", Type: "bool", Default: "true", Doc: "register after the encoder"},
	{Name: "pipeline.layers", Type: "bool", Default: "false", Doc: "registers between layers"},
	{Name: "pipeline.votes", Type: "bool", Default: "true", Doc: "register after the last layer"},
	{Name: "pipeline.counts", Type: "int", Default: "0", Doc: "stages inside the popcounts"},
	{Name: "pipeline.output", Type: "bool", Default: "true", Doc: "register at the output"},
}

// circuit is a model with the choices that make a circuit of it.
type circuit struct {
	model    *model.Model
	head     string // rom, counts, argmax
	rom      dwc.ROM
	net      *dwc.Net
	pipeline dwc.Pipeline
	given    cli.Values
}

// load reads the parameters.
func load(given cli.Values) (*circuit, error) {
	v := &reader{given: given, known: map[string]string{}}
	for _, p := range params {
		v.known[p.Name] = p.Default
	}
	c := &circuit{head: v.text("head"), rom: dwc.ROM(v.text("rom")), given: given}
	whole := v.bool("whole")
	c.pipeline = dwc.Pipeline{
		Input: v.bool("pipeline.input"), Encoder: v.bool("pipeline.encoder"), Layers: v.bool("pipeline.layers"),
		Votes: v.bool("pipeline.votes"), Counts: v.int("pipeline.counts"), Output: v.bool("pipeline.output"),
	}
	if err := v.check(); err != nil {
		return nil, err
	}
	var err error
	if path := v.text("model"); path != "" {
		c.model, err = model.ReadFile(path)
	} else {
		c.model, err = pretrained.Pendulum()
	}
	if err != nil {
		return nil, err
	}
	if err := c.chooseHead(); err != nil {
		return nil, err
	}
	if c.net = dwc.Reduced(c.model); whole {
		c.net = dwc.Whole(c.model)
	}
	return c, nil
}

// chooseHead settles which head to build.
func (c *circuit) chooseHead() error {
	kind := c.model.Head.Kind
	switch c.head {
	case "":
		switch {
		case kind.ROM():
			c.head = "rom"
		default:
			c.head = string(kind)
		}
	case "counts", "argmax":
	case "rom":
		if !kind.ROM() {
			return fmt.Errorf("head=rom: the model's head is %q and has no actions", kind)
		}
	default:
		return cli.Usagef("parameter head: %q is not rom, counts or argmax", c.head)
	}
	return nil
}

func (c *circuit) latency() int {
	return dwc.Voter{Net: c.net, Pipeline: c.pipeline}.Latency()
}

// build elaborates the circuit.
func (c *circuit) build() (*ir.Design, error) {
	var d *ir.Design
	var err error
	switch c.head {
	case "rom":
		d, _, err = hw.Build(dwc.Controller{Net: c.net, Pipeline: c.pipeline, ROM: c.rom})
	case "counts":
		d, _, err = hw.Build(dwc.Voter{Net: c.net, Pipeline: c.pipeline})
	default:
		d, _, err = hw.Build(dwc.Classifier{Net: c.net, Pipeline: c.pipeline})
	}
	return d, cli.Parameters(err, c.given)
}

// Design is the controller as a design of the etch command.
func Design() cli.Design {
	return cli.Design{
		Name: "dwc", Doc: "weightless controller: thermometer, lookup tables, popcount, action ROM", Params: params,
		Build: func(given cli.Values) (*ir.Design, error) {
			c, err := load(given)
			if err != nil {
				return nil, err
			}
			return c.build()
		},
		Report: func(given cli.Values, w io.Writer, dir string) (any, error) {
			c, err := load(given)
			if err != nil {
				return nil, err
			}
			return report(c, w, dir)
		},
	}
}

// reader takes parameters with defaults and keeps the first error.
type reader struct {
	given cli.Values
	known map[string]string
	err   error
}

func (r *reader) text(name string) string {
	if v, ok := r.given[name]; ok {
		return v
	}
	return r.known[name]
}

func (r *reader) bool(name string) bool {
	b, err := strconv.ParseBool(r.text(name))
	if err != nil && r.err == nil {
		r.err = cli.Usagef("parameter %s: %q is not true or false", name, r.text(name))
	}
	return b
}

func (r *reader) int(name string) int {
	n, err := strconv.Atoi(r.text(name))
	if err != nil && r.err == nil {
		r.err = cli.Usagef("parameter %s: %q is not an integer", name, r.text(name))
	}
	return n
}

func (r *reader) check() error {
	if r.err != nil {
		return r.err
	}
	return cli.CheckNames(r.given, params)
}

// reductions prints what the reductions removed.
func reductions(w io.Writer, c network.Counts) {
	fmt.Fprintf(w, "reductions, all exact:\n")
	for _, r := range []struct {
		n    int
		what string
	}{
		{c.ConstantBits, "encoder bits constant"},
		{c.SharedBits, "encoder bits with another's threshold"},
		{c.RepeatedPins, "pins repeated within a table"},
		{c.AffectedLuts, "tables with a repeated pin"},
		{c.ConstantPins, "pins on a constant"},
		{c.IgnoredPins, "pins that their table ignores"},
		{c.Unreached, "table addresses that thermometer order excludes"},
		{c.UnreachedPins, "pins dropped thanks to those"},
		{c.ConstantLuts, "tables constant"},
		{c.DuplicateLuts, "tables equal to another"},
		{c.VotesFixed, "votes constant"},
		{c.DeadComparators, "comparators nothing reads"},
	} {
		fmt.Fprintf(w, "  %6d %s\n", r.n, r.what)
	}
	for i, n := range c.DeadLuts {
		fmt.Fprintf(w, "  %6d tables of layer %d nothing reads\n", n, i+1)
	}
}
