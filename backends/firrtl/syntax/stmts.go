package syntax

// maxChain bounds the number of "else when" in a row.
const maxChain = 100000

func (p *parser) addStmt(s StmtRow) Stmt {
	p.c.Stmts = append(p.c.Stmts, s)
	return Stmt(len(p.c.Stmts) - 1)
}

// statement parses a statement with its blocks. It returns 0 for a statement without
// hardware.
func (p *parser) statement() Stmt {
	if p.tok.kind != tName {
		p.wanted("a statement")
		return 0
	}
	w := word(p.tok.sym)

	// Names, and keywords that are the name of a component here.
	if w >= kwEnd || p.isReference() {
		return p.assignment()
	}
	if f := statements[w]; f != nil {
		return f(p)
	}

	// A statement of another version, or a misspelt one.
	if p.peek().kind == ':' || p.peek().kind == tName {
		p.fail("there is no statement %s", p.tok.text)
		return 0
	}
	return p.assignment()
}

// isReference reports whether a line that begins with a keyword refers to a component of
// that name.
func (p *parser) isReference() bool {
	switch t := p.peek(); t.kind {
	case '.', '[', tConnect, tPartial:
		return true
	case tName:
		return t.sym == Name(kwIs) && !p.isWord(kwWire) && !p.isWord(kwNode) && !p.isWord(kwReg) && !p.isWord(kwInst)
	}
	return false
}

// statements maps keywords to the parsers of their statements.
var statements [kwEnd]func(*parser) Stmt

func init() {
	set := func(f func(*parser) Stmt, ws ...word) {
		for _, w := range ws {
			statements[w] = f
		}
	}

	// The keywords of every version; those without hardware are skipped.
	set((*parser).wire, kwWire)
	set((*parser).node, kwNode)
	set((*parser).reg, kwReg)
	set((*parser).regreset, kwRegreset)
	set((*parser).inst, kwInst)
	set((*parser).mem, kwMem)
	set((*parser).chirrtlMem, kwCmem, kwSmem)
	set((*parser).port, kwRead, kwWrite, kwInfer, kwRdwr)
	set((*parser).connect, kwConnect)
	set((*parser).invalidate, kwInvalidate)
	set((*parser).when, kwWhen)
	set((*parser).match, kwMatch)
	set((*parser).attach, kwAttach)
	set((*parser).stop, kwStop)
	set((*parser).printf, kwPrintf)
	set((*parser).fprintf, kwFprintf, kwFflush)
	set((*parser).verify, kwAssert, kwAssume, kwCover)
	set((*parser).force, kwForce, kwForceInitial, kwRelease, kwReleaseInitial)
	set((*parser).layerblock, kwLayerblock, kwGroup)
	set((*parser).define, kwDefine)
	set((*parser).noHardware, kwPropassign, kwPropassert, kwObject, kwDomainDefine)
	set((*parser).skipStmt, kwSkip)
	set((*parser).intrinsicStmt, kwIntrinsic)
	set(func(p *parser) Stmt {
		p.fail("%s is not read", p.tok.text)
		return 0
	}, kwContract, kwDomain)
	set((*parser).instchoice, kwInstchoice)
}

// finish parses the locator at the end of a statement and adds the statement.
func (p *parser) finish(s StmtRow) Stmt {
	s.Info = p.info()
	return p.addStmt(s)
}

// begin consumes the keyword of a statement.
func (p *parser) begin(k StmtKind) StmtRow {
	s := StmtRow{Kind: k, Line: p.tok.line}
	p.next()
	return s
}

// assignment parses "x <= e", "x <- e" or "x is invalid".
func (p *parser) assignment() Stmt {
	s := StmtRow{Line: p.tok.line}
	line := p.tok.line
	p.enter()
	s.A = int32(p.selections(p.ref(line)))
	p.leave()
	switch {
	case p.got(tConnect):
		s.Kind = Connect
		s.B = int32(p.expr())
	case p.got(tPartial):
		s.Kind = Partial
		s.B = int32(p.expr())
	case p.gotWord(kwIs):
		p.wantWord(kwInvalid)
		s.Kind = Invalidate
	default:
		p.wanted("'<='")
	}
	return p.finish(s)
}

func (p *parser) connect() Stmt {
	s := p.begin(Connect)
	s.A = int32(p.expr())
	p.comma()
	s.B = int32(p.expr())
	return p.finish(s)
}

