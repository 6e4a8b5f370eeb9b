package verilog

import (
	"io"
	"strconv"
)

// wide is the column behind which a line is broken at the next operator.
const wide = 96

// output gathers text and passes it on in large pieces.
type output struct {
	w     io.Writer
	err   error
	buf   []byte
	start int  // of the current line in buf
	hold  bool // keep everything: text is to be inserted before it
	empty bool // the line before this one is empty
}

const flushAt = 1 << 16

// str and friends append to the current line.
func (o *output) str(s string) { o.buf = append(o.buf, s...) }
func (o *output) raw(b []byte) { o.buf = append(o.buf, b...) }
func (o *output) ch(c byte)    { o.buf = append(o.buf, c) }
func (o *output) num(n int)    { o.buf = strconv.AppendInt(o.buf, int64(n), 10) }

// nl ends the line.
func (o *output) nl() {
	o.empty = o.col() == 0
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

// blank makes an empty line, but not two in a row.
func (o *output) blank() {
	if !o.empty {
		o.nl()
	}
}

// wrap goes on in a new line if this one is long.
func (o *output) wrap(indent int) {
	if o.col() <= wide {
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
