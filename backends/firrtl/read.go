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

// ReadOptions select the main module of a circuit and supply the files beside it. The zero value
// reads a circuit that stands by itself.
type ReadOptions struct {
	// Top is the main module, "" for the one of the circuit's name.
	Top string
	// File returns the content of a file that, by an annotation of the circuit, initialises
	// a memory. nil: such memories have no contents, and a note says so.
	File func(name string) ([]byte, error)
	// Annotations is the JSON of annotations in a separate file, whose name is
	// AnnotationsName. Those in the circuit are read too.
	Annotations, AnnotationsName string
	// Body, if set, receives the Verilog of black boxes in annotations
	// (BlackBoxInlineAnno), each with the name of its file.
	Body func(file, text string)
	// Ignore lists further classes of annotations to leave out, because the caller knows
	// that they do not change the circuit.
	Ignore []string
	// KeepClocks leaves computed clocks in the netlist, for a caller that gives
	// black boxes bodies, which may make clocks, before it calls derived.Resolve.
	KeepClocks bool
}

// Note is a message about something that reading left out or decided, such as annotations
// or a connect that cuts.
type Note = lower.Note

// MaxFileSize bounds the size of a file for [Read], in bytes.
const MaxFileSize = 1 << 30

// Read reads a FIRRTL file of any version, with or without a version line, into a design.
// name is the file's name, for errors and positions. The error joins errors that each name
// a line; package lower documents the forms that are read. A file of more than MaxFileSize
// bytes, or with a zero byte, is an error.
func Read(r io.Reader, name string, o ReadOptions) (*ir.Design, []Note, error) {
	text, err := input.ReadAll(r, MaxFileSize)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return ReadText(string(text), name, o)
}

// ReadText is [Read] of text in memory; name stands in errors and positions.
func ReadText(text, name string, o ReadOptions) (*ir.Design, []Note, error) {
	c, err := syntax.Parse(name, text)
	if err != nil {
		return nil, nil, err
	}
	// Derived clocks are resolved last, unless the caller adds bodies of black boxes first.
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
