package syntax

import "math"

// maxCount bounds widths, lengths of vectors and other numbers.
const maxCount = math.MaxInt32 - 1

// maxDepth bounds the words of a memory.
const maxDepth = 1 << 36

func (p *parser) addType(t TypeRow) Type {
	p.c.Types = append(p.c.Types, t)
	return Type(len(p.c.Types) - 1)
}

// typ parses a type and the lengths of vectors after it.
func (p *parser) typ() Type {
	p.enter()
	defer p.leave()

	// const limits the drivers, and is not checked.
	for p.isWord(kwConst) {
		p.next()
	}
	t := p.elementType()
	for p.got('[') {
		line := p.tok.line
		n := p.int("the length of a vector", 0, maxCount)
		p.want(']', "']'")
		t = p.addType(TypeRow{Kind: Vector, Elem: t, N: int32(n), Line: line})
	}
	return t
}

// elementType parses a type without lengths. A word that is no known type is an alias.
func (p *parser) elementType() Type {
	line := p.tok.line
	switch p.tok.kind {
	case '{':
		return p.bundle()
	case tEnumOpen:
		return p.enum()
	case tName:
	default:
		p.wanted("a type")
		return 0
	}

	w := word(p.tok.sym)
	switch w {
	case kwUInt:
		return p.sized(UInt)
	case kwSInt:
		return p.sized(SInt)
	case kwAnalog:
		return p.sized(Analog)
	case kwClock:
		return p.plain(Clock)
	case kwReset:
		return p.plain(Reset)
	case kwAsyncReset:
		return p.plain(AsyncReset)
	case kwProbe, kwRWProbe:
		return p.probe()
	case kwInteger, kwString, kwBool, kwDouble, kwPath, kwAnyRef:
		return p.plain(Property)
	case kwDomainType: // "Domain of ClockDomain", or alone before it was so
		p.next()
		if p.gotWord(kwOf) {
			p.name("a domain")
		}
		return p.addType(TypeRow{Kind: Property, Line: line})

	case kwInstType, kwList:
		// Without brackets the word is the name of the user's own type.
		if p.peek().kind == '<' {
			p.next()
			p.brackets('<', '>')
			return p.addType(TypeRow{Kind: Property, Line: line})
		}

	case kwFixed, kwInterval:
		// Likewise without a width.
		if p.peek().kind == '<' || p.peek().indent >= 0 {
			p.fail("type %s is not read; FIRRTL has it no longer", p.tok.text)
			return 0
		}
	}

	return p.addType(TypeRow{Kind: Alias, Name: p.name("a type"), Line: line})
}

func (p *parser) plain(k TypeKind) Type {
	t := p.addType(TypeRow{Kind: k, Line: p.tok.line})
	p.next()
	return t
}

// sized parses "UInt<8>" or "UInt".
func (p *parser) sized(k TypeKind) Type {
	t := TypeRow{Kind: k, Width: Unknown, Line: p.tok.line}
	p.next()
	t.Width = p.width()
	return p.addType(t)
}

func (p *parser) width() int32 {
	if !p.got('<') {
		return Unknown
	}
	w := p.int("a width", 0, maxCount)
	p.want('>', "'>'")
	return int32(w)
}

// probe parses "Probe<T, Layer.Inner>".
func (p *parser) probe() Type {
	t := TypeRow{Kind: Probe, Line: p.tok.line}
	p.next()
	p.want('<', "'<'")
	t.Elem = p.typ()
	if p.got(',') {
		for p.name("a layer"); p.got('.'); {
			p.name("a layer")
		}
	}
	p.want('>', "'>'")
	return p.addType(t)
}

// bundle parses "{ a : T, flip b : T }". The fields of a bundle are contiguous in
// Circuit.Fields; those of inner bundles come before them.
func (p *parser) bundle() Type {
	t := TypeRow{Kind: Bundle, Line: p.tok.line}
	p.next()

	// The fields of all open types share one list.
	from := len(p.fields)
	for !p.is('}') && p.err == nil {
		var f Field

		// Before a colon, flip is the name of a field.
		if p.isWord(kwFlip) && p.peek().kind != ':' {
			f.Flip = true
			p.next()
		}
		f.Name = p.fieldName()
		p.want(':', "':'")
		f.Type = p.typ()
		p.fields = append(p.fields, f)
		if !p.is('}') {
			p.comma()
		}
	}
	p.next()
	return p.addFields(t, from)
}

// enum parses "{| none, some : T |}".
func (p *parser) enum() Type {
	t := TypeRow{Kind: Enum, Line: p.tok.line}
	p.next()
	from := len(p.fields)
	for !p.is(tEnumClose) && p.err == nil {
		f := Field{Name: p.fieldName()}
		if p.got('=') {
			p.fail("the value of variant %s is given; etch reads enumerations without", p.names.list[f.Name])
		}
		if p.got(':') {
			f.Type = p.typ()
		}
		p.fields = append(p.fields, f)
		if !p.is(tEnumClose) {
			p.comma()
		}
	}
	p.next()
	return p.addFields(t, from)
}

func (p *parser) addFields(t TypeRow, from int) Type {
	t.First, t.N = int32(len(p.c.Fields)), int32(len(p.fields)-from)
	p.c.Fields = append(p.c.Fields, p.fields[from:]...)
	p.fields = p.fields[:from]
	return p.addType(t)
}

// brackets skips the text between two brackets, which may nest.
func (p *parser) brackets(open, closing kind) {
	line, depth := p.tok.line, 0
	for p.err == nil {
		switch p.tok.kind {
		case open:
			depth++
		case closing:
			depth--
		case tEnd:
			p.failLine(line, "'%c' is not closed", open)
		}
		p.next()
		if depth == 0 {
			return
		}
	}
}
