package model

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strconv"

	"etch/ir/output"
)

// WriteFile writes the model to a file by way of a temporary one in the same
// directory, so that a failure leaves the old file.
func (m *Model) WriteFile(path string) error { return output.Replace(path, 0o644, m.Write) }

// Write writes the model as JSON in the schema of the package documentation,
// equal bytes for equal models. It writes nothing unless Validate is nil.
func (m *Model) Write(w io.Writer) error {
	if err := m.Validate(); err != nil {
		return err
	}
	out := &printer{w: bufio.NewWriterSize(w, 1<<16)}
	out.model(m)
	return out.w.Flush() // holds the first error
}

// printer lays out JSON by hand: encoding/json would put every pin on a line
// of its own.
type printer struct {
	w       *bufio.Writer
	scratch []byte
}

func (p *printer) model(m *Model) {
	// Members have a fixed order and notes are sorted, so equal models give equal bytes.
	p.text("{\n  \"format\": " + strconv.Itoa(m.Format) + ",\n  \"name\": " + quote(m.Name))
	p.text(",\n  \"provenance\": {")
	for i, key := range sortedKeys(m.Provenance) {
		p.separator(i, "\n    ")
		p.text(quote(key) + ": " + quote(m.Provenance[key]))
	}
	p.text(closing(len(m.Provenance), "\n  ") + "},\n  \"sensor_bits\": " + strconv.Itoa(m.SensorBits))

	// One dimension a line.
	p.text(",\n  \"dac_bits\": " + strconv.Itoa(m.DACBits) + ",\n  \"obs\": [")
	for i := range m.Obs {
		p.separator(i, "\n    ")
		d := &m.Obs[i]
		p.text("{\"name\": " + quote(d.Name))
		p.member("mean", d.Mean)
		p.member("var", d.Var)
		p.member("max", d.Max)
		p.member("scale", d.Scale)
		p.text("}")
	}

	// One row of thresholds a line.
	p.text("\n  ],\n  \"thresholds\": {\n    \"kind\": " + quote(string(m.Thresholds.Kind)) + ",\n    \"rows\": [")
	for i, row := range m.Thresholds.Rows {
		p.separator(i, "\n      ")
		p.text("[")
		for k, tau := range row {
			p.separator(k, "")
			p.float(tau)
		}
		p.text("]")
	}

	p.text("\n    ]\n  },\n  \"layers\": [")
	for i := range m.Layers {
		p.separator(i, "\n    ")
		p.layer(&m.Layers[i])
	}

	p.text("\n  ],\n")
	p.head(&m.Head)
	p.text("}\n")
}

func (p *printer) layer(l *Layer) {
	// A line has the pins of one table; the truth tables follow, a line each.
	p.text("{\n      \"n\": " + strconv.Itoa(l.N) + ",\n      \"inputs\": " + strconv.Itoa(l.Inputs) + ",\n      \"pins\": [")
	for j, pins := range l.Pins {
		p.separator(j, "\n        ")
		p.text("[")
		for k, bit := range pins {
			p.separator(k, "")
			p.scratch = strconv.AppendInt(p.scratch[:0], int64(bit), 10)
			p.w.Write(p.scratch)
		}
		p.text("]")
	}

	p.text("\n      ],\n      \"tables\": [")
	for j, t := range l.Tables {
		p.separator(j, "\n        ")
		p.text("\"" + FormatTable(t, l.N) + "\"")
	}
	p.text("\n      ]\n    }")
}

func (p *printer) head(h *Head) {
	p.text("  \"head\": {\n    \"kind\": " + quote(string(h.Kind)))
	if !h.Kind.ROM() {
		p.text(",\n    \"classes\": [")
		for i, c := range h.Classes {
			p.separator(i, "\n      ")
			p.text(quote(c))
		}
		p.text("\n    ]\n  }\n")
		return
	}

	// Each action has an affine map and a range.
	p.text(",\n    \"actions\": [")
	for i := range h.Actions {
		a := &h.Actions[i]
		p.separator(i, "\n      ")
		p.text("{\"name\": " + quote(a.Name))
		p.member("log_alpha", a.LogAlpha)
		p.member("beta", a.Beta)
		p.member("scale", a.Scale)
		p.member("bias", a.Bias)
		p.member("low", a.Low)
		p.member("high", a.High)
		p.text("}")
	}
	p.text("\n    ]\n  }\n")
}

// separator puts a comma before every element but the first, then the indent.
func (p *printer) separator(i int, indent string) {
	switch {
	case i > 0 && indent == "":
		p.text(", ")
	case i > 0:
		p.text(",")
	}
	p.text(indent)
}

func (p *printer) member(name string, v float64) {
	p.text(", \"" + name + "\": ")
	p.float(v)
}

func (p *printer) float(v float64) {
	p.scratch = strconv.AppendFloat(p.scratch[:0], v, 'g', -1, 64)
	p.w.Write(p.scratch)
}

func (p *printer) text(s string) { p.w.WriteString(s) }

// closing returns the indent before a closing bracket: none if it is empty.
func closing(n int, indent string) string {
	if n == 0 {
		return ""
	}
	return indent
}

// FormatTable returns the truth table of an n-input LUT as hexadecimal, the
// most significant digit (the highest addresses) first: one digit for n = 2,
// 2^n/4 for more.
func FormatTable(table uint64, n int) string {
	return fmt.Sprintf("%0*x", tableDigits(n), table)
}

// tableDigits returns the number of hexadecimal digits of a 2^n-bit table.
func tableDigits(n int) int { return (1 << n) / 4 }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("model: quote: " + err.Error()) // a string always marshals
	}
	return string(b)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
