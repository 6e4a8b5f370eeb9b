package dwc

import "etch/hw"

// Voter is a weightless network that gives the raw popcount of every group.
type Voter struct {
	Net      *Net
	Pipeline Pipeline
}

// VoterPorts are the ports of [Voter].
type VoterPorts struct {
	Valid      hw.Bit
	Obs        hw.Vec[hw.SInt]
	CountValid hw.Bit
	Count      hw.Vec[hw.UInt] // per group, 0..G
}

// ModuleName is dwc_counts.
func (v Voter) ModuleName() string { return "dwc_counts" }

// Validate checks the parameters.
func (v Voter) Validate() error { return v.Net.check() }

// Latency is the number of clock edges from Obs to its Count.
func (v Voter) Latency() int { return v.Pipeline.latency(len(v.Net.net.Layers)) }

// Ports gives the shapes and directions.
func (v Voter) Ports() VoterPorts {
	m := v.Net.net.Model
	return VoterPorts{
		Valid:      hw.In(hw.Bit{}),
		Obs:        hw.In(hw.VecOf(len(m.Obs), hw.Signed(m.SensorBits))),
		CountValid: hw.Out(hw.Bit{}),
		Count:      hw.Out(hw.VecOf(m.Groups(), hw.UpTo(m.GroupSize()))),
	}
}

// Build describes the body.
func (v Voter) Build(m *hw.Module, p VoterPorts) {
	s := &stage{m, p.Valid}
	counts := votes{v.Net.net, v.Pipeline}.counts(m, s, p.Obs)
	hw.Set(p.Count, register(s, v.Pipeline.Output, "count_q", counts))
	p.CountValid.Set(s.valid)
	s.check(p.Valid, v.Latency())
}

// Classifier is a weightless network that gives the group with the most votes,
// the lowest of them on a tie.
type Classifier struct {
	Net      *Net
	Pipeline Pipeline
}

// ClassifierPorts are the ports of [Classifier].
type ClassifierPorts struct {
	Valid      hw.Bit
	Obs        hw.Vec[hw.SInt]
	ClassValid hw.Bit
	Class      hw.UInt // index of the group
}

// ModuleName is dwc_argmax.
func (c Classifier) ModuleName() string { return "dwc_argmax" }

// Validate checks the parameters.
func (c Classifier) Validate() error { return c.Net.check() }

// Latency is the number of clock edges from Obs to its Class.
func (c Classifier) Latency() int { return c.Pipeline.latency(len(c.Net.net.Layers)) }

// Ports gives the shapes and directions.
func (c Classifier) Ports() ClassifierPorts {
	m := c.Net.net.Model
	return ClassifierPorts{
		Valid:      hw.In(hw.Bit{}),
		Obs:        hw.In(hw.VecOf(len(m.Obs), hw.Signed(m.SensorBits))),
		ClassValid: hw.Out(hw.Bit{}),
		Class:      hw.Out(hw.AddressOf(m.Groups())),
	}
}

// candidate is a group in the tournament for the most votes.
type candidate struct {
	Votes hw.UInt
	Index hw.UInt
}

// Build describes the body: a tournament in which the lower index wins a tie.
func (c Classifier) Build(m *hw.Module, p ClassifierPorts) {
	s := &stage{m, p.Valid}
	var round []candidate
	for i, n := range (votes{c.Net.net, c.Pipeline}).counts(m, s, p.Obs) {
		round = append(round, candidate{n, p.Class.Lit(i)})
	}
	for len(round) > 1 {
		var next []candidate
		for i := 0; i+1 < len(round); i += 2 {
			low, high := round[i], round[i+1]
			next = append(next, hw.Mux(high.Votes.Gt(low.Votes), high, low))
		}
		if len(round)%2 == 1 {
			next = append(next, round[len(round)-1])
		}
		round = next
	}
	p.Class.Set(register(s, c.Pipeline.Output, "class_q", round[0].Index))
	p.ClassValid.Set(s.valid)
	s.check(p.Valid, c.Latency())
}
