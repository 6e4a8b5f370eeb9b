package hw

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"etch/ir"
)

// Diag is one mistake in a design.
type Diag struct {
	Code  string // stable, for tests and tools; see [Codes]
	Msg   string // starts with the operation, as written in the source
	Pos   ir.Location
	Via   []ir.Location // callers of Pos in the user's own helpers, innermost first
	Notes []Note        // other places involved
}

// Note is another place that a mistake involves; a zero Pos is general advice.
type Note struct {
	Pos ir.Location
	Msg string
}

// Errors are the mistakes that Build returns, in order of elaboration; of more
// than a thousand, the first thousand and their number.
type Errors []Diag

// Codes are the stable codes of mistakes with their meanings.
var Codes = map[string]string{
	"width":     "two widths that must agree do not",
	"literal":   "a constant does not fit, or has nothing to take its width from",
	"unset":     "a zero handle is used as a signal or target",
	"shape":     "a shape is used as a signal, a signal as a shape, or a shape has no width",
	"undriven":  "an output, wire, register, instance input or read port is never set",
	"latch":     "something combinational is not set on every path",
	"twice":     "a second Set in the same block makes the first one void",
	"pad":       "a pad is used as a value, or pulled both ways",
	"direction": "a port is used against its direction, or has none",
	"target":    "Set on something that cannot be set",
	"loop":      "a combinational loop",
	"name":      "a name is taken, not a name, or a value has that of an output that it does not drive",
	"bundle":    "two bundles or vectors differ in form",
	"range":     "an index, slice, shift, delay or size is out of range",
	"reset":     "a reset value is not a constant",
	"param":     "parameters of a component are invalid, or it contains itself",
	"module":    "a signal of another or of a finished module",
	"clock":     "two clocks mix without a synchroniser, or there is no clock or reset where one is needed",
	"when":      "ElseWhen, Else or Cases out of place",
	"enum":      "an enumeration has no or equal values, or two of one Go type differ",
	"pattern":   "a pattern of a decode table is malformed or overlaps another",
	"port":      "two writes of one memory port are not exclusive",
	"attr":      "an attribute has a name or a value that Verilog does not know, or nothing to stand on",
	"format":    "a format of a statement does not match its arguments",
	"history":   "something that is no statement reads the past, or a past is made of itself",
	"latency":   "a component has not the latency that it says it has",
	"unused":    "a warning: something is read nowhere",
	"panic":     "the Go code of a component panicked",
	"limit":     "there are more mistakes than are kept",
}

// Error lists every mistake: position, message, code; the source line with a
// caret; notes.
func (e Errors) Error() string {
	var b strings.Builder
	src := sourceLines{}
	for i := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		e[i].print(&b, src)
	}
	return b.String()
}

// String is the text of one mistake, as in [Errors.Error].
func (d Diag) String() string {
	var b strings.Builder
	d.print(&b, sourceLines{})
	return b.String()
}

func (d *Diag) print(b *strings.Builder, src sourceLines) {
	// The form is that of Go's own messages, so that editors find the line.
	fmt.Fprintf(b, "%s: %s [%s]", where(d.Pos), d.Msg, d.Code)
	if line := src.at(d.Pos); line != "" {
		text := strings.TrimLeft(line, "\t ")
		fmt.Fprintf(b, "\n\t%d | %s", d.Pos.Line, text)

		// The caret stands below the operation that the message begins with, if the line
		// has it.
		op, _, _ := strings.Cut(d.Msg, ":")
		op, _, _ = strings.Cut(op, " ")
		if at := strings.Index(text, op+"("); op != "" && at >= 0 {
			fmt.Fprintf(b, "\n\t%s | %s^", strings.Repeat(" ", len(fmt.Sprint(d.Pos.Line))), strings.Repeat(" ", at))
		}
	}

	for _, n := range d.Notes {
		if n.Pos.Line == 0 {
			fmt.Fprintf(b, "\n\t%s", n.Msg)
			continue
		}
		fmt.Fprintf(b, "\n\t%s: %s", where(n.Pos), n.Msg)
	}
	for _, v := range d.Via {
		fmt.Fprintf(b, "\n\t%s: called from here", where(v))
	}
}

// where prints a location as seen from the working directory.
func where(l ir.Location) string {
	if l.Line == 0 {
		return "?"
	}

	// A path with many ../ is no help: the shorter form is shown.
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, l.File); err == nil && len(rel) < len(l.File) {
			return fmt.Sprintf("%s:%d", rel, l.Line)
		}
	}
	return fmt.Sprintf("%s:%d", l.File, l.Line)
}

// sourceLines reads the user's files, once each; a file that cannot be read
// has no lines.
type sourceLines map[string][]string

func (s sourceLines) at(l ir.Location) string {
	lines, ok := s[l.File]
	if !ok {
		if text, err := os.ReadFile(l.File); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		s[l.File] = lines
	}
	if l.Line < 1 || l.Line > len(lines) {
		return ""
	}
	return lines[l.Line-1]
}

// maxDiags is the number of mistakes that are kept.
const maxDiags = 1000

// report records a mistake, once per place and message.
func (d *design) report(x Diag) {
	// A loop of the generator repeats a mistake at one line.
	key := fmt.Sprint(x.Pos, x.Msg, x.Via)
	if d.reported[key] {
		return
	}

	// Past the limit, mistakes are only counted.
	if d.count++; d.count <= maxDiags {
		d.reported[key] = true
		d.diags = append(d.diags, x)
	}
}

// errors are the mistakes reported so far.
func (d *design) errors() Errors {
	if more := d.count - len(d.diags); more > 0 {
		last := d.diags[len(d.diags)-1]
		d.diags = append(d.diags, Diag{Code: "limit", Msg: "and " + plural(more, "more mistake"), Pos: last.Pos})
	}
	return d.diags
}

// newDiag is a mistake at the user's line on the stack.
func newDiag(code string, notes []Note, format string, args ...any) Diag {
	x := Diag{Code: code, Msg: fmt.Sprintf(format, args...), Notes: notes}
	if at := userFrames(); len(at) > 0 {
		x.Pos, x.Via = at[0], at[1:]
	}
	return x
}

// mistake records a mistake and returns a poisoned value of the width that was
// expected, which silences whatever it flows into. Without a module it is
// reported when the value meets one.
func mistake(b *body, width int, code string, notes []Note, format string, args ...any) sig {
	x := newDiag(code, notes, format, args...)
	p := poisonOf(b, width)
	if b == nil {
		p.x.diag = &x
	} else {
		b.d.report(x)
	}
	return p
}

// meet reports the mistake inside a poisoned value now that a module is known.
func (b *body) meet(s sig) {
	if s.x != nil && s.x.diag != nil {
		b.d.report(*s.x.diag)
	}
}

// at is the location of a node.
func (b *body) at(id ir.ID) ir.Location { return b.d.src.At(b.m.Node(id).Pos) }

// origin is a note that says how wide a signal is and where it comes from.
func origin(s sig) []Note {
	if !s.isLive() || s.x != nil {
		return nil
	}
	return []Note{{s.b.at(s.id), describe(s) + " is " + plural(s.Width(), "bit") + " wide"}}
}

// declared is a note that says where a signal comes from.
func declared(s sig) []Note {
	return []Note{{s.b.at(s.id), describe(s) + " is declared here"}}
}
