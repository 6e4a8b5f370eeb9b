package syntax

// chirrtlMem parses "cmem m : T[8]" or "smem m : T[8], old". The last length is the words
// of the memory, of which there may be more than elements of a vector.
func (p *parser) chirrtlMem() Stmt {
	// A cmem is read at once, an smem at a clock edge.
	k := CMem
	if p.isWord(kwSmem) {
		k = SMem
	}
	s := p.begin(k)
	s.Name = p.name("a memory")
	p.want(':', "':'")
	m := Mem{}
	m.Type, m.Depth = p.wordsOf()
	if p.err == nil && m.Depth < 0 {
		p.failLine(s.Line, "memory %s has no depth: its type is not a vector", p.names.list[s.Name])
	}

	// The behaviour follows with or without a comma.
	if p.got(',') || p.isWord(kwOld) || p.isWord(kwNew) || p.isWord(kwUndefined) {
		m.Under = p.under()
	}
	p.c.Mems = append(p.c.Mems, m)
	s.D = int32(len(p.c.Mems) - 1)
	return p.finish(s)
}

// wordsOf parses the type of a memory's words and how many there are, -1 without a length.
func (p *parser) wordsOf() (t Type, n int) {
	for p.isWord(kwConst) {
		p.next()
	}
	t, n = p.elementType(), -1
	for p.err == nil && p.got('[') {
		line := p.tok.line

		// Only the last length is the depth of the memory, which may be larger.
		if n > maxCount {
			p.failLine(line, "%d is not the length of a vector from 0 to %d", n, maxCount)
			return t, n
		}

		// The length before belongs to the word.
		if n >= 0 {
			t = p.addType(TypeRow{Kind: Vector, Elem: t, N: int32(n), Line: line})
		}
		n = p.int("the length of a vector", 0, maxDepth)
		p.want(']', "']'")
	}
	return t, n
}

func (p *parser) under() Under {
	switch {
	case p.gotWord(kwOld):
		return Old
	case p.gotWord(kwNew):
		return New
	case p.gotWord(kwUndefined):
	default:
		p.wanted("'old', 'new' or 'undefined'")
	}
	return Undefined
}

// port parses "read mport r = m[a], clock".
func (p *parser) port() Stmt {
	s := StmtRow{Kind: MPort, Line: p.tok.line}
	switch word(p.tok.sym) {
	case kwRead:
		s.Sub = ReadPort
	case kwWrite:
		s.Sub = WritePort
	case kwRdwr:
		s.Sub = ReadWritePort
	}

	// The row holds the memory, the address and the clock.
	p.next()
	p.wantWord(kwMport)
	s.Name = p.name("a port")
	p.want('=', "'='")
	s.D = int32(p.name("a memory"))
	p.want('[', "'['")
	s.A = int32(p.expr())
	p.want(']', "']'")
	p.comma()
	s.B = int32(p.expr())
	return p.finish(s)
}

// mem parses "mem m :" and the fields below it.
func (p *parser) mem() Stmt {
	indent := p.tok.indent
	s := p.begin(Memory)
	s.Name = p.name("a memory")
	p.want(':', "':'")
	s.Info = p.info()
	m := Mem{Depth: -1, ReadLatency: -1, WriteLatency: -1}

	// Fields stand on lines of their own or behind one another.
	for p.tok.indent > indent || p.is(tName) && p.tok.indent < 0 {
		p.memField(&m)
		p.info()
	}

	// All but read-under-write are mandatory.
	what := ""
	switch {
	case m.Type == 0:
		what = "data-type"
	case m.Depth < 0:
		what = "depth"
	case m.ReadLatency < 0:
		what = "read-latency"
	case m.WriteLatency < 0:
		what = "write-latency"
	}
	if what != "" {
		p.failLine(s.Line, "memory %s has no %s", p.names.list[s.Name], what)
	}

	p.c.Mems = append(p.c.Mems, m)
	s.D = int32(len(p.c.Mems) - 1)
	return p.addStmt(s)
}

// memField parses "depth => 8" and the like. The lexer splits a name such as
// read-under-write at its dashes, so the field is identified by its first word and by
// "under".
func (p *parser) memField(m *Mem) {
	w := word(0)
	if p.is(tName) {
		w = word(p.tok.sym)
	}

	at := p.tok
	p.next()

	// read-under-write is the only field with under in it.
	under := false
	for p.got('-') {
		under = under || p.isWord(kwUnder)
		p.name("a field")
	}

	p.want(tArrow, "'=>'")

	// The first word decides; only read has two meanings.
	switch {
	case w == kwData:
		m.Type = p.typ()
	case w == kwDepth:
		m.Depth = p.int("a depth", 1, maxDepth)
	case w == kwRead && under:
		m.Under = p.under()
	case w == kwRead:
		m.ReadLatency = p.int("a latency", 0, 1<<16)
	case w == kwWrite:
		m.WriteLatency = p.int("a latency", 1, 1<<16)
	case w == kwReader:
		m.Readers = append(m.Readers, p.name("a port"))
	case w == kwWriter:
		m.Writers = append(m.Writers, p.name("a port"))
	case w == kwReadwriter:
		m.ReadWrite = append(m.ReadWrite, p.name("a port"))
	default:
		p.failAt(&at, "memories have no field %s", at.text)
	}
}
