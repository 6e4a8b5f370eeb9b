package why

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"etch/ir"
)

// Rows are the causes of the last explanation, latest first. An input that is named as an operand of
// another row has none of its own.
func (e *Explainer) Rows() []*Cause { return e.found }

// hasRow reports whether a cause is a row of the text.
func (c *Cause) hasRow(root *Cause) bool {
	return c == root || c.Kind != Input && !c.isState() && (c.Kind != Condition || len(c.Operands) > 0 || c.Signal != "")
}

// Text is the rows of the last explanation: cycle, cause, the user's line and its text.
func (e *Explainer) Text() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	last := ""
	for _, c := range e.found {

		// A cycle is named once.
		cycle := fmt.Sprint(c.Since)
		if cycle == last {
			cycle = ""
		} else {
			last = cycle
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", cycle, c.String()+c.again(), e.sourceLine(c.At))

		for _, l := range c.Also {
			fmt.Fprintf(w, "  \t  by\t%s\n", e.sourceLine(l))
		}
	}

	w.Flush()
	return b.String()
}

// again says that the conditions of a cause stand in the rows of a later cycle, which are above;
// "" if they do not, or if they are of several cycles.
func (c *Cause) again() string {
	above := uint64(0)
	for _, k := range c.Why {
		if k.Kind != Condition || k.isState() {
			continue
		}
		if k.as == nil || k.as.Since <= k.Since || above > 0 && k.as.Since != above {
			return ""
		}
		above = k.as.Since
	}
	if above == 0 {
		return ""
	}
	return fmt.Sprintf(", as at cycle %d above", above)
}

// sourceLine is a line with its text, as far as they are known.
func (e *Explainer) sourceLine(at ir.Location) string {
	text := e.Source(at)
	switch {
	case at.Line < 1:
		return ""
	case text == "":
		return at.String()
	}
	return fmt.Sprintf("%v: %s", at, text)
}

// String is the cause without its line: "line = 0 since cycle 12", "when timer = 0".
func (c *Cause) String() string {
	// State tells its history, everything else its operands.
	switch c.Kind {
	case Condition:
		word := "when "
		if c.keeps {
			word = "kept while "
		}
		switch {
		case c.Signal == "":
			return word + c.operands()
		case len(c.Operands) == 0:
			return word + c.Signal + " = " + c.Value
		}
		return word + c.Signal + " = " + c.Value + c.from()
	case State, Word:
		if c.From != "" {
			return fmt.Sprintf("%s: %s → %s, cycles %d–%d", c.Signal, c.From, c.Value, c.FromTill, c.Since)
		}
		if c.Through > 0 {
			return fmt.Sprintf("%s = %s, through %d more%s", c.Signal, c.Value, c.Through, c.from())
		}
		return c.Signal + " = " + c.Value + c.from()
	case Reset:
		return c.Signal + " = " + c.Value + " by reset"
	case Start:
		if c.Cycle-c.Since >= reach && c.Since > 0 {
			return fmt.Sprintf("%s = %s for %d cycles and more", c.Signal, c.Value, c.Cycle-c.Since)
		}
		return c.Signal + " = " + c.Value + " since the start"
	case Input:
		return c.Signal + " = " + c.Value + " (set from outside)"
	case Box:
		return c.Signal + " = " + c.Value + " (from a black box)"
	}

	// A value of logic, which may have no name.
	text := c.Value
	if c.Signal != "" {
		text = c.Signal + " = " + c.Value
	}
	return text + c.from()
}

// from names the operands of an expression.
func (c *Cause) from() string {
	if len(c.Operands) == 0 || len(c.Operands) == 1 && c.Operands[0].Signal == c.Signal {
		return ""
	}
	return " (" + c.operands() + ")"
}

// mostOperands is the number of operands that a row names.
const mostOperands = 3

// operands are the signals of a condition or expression with their values.
func (c *Cause) operands() string {
	var parts []string
	for i, o := range c.Operands {
		if i == mostOperands {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, o.Signal+" = "+o.Value)
	}
	return strings.Join(parts, ", ")
}

// mostSource is the length of the longest line of source in a row.
const mostSource = 90

// Source is the text of a line, "" if it is not known, or if its file is not found or too short; cut
// after 90 characters.
func (e *Explainer) Source(at ir.Location) string {
	file := at.File
	lines, ok := e.lines[file]
	if !ok {
		b, err := os.ReadFile(file)

		// A run from a file names packages instead of folders: the file may be below here.
		for rest, more := file, true; err != nil && more; {
			if _, rest, more = strings.Cut(rest, "/"); more {
				b, err = os.ReadFile(rest)
			}
		}
		lines = strings.Split(string(b), "\n")
		e.lines[file] = lines
	}

	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}

	text := strings.TrimSpace(lines[at.Line-1])
	if r := []rune(text); len(r) > mostSource {
		text = string(r[:mostSource-1]) + "…"
	}
	return text
}
