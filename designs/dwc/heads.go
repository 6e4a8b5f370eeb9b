package dwc

import "etch/hw"

// Voter is a weightless network that gives the raw popcount of every group.
type Voter struct {
	Net      *Net
	Pipeline Pipeline
	Form     Form `help:"of comparators and popcounts: operators, or tables of six inputs" values:"|plain|lut6"` // "" is Plain
}

type VoterPorts struct {
	Valid      hw.Bit
	Obs        hw.Vec[hw.SInt]
	CountValid hw.Bit
	Count      hw.Vec[hw.UInt] // per group, 0..G
}

// ModuleName is dwc_counts.
func (v Voter) ModuleName() string { return "dwc_counts" }

func (v Voter) Validate() error { return v.Net.check() }

// Latency is the number of clock edges from Obs to its Count.
func (v Voter) Latency() int { return v.Pipeline.latency(len(v.Net.net.Layers)) }

func (v Voter) Ports() VoterPorts {
	m := v.Net.net.Model
	return VoterPorts{
		Valid:      hw.In(hw.Bit{}),
		Obs:        hw.In(hw.VecOf(len(m.Obs), hw.Signed(m.SensorBits))),
		CountValid: hw.Out(hw.Bit{}),
		Count:      hw.Out(hw.VecOf(m.Groups(), hw.UpTo(m.GroupSize()))),
	}
}

func (v Voter) Build(m *hw.Module, p VoterPorts) {
	s := &stage{m, p.Valid}
	counts := votes{net: v.Net.net, pipe: v.Pipeline, form: v.Form}.counts(m, s, p.Obs)
	hw.Set(p.Count, register(s, v.Pipeline.Output, "count_q", counts))
	p.CountValid.Set(s.valid)
	s.check(p.Valid, v.Latency())
}

// Classifier is a weightless network that gives the group with the most votes,
// the lowest of them on a tie.
type Classifier struct {
	Net      *Net
	Pipeline Pipeline
	Form     Form `help:"of comparators and popcounts: operators, or tables of six inputs" values:"|plain|lut6"` // "" is Plain
}

type ClassifierPorts struct {
	Valid      hw.Bit
	Obs        hw.Vec[hw.SInt]
	ClassValid hw.Bit
	Class      hw.UInt // index of the group
}

// ModuleName is dwc_argmax.
func (c Classifier) ModuleName() string { return "dwc_argmax" }

func (c Classifier) Validate() error { return c.Net.check() }

// Latency is the number of clock edges from Obs to its Class.
func (c Classifier) Latency() int { return c.Pipeline.latency(len(c.Net.net.Layers)) }

func (c Classifier) Ports() ClassifierPorts {
	m := c.Net.net.Model
	return ClassifierPorts{
		Valid:      hw.In(hw.Bit{}),
		Obs:        hw.In(hw.VecOf(len(m.Obs), hw.Signed(m.SensorBits))),
		ClassValid: hw.Out(hw.Bit{}),
		Class:      hw.Out(hw.AddressOf(m.Groups())),
	}
}

func (c Classifier) Build(m *hw.Module, p ClassifierPorts) {
	s := &stage{m, p.Valid}

	// Only the order of the counts matters, so a column may keep two bits; most gets the columns.
	v := votes{net: c.Net.net, pipe: c.Pipeline, form: c.Form, ranked: true}
	counts := v.counts(m, s, p.Obs)
	p.Class.Set(register(s, c.Pipeline.Output, "class_q", most(counts, v.ballot().columns, p.Class, c.Form)))
	p.ClassValid.Set(s.valid)
	s.check(p.Valid, c.Latency())
}

// Core is a [Classifier] behind its encoder: from the comparators' bits to the
// class. It is there to be measured apart.
type Core struct {
	Net      *Net
	Pipeline Pipeline // Input and Encoder do not matter
	Form     Form     `help:"of popcounts" values:"|plain|lut6"` // "" is Plain
}

type CorePorts struct {
	Valid      hw.Bit
	Bits       hw.UInt // as of [EncoderPorts]
	ClassValid hw.Bit
	Class      hw.UInt // index of the group
}

// ModuleName is dwc_core.
func (c Core) ModuleName() string { return "dwc_core" }

func (c Core) Validate() error { return c.Net.check() }

// Latency is the number of clock edges from Bits to its Class.
func (c Core) Latency() int {
	p := c.Pipeline
	p.Input, p.Encoder = false, false
	return p.latency(len(c.Net.net.Layers))
}

func (c Core) Ports() CorePorts {
	return CorePorts{
		Valid:      hw.In(hw.Bit{}),
		Bits:       hw.In(hw.Unsigned(max(1, len(c.Net.net.Comparators)))),
		ClassValid: hw.Out(hw.Bit{}),
		Class:      hw.Out(hw.AddressOf(c.Net.net.Model.Groups())),
	}
}

func (c Core) Build(m *hw.Module, p CorePorts) {
	s := &stage{m, p.Valid}
	v := votes{net: c.Net.net, pipe: c.Pipeline, form: c.Form, ranked: true}

	// The encoder's bits come in at the port, so the registers before them have no place here.
	counts := v.decide(m, s, p.Bits)
	p.Class.Set(register(s, c.Pipeline.Output, "class_q", most(counts, v.ballot().columns, p.Class, c.Form)))
	p.ClassValid.Set(s.valid)
	s.check(p.Valid, c.Latency())
}
