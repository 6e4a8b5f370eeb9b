package checkpoint

import (
	"fmt"
	"slices"

	"etch/designs/dwc/model"
)

// findLogic finds an nn.Sequential of difflogic's LogicLayer. The connections,
// LogicLayer.indices, are a plain attribute: a state dictionary lacks them.
func findLogic(ck *Checkpoint, opt *Options) (*source, bool, error) {
	// A gate of two inputs is one of 16 functions, with a weight each.
	s, err := findSequence(ck, "weights", func(t *Tensor) bool { return len(t.Shape) == 2 && t.Shape[1] == 16 })
	switch {
	case s == nil:
		return nil, false, fmt.Errorf("no tensor of shape [gates, 16] is named 0.weights, with or without a prefix")
	case err != nil:
		return nil, true, err
	}
	if err := s.check("LogicLayer", "weights", "indices", "in_dim", "out_dim", "grad_factor", "num_neurons", "num_weights",
		"given_x_indices_of_y", "given_x_indices_of_y_start"); err != nil {
		return nil, true, err
	}

	// The connections are attributes, not parameters, so a state dictionary may lack them.
	for j := range s.layers {
		if a, _ := s.connections(j); a == nil {
			return nil, true, fmt.Errorf("no %s: a state dictionary lacks the connections; save the whole module by torch.save(model, …), or "+
				"{'state_dict': model.state_dict(), 'indices': [m.indices for m in model if hasattr(m, 'indices')]}", s.name(s.layers[j], "indices"))
		}
	}

	out := &source{layout: "difflogic " + s.prefix, bits: true, layers: s.gates}
	if out.inputs, err = s.count(s.layers[0], "in_dim"); err != nil {
		return nil, true, err
	}
	last := ck.Tensor(s.name(s.layers[len(s.layers)-1], "weights"))
	return out, true, s.groupSum(out, last.Shape[0])
}

// connections returns the first and second inputs of the gates of layer j: two
// vectors, or one matrix of two rows twice.
func (s *sequence) connections(j int) (a, b *Tensor) {
	// Three spellings, the first that of a whole module, the others of a dictionary that its user saved.
	for _, name := range []string{s.name(s.layers[j], "indices"), fmt.Sprintf("indices.%d", j), fmt.Sprintf("connections.%d", j)} {
		if t := s.ck.Tensor(name); t != nil {
			return t, t
		}
		a, b := s.ck.Tensor(name+".0"), s.ck.Tensor(name+".1")
		if a != nil && b != nil {
			return a, b
		}
	}
	return nil, nil
}

func (s *sequence) gates(inputs int) ([]model.Layer, error) {
	var out []model.Layer

	for j, i := range s.layers {
		layer, err := s.gateLayer(j, s.ck.Tensor(s.name(i, "weights")), inputs)
		if err != nil {
			return nil, err
		}
		out = append(out, layer)
		inputs = layer.Width()
	}
	return out, nil
}

func (s *sequence) gateLayer(j int, weights *Tensor, inputs int) (model.Layer, error) {
	out := model.Layer{N: 2, Inputs: inputs}
	gates := weights.Shape[0]
	if gates < 1 || gates > model.MaxWidth {
		return out, fmt.Errorf("%s: %d gates; must be 1..%d", weights.Name, gates, model.MaxWidth)
	}

	// Two vectors, or a matrix whose rows are these: the same numbers in the same order.
	a, b := s.connections(j)
	flat, err := a.Ints()
	if err != nil {
		return out, err
	}
	if b != a {
		second, err := b.Ints()
		if err != nil {
			return out, err
		}
		flat = append(flat, second...)
	}
	if len(flat) != 2*gates {
		return out, fmt.Errorf("%s: %d connections for %d gates of two inputs", a.Name, len(flat), gates)
	}

	// The first inputs of all gates come first, then the second ones.
	for g := range gates {
		pins := []int{flat[g], flat[gates+g]}
		if bad := slices.IndexFunc(pins, func(p int) bool { return p < 0 || p >= inputs }); bad >= 0 {
			return out, fmt.Errorf("%s: gate %d reads input %d, out of range 0..%d", a.Name, g, pins[bad], inputs-1)
		}
		out.Pins = append(out.Pins, pins)
	}

	// A gate is the function of the largest weight.
	err = weights.Rows(func(g int, w []float64) error {
		best := 0
		for k, v := range w {
			if v != v {
				return fmt.Errorf("%s: entry [%d, %d] is NaN", weights.Name, g, k)
			}
			if v > w[best] {
				best = k
			}
		}
		out.Tables = append(out.Tables, gateTable(best))
		return nil
	})
	return out, err
}

// gateTable is the truth table of difflogic's gate k. The gates are numbered by
// their outputs for AB = 00, 01, 10, 11, the first being the highest bit of k; a
// table's address has A, pin 0, as its lowest bit.
func gateTable(k int) uint64 {
	table := uint64(0)
	for address := range 4 {
		a, b := address&1, address>>1
		table |= uint64(k>>(3-(2*a+b))&1) << address
	}
	return table
}
