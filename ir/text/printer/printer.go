package printer

import (
	"io"
	"slices"
	"strconv"

	"etch/ir"
)

// Version is the number in the first line of the text.
const Version = 1

// flushAt is the number of bytes collected before a write.
const flushAt = 1 << 16

// Print writes the text form of d. The error is the writer's.
func Print(w io.Writer, d *ir.Design) error {
	p := &printer{w: w, d: d, fileAt: map[string]int{}}

	// Enumerations and files are numbered before anything is printed.
	p.enums, p.enumAt = enumsOf(d)
	p.enumRefs = makeRefs(len(p.enums), func(i int) string { return p.enums[i].Name })
	p.findFiles()
	p.head()
	for _, m := range d.Modules {
		p.module(m)
	}
	p.flush()
	return p.err
}

// printer collects text in buf. The methods append and never fail; the first error of the
// writer is kept.
type printer struct {
	w   io.Writer
	d   *ir.Design
	buf []byte
	err error

	files    []string
	fileAt   map[string]int
	enums    []*ir.Enum
	enumAt   map[*ir.Enum]int
	enumRefs refs

	m     *ir.Module // being printed
	mems  refs
	insts refs
	reads []refs // by memory
}

func (p *printer) flush() {
	if p.err == nil {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

// endLine ends a line, with a position if there is one.
func (p *printer) endLine(pos ir.Pos) { p.at(pos).newLine() }

// at writes " @0:12+0:14"; nothing if there is no position.
func (p *printer) at(pos ir.Pos) *printer {
	for i, l := range p.m.Src.AllPortable(pos) {
		if i == 0 {
			p.str(" @")
		} else {
			p.str("+")
		}
		p.num(p.fileAt[l.File]).str(":").num(l.Line)
	}
	return p
}

// tail writes "; set @0:12 @- path in.at.x"; nothing if neither is known.
func (p *printer) tail(path string, set ...ir.Pos) *printer {
	known := slices.ContainsFunc(set, func(pos ir.Pos) bool { return pos != 0 })
	if !known && path == "" {
		return p
	}

	p.str(";")
	if known {
		p.str(" set")
		for _, pos := range set {
			// An unknown position keeps its place in the list.
			if len(p.m.Src.AllPortable(pos)) == 0 {
				p.str(" @-")
			}
			p.at(pos)
		}
	}
	if path != "" {
		p.str(" path ").name(path)
	}
	return p
}

func (p *printer) newLine() {
	p.buf = append(p.buf, '\n')

	// The text of a large design is not kept in memory as a whole.
	if len(p.buf) > flushAt {
		p.flush()
	}
}

func (p *printer) str(s string) *printer {
	p.buf = append(p.buf, s...)
	return p
}

func (p *printer) num(n int) *printer {
	p.buf = strconv.AppendInt(p.buf, int64(n), 10)
	return p
}

func (p *printer) name(s string) *printer {
	p.buf = appendName(p.buf, s)
	return p
}

func (p *printer) quoted(s string) *printer {
	p.buf = strconv.AppendQuote(p.buf, s)
	return p
}

// node writes " %7", with the word before it if there is one.
func (p *printer) node(word string, id ir.ID) *printer {
	if word != "" {
		p.str(" ").str(word)
	}
	return p.str(" %").num(int(id))
}

// optional writes a word and a node; nothing if the node is None.
func (p *printer) optional(word string, id ir.ID) *printer {
	if id != ir.None {
		p.node(word, id)
	}
	return p
}

// shape writes ": 8 sint"; uint is the default and not written.
func (p *printer) shape(width int, t ir.TypeID) *printer {
	p.str(": ").num(width)
	return p.typ(t)
}

func (p *printer) typ(t ir.TypeID) *printer {
	// Types out of range belong to broken designs.
	if int(t) >= len(p.m.Types()) {
		return p.str(" ?")
	}
	switch typ := p.m.TypeOf(t); typ.Kind {
	case ir.UInt:
		return p
	case ir.EnumKind:
		return p.str(" enum ").str(p.enumRefs.at(p.enumAt[typ.Enum]))
	case ir.Fixed:
		return p.str(" fixed ").num(typ.Frac)
	case ir.Float:
		return p.str(" float ").num(typ.Exp).str(" ").num(typ.Frac).str(" ").str(typ.Top.String())
	default:
		return p.str(" ").str(typ.Kind.String())
	}
}

// findFiles numbers the files of all positions in the order in which they are printed.
func (p *printer) findFiles() {
	for _, m := range p.d.Modules {
		eachPos(m, func(pos ir.Pos) {
			for _, l := range m.Src.AllPortable(pos) {
				if _, ok := p.fileAt[l.File]; !ok {
					p.fileAt[l.File] = len(p.files)
					p.files = append(p.files, l.File)
				}
			}
		})
	}
}

// eachPos calls f with every position of m in the order in which they are printed.
func eachPos(m *ir.Module, f func(ir.Pos)) {
	each := func(list []ir.Pos) {
		for _, pos := range list {
			f(pos)
		}
	}

	// The order follows the sections of the text, so that files are numbered as a reader meets
	// them.
	f(m.Pos)
	for i := range m.Ports {
		f(m.Ports[i].Pos)
		f(m.Ports[i].SetAt)
	}

	for id := ir.ID(1); int(id) < m.Len(); id++ {
		f(m.Node(id).Pos)
		each(m.ArmPos(id))
	}
	for i := range m.Regs {
		f(m.Regs[i].SetAt)
	}
	for i := range m.Mems {
		mem := &m.Mems[i]
		f(mem.Pos)
		for j := range mem.Reads {
			f(mem.Reads[j].Pos)
		}
		for j := range mem.Writes {
			f(mem.Writes[j].Pos)
		}
	}

	for i := range m.Insts {
		f(m.Insts[i].Pos)
		each(m.Insts[i].SetAt)
	}
	for i := range m.Nets {
		for _, d := range m.Nets[i].Drivers {
			f(d.Pos)
		}
	}
	for i := range m.Stmts {
		f(m.Stmts[i].Pos)
	}
}
