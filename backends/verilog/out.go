package verilog

import (
	"io"
	"strconv"
)

// wide is the column after which a line is broken at the next operator.
const wide = 96

// output collects text and writes it in large pieces.
type output struct {
	w     io.Writer
	err   error
	buf   []byte
	start int  // of the current line in buf
	hold  bool // keep everything: text will be inserted before it
	gap   bool // an empty line belongs in front of the next one
	fresh bool // nothing has been written since the head of a module
}

const flushAt = 1 << 16

// str, ch, raw and num append to the current line.
func (o *output) str(s string) {
	o.open()
	o.buf = append(o.buf, s...)
}

func (o *output) ch(c byte) {
	o.open()
	o.buf = append(o.buf, c)
}

// raw is str for a piece of a line that has begun.
func (o *output) raw(b []byte) { o.buf = append(o.buf, b...) }
func (o *output) num(n int)    { o.buf = strconv.AppendInt(o.buf, int64(n), 10) }

// nl ends the line.
func (o *output) nl() {
	o.buf = append(o.buf, '\n')
	if len(o.buf) >= flushAt && !o.hold {
		o.flush()
	}
	o.start = len(o.buf)
}

// line is a whole line.
func (o *output) line(indent int, s string) {
	o.indent(indent)
	o.str(s)
	o.nl()
}

func (o *output) indent(n int) {
	const blanks = "                                                                "
	for n > len(blanks) {
		o.str(blanks)
		n -= len(blanks)
	}
	o.str(blanks[:n])
}

func (o *output) col() int { return len(o.buf) - o.start }

// blank requests an empty line, unless nothing comes before or after.
func (o *output) blank() { o.gap = !o.fresh }

// open writes a requested empty line before the first text of the next line.
func (o *output) open() {
	if o.gap {
		o.gap = false
		o.nl()
	}
	o.fresh = false
}

// wrap continues on a new line if this one is long, else it writes a blank.
func (o *output) wrap(indent int) { o.wrapAt(wide, indent) }

func (o *output) wrapAt(col, indent int) {
	if o.col() <= col {
		o.ch(' ')
		return
	}
	o.nl()
	o.indent(indent)
}

func (o *output) flush() {
	if o.err == nil && len(o.buf) > 0 {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf, o.start = o.buf[:0], 0
}
