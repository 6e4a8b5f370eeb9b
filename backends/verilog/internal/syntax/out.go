package syntax

import (
	"io"
	"strconv"

	"etch/backends/verilog/internal/names"
)

// wide is the column after which a line is broken at the next operator.
const wide = 96

// Printer collects text and writes it in large pieces. It is ready for use with W set.
type Printer struct {
	W     io.Writer
	Err   error        // the first error of W
	Names *names.Table // of the names in trees
	Hold  bool         // keep all text in Buf: some will be inserted before it
	Buf   []byte

	start int  // of the current line in Buf
	gap   bool // an empty line belongs in front of the next one
	fresh bool // nothing has been written since Start
}

const flushAt = 1 << 16

// Str appends to the current line.
func (o *Printer) Str(s string) {
	o.open()
	o.Buf = append(o.Buf, s...)
}

// Ch appends a character.
func (o *Printer) Ch(c byte) {
	o.open()
	o.Buf = append(o.Buf, c)
}

// Raw is Str for a piece of a line that has begun.
func (o *Printer) Raw(b []byte) { o.Buf = append(o.Buf, b...) }

// Num appends a number in decimal.
func (o *Printer) Num(n int) { o.Buf = strconv.AppendInt(o.Buf, int64(n), 10) }

// NL ends the line.
func (o *Printer) NL() {
	o.Buf = append(o.Buf, '\n')

	// Text is written out at line ends only, so that the current line is always in Buf.
	if len(o.Buf) >= flushAt && !o.Hold {
		o.Flush()
	}
	o.start = len(o.Buf)
}

// End ends the line with a comment, if there is one.
func (o *Printer) End(note string) {
	if note != "" {
		o.Str("  // ")
		o.Str(note)
	}
	o.NL()
}

// Line is a whole line.
func (o *Printer) Line(indent int, s string) {
	o.Indent(indent)
	o.Str(s)
	o.NL()
}

// Indent begins a line.
func (o *Printer) Indent(n int) {
	// One constant serves all indentations of up to its length.
	const blanks = "                                                                "
	for n > len(blanks) {
		o.Str(blanks)
		n -= len(blanks)
	}
	o.Str(blanks[:n])
}

// Col is the number of characters on the current line.
func (o *Printer) Col() int { return len(o.Buf) - o.start }

// Blank requests an empty line, unless nothing comes before or after.
func (o *Printer) Blank() { o.gap = !o.fresh }

// Start forgets a requested empty line, and allows none in front of the next line.
func (o *Printer) Start() { o.gap, o.fresh = false, true }

// NoBlank forgets a requested empty line.
func (o *Printer) NoBlank() { o.gap = false }

// open writes a requested empty line before the first text of the next line.
func (o *Printer) open() {
	if o.gap {
		o.gap = false
		o.NL()
	}
	o.fresh = false
}

// Wrap continues on a new line if this one is long, else it writes a blank.
func (o *Printer) Wrap(indent int) { o.wrapAt(wide, indent) }

func (o *Printer) wrapAt(col, indent int) {
	if o.Col() <= col {
		o.Ch(' ')
		return
	}
	o.NL()
	o.Indent(indent)
}

// Cut takes back the text from an offset of Buf on, for [Printer.Paste].
func (o *Printer) Cut(at int) []byte {
	// A copy, since Buf goes on from there.
	text := append([]byte(nil), o.Buf[at:]...)
	o.Buf, o.start = o.Buf[:at], at
	return text
}

// Paste appends whole lines.
func (o *Printer) Paste(lines []byte) {
	o.Buf = append(o.Buf, lines...)
	o.start = len(o.Buf)
}

// Flush writes the text so far to W.
func (o *Printer) Flush() {
	// After an error the text is dropped: the first error is the one that counts.
	if o.Err == nil && len(o.Buf) > 0 {
		_, o.Err = o.W.Write(o.Buf)
	}
	o.Buf, o.start = o.Buf[:0], 0
}
