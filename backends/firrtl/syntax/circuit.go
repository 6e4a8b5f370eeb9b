package syntax

import (
	"strings"
)

// circuit parses a whole file.
func (p *parser) circuit() {
	if p.isWord(kwFIRRTL) {
		p.version()
	}

	if !p.isWord(kwCircuit) {
		p.wanted("'circuit'")
		return
	}
	p.c.Line = p.tok.line
	indent := p.tok.indent
	p.next()
	p.c.Name = p.name("a circuit")
	p.want(':', "':'")

	// Annotations stand on the line of the circuit.
	if p.is(tAnno) {
		p.c.Annotations, p.c.AnnoLine = p.tok.text, p.tok.line
		p.next()
	}
	p.info()

	// Modules are indented below the circuit.
	for p.tok.kind != tEnd {
		if p.tok.indent <= indent {
			if p.isWord(kwCircuit) || p.isWord(kwFIRRTL) {
				p.fail("a second circuit in one file; the first is in line %d: give each a file of its own", p.c.Line)
				return
			}
			p.wanted("a module")
			return
		}
		p.declaration()
	}
}

// version parses "FIRRTL version 4.0.0".
func (p *parser) version() {
	p.next()
	p.wantWord(kwVersion)
	v := &p.c.Version
	for i, to := range []*int{&v.Major, &v.Minor, &v.Patch} {
		if i > 0 {
			p.want('.', "'.'")
		}
		*to = p.int("a part of the version", 0, 1<<20)
	}
	if p.err == nil && (v.Major < 1 || v.Major > 7) {
		p.failLine(1, "FIRRTL version %d.%d.%d; versions 1 to 7 are read", v.Major, v.Minor, v.Patch)
	}
}

// declaration parses one declaration of a circuit. Declarations without hardware are
// skipped, with a note except for classes.
func (p *parser) declaration() {
	indent := p.tok.indent
	if !p.is(tName) {
		p.wanted("a module")
		return
	}

	// The kinds with hardware first. The rest is skipped by its indentation.
	switch word(p.tok.sym) {
	case kwPublic, kwModule:
		p.module(indent)
	case kwExtmodule:
		p.extmodule(indent, External)
	case kwIntmodule:
		p.extmodule(indent, Intrinsic)
	case kwType:
		p.alias()
	case kwLayer, kwDeclgroup:
		p.layer(indent, "")
	case kwClass, kwExtclass, kwFormal, kwSimulation, kwOption, kwDomain:
		// Classes hold properties only: without them nothing changes.
		if !p.isWord(kwClass) && !p.isWord(kwExtclass) {
			p.note(p.tok.line, "%s %s is left out", p.tok.text, p.peek().text)
		}
		p.skipBlock(indent)
	default:
		p.wanted("a module")
	}
}

// skipBlock skips a declaration and the lines indented below it.
func (p *parser) skipBlock(indent int32) {
	// Tokens inside of a line have a negative indentation.
	for p.next(); p.tok.kind != tEnd && (p.tok.indent < 0 || p.tok.indent > indent); {
		p.next()
	}
}

// layer parses "layer Verification, bind, "dir" :" and the layers nested in it.
func (p *parser) layer(indent int32, outer string) {
	p.enter()
	defer p.leave()
	p.next()

	// A nested layer is known by its path.
	path := outer + p.names.list[p.name("a layer")]
	p.c.Layers = append(p.c.Layers, p.names.add(path, hash(path)))

	// A convention such as bind, then perhaps a folder for the output.
	for p.got(',') {
		if !p.got(tString) {
			p.name("a convention")
		}
	}
	p.want(':', "':'")
	p.info()
	for p.tok.indent > indent {
		if !p.isWord(kwLayer) && !p.isWord(kwDeclgroup) {
			p.wanted("'layer'")
			return
		}
		p.layer(p.tok.indent, path+".")
	}
}

// alias parses "type Word = UInt<32>".
func (p *parser) alias() {
	line := p.tok.line
	p.next()
	name := p.name("a type")
	p.want('=', "'='")
	t := p.typ()
	p.info()
	p.c.Aliases = append(p.c.Aliases, AliasDecl{name, t, line})
}

