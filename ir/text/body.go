package text

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
	"etch/ir/bits"
)

// body is a module being read. Its tables hold indices of labels where the finished module
// holds nodes: a label may be used before its line. endModule resolves them.
type body struct {
	*parser
	m      *ir.Module
	mem    *ir.Memory // the memory that init, read and write lines belong to
	net    *ir.Net    // the net that drive lines belong to
	labels map[string]ir.ID
	nodeOf []ir.ID       // by label: its node, None while it has no line
	first  []lexer.Token // by label: its first use
	leaves []leaf
	attrs  []*attrLine
	types  map[ir.Type]ir.TypeID
	ports  map[string]bool
}

// leaf is a node that refers to an entry of a table, whose line may come later.
type leaf struct {
	node     ir.ID
	operands []lexer.Token
	op       lexer.Token
}

func (p *parser) moduleLine(l *moduleLine) (err error) {
	if p.body != nil {
		return p.fail(l.Name, `expected "}" at the end of module %s`, p.body.m.Name)
	}
	name := p.name(l.Name)
	// A name stands for one module.
	if p.modules[name] != nil {
		return p.fail(l.Name, "a second module %s", name)
	}

	m := ir.NewModule(name, p.design.Src)
	m.Origin = p.name(l.Origin)
	if m.Pos, err = p.position(l.At); err != nil {
		return err
	}

	p.body = &body{
		parser: p, m: m, labels: map[string]ir.ID{}, nodeOf: make([]ir.ID, 1), first: make([]lexer.Token, 1),
		types: map[ir.Type]ir.TypeID{}, ports: map[string]bool{},
	}
	return nil
}

// act adds one line to the module. Lines that continue a memory or net must follow it.
func (b *body) act(first lexer.Token, l *line) error {
	// A line of another kind ends the memory, or the net.
	if l.Init == nil && l.Read == nil && l.Write == nil {
		b.mem = nil
	} else if b.mem == nil {
		return b.fail(first, "%s belongs right after a memory", first.Value)
	}
	if l.Drive == nil {
		b.net = nil
	} else if b.net == nil {
		return b.fail(first, "drive belongs right after a net")
	}

	// The grammar has set one field of the line.
	switch {
	case l.Node != nil:
		return b.node(l.Node)
	case l.Port != nil:
		return b.port(l.Port)
	case l.Reg != nil:
		return b.register(l.Reg)
	case l.Memory != nil:
		return b.memory(l.Memory)
	case l.Init != nil:
		return b.init(l.Init)
	case l.Read != nil:
		return b.read(l.Read)
	case l.Write != nil:
		return b.write(l.Write)
	case l.Instance != nil:
		return b.instance(l.Instance)
	case l.Net != nil:
		return b.netLine(l.Net)
	case l.Drive != nil:
		return b.drive(l.Drive)
	// Values that are read nowhere on purpose.
	case l.Unused != nil:
		for _, t := range l.Unused.Nodes {
			b.m.Unused = append(b.m.Unused, b.label(t))
		}
		return nil
	case l.Stmt != nil:
		return b.stmt(l.Stmt)
	}

	if l.Attr != nil {
		b.attrs = append(b.attrs, l.Attr)

		// The label counts as used, though its line may come later.
		b.label(l.Attr.Of.Node)
		return nil
	}
	return b.extern(l.Extern)
}

// label returns the index of a label, 0 for an absent token.
func (b *body) label(t lexer.Token) ir.ID {
	if t.Type == 0 {
		return ir.None
	}
	if at, ok := b.labels[t.Value]; ok {
		return at
	}
	// A new label: its node is not known yet.
	at := ir.ID(len(b.nodeOf))
	b.labels[t.Value] = at
	b.nodeOf, b.first = append(b.nodeOf, ir.None), append(b.first, t)
	return at
}

// typ reads a type; an absent one is uint.
func (b *body) typ(t *typeName) (ir.TypeID, error) {
	if t == nil {
		return 0, nil
	}
	var typ ir.Type
	switch {
	case t.Basic.Type != 0:
		for k := ir.UInt; k < ir.EnumKind; k++ {
			// Basic types have the number of their kind.
			if k.String() == t.Basic.Value {
				return ir.TypeID(k), nil
			}
		}
	case t.Enum != nil:
		name := b.name(t.Enum.Name)

		// Names of enumerations may repeat: enum a#2 is the second.
		list := b.enums[name]
		if len(list) == 0 {
			return 0, b.fail(t.Enum.Name, "there is no enum %s", name)
		}
		k, err := b.nth(t.Enum.Nth, "enum", name, len(list))
		if err != nil {
			return 0, err
		}
		typ = ir.Type{Kind: ir.EnumKind, Enum: list[k]}
	case t.Float != nil:
		var err error
		if typ, err = b.floatType(t.Float); err != nil {
			return 0, err
		}
	default:
		frac, err := b.number(t.Frac, "a fraction", -maxFraction, maxFraction)
		if err != nil {
			return 0, err
		}
		typ = ir.Type{Kind: ir.Fixed, Frac: frac}
	}

	// The table of types is bounded, as looking a type up is linear.
	id, ok := b.types[typ]
	if !ok {
		if len(b.types) == maxTypes {
			return 0, &Error{b.file, b.last.Line, 1, "too many types in one module"}
		}
		id = b.m.AddType(typ)
		b.types[typ] = id
	}
	return id, nil
}

func (b *body) floatType(t *floatType) (typ ir.Type, err error) {
	typ.Kind = ir.Float
	if typ.Exp, err = b.number(t.Exp, "an exponent", 2, 11); err != nil {
		return typ, err
	}
	if typ.Frac, err = b.number(t.Frac, "a fraction", 1, 52); err != nil {
		return typ, err
	}
	typ.Top = ir.TopCodes(slices.Index(ir.TopCodesNames[:], t.Top.Value))
	return typ, nil
}

func (b *body) shape(s *shape) (width int, typ ir.TypeID, err error) {
	if width, err = b.number(s.Width, "a width", 1, bits.MaxWidth); err != nil {
		return 0, 0, err
	}
	typ, err = b.typ(s.Type)
	return width, typ, err
}
