package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	learner "etch/designs/learner/model"
	"etch/ir/input"
)

// The kinds of policy.
const (
	DQN  = "dqn"  // the outputs are values of actions; the greatest is taken
	DDPG = "ddpg" // the outputs go through tanh; they are amounts
)

// Layer is a dense layer; hidden ones end in a rectifier.
type Layer struct {
	Weight [][]float64 `json:"weight"` // row by output
	Bias   []float64   `json:"bias"`
}

// Policy is a network with the scales needed to use it.
type Policy struct {
	Kind   string    `json:"kind,omitempty"`
	Scale  []float64 `json:"scale,omitempty"` // of observations; none: 1
	Sizes  []int     `json:"sizes"`           // inputs, hidden layers, outputs
	Layers []Layer   `json:"layers"`
	// Formats of the circuit that trained it, which has these weights exactly.
	Formats *learner.Formats `json:"formats,omitempty"`
}

// Of is the policy of raw weights.
func Of(kind string, scale []float64, n *learner.Net, f learner.Formats) *Policy {
	// Rows by output, as PyTorch has them.
	p := &Policy{Kind: kind, Scale: scale, Sizes: n.Sizes(), Formats: &f}
	for _, l := range n.Layers {
		var x Layer
		for o := range l.Out {
			var row []float64
			for _, w := range l.W[o*l.In : (o+1)*l.In] {
				row = append(row, f.Weights().Value(w))
			}
			x.Weight, x.Bias = append(x.Weight, row), append(x.Bias, f.Weights().Value(l.B[o]))
		}
		p.Layers = append(p.Layers, x)
	}
	return p
}

// validate checks shapes and numbers.
func (p *Policy) validate() error {
	// Kind, sizes and scales.
	if p.Kind != "" && p.Kind != DQN && p.Kind != DDPG {
		return fmt.Errorf("kind %s; dqn or ddpg", input.Excerpt(p.Kind))
	}

	if len(p.Sizes) < 2 || len(p.Layers) != len(p.Sizes)-1 {
		return fmt.Errorf("%d layers for %d sizes; one fewer than sizes, and at least one", len(p.Layers), len(p.Sizes))
	}
	if p.Scale != nil && len(p.Scale) != p.Sizes[0] {
		return fmt.Errorf("%d scales for %d inputs", len(p.Scale), p.Sizes[0])
	}
	for i, s := range p.Scale {
		if s == 0 || math.IsNaN(s) || math.IsInf(s, 0) {
			return fmt.Errorf("scale %d is %v", i, s)
		}
	}

	// Each layer has a row of weights and a bias for each output, all finite.
	for i, l := range p.Layers {
		in, out := p.Sizes[i], p.Sizes[i+1]
		if len(l.Weight) != out || len(l.Bias) != out {
			return fmt.Errorf("layer %d: %d rows of weights and %d biases for %d outputs", i, len(l.Weight), len(l.Bias), out)
		}
		for o, row := range append(l.Weight[:out:out], l.Bias) {
			if o < out && len(row) != in {
				return fmt.Errorf("layer %d: row %d has %d weights for %d inputs", i, o, len(row), in)
			}
			for k, w := range row {
				if math.IsNaN(w) || math.IsInf(w, 0) {
					return fmt.Errorf("layer %d: row %d, number %d is %v", i, o, k, w)
				}
			}
		}
	}
	return nil
}

// Scales are the factors of observations.
func (p *Policy) Scales() []float64 {
	if p.Scale != nil {
		return p.Scale
	}
	ones := make([]float64, p.Sizes[0])
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

// Net is the network in a format: weights are rounded; one that does not fit is an error.
func (p *Policy) Net(f learner.Number, sizes []int) (*learner.Net, error) {
	if fmt.Sprint(p.Sizes) != fmt.Sprint(sizes) {
		return nil, fmt.Errorf("weights of a network %v for one of %v", p.Sizes, sizes)
	}

	// The range of weights that round to one of the format.
	n := learner.NewNet(p.Sizes...)
	least, greatest := f.Range()
	half := math.Ldexp(1, -f.Frac-1)
	low, high := least-half, greatest+half

	// Every weight, or the first that does not fit.
	for i, l := range p.Layers {
		raw := func(w float64, what string, k int) (int64, error) {
			if w < low || w >= high {
				return 0, fmt.Errorf("layer %d: %s %d is %v, outside of the format's %v to %v", i, what, k, w, least, greatest)
			}

			return f.Raw(w), nil
		}
		var err error
		for o, row := range l.Weight {
			for k, w := range row {
				if n.Layers[i].W[o*len(row)+k], err = raw(w, fmt.Sprintf("weight %d of row", k), o); err != nil {
					return nil, err
				}
			}
			if n.Layers[i].B[o], err = raw(l.Bias[o], "bias", o); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// document is the JSON file.
type document struct {
	Etch string `json:"etch"`
	Policy
}

const documentKind = "policy 1"

// Encode is the file of that name: .safetensors, else JSON.
func (p *Policy) Encode(name string) ([]byte, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(name), ".safetensors") {
		return p.safetensors()
	}
	text, err := json.Marshal(document{documentKind, *p})
	return append(text, '\n'), err
}

// maxFile bounds a JSON file, in bytes.
const maxFile = 1 << 28

// ReadFile reads a policy; the form is told by content. Errors name the file.
func ReadFile(path string) (*Policy, error) {
	p, err := readFile(path)
	if err != nil && !strings.Contains(err.Error(), path) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return p, err
}

func readFile(path string) (*Policy, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}

	// The first bytes tell JSON from the others: those of .safetensors are a length, whose high
	// byte is 0.
	var head [9]byte
	n, _ := io.ReadFull(f, head[:]) // a shorter file is none of the others
	f.Close()

	if h := bytes.TrimSpace(head[:n]); n < len(head) || len(h) > 0 && h[0] == '{' && head[7] != 0 {
		text, err := input.ReadFile(path, maxFile)
		if err != nil {
			return nil, err
		}
		return Decode(text)
	}
	return open(path)
}

// noNull refuses null, which would be a weight of 0: some writers turn NaN into it.
func noNull(text []byte) error {
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		switch x, err := d.Token(); {
		case err != nil:
			return nil // the end, for the text was decoded before
		case x == nil:
			return fmt.Errorf("null at byte %d is not a number", d.InputOffset())
		}
	}
}

// Decode reads JSON.
func Decode(text []byte) (*Policy, error) {
	// One value of known fields, of this kind.
	var d document
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("not a policy: %v", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the policy")
	}
	if err := noNull(text); err != nil {
		return nil, err
	}

	if d.Etch != documentKind {
		return nil, fmt.Errorf("etch is %s; want %q", input.Excerpt(d.Etch), documentKind)
	}
	return &d.Policy, d.validate()
}