func (p *parser) module(indent int32) {
	m := Module{Line: p.tok.line}
	if p.gotWord(kwPublic) {
		m.Public = true
	}
	p.wantWord(kwModule)
	m.Name = p.name("a module")
	p.layersOf()
	p.want(':', "':'")
	m.Info = p.info()
	p.ports(&m, indent)
	m.Body = p.block(indent, p.statement)
	p.c.Modules = append(p.c.Modules, m)
}

// domains skips "domains [A, B]" after a type.
func (p *parser) domains() {
	if p.isWord(kwDomains) && p.peek().kind == '[' {
		p.next()
		p.brackets('[', ']')
	}
}

// layersOf skips "enablelayer A.B", "knownlayer A" and a module's required libraries.
func (p *parser) layersOf() {
	for p.isWord(kwEnablelayer) || p.isWord(kwKnownlayer) || p.isWord(kwRequires) {
		// The names are read over: etch builds all layers.
		library := p.isWord(kwRequires)
		p.next()
		for library {
			p.want(tString, "a library")
			library = p.got(',')
		}
		if p.tok.kind != tName {
			continue
		}
		for {
			p.name("a layer")
			for p.got('.') {
				p.name("a layer")
			}
			if !p.got(',') {
				break
			}
		}
	}
}

func (p *parser) ports(m *Module, indent int32) {
	m.FirstPort = int32(len(p.c.Ports))

	// A keyword with a name behind it begins a port; a body may have components called input.
	for p.tok.indent > indent && (p.isWord(kwInput) || p.isWord(kwOutput)) && p.peek().kind == tName {
		port := Port{Output: p.isWord(kwOutput), Line: p.tok.line}
		p.next()
		port.Name = p.name("a port")
		p.want(':', "':'")
		port.Type = p.typ()
		p.domains()
		port.Info = p.info()
		p.c.Ports = append(p.c.Ports, port)
	}
	m.LastPort = int32(len(p.c.Ports))
}

func (p *parser) extmodule(indent int32, kind ModuleKind) {
	m := Module{Line: p.tok.line, Kind: kind}
	p.next()
	m.Name = p.name("a module")
	p.layersOf()
	p.want(':', "':'")
	m.Info = p.info()
	p.ports(&m, indent)

	// The body has defname and parameters in any order.
	for p.tok.indent > indent {
		switch {
		case p.isWord(kwDefname) || p.isWord(kwIntrinsic):
			p.next()
			p.want('=', "'='")
			m.DefName = p.names.list[p.name("a Verilog module")]
			p.info()
		case p.isWord(kwParameter):
			p.next()
			p.parameter(&m)
		case p.isWord(kwRef):
			// The place of a probe in the Verilog text is not needed.
			p.skipBlock(p.tok.indent)
		default:
			p.wanted("a port, 'defname' or 'parameter'")
			return
		}
	}
	p.c.Modules = append(p.c.Modules, m)
}

// parameter parses "x = 42", `x = "text"`, "x = 'Verilog'" or "x = 1.5".
func (p *parser) parameter(m *Module) {
	m.Params = append(m.Params, p.paramValue())
	p.info()
}

// paramValue parses a parameter's name and value.
func (p *parser) paramValue() Param {
	name := p.names.list[p.name("a parameter")]
	p.want('=', "'='")
	value := p.tok.text

	// Strings keep their quotes: the value is Verilog.
	switch p.tok.kind {
	case tString:
		value = `"` + value + `"`
	case tRaw:
		value = strings.ReplaceAll(value, `\'`, `'`)
	case tInt:
		for t := p.peek(); t.indent < 0 && (t.kind == '.' || t.kind == '+' || t.kind == '-' || t.kind == tInt || t.kind == tName); t = p.peek() {
			p.next() // a number with a point or an exponent is several tokens
			value += p.tok.text
		}
	default:
		p.wanted("a number or a string")
	}
	p.next()
	return Param{name, value}
}

// block parses the statements indented deeper than indent and links them by Next. It
// returns the first.
func (p *parser) block(indent int32, statement func() Stmt) Stmt {
	p.enter()
	defer p.leave()
	first, last := Stmt(0), Stmt(0)
	for p.tok.indent > indent {
		s := statement()

		// A statement without hardware is not linked.
		if s == 0 {
			continue
		}
		if first == 0 {
			first = s
		} else {
			p.c.Stmts[last].Next = s
		}
		last = s

		// A statement ends with its line.
		if p.tok.indent < 0 && p.tok.kind != tEnd {
			p.wanted("the end of the line")
		}
	}
	return first
}
