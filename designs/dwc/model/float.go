package model

import "math"

// FloatPolicy is the controller before folding and quantisation: observations
// in physical units, normalised and clipped in float64, through the same tables
// to exact actions. The circuit differs from it by the sensor's and the DAC's
// rounding alone. The slices that its methods return belong to it and hold
// until the next call; it is for one goroutine at a time.
type FloatPolicy struct {
	model   *Model
	std     []float64
	net     network
	values  [][]float64 // action by group and count, ROM heads only
	actions []float64
}

// NewFloatPolicy returns the float policy of a model. It fails where Validate
// does.
func NewFloatPolicy(m *Model) (*FloatPolicy, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}

	p := &FloatPolicy{model: m, net: newNetwork(m), std: make([]float64, len(m.Obs))}
	for d := range m.Obs {
		p.std[d] = m.Obs[d].Std()
	}
	if !m.Head.Kind.ROM() {
		return p, nil
	}

	// The action for each count of ones, as the circuit's ROM has them.
	p.actions = make([]float64, m.Groups())
	for i := range m.Head.Actions {
		row := make([]float64, m.GroupSize()+1)
		for c := range row {
			row[c] = m.Head.Actions[i].Value(m.Head.Kind, c, m.GroupSize())
		}
		p.values = append(p.values, row)
	}
	return p, nil
}

// Counts returns the popcount of every group for D observations in physical
// units.
func (p *FloatPolicy) Counts(obs []float64) []int {
	bits, b := p.net.values[0], p.model.B()
	for d := range p.model.Obs {
		x := obs[d]
		if p.model.Thresholds.Kind != Physical {
			x = (x - p.model.Obs[d].Mean) / p.std[d]
			x = math.Min(math.Max(x, -Clip), Clip)
		}

		// Both encoders say 1 for above, as the circuit's comparators do.
		for k, tau := range p.model.Thresholds.Row(d) {
			bits[d*b+k] = 0
			if x > tau {
				bits[d*b+k] = 1
			}
		}
	}
	return p.net.run()
}

// Act returns the actions in physical units for D observations. The head must
// be a ROM head.
func (p *FloatPolicy) Act(obs []float64) []float64 {
	for i, c := range p.Counts(obs) {
		p.actions[i] = p.values[i][c]
	}
	return p.actions
}

// Class returns the index of the largest count, the lowest one on ties.
func (p *FloatPolicy) Class(obs []float64) int { return argmax(p.Counts(obs)) }
