package model

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// MaxFileSize is the largest model file, in bytes, that is read.
const MaxFileSize = 32 << 20

var tooLarge = fmt.Sprintf("larger than %d MiB", MaxFileSize>>20)

// ReadFile reads a model from a file. Errors name the file.
func ReadFile(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	// A large file is refused before it is read. A pipe has no size, so Read counts as well.
	if info, err := f.Stat(); err == nil && info.Size() > MaxFileSize {
		return nil, &FieldError{File: path, Reason: tooLarge}
	}

	// Read does not know the file: its errors get the name here.
	m, err := Read(f)
	var field *FieldError
	if errors.As(err, &field) {
		field.File = path
	} else if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return m, err
}

// Read reads a model in the schema of the package documentation, strictly: an
// unknown or repeated or missing field, an unknown version, a value out of
// range, a wrong shape or anything after the model is an error. Errors of
// content are *FieldError. The model it returns is valid.
func Read(r io.Reader) (*Model, error) {
	// One byte more than the limit shows that there are too many.
	buf, err := io.ReadAll(io.LimitReader(r, MaxFileSize+1))
	if err != nil {
		return nil, err
	}
	if len(buf) > MaxFileSize {
		return nil, &FieldError{Reason: tooLarge}
	}

	d := &decoder{scanner: scanner{buf: buf}}
	m, err := d.model()
	if err != nil {
		return nil, err
	}

	// One model fills the file; its numbers are checked after that.
	if d.peek(); d.pos < len(d.buf) {
		d.path = nil
		return nil, d.errorf("something follows the model")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// decoder reads the parts of a model. It enforces syntax, presence and the
// limits on size; Validate, which follows, does the rest.
type decoder struct {
	scanner
	luts, thresholds int // so far, in all layers and rows
}

func (d *decoder) model() (*Model, error) {
	m := &Model{}

	// Members by name, in any order; true marks those that may be missing.
	err := d.object([]member{
		{"format", false, func() error { return d.format(&m.Format) }},
		{"name", true, d.into(&m.Name)},
		{"provenance", true, func() error { return d.notes(m) }},
		{"sensor_bits", false, d.int(&m.SensorBits)},
		{"dac_bits", false, d.int(&m.DACBits)},
		{"obs", false, func() error { return d.obs(m) }},
		{"thresholds", false, func() error { return d.rows(&m.Thresholds) }},
		{"layers", false, func() error {
			_, err := d.array(MaxLayers, func(int) error { return d.layer(m) })
			return err
		}},
		{"head", false, func() error { return d.head(&m.Head) }},
	})
	return m, err
}

// format reads the version and stops at once at one that is not known: errors
// in the rest would only give misleading errors.
func (d *decoder) format(v *int) error {
	if err := d.int(v)(); err != nil {
		return err
	}
	if *v != FormatVersion {
		return d.errorf("version %d is not supported; this etch reads version %d", *v, FormatVersion)
	}
	return nil
}

func (d *decoder) notes(m *Model) error {
	// Keys are free here, so object, which knows its members, cannot read them.
	m.Provenance = map[string]string{}
	if err := d.expect('{', "an object"); err != nil {
		return err
	}
	for d.peek() != '}' {
		if len(m.Provenance) > 0 {
			if err := d.expect(',', "',' or '}'"); err != nil {
				return err
			}
		}
		if len(m.Provenance) == MaxNotes {
			return d.errorf("more than %d entries", MaxNotes)
		}

		// A key may come once.
		key, err := d.text(MaxText)
		if err != nil {
			return err
		}
		d.path = append(d.path, step{name: strconv.Quote(clip(key))})
		if _, twice := m.Provenance[key]; twice {
			return d.errorf("given twice")
		}
		if err := d.expect(':', "':'"); err != nil {
			return err
		}
		if m.Provenance[key], err = d.text(MaxText); err != nil {
			return err
		}
		d.path = d.path[:len(d.path)-1]
	}

	d.pos++
	return nil
}

func (d *decoder) obs(m *Model) error {
	_, err := d.array(MaxObs, func(int) error {
		var o Dim
		err := d.object([]member{
			{"name", true, d.into(&o.Name)},
			{"mean", false, d.num(&o.Mean)},
			{"var", false, d.num(&o.Var)},
			{"max", true, d.num(&o.Max)},
			{"scale", false, d.num(&o.Scale)},
		})
		m.Obs = append(m.Obs, o)
		return err
	})
	return err
}

func (d *decoder) rows(t *Thresholds) error {
	var kind string
	row := func(int) error {
		var row []float64
		_, err := d.array(MaxB, func(int) error {
			// The bound counts all rows together: many short rows cost as much as a long one.
			if d.thresholds++; d.thresholds > MaxEncoderBits {
				return d.errorf("more than %d thresholds in all rows", MaxEncoderBits)
			}
			v, err := d.float()
			row = append(row, v)
			return err
		})
		t.Rows = append(t.Rows, row)
		return err
	}

	err := d.object([]member{
		{"kind", false, d.into(&kind)},
		{"rows", false, func() error { _, err := d.array(MaxObs, row); return err }},
	})
	t.Kind = ThresholdKind(kind)
	return err
}

func (d *decoder) layer(m *Model) error {
	var l Layer
	err := d.object([]member{
		{"n", false, func() error { return d.arity(&l.N) }},
		{"inputs", false, d.int(&l.Inputs)},
		{"pins", false, func() error { return d.pins(&l) }},
		{"tables", false, func() error { return d.tables(&l) }},
	})
	m.Layers = append(m.Layers, l)
	return err
}

func (d *decoder) arity(n *int) error {
	if err := d.int(n)(); err != nil {
		return err
	}
	if *n < MinLUTInputs || *n > MaxLUTInputs {
		return d.errorf("%d is out of range %d..%d", *n, MinLUTInputs, MaxLUTInputs)
	}
	return nil
}

func (d *decoder) pins(l *Layer) error {
	_, err := d.array(MaxWidth, func(int) error {
		if d.luts++; d.luts > MaxLUTs {
			return d.errorf("more than %d LUTs in all layers", MaxLUTs)
		}

		// Bounds hold while reading: a file of pins alone must not fill the memory.
		pins := make([]int, 0, MaxLUTInputs)
		_, err := d.array(MaxLUTInputs, func(int) error {
			v, err := d.integer()
			pins = append(pins, v)
			return err
		})
		l.Pins = append(l.Pins, pins)
		return err
	})
	return err
}

// tables reads the truth tables, whose length needs the layer's n.
func (d *decoder) tables(l *Layer) error {
	if l.N == 0 {
		return d.errorf("n must come before tables")
	}

	_, err := d.array(MaxWidth, func(int) error {
		digits, err := d.text(MaxText)
		if err != nil {
			return err
		}
		if len(digits) != tableDigits(l.N) {
			return d.errorf("%d hexadecimal digits; a table of %d inputs has %d", len(digits), l.N, tableDigits(l.N))
		}

		// Lower case only, so that equal models are equal files.
		for _, c := range []byte(digits) {
			if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
				return d.errorf("%q is not a lower-case hexadecimal number", digits)
			}
		}
		v, err := strconv.ParseUint(digits, 16, 64)
		l.Tables = append(l.Tables, v)
		return err
	})
	return err
}

func (d *decoder) head(h *Head) error {
	var kind string
	err := d.object([]member{
		{"kind", false, d.into(&kind)},
		{"actions", true, func() error {
			_, err := d.array(MaxGroups, func(int) error { return d.action(h) })
			return err
		}},
		{"classes", true, func() error {
			_, err := d.array(MaxGroups, func(int) error {
				c, err := d.text(MaxText)
				h.Classes = append(h.Classes, c)
				return err
			})
			return err
		}},
	})

	h.Kind = HeadKind(kind)
	return err
}

func (d *decoder) action(h *Head) error {
	var a Action
	err := d.object([]member{
		{"name", true, d.into(&a.Name)},
		{"log_alpha", false, d.num(&a.LogAlpha)},
		{"beta", false, d.num(&a.Beta)},
		{"scale", false, d.num(&a.Scale)},
		{"bias", false, d.num(&a.Bias)},
		{"low", false, d.num(&a.Low)},
		{"high", false, d.num(&a.High)},
	})

	h.Actions = append(h.Actions, a)
	return err
}

// into, int and num read one value of a member.
func (d *decoder) into(v *string) func() error {
	return func() (err error) { *v, err = d.text(MaxText); return }
}

func (d *decoder) int(v *int) func() error {
	return func() (err error) { *v, err = d.integer(); return }
}

func (d *decoder) num(v *float64) func() error {
	return func() (err error) { *v, err = d.float(); return }
}