func (p *parser) invalidate() Stmt {
	s := p.begin(Invalidate)
	s.A = int32(p.expr())
	return p.finish(s)
}

func (p *parser) wire() Stmt {
	s := p.begin(Wire)
	s.Name = p.name("a wire")
	p.want(':', "':'")
	s.Type = p.typ()
	p.domains()
	return p.finish(s)
}

func (p *parser) node() Stmt {
	s := p.begin(Node)
	s.Name = p.name("a node")
	p.want('=', "'='")
	s.A = int32(p.expr())
	return p.finish(s)
}

// reg parses "reg r : T, clock" and the older "… with : (reset => (r, v))".
func (p *parser) reg() Stmt {
	// Forms before version 3 put clock and reset into a block; newer ones have regreset.
	s := p.regHead()
	if p.gotWord(kwWith) {
		p.want(':', "':'")
		s.Info = p.info()

		// The brackets around the reset may be missing.
		closed := p.got('(')
		p.wantWord(kwResetWord)
		p.want(tArrow, "'=>'")
		p.want('(', "'('")
		s.B = int32(p.expr())
		p.comma()
		s.C = int32(p.expr())
		p.want(')', "')'")
		if closed {
			p.want(')', "')'")
		}
	}

	// A locator behind the block counts more than one before it.
	if at := p.info(); at != 0 {
		s.Info = at
	}
	return p.addStmt(s)
}

func (p *parser) regHead() StmtRow {
	s := p.begin(Reg)
	s.Name = p.name("a register")
	p.want(':', "':'")
	s.Type = p.typ()
	p.comma()
	s.A = int32(p.expr())
	return s
}

func (p *parser) regreset() Stmt {
	s := p.regHead()
	p.comma()
	s.B = int32(p.expr())
	p.comma()
	s.C = int32(p.expr())
	return p.finish(s)
}

func (p *parser) inst() Stmt {
	s := p.begin(Inst)
	s.Name = p.name("an instance")
	p.wantWord(kwOf)
	s.D = int32(p.name("a module"))
	return p.finish(s)
}

// instchoice parses "instchoice i of Default, Option :" and its choices. The instance is
// the default.
func (p *parser) instchoice() Stmt {
	indent := p.tok.indent
	s := p.begin(Inst)
	s.Name = p.name("an instance")
	p.wantWord(kwOf)
	s.D = int32(p.name("a module"))
	p.want(',', "','")
	option := p.names.list[p.name("an option")]
	p.want(':', "':'")
	s.Info = p.info()

	// The choices are read over, since the default is built.
	for p.err == nil && p.tok.indent > indent {
		p.name("a choice")
		p.want(tArrow, "'=>'")
		p.name("a module")
		p.info()
	}
	p.note(s.Line, "instance %s is %s, the default of option %s", p.names.list[s.Name], p.names.list[s.D], option)
	return p.addStmt(s)
}

// when parses "when c :" with its branches. A chain of "else when" is a loop, so that its
// length is not limited by the stack.
func (p *parser) when() Stmt {
	indent := p.tok.indent
	first, last := Stmt(0), Stmt(0)
	for n := 0; ; n++ {
		if n > maxChain {
			p.fail("more than %d 'else when' in a row", maxChain)
		}

		s := p.begin(When)
		s.A = int32(p.expr())
		p.want(':', "':'")
		s.Info = p.info()
		s.B = int32(p.branch(indent))

		at := p.addStmt(s)

		// An else when is the else branch of the one before it.
		if first == 0 {
			first = at
		} else {
			p.c.Stmts[last].C = int32(at)
		}
		last = at

		// An else belongs to this when if it has its indentation or stands on its line.
		if !p.isWord(kwElse) || p.tok.indent >= 0 && p.tok.indent != indent {
			return first
		}

		p.next()
		if p.isWord(kwWhen) {
			continue
		}
		p.want(':', "':'")
		p.info()
		p.c.Stmts[at].C = int32(p.branch(indent))
		return first
	}
}

// branch parses a block, or one statement on the same line.
func (p *parser) branch(indent int32) Stmt {
	if p.tok.indent >= 0 || p.tok.kind == tEnd {
		return p.block(indent, p.statement)
	}

	// A statement on the line is a level of nesting too.
	p.enter()
	defer p.leave()
	return p.statement()
}

func (p *parser) match() Stmt {
	indent := p.tok.indent
	s := p.begin(Match)
	s.A = int32(p.expr())
	p.want(':', "':'")
	s.Info = p.info()
	s.B = int32(p.block(indent, p.matchCase))
	return p.addStmt(s)
}

