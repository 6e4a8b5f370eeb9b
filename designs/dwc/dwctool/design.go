package dwctool

import (
	"fmt"
	"io"

	"etch/designs/cli"
	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/designs/dwc/network"
	"etch/designs/dwc/pretrained"
	"etch/hw"
	"etch/ir"
)

// settings are the parameters of the design dwc.
type settings struct {
	Model    string   `help:"model file; without it the pendulum controller that comes with etch" form:"a file, or nothing"`
	Head     string   `help:"what is made of the counts; without it what the model has" values:"|rom|counts|argmax"`
	ROM      dwc.ROM  `help:"what the action ROM is made of" values:"logic|block"`
	Form     dwc.Form `help:"comparators and popcounts as operators, or as tables of six inputs that share work" values:"plain|lut6"`
	Whole    bool     `help:"build every table: no reduction"`
	Clock    string   `help:"wanted clock as in 100MHz: the pipeline of least latency that reached it on an ECP5, of those measured (etch experiment dwc-clock); in place of pipeline" form:"a rate as 100MHz, or nothing"`
	Clocks   string   `help:"file of etch experiment dwc-clock, with the measurements of circuits of your own that clock chooses from" form:"a file, or nothing"`
	Pipeline dwc.Pipeline
}

var defaults = settings{ROM: dwc.Logic, Form: dwc.Plain, Pipeline: dwc.Registered}

// circuit is a model with the choices that make a circuit of it.
type circuit struct {
	model    *model.Model
	head     string // rom, counts, argmax
	rom      dwc.ROM
	net      *dwc.Net
	pipeline dwc.Pipeline
	form     dwc.Form
	whole    bool
	given    cli.Values
}

// load reads the parameters.
func load(given cli.Values) (*circuit, error) {
	set := defaults
	if err := cli.Fill(&set, given); err != nil {
		return nil, err
	}

	c := &circuit{head: set.Head, rom: set.ROM, pipeline: set.Pipeline, form: set.Form, whole: set.Whole, given: given}

	var err error
	if set.Model != "" {
		c.model, err = model.ReadFile(set.Model)
	} else {
		c.model, err = pretrained.Pendulum()
	}
	if err != nil {
		return nil, err
	}
	if err := c.chooseHead(); err != nil {
		return nil, err
	}

	// Reductions are exact, so they are the default.
	if c.net = dwc.Reduced(c.model); set.Whole {
		c.net = dwc.Whole(c.model)
	}

	// The registers come last: the measurements are of the circuit around them.
	switch {
	case set.Clock != "":
		row, err := c.pipelineFor(set, given)
		if err != nil {
			return nil, err
		}
		c.pipeline = row.pipeline
	case set.Clocks != "":
		return nil, cli.Usagef("clocks is what clock chooses from: give clock, too")
	}
	return c, nil
}

// chooseHead settles which head to build.
func (c *circuit) chooseHead() error {
	// Every model has counts and a largest one; a ROM needs the actions of an action head.
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
		d, _, err = hw.Build(dwc.Controller{Net: c.net, Pipeline: c.pipeline, ROM: c.rom, Form: c.form})
	case "counts":
		d, _, err = hw.Build(dwc.Voter{Net: c.net, Pipeline: c.pipeline, Form: c.form})
	default:
		d, _, err = hw.Build(dwc.Classifier{Net: c.net, Pipeline: c.pipeline, Form: c.form})
	}
	return d, cli.Parameters(err, c.given)
}

// Design is the controller as a design of the etch command.
func Design() cli.Design {
	// Each function loads the model anew: parameters are all that the command passes.
	return cli.Design{
		Name: "dwc", Doc: "weightless controller: thermometer, lookup tables, popcount, action ROM", Params: cli.ParamsOf(defaults),
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
		Measures: func(given cli.Values) (map[string]float64, error) {
			c, err := load(given)
			if err != nil {
				return nil, err
			}
			return map[string]float64{"latency": float64(c.latency())}, nil
		},
	}
}

// reductions prints the counts of removed cells, by kind.
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

	// Only dead tables are counted by layer.
	for i, n := range c.DeadLuts {
		fmt.Fprintf(w, "  %6d tables of layer %d nothing reads\n", n, i+1)
	}
}
