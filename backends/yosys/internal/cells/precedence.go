package cells

import (
	"regexp"
	"slices"
	"strings"

	"etch/backends/yosys/internal/attribute"
	"etch/ir"
)

// The effect of several asynchronous signals on a register depends on which comes
// first. yosys makes set and clear of that, by chains of multiplexers whose order is
// that of the sensitivity list: its first in some versions (0.23), its last in
// others. In Verilog it is the order of the ifs, so that is looked up in the text.

// trigger is a signal that sets or clears a bit.
type trigger struct {
	net  bit
	high bool
	one  bool // it sets
}

// literalBit is a bit or its inverse.
type literalBit struct {
	net bit
	inv bool
}

// is reports whether a literal is a constant.
func (x literalBit) is(one bool) bool {
	return (x.net == bit0 || x.net == bit1) && (x.net == bit1) != x.inv == one
}

// triggers takes the set and the clear of a bit apart, the first one first; nil
// when they are made in another way.
func (l *lowering) triggers(f *ff, set, clear bit) []trigger {
	return l.chain(literalBit{set, !f.setHigh}, literalBit{clear, !f.clrHigh}, maxFormula)
}

func (l *lowering) chain(set, clear literalBit, depth int) []trigger {
	if depth == 0 {
		return nil
	}

	// Find a select whose one side sets or clears for sure; the rest follows from its other
	// side.
	for _, of := range [2]literalBit{set, clear} {
		sel := of.net
		if s, _, _, ok := l.choiceOf(of.net); ok {
			sel = s
		}
		if sel < firstNet {
			continue
		}
		for _, high := range [2]bool{true, false} {
			s, c := l.side(set, sel, high), l.side(clear, sel, high)
			if !(s.is(true) && c.is(false) || s.is(false) && c.is(true)) {
				continue
			}
			first := trigger{sel, high, s.is(true)}
			s, c = l.side(set, sel, !high), l.side(clear, sel, !high)
			if s.is(false) && c.is(false) {
				return []trigger{first}
			}
			if rest := l.chain(s, c, depth-1); rest != nil {
				return append([]trigger{first}, rest...)
			}
		}
	}
	return nil
}

// side is the value of a literal when sel is high, or low.
func (l *lowering) side(x literalBit, sel bit, high bool) literalBit {
	if x.net == sel {
		if high {
			return literalBit{bit1, x.inv}
		}
		return literalBit{bit0, x.inv}
	}
	if s, one, zero, ok := l.choiceOf(x.net); ok && s == sel {
		if high {
			return literalBit{one, x.inv}
		}
		return literalBit{zero, x.inv}
	}
	return x
}

// isChain reports whether a multiplexer makes a bit.
func (l *lowering) isChain(b bit) bool {
	_, _, _, ok := l.choiceOf(b)
	return ok
}

// precede puts the triggers of a register in the order in which its always block
// asks for them. Without a text, or where it says nothing, they stay as they are.
func (l *lowering) precede(c *cell, list []trigger) []trigger {
	if !strings.HasPrefix(c.name, "$procdff") || len(list) < 2 {
		return list
	}

	// Each if of the always block names one trigger, in the order of precedence.
	asked := l.r.conditions(c)
	var order []trigger
	for _, cond := range asked {
		var found []trigger
		for _, t := range list {
			if l.isCalledIn(t.net, cond) && !slices.Contains(found, t) {
				found = append(found, t)
			}
		}
		if len(found) == 1 && !slices.Contains(order, found[0]) {
			order = append(order, found[0])
		}
	}

	// The last one may stand behind the final else.
	switch len(list) - len(order) {
	case 0:
		return order
	case 1: // the last one has no if of its own
		for _, t := range list {
			if !slices.Contains(order, t) {
				return append(order, t)
			}
		}
	}
	if len(asked) > 0 {
		l.fail(c, "what sets and what clears %s cannot be told from its conditions: name them as the sensitivity list does", l.netText(only(c.port("Q"))))
	}
	return list
}

// isCalledIn reports whether one of a net's names is in a condition.
func (l *lowering) isCalledIn(b bit, cond []string) bool {
	for i := range l.j.names {
		n := &l.j.names[i]
		if n.hidden || !slices.Contains(n.bits, b) {
			continue
		}

		// Within its block, the text uses the last part of a name.
		name := n.name[strings.LastIndexByte(n.name, '.')+1:]
		if slices.Contains(cond, name) {
			return true
		}
	}
	return false
}

var (
	sensitive = regexp.MustCompile(`(?s)^.*?@\s*\(.*?\)`)
	condition = regexp.MustCompile(`\bif\s*\(`)
)

// conditions is the names in the conditions of the always block that a cell was
// made of, in order.
func (r *reader) conditions(c *cell) (list [][]string) {
	file, from, to := attribute.Span(c.attrs)
	if from == 0 {
		return nil
	}

	// A file is read once.
	text, ok := r.texts[file]
	if !ok {
		text = attribute.Lines(file)
		r.texts[file] = text
	}
	if to > len(text) {
		return nil
	}

	// The text from the sensitivity list on.
	block := attribute.Joined(strings.Join(text[from-1:to], "\n"))
	if i := strings.Index(block, "always"); i > 0 {
		block = block[i:]
	}
	block = block[len(sensitive.FindString(block)):]
	for {
		at := condition.FindStringIndex(block)
		if at == nil {
			return list
		}
		block = block[at[1]:]

		// Up to the parenthesis that closes the condition.
		end, depth := 0, 1
		for end < len(block) && depth > 0 {
			switch block[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
			end++
		}
		list = append(list, attribute.Identifiers(block[:end]))
		block = block[end:]
	}
}

// triggered returns the condition under which triggers set or clear bits lo to hi, and the value.
func (l *lowering) triggered(c *cell, f *ff, lo, hi int) (open, value ir.ID, ok bool) {
	of := func(i int) []trigger { return l.triggers(f, bitOf(c.port(f.set), i), bitOf(c.port(f.clr), i)) }
	order := l.precede(c, of(lo))

	// From the last trigger to the first, which is outermost and wins.
	for i := len(order) - 1; i >= 0; i-- {
		t := order[i]

		// Each bit has its own value for this trigger.
		words := make([]bit, hi-lo)
		for k := range words {
			for _, u := range of(lo + k) {
				if words[k] = bit0; u.net == t.net && u.high == t.high {
					if u.one {
						words[k] = bit1
					}
					break
				}
			}
		}
		when, what := l.level(t.net, t.high), l.value(constBits(words))
		if value == ir.None {
			open, value = when, what
			continue
		}
		open, value = l.or(when, open), l.mux(when, what, value)
	}
	return open, value, value != ir.None
}
