package model

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// RandomSpec is the shape of a random model.
type RandomSpec struct {
	Name       string
	Obs        int      // D
	Groups     int      // actions of a ROM head, else classes
	Head       HeadKind // "" means SAC
	B          int      // thresholds per dimension; Gaussian if odd and above 1, else evenly spaced
	Widths     []int    // LUTs per layer; the last is padded up to a multiple of Groups
	N          []int    // inputs per LUT: one for all layers, or one a layer
	SensorBits int      // W
	DACBits    int
	// ActionScale is the scale of every action; 0 means 1.
	ActionScale float64
}

// Random returns a model of the given shape with the sizes' worst case in view:
// pins independent and uniform, table entries independent fair bits, and a
// sensor range that takes in the whole clip range of every dimension, so that
// no threshold but the last (+10) folds to a constant. Trained models differ:
// they read fewer distinct bits. Equal arguments give equal models. It fails
// where the shape is not that of a valid model.
func Random(spec RandomSpec, seed uint64) (*Model, error) {
	// The second word of the seed separates this stream from other uses of the same seed.
	r := source{rand.NewPCG(seed, 0x64776321)}
	thresholds, err := randomThresholds(spec.B)
	if err != nil {
		return nil, err
	}
	if spec.Head == "" {
		spec.Head = SAC
	}

	m := &Model{
		Format: FormatVersion, Name: spec.Name, Thresholds: thresholds,
		SensorBits: spec.SensorBits, DACBits: spec.DACBits,
		Head:       Head{Kind: spec.Head},
		Provenance: map[string]string{"source": "random", "seed": fmt.Sprint(seed)},
	}

	if err := spec.check(); err != nil {
		return nil, err
	}

	// Dimensions whose range holds the clipping limit of the thresholds.
	for d := range spec.Obs {
		std, mean := 0.5+float64(1.5*r.unit()), r.unit()-0.5
		dim := Dim{Name: fmt.Sprintf("obs_%d", d), Mean: mean, Var: std * std, Max: max(mean, -mean) + float64(Clip*std)}
		dim.Scale = SensorScale(dim.Max, spec.SensorBits)
		m.Obs = append(m.Obs, dim)
	}

	// The last layer is padded to equal groups.
	inputs := m.EncoderBits()
	for i, width := range spec.Widths {
		if i == len(spec.Widths)-1 {
			width = PadWidth(width, spec.Groups)
		}
		m.Layers = append(m.Layers, r.layer(spec.N[min(i, len(spec.N)-1)], inputs, width))
		inputs = width
	}
	spec.head(&m.Head, r)
	return m, m.Validate()
}

// check keeps Random from looping over absurd sizes; Validate does the rest.
func (s *RandomSpec) check() error {
	switch {
	case s.Obs < 1 || s.Obs > MaxObs:
		return fmt.Errorf("model: random: %d dimensions; must be 1..%d", s.Obs, MaxObs)
	case s.Groups < 1 || s.Groups > MaxGroups:
		return fmt.Errorf("model: random: %d groups; must be 1..%d", s.Groups, MaxGroups)
	case s.SensorBits < MinWordBits || s.SensorBits > MaxWordBits:
		return fmt.Errorf("model: random: %d sensor bits; must be %d..%d", s.SensorBits, MinWordBits, MaxWordBits)
	case len(s.Widths) < 1 || len(s.Widths) > MaxLayers:
		return fmt.Errorf("model: random: %d layers; must be 1..%d", len(s.Widths), MaxLayers)
	case len(s.N) != 1 && len(s.N) != len(s.Widths):
		return fmt.Errorf("model: random: n for %d layers; must be 1 or %d", len(s.N), len(s.Widths))
	}

	// Random loops as often as these numbers say.
	for _, w := range s.Widths {
		if w < 1 || w > MaxWidth {
			return fmt.Errorf("model: random: width %d; must be 1..%d", w, MaxWidth)
		}
	}
	for _, n := range s.N {
		if n < MinLUTInputs || n > MaxLUTInputs {
			return fmt.Errorf("model: random: n = %d; must be %d..%d", n, MinLUTInputs, MaxLUTInputs)
		}
	}
	return nil
}

// randomThresholds are Own ones where there are some, else evenly spaced over
// the clip range.
func randomThresholds(b int) (Thresholds, error) {
	if CheckB(b) == nil {
		return NewThresholds(Own, b)
	}
	if err := Custom.checkLength(b); err != nil {
		return Thresholds{}, fieldErrorf("thresholds", "number of thresholds: %v", err)
	}

	// b points at equal distances from each other and from the ends of the clip range.
	row := make([]float64, b)
	for k := range row {
		row[k] = float64(2*Clip*float64(k+1))/float64(b+1) - Clip
	}
	return Thresholds{Kind: Custom, Rows: [][]float64{row}}, nil
}

func (s *RandomSpec) head(h *Head, r source) {
	scale := s.ActionScale
	if scale == 0 {
		scale = 1
	}

	// A head of classes has names only; an action has an affine map.
	for i := range s.Groups {
		if !h.Kind.ROM() {
			h.Classes = append(h.Classes, fmt.Sprintf("class_%d", i))
			continue
		}
		h.Actions = append(h.Actions, Action{
			Name: fmt.Sprintf("act_%d", i), LogAlpha: 2 * r.unit(), Beta: r.unit() - 0.5,
			Scale: scale, Low: -scale, High: scale,
		})
	}
}

// source draws by its own rules from a generator whose stream is fixed.
type source struct{ *rand.PCG }

// unit returns a number in [0, 1).
func (r source) unit() float64 { return float64(r.Uint64()>>11) * 0x1p-53 }

// below returns a number in 0..n−1.
func (r source) below(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

func (r source) layer(n, inputs, width int) Layer {
	l := Layer{N: n, Inputs: inputs, Pins: make([][]int, width), Tables: make([]uint64, width)}
	for j := range width {
		l.Pins[j] = make([]int, n)
		for p := range l.Pins[j] {
			l.Pins[j][p] = r.below(inputs)
		}

		l.Tables[j] = r.Uint64() >> (64 - 1<<n)
	}
	return l
}

// Shape is the interface of one of the paper's environments.
type Shape struct {
	Env          string
	Obs, Actions int
	ActionScale  float64
}

// Shapes returns the paper's five MuJoCo environments in its order.
func Shapes() []Shape {
	return []Shape{
		{"Ant", 27, 8, 1},
		{"HalfCheetah", 17, 6, 1},
		{"Hopper", 11, 3, 1},
		{"Humanoid", 376, 17, 0.4},
		{"Walker2d", 17, 6, 1},
	}
}

// Spec returns the shape's model with two layers of width LUT6, the last padded,
// B = 63 and 12-bit action words.
func (s Shape) Spec(width, sensorBits int) RandomSpec {
	return RandomSpec{
		Name: s.Env, Obs: s.Obs, Groups: s.Actions, Head: SAC, B: 63,
		Widths: []int{width, width}, N: []int{6},
		SensorBits: sensorBits, DACBits: 12, ActionScale: s.ActionScale,
	}
}
