package dwc

import (
	"errors"
	"fmt"

	"etch/designs/dwc/model"
	"etch/designs/dwc/network"
	"etch/hw"
)

// Net is a model as a network, the source of every head, reduced or whole.
// Make it with [Reduced] or [Whole] and share it between components.
type Net struct {
	net    *network.Network
	counts network.Counts
	err    error
}

// Reduced folds m and applies every exact reduction.
func Reduced(m *model.Model) *Net { return With(m, network.All) }

// Whole folds m and builds every table and comparator of it.
func Whole(m *model.Model) *Net { return With(m, network.Options{}) }

// With folds m and applies the given reductions.
func With(m *model.Model, o network.Options) *Net {
	if m == nil {
		return &Net{err: errors.New("no model")}
	}

	f, err := m.Fold()
	if err != nil {
		return &Net{err: err}
	}
	n := &Net{net: network.Of(f)}
	if o != (network.Options{}) {
		n.net, n.counts = n.net.Reduce(o)
	}
	return n
}

// Network is the logic network, nil for a model that cannot be folded.
func (n *Net) Network() *network.Network { return n.net }

// Counts counts the cells that the reductions removed.
func (n *Net) Counts() network.Counts { return n.counts }

func (n *Net) check() error {
	switch {
	case n == nil:
		return errors.New("Net is missing; dwc.Reduced(model) makes one")
	case n.err != nil:
		return n.err
	}
	return nil
}

// Controller is the circuit of a policy: every observation gives an action word
// per action dimension, Latency cycles later.
type Controller struct {
	Net      *Net
	Pipeline Pipeline
	ROM      ROM  `help:"what the action ROM is made of" values:"|logic|block"`                                  // "" is Logic
	Form     Form `help:"of comparators and popcounts: operators, or tables of six inputs" values:"|plain|lut6"` // "" is Plain
}

type ControllerPorts struct {
	Valid    hw.Bit          // Obs is an observation
	Obs      hw.Vec[hw.SInt] // a sensor code per dimension, W bits
	ActValid hw.Bit          // Act belongs to an observation
	Act      hw.Vec[hw.SInt] // a DAC code per action
}

// ModuleName is dwc.
func (c Controller) ModuleName() string { return "dwc" }

func (c Controller) Validate() error {
	if err := c.Net.check(); err != nil {
		return err
	}
	switch {
	case !c.Net.net.Model.Head.Kind.ROM():
		return fmt.Errorf("the model's head is %q, which has no action ROM: use Voter or Classifier", c.Net.net.Model.Head.Kind)
	case c.ROM == Block && !c.Pipeline.Output:
		return errors.New("a block ROM is read through a register: set Pipeline.Output")
	}
	return nil
}

// Latency is the number of clock edges from Obs to its Act.
func (c Controller) Latency() int { return c.Pipeline.latency(len(c.Net.net.Layers)) }

// AuthorsLatency is Latency without the register at the input, as the paper
// counts.
func (c Controller) AuthorsLatency() int {
	p := c.Pipeline
	p.Input = false
	return p.latency(len(c.Net.net.Layers))
}

func (c Controller) Ports() ControllerPorts {
	m := c.Net.net.Model
	return ControllerPorts{
		Valid:    hw.In(hw.Bit{}),
		Obs:      hw.In(hw.VecOf(len(m.Obs), hw.Signed(m.SensorBits))),
		ActValid: hw.Out(hw.Bit{}),
		Act:      hw.Out(hw.VecOf(m.Groups(), hw.Signed(m.DACBits))),
	}
}

func (c Controller) Build(m *hw.Module, p ControllerPorts) {
	s := &stage{m, p.Valid}
	counts := votes{net: c.Net.net, pipe: c.Pipeline, form: c.Form}.counts(m, s, p.Obs)
	for a, count := range counts {
		rom := ActionROM{Net: c.Net, Action: a, Style: c.ROM, Registered: c.Pipeline.Output}
		hw.Inst(m, hw.Name("rom", a), rom, ActionROMPorts{Count: count, Act: p.Act[a]})
	}

	// The ROMs hold the output register themselves, so only the valid bit moves here.
	if c.Pipeline.Output {
		s.advance("act")
	}
	p.ActValid.Set(s.valid)
	s.check(p.Valid, c.Latency())
}