func (p *parser) matchCase() Stmt {
	indent := p.tok.indent
	s := StmtRow{Kind: Case, Line: p.tok.line}
	s.Name = p.fieldName()
	if p.got('(') {
		s.D = int32(p.name("a value"))
		p.want(')', "')'")
	}
	p.want(':', "':'")
	s.Info = p.info()
	s.B = int32(p.branch(indent))
	return p.addStmt(s)
}

func (p *parser) attach() Stmt {
	s := p.begin(Attach)
	p.want('(', "'('")
	s.A, s.N = p.args()
	return p.finish(s)
}

// args parses expressions up to a closing bracket.
func (p *parser) args() (first, n int32) {
	from := len(p.stack)
	for !p.is(')') && p.err == nil {
		p.stack = append(p.stack, p.expr())
		if !p.is(')') {
			p.comma()
		}
	}
	p.next()
	return p.popArgs(from)
}

// label parses the optional name after a command.
func (p *parser) label() Name {
	// On a new line, a colon belongs to something else.
	if p.tok.indent >= 0 || !p.got(':') {
		return 0
	}
	return p.name("a statement")
}

func (p *parser) stop() Stmt {
	s := p.begin(Stop)
	p.want('(', "'('")
	s.A = int32(p.expr())
	p.comma()
	s.B = int32(p.expr())
	p.comma()
	s.D = int32(p.int("an exit code", -1<<31, maxCount))
	p.want(')', "')'")
	s.Name = p.label()
	return p.finish(s)
}

func (p *parser) printf() Stmt {
	s := p.begin(Printf)
	p.want('(', "'('")
	s.A = int32(p.expr())
	p.comma()
	s.B = int32(p.expr())
	p.comma()
	p.format(&s)
	return p.finish(s)
}

// format parses a format, its arguments, the closing bracket and the label.
func (p *parser) format(s *StmtRow) {
	s.Format = p.str("a format")
	if !p.is(')') {
		p.comma()
	}
	s.C, s.N = p.args()
	s.Name = p.label()
}

// fprintf skips statements that write to files.
func (p *parser) fprintf() Stmt {
	p.note(p.tok.line, "%s is left out", p.tok.text)
	p.next()
	p.brackets('(', ')')
	p.label()
	p.info()
	return 0
}

func (p *parser) verify() Stmt {
	k := Assert
	switch {
	case p.isWord(kwAssume):
		k = Assume
	case p.isWord(kwCover):
		k = Cover
	}
	s := p.begin(k)
	p.want('(', "'('")
	s.A = int32(p.expr())
	p.comma()
	s.B = int32(p.expr())
	p.comma()
	s.D = int32(p.expr())
	p.comma()
	p.format(&s)
	return p.finish(s)
}

func (p *parser) force() Stmt {
	name := int32(p.tok.sym)
	s := p.begin(Force)
	s.D = name
	p.brackets('(', ')')
	return p.finish(s)
}

// layerblock parses a layer block. Its statements are kept only to check their syntax.
func (p *parser) layerblock() Stmt {
	indent := p.tok.indent
	s := p.begin(LayerBlock)
	s.Name = p.name("a layer")
	for p.got('.') {
		p.name("a layer")
	}
	p.want(':', "':'")
	s.Info = p.info()
	s.B = int32(p.branch(indent))
	return p.addStmt(s)
}

// define parses "define a = probe(b)".
func (p *parser) define() Stmt {
	s := p.begin(Define)
	s.A = int32(p.expr())
	p.want('=', "'='")
	s.B = int32(p.expr())
	return p.finish(s)
}

// noHardware skips a statement without hardware, up to the end of its line and of the lines
// indented below it.
func (p *parser) noHardware() Stmt {
	s := StmtRow{Kind: Define, Line: p.tok.line}
	indent := p.tok.indent
	for p.next(); p.tok.kind != tEnd && (p.tok.indent < 0 || indent >= 0 && p.tok.indent > indent); {
		p.next()
	}
	return p.addStmt(s)
}

func (p *parser) skipStmt() Stmt {
	p.next()
	p.info()
	return 0
}

func (p *parser) intrinsicStmt() Stmt {
	s := StmtRow{Kind: IntrinsicStmt, Line: p.tok.line}
	s.A = int32(p.intrinsic())
	s.Name = p.label()
	return p.finish(s)
}
