package text

import (
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/text/printer"
)

func (p *parser) headerLine(first lexer.Token, l *headerLine) error {
	if p.header {
		return p.fail(first, "a second header")
	}

	// Another version may mean another thing by the same words.
	if l.Version.Value != strconv.Itoa(printer.Version) {
		return p.fail(l.Version, "version %s of the text form; this program reads %d", l.Version.Value, printer.Version)
	}
	p.header = true
	return nil
}

func (p *parser) fileLine(l *fileLine) error {
	if l.Index.Value != strconv.Itoa(len(p.files)) {
		return p.fail(l.Index, "expected file %d: files are numbered in order", len(p.files))
	}
	p.files = append(p.files, p.name(l.Path))
	return nil
}

func (p *parser) enumLine(l *enumLine) error {
	name := p.name(l.Name)
	e := &ir.Enum{Name: name}
	// Codes are uint64, beyond the range of number.
	for _, c := range l.Codes {
		member := p.name(c.Name)
		code, err := strconv.ParseUint(c.Code.Value, 10, 64)
		if err != nil {
			return p.fail(c.Code, "a code lies between 0 and 2^64-1")
		}
		e.Names, e.Codes = append(e.Names, member), append(e.Codes, code)
	}
	p.enums[name] = append(p.enums[name], e)
	return nil
}

// name is the name in a word or a quoted string. The lexer has checked the quotes.
func (p *parser) name(t lexer.Token) string {
	if t.Type != tokText {
		return t.Value
	}
	s, _ := strconv.Unquote(t.Value)
	return s
}

// number reads an integer between low and high.
func (p *parser) number(t lexer.Token, what string, low, high int) (int, error) {
	n, err := strconv.Atoi(t.Value)
	if err != nil || n < low || n > high {
		return 0, p.fail(t, "%s of %s; expected %d to %d", what, t.Value, low, high)
	}
	return n, nil
}

// value reads a constant.
func (p *parser) value(t lexer.Token) (bits.Value, error) {
	v, err := bits.Parse(t.Value)
	if err != nil {
		return v, p.fail(t, "%s", strings.TrimPrefix(err.Error(), "bits: "))
	}
	if v.Width() < 1 {
		return v, p.fail(t, "a constant of no bits")
	}

	// A bound on all constants together, so that no text asks for more memory than it is worth.
	if p.constBits += v.Width(); p.constBits > maxConstBits {
		return v, p.fail(t, "more than %d bits of constants", maxConstBits)
	}
	return v, nil
}

// position reads "@0:12" or "@0:12+0:14"; "@-" and an absent token are no position.
func (p *parser) position(t lexer.Token) (ir.Pos, error) {
	// Positions are left out by tools that have none.
	if t.Type == 0 || t.Value == "@-" {
		return 0, nil
	}

	var all []ir.Pos
	// Each part is FILE:LINE; the lexer has checked its form.
	for one := range strings.SplitSeq(t.Value[1:], "+") {
		file, line, _ := strings.Cut(one, ":")
		f, err := strconv.Atoi(file)
		if err != nil || f >= len(p.files) {
			return 0, p.fail(t, "no file %s is listed", file)
		}

		n, err := strconv.Atoi(line)
		if err != nil || n < 1 || n > maxLineNumber {
			return 0, p.fail(t, "line %s; expected 1 to %d", line, maxLineNumber)
		}
		all = append(all, p.design.Src.Line(p.files[f], n))
	}
	return p.design.Src.Join(all...), nil
}

// positions reads a list of n positions, or an empty one.
func (p *parser) positions(list []lexer.Token, n int) ([]ir.Pos, error) {
	if len(list) == 0 {
		return nil, nil
	}

	// One position for each value.
	if len(list) != n {
		return nil, p.fail(list[0], "%d positions after set; expected %d", len(list), n)
	}
	out := make([]ir.Pos, n)
	for i, t := range list {
		var err error
		if out[i], err = p.position(t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// nth picks one of n entries of a name by its number, the first if there is no number.
func (p *parser) nth(nth lexer.Token, what, name string, n int) (int, error) {
	if nth.Type == 0 {
		return 0, nil
	}
	k, err := p.number(nth, what+" "+name, 2, n)
	return k - 1, err
}
