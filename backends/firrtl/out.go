package firrtl

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"etch/ir"
)

// output collects text and writes it in large pieces.
type output struct {
	w   io.Writer
	err error
	buf []byte
	gap bool // an empty line belongs in front of the next one
}

const flushAt = 1 << 16

func (o *output) str(s string) {
	if o.gap {
		o.gap = false
		o.buf = append(o.buf, '\n')
	}
	o.buf = append(o.buf, s...)
}

func (o *output) num(n int) { o.buf = strconv.AppendInt(o.buf, int64(n), 10) }

// nl ends the line.
func (o *output) nl() {
	o.buf = append(o.buf, '\n')
	if len(o.buf) >= flushAt {
		o.flush()
	}
}

// begin starts a line.
func (o *output) begin(indent int) { o.str("        "[:indent]) }

// line is a whole line.
func (o *output) line(indent int, s string) {
	o.begin(indent)
	o.str(s)
	o.nl()
}

// blank requests an empty line before the next text.
func (o *output) blank() { o.gap = true }

func (o *output) flush() {
	if o.err == nil && len(o.buf) > 0 {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
}

// end ends a line with its locator.
func (w *writer) end(p ir.Pos) {
	w.str(w.locator(p))
	w.nl()
}

// locator is the text of a position: " @[counter.go 12:0]", or " @[a.go 12:0 b.go 7:0]" for
// several lines; "" if it is unknown. The column, which etch does not know, is 0.
func (w *writer) locator(p ir.Pos) string {
	if p == 0 || w.o.NoPositions {
		return ""
	}
	// Texts are cached by position.
	for len(w.at) <= int(p) {
		w.at = append(w.at, "")
	}
	if w.at[p] == "" {
		var all []string
		for _, l := range w.src.All(p) {
			all = append(all, escapeInfo(filepath.Base(l.File))+" "+strconv.Itoa(l.Line)+":0")
		}
		if len(all) == 0 {
			return ""
		}
		w.at[p] = " @[" + strings.Join(all, " ") + "]"
	}
	return w.at[p]
}

// endGiven ends the line that drives something with n, whose value was given at set. The
// locator has that line and, for a choice written there, those of its values.
func (p *module) endGiven(set ir.Pos, n ir.ID) {
	n = p.root(n)

	// A choice without a name stands on this line, with its arms.
	switch written := !p.is(n, net); {
	case written && p.m.Arms(n) > 0:
		p.end(p.src.Join(set, p.lines(n)))
	case set != 0:
		p.end(set)
	default:
		p.end(p.m.Node(n).Pos)
	}
}

// lines is the source lines of a value. For a choice, they are those of its condition and
// of its values, including choices inlined in them.
func (p *module) lines(n ir.ID) ir.Pos {
	pos := p.m.Node(n).Pos
	if p.m.Op(n) != ir.Mux && p.m.Op(n) != ir.Case {
		return pos
	}

	// The values are the last arguments.
	args, arms := p.m.Args(n), p.m.Arms(n)
	for i := range arms {
		pos = p.src.Join(pos, p.m.ArmLine(n, i))
		if v := p.root(args[len(args)-arms+i]); p.m.Arms(v) > 0 && !p.is(v, net) {
			pos = p.src.Join(pos, p.lines(v))
		}
	}
	return pos
}

// escapeInfo makes a file name safe for a locator.
func escapeInfo(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f || r == '\\':
			return '/'
		case r == ']' || r == '[' || r == ' ' || r == '"' || r == '\'' || r > '~':
			return '_'
		}
		return r
	}, s)
}

// comment makes text safe for a comment.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
