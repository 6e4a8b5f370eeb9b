package firrtl

import (
	"fmt"
	"io"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/input"
	"etch/passes/derived"
)

// ReadOptions is how a file is read.
type ReadOptions struct {
	// Top is the main module, "" for the one of the circuit's name.
	Top string
	// File returns the content of a file that an annotation of the circuit says a
	// memory starts from. nil: memories start without contents, and a note says so.
	File func(name string) ([]byte, error)
	// Annotations is the JSON of annotations that are in a file of their own, whose
	// name is AnnotationsName. Those in the circuit are read too.
	Annotations, AnnotationsName string
	// Body, if set, is told of the Verilog of black boxes that annotations hold
	// (BlackBoxInlineAnno), each with the name of its file.
	Body func(file, text string)
	// Ignore lists classes of annotations to leave out though etch does not know
	// that they leave the circuit as it is.
	Ignore []string
	// KeepClocks leaves computed clocks in the netlist, for a caller that gives
	// black boxes bodies, which may make clocks, before it calls derived.Resolve.
	KeepClocks bool
}

// Note says what reading left out or decided: annotations, a connect that cuts.
type Note = lower.Note

// MaxFileSize is how large a file may be that [Read] reads, in bytes.
const MaxFileSize = 1 << 30

// Read reads a FIRRTL file of any version, also one without a version line, into a
// design. name is the file's name, for errors and positions. The error joins
// errors that each name a line; package lower says what is read and how. A file of
// more than MaxFileSize bytes, or with a byte that is 0, is an error.
func Read(r io.Reader, name string, o ReadOptions) (*ir.Design, []Note, error) {
	text, err := input.ReadAll(r, MaxFileSize)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return ReadText(string(text), name, o)
}

// ReadText is Read of a text.
func ReadText(text, name string, o ReadOptions) (*ir.Design, []Note, error) {
	c, err := syntax.Parse(name, text)
	if err != nil {
		return nil, nil, err
	}
	d, notes, err := lower.Lower(c, lower.Options{Top: o.Top, File: o.File, Annotations: o.Annotations,
		AnnotationsName: o.AnnotationsName, Ignore: o.Ignore, Body: o.Body})
	if err != nil || o.KeepClocks {
		return d, notes, err
	}
	if err := derived.Resolve(d); err != nil {
		return nil, notes, err
	}
	return d, notes, nil
}
