package text

import (
	"fmt"
	"io"
	"strings"

	"etch/ir"
	"etch/ir/text/printer"
)

// Print writes the text form of d. The error is the writer's.
func Print(w io.Writer, d *ir.Design) error { return printer.Print(w, d) }

// String returns the text form of d.
func String(d *ir.Design) string {
	var b strings.Builder
	printer.Print(&b, d) // a Builder has no errors
	return b.String()
}

// Error is a mistake in a text.
type Error struct {
	File      string
	Line, Col int // from 1; Col counts bytes
	Msg       string
}

// Error is "file:line:column: message".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Parse reads a design. Its error is an [*Error] for a mistake in the text, an error of the
// reader, or one of [ir.Verify] if the text is well formed but the netlist is not valid.
// filename is for errors only.
func Parse(r io.Reader, filename string) (*ir.Design, error) {
	p := newParser(filename)
	if err := p.lines(r); err != nil {
		return nil, err
	}
	d, err := p.finish()
	if err != nil {
		return nil, err
	}
	if err := ir.Verify(d); err != nil {
		// One error tells the place; a thousand hide it.
		return nil, fmt.Errorf("%s: %w", filename, firstOf(err))
	}
	return d, nil
}

// firstOf keeps the first five of joined errors.
func firstOf(err error) error {
	const most = 5
	list, ok := err.(interface{ Unwrap() []error })
	if !ok || len(list.Unwrap()) <= most {
		return err
	}

	all := list.Unwrap()
	var b strings.Builder
	for _, e := range all[:most] {
		fmt.Fprintf(&b, "%v\n", e)
	}
	return fmt.Errorf("%sand %d more", b.String(), len(all)-most)
}
