package model

import "fmt"

// Limits on the size of a model. They are far above the paper's largest
// (16384 LUTs a layer, 376 dimensions, 255 thresholds) and keep a hostile file
// from taking much memory.
const (
	MinLUTInputs = 2
	MaxLUTInputs = 6
	MinWordBits  = 2 // sensor codes and action words
	MaxWordBits  = 32
	MaxObs       = 1 << 14
	MaxGroups    = 1 << 12
	MaxLayers    = 64
	MaxWidth     = 1 << 17
	MaxLUTs      = 1 << 18 // in all layers
	// MaxEncoderBits bounds dimensions × thresholds.
	MaxEncoderBits = 1 << 20
	MaxText        = 4096  // bytes in a name or note
	MaxNotes       = 256   // entries of the provenance
	maxMagnitude   = 1e100 // of any number in physical units
	maxLogAlpha    = 500
)

// Validate checks every constraint that the fields of Model and its parts
// state. The error is a *FieldError that names the first field that is wrong.
func (m *Model) Validate() error {
	if m.Format != FormatVersion {
		return fieldErrorf("format", "version %d is not supported; this etch reads version %d", m.Format, FormatVersion)
	}

	// In the order of the file, so that the first error is the topmost.
	for _, check := range []func() error{
		func() error { return checkText("name", m.Name) },
		func() error { return checkRange("sensor_bits", m.SensorBits, MinWordBits, MaxWordBits) },
		func() error { return checkRange("dac_bits", m.DACBits, MinWordBits, MaxWordBits) },
		m.validateObs,
		m.validateThresholds,
		m.validateLayers,
		m.validateHead,
		m.validateProvenance,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) validateObs() error {
	if err := checkRange("obs", len(m.Obs), 1, MaxObs); err != nil {
		return fieldErrorf("obs", "%d dimensions; must be 1..%d", len(m.Obs), MaxObs)
	}

	// Fields in the order of the file, as in Validate.
	for i := range m.Obs {
		d := &m.Obs[i]
		field := func(name string) string { return fmt.Sprintf("obs[%d].%s", i, name) }
		if err := checkText(field("name"), d.Name); err != nil {
			return err
		}
		if err := checkFloat(field("mean"), d.Mean, -maxMagnitude, maxMagnitude); err != nil {
			return err
		}
		if err := checkFloat(field("var"), d.Var, 0, maxMagnitude); err != nil {
			return err
		}
		if err := checkFloat(field("max"), d.Max, 0, maxMagnitude); err != nil {
			return err
		}
		// Readings are divided by the scale, so it has a lower bound, too.
		if err := checkFloat(field("scale"), d.Scale, 1/maxMagnitude, maxMagnitude); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) validateThresholds() error {
	t := m.Thresholds
	if len(t.Rows) != 1 && len(t.Rows) != len(m.Obs) {
		return fieldErrorf("thresholds.rows", "%d rows; must be 1, or one for each of the %d dimensions", len(t.Rows), len(m.Obs))
	}

	b := len(t.Rows[0])
	if b*len(m.Obs) > MaxEncoderBits {
		return fieldErrorf("thresholds.rows", "%d dimensions × %d thresholds; at most %d bits in all", len(m.Obs), b, MaxEncoderBits)
	}

	// Each row: its length, which is common, and its values.
	for i, row := range t.Rows {
		field := fmt.Sprintf("thresholds.rows[%d]", i)
		if err := t.Kind.checkLength(len(row)); err != nil {
			return fieldErrorf(field, "number of thresholds: %v", err)
		}
		if len(row) != b {
			return fieldErrorf(field, "%d thresholds, but rows[0] has %d", len(row), b)
		}
		if err := checkRow(field, row, t.Kind); err != nil {
			return err
		}
	}
	return nil
}

// checkRow checks that a row ascends and keeps the rules of its kind.
func checkRow(field string, row []float64, kind ThresholdKind) error {
	at := func(k int) string { return fmt.Sprintf("%s[%d]", field, k) }

	for k, tau := range row {
		if err := checkFloat(at(k), tau, -maxMagnitude, maxMagnitude); err != nil {
			return err
		}
		if k > 0 && tau < row[k-1] {
			return fieldErrorf(at(k), "%v is less than the threshold before it, %v", tau, row[k-1])
		}
	}

	// The kinds Own and Imported prescribe every value, to the last bit.
	want, err := thresholdsOf(kind, len(row))
	if err != nil {
		return err
	}
	for k := range want {
		if row[k] != want[k] {
			return fieldErrorf(at(k), "%v, but thresholds of kind %q with B = %d have %v here (other values need kind %q)",
				row[k], kind, len(row), want[k], Custom)
		}
	}
	return nil
}

// thresholdsOf returns the row that a kind prescribes, nil for Custom.
func thresholdsOf(kind ThresholdKind, b int) ([]float64, error) {
	switch kind {
	case Own:
		return OwnThresholds(b), nil
	case Imported:
		row := make([]float64, b)
		for k, t := range ImportedThresholds(b) {
			row[k] = float64(t)
		}
		return row, nil
	case Custom, Physical:
		return nil, nil
	}
	return nil, fieldErrorf("thresholds.kind", "unknown kind %q; must be %q, %q, %q or %q", kind, Own, Imported, Custom, Physical)
}

// NewThresholds returns the shared row of b thresholds of kind Own or Imported.
// b must satisfy CheckB.
func NewThresholds(kind ThresholdKind, b int) (Thresholds, error) {
	if err := CheckB(b); err != nil {
		return Thresholds{}, fieldErrorf("thresholds", "number of thresholds: %v", err)
	}
	row, err := thresholdsOf(kind, b)
	if err != nil {
		return Thresholds{}, err
	}
	if row == nil {
		return Thresholds{}, fieldErrorf("thresholds.kind", "kind %q prescribes no values", kind)
	}
	return Thresholds{Kind: kind, Rows: [][]float64{row}}, nil
}

func (m *Model) validateLayers() error {
	if len(m.Layers) < 1 || len(m.Layers) > MaxLayers {
		return fieldErrorf("layers", "%d layers; must be 1..%d", len(m.Layers), MaxLayers)
	}

	// A layer reads all bits of the one before.
	inputs, source, luts := m.EncoderBits(), "dimensions × thresholds", 0
	for i := range m.Layers {
		l := &m.Layers[i]
		field := fmt.Sprintf("layers[%d]", i)
		if l.Inputs != inputs {
			return fieldErrorf(field+".inputs", "%d, but %s gives %d", l.Inputs, source, inputs)
		}
		if err := l.validate(field); err != nil {
			return err
		}
		if luts += l.Width(); luts > MaxLUTs {
			return fieldErrorf(field+".tables", "more than %d LUTs in all layers together", MaxLUTs)
		}
		inputs, source = l.Width(), fmt.Sprintf("the width of layers[%d]", i)
	}
	return nil
}

func (l *Layer) validate(field string) error {
	if err := checkRange(field+".n", l.N, MinLUTInputs, MaxLUTInputs); err != nil {
		return err
	}
	if w := len(l.Tables); w < 1 || w > MaxWidth {
		return fieldErrorf(field+".tables", "%d LUTs; must be 1..%d", w, MaxWidth)
	}
	if len(l.Pins) != len(l.Tables) {
		return fieldErrorf(field+".pins", "pins of %d LUTs, but tables of %d", len(l.Pins), len(l.Tables))
	}

	for j, pins := range l.Pins {
		if len(pins) != l.N {
			return fieldErrorf(fmt.Sprintf("%s.pins[%d]", field, j), "%d pins, but n is %d", len(pins), l.N)
		}
		for p, bit := range pins {
			if bit < 0 || bit >= l.Inputs {
				return fieldErrorf(fmt.Sprintf("%s.pins[%d][%d]", field, j, p),
					"input bit %d is out of range 0..%d", bit, l.Inputs-1)
			}
		}
	}

	// Equal functions are equal numbers, so the bits without an address are 0.
	for j, t := range l.Tables {
		if l.N < 6 && t>>(1<<l.N) != 0 {
			return fieldErrorf(fmt.Sprintf("%s.tables[%d]", field, j), "%#x has more than 2^%d bits", t, l.N)
		}
	}
	return nil
}

func (m *Model) validateHead() error {
	h := &m.Head

	// A ROM head has actions, another one classes: exactly one of the lists has entries.
	field, n := "head.actions", len(h.Actions)
	switch h.Kind {
	case SAC, DDPG, PPO:
		if len(h.Classes) != 0 {
			return fieldErrorf("head.classes", "a %q head has actions, not classes", h.Kind)
		}
	case Counts, Argmax:
		if len(h.Actions) != 0 {
			return fieldErrorf("head.actions", "a %q head has classes, not actions", h.Kind)
		}
		field, n = "head.classes", len(h.Classes)
	default:
		return fieldErrorf("head.kind", "unknown kind %q; must be %q, %q, %q, %q or %q", h.Kind, SAC, DDPG, PPO, Counts, Argmax)
	}

	// Groups of equal size.
	if n < 1 || n > MaxGroups {
		return fieldErrorf(field, "%d entries; must be 1..%d", n, MaxGroups)
	}
	if w := m.Layers[len(m.Layers)-1].Width(); w%n != 0 {
		return fieldErrorf(field, "the last layer's %d outputs do not divide into %d equal groups", w, n)
	}
	for i := range h.Actions {
		if err := h.Actions[i].validate(fmt.Sprintf("head.actions[%d]", i)); err != nil {
			return err
		}
	}
	for i, c := range h.Classes {
		if err := checkText(fmt.Sprintf("head.classes[%d]", i), c); err != nil {
			return err
		}
	}
	return nil
}

func (a *Action) validate(field string) error {
	if err := checkText(field+".name", a.Name); err != nil {
		return err
	}

	for _, f := range []struct {
		name  string
		value float64
		bound float64
	}{
		{"log_alpha", a.LogAlpha, maxLogAlpha},
		{"beta", a.Beta, maxMagnitude},
		{"scale", a.Scale, maxMagnitude},
		{"bias", a.Bias, maxMagnitude},
		{"low", a.Low, maxMagnitude},
		{"high", a.High, maxMagnitude},
	} {
		if err := checkFloat(field+"."+f.name, f.value, -f.bound, f.bound); err != nil {
			return err
		}
	}

	// An empty range could leave the DAC with a full scale of 0.
	if !(a.Low < a.High) {
		return fieldErrorf(field+".low", "%v is not less than high, %v", a.Low, a.High)
	}
	return nil
}

func (m *Model) validateProvenance() error {
	if len(m.Provenance) > MaxNotes {
		return fieldErrorf("provenance", "%d entries; at most %d", len(m.Provenance), MaxNotes)
	}

	// Sorted, so that the same model gives the same error.
	for _, key := range sortedKeys(m.Provenance) {
		if err := checkText("provenance", key); err != nil {
			return err
		}
		if err := checkText(fmt.Sprintf("provenance[%q]", key), m.Provenance[key]); err != nil {
			return err
		}
	}
	return nil
}
