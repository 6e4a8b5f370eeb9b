package text

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
	"etch/ir/input"
)

// Limits of what a text may ask for.
const (
	maxLine       = 64 << 20 // bytes in a line
	maxMemoryBits = 1 << 33  // bits in one memory, as an int64
	maxDepth      = 1 << 30  // words in one memory
	maxConstBits  = 1 << 30  // bits of constants in a design
	maxTypes      = 1 << 12  // types in a module
	maxLineNumber = 1 << 30  // line number in a position
	maxFraction   = 1 << 24  // fraction bits of a fixed-point type, either way
)

// parser reads lines and holds the design read so far.
type parser struct {
	file      string
	design    *ir.Design
	files     []string
	enums     map[string][]*ir.Enum
	modules   map[string]*ir.Module
	top       lexer.Token
	header    bool
	constBits int
	body      *body // of the module being read
	last      lexer.Position
}

func newParser(file string) *parser {
	return &parser{
		file: file, design: &ir.Design{Src: ir.NewSources()},
		enums: map[string][]*ir.Enum{}, modules: map[string]*ir.Module{},
		last: lexer.Position{Filename: file, Line: 1, Column: 1},
	}
}

// fail makes an error at a token; at the end of the line read last if the token is absent.
func (p *parser) fail(t lexer.Token, format string, args ...any) error {
	pos := t.Pos
	if pos.Line == 0 {
		pos = p.last
	}
	return &Error{p.file, pos.Line, pos.Column, input.Message(fmt.Sprintf(format, args...))}
}

// lines parses r line by line. A line that is too long is an error.
func (p *parser) lines(r io.Reader) error {
	br := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		// The last line may lack its end: act on it before leaving.
		s, err := readLine1(br)
		if err != nil && err != io.EOF {
			if errors.Is(err, errLongLine) {
				return &Error{p.file, n, 1, err.Error()}
			}
			return err
		}
		if lineErr := p.lineText(n, s); lineErr != nil {
			return lineErr
		}
		if err == io.EOF {
			return nil
		}
	}
}

var errLongLine = fmt.Errorf("the line has more than %d bytes", maxLine)

// readLine1 reads a line without its end; io.EOF comes together with the last line. Lines
// longer than the reader's buffer are put together from parts.
func readLine1(br *bufio.Reader) (string, error) {
	var long []byte
	for {
		part, err := br.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}

		// A bound before the line grows: a text may have no line ends at all.
		if len(long)+len(part) > maxLine {
			return "", errLongLine
		}

		// Most lines fit the buffer and need no copy of parts.
		if err != bufio.ErrBufferFull && long == nil {
			return string(part), err
		}
		long = append(long, part...)
		if err != bufio.ErrBufferFull {
			return string(long), err
		}
	}
}

// lineText parses one line and acts on it.
func (p *parser) lineText(n int, s string) error {
	lex, err := lexer.Upgrade(&lineLexer{file: p.file, line: n, text: s})
	if err != nil {
		return err
	}

	// A blank line, or one of a comment, has no token.
	first := *lex.Peek()
	if first.EOF() {
		return nil
	}
	p.last = lexer.Position{Filename: p.file, Line: n, Column: len(s) + 1}

	l, err := grammar().ParseFromLexer(lex)
	if err != nil {
		return p.grammarError(first, err)
	}
	return p.act(first, l)
}

// grammarError rewords an error of participle in the terms of doc.go.
func (p *parser) grammarError(first lexer.Token, err error) error {
	var at participle.Error
	if !errors.As(err, &at) {
		return p.fail(first, "%v", err)
	}

	// An error at the first word means that no kind of line fits.
	msg := at.Message()
	if at.Position() == first.Pos && !strings.Contains(msg, "(expected") {
		msg = fmt.Sprintf("no line begins with %s", first.Value)
	}

	// Participle's terms become those of the text form.
	msg = strings.NewReplacer(`unexpected token "<EOF>"`, "unexpected end of line", "unexpected token", "unexpected",
		"Name | Text", "name", "<", "", ">", "").Replace(msg)
	return p.fail(lexer.Token{Pos: at.Position()}, "%s", msg)
}

// act processes a line: those of the design here, those of a module in its body.
func (p *parser) act(first lexer.Token, l *line) error {
	// The header comes first, and once.
	switch {
	case l.Header != nil:
		return p.headerLine(first, l.Header)
	case !p.header:
		return p.fail(first, `expected "etch 1" in the first line`)
	case l.File != nil:
		return p.fileLine(l.File)
	case l.Enum != nil:
		return p.enumLine(l.Enum)
	case l.Top != nil:
		if p.top.Type != 0 {
			return p.fail(l.Top.Name, "a second top")
		}
		p.top = l.Top.Name
		return nil
	case l.Module != nil:
		return p.moduleLine(l.Module)
	// All that follows belongs in a module.
	case p.body == nil:
		return p.fail(first, "this belongs in a module")
	case l.End.Type != 0:
		return p.endModule()
	}
	return p.body.act(first, l)
}

// finish returns the design after all lines are read.
func (p *parser) finish() (*ir.Design, error) {
	none := lexer.Token{Pos: p.last}
	switch {
	case !p.header:
		return nil, p.fail(none, `expected "etch 1"`)
	case p.body != nil:
		return nil, p.fail(none, `expected "}" at the end of module %s`, p.body.m.Name)
	case p.top.Type == 0:
		return nil, p.fail(none, "no top is named")
	}

	name := p.name(p.top)

	// The top is looked up last, as modules may follow its line.
	p.design.Top = p.modules[name]
	if p.design.Top == nil {
		return nil, p.fail(p.top, "there is no module %s", name)
	}
	return p.design, nil
}
