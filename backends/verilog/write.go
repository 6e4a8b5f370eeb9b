package verilog

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"etch/backends/verilog/internal/names"
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// Options change the text. The zero Options give the text that is meant for other tools.
type Options struct {
	// NoPositions leaves out the source positions at the ends of lines.
	NoPositions bool
	// Src gives ports, registers, wires, memories, instances and always blocks the
	// attribute (* src = "uart.go:50" *), so that yosys and nextpnr name lines of the
	// source instead of lines of the text.
	Src bool
	// Zero gives every register, memory and read register an initial value of 0
	// where the design gives none, as the simulator does. Simulators of Verilog
	// then agree from the first cycle on. Without it they start as x, and
	// synthesis is free to choose.
	Zero bool
	// Bare leaves out the initial values of registers that have none in the design or
	// are reset asynchronously, and of memories that have no contents: a bench gives
	// them all, by the names of [StateOf].
	Bare bool
	// RunOn makes a stop print a line without ending the simulation, for benches that
	// continue after it, as package sim does.
	RunOn bool
	// MemFiles reads the contents of memories with $readmemh from the files that
	// [DataFiles] returns, instead of having them in the text.
	MemFiles bool
	// NoLUTRAM is for families without memory in look-up tables, such as iCE40:
	// memories of style "logic" are asked for as registers.
	NoLUTRAM bool
}

// File is a file by its name, without folder.
type File struct {
	Name string
	Data []byte
}

// design is the state that the modules of a design share.
type design struct {
	syntax.Printer
	o       Options
	src     *ir.Sources
	top     *ir.Module
	modules map[*ir.Module]string // their names
	portsOf map[*ir.Module][]string
	resets  map[*ir.Module][]use
	scopes  map[*ir.Module]map[string]bool // see hiding.go
	at      []string                       // text of positions
}

// Write writes the modules of a design, children first, as Verilog-2005. Black
// boxes are left out, with or without a model. The design must pass [ir.Verify].
// The error is w's or says that there is no design. Equal designs and options
// give equal bytes.
func Write(w io.Writer, d *ir.Design, o Options) error {
	wr, err := newDesign(w, d, o)
	if err != nil {
		return err
	}
	mods := printed(d)
	wr.Line(0, "// Written by etch. Do not edit.")
	if len(mods) > 1 {
		wr.Line(0, "/* verilator lint_off "+oneFile.rule+" */ // "+oneFile.reason)
	}
	p := newModule(wr)
	for _, m := range mods {
		wr.Blank()
		p.write(m)
	}
	wr.Flush()
	return wr.Err
}

// Text is Write to memory.
func Text(d *ir.Design, o Options) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, d, o)
	return b.Bytes(), err
}

// Files returns one file per module, named after it, children first, and the
// files of [DataFiles].
func Files(d *ir.Design, o Options) ([]File, error) {
	var b bytes.Buffer
	wr, err := newDesign(&b, d, o)
	if err != nil {
		return nil, err
	}
	var files []File
	p := newModule(wr)
	for _, m := range printed(d) {
		wr.Line(0, "// Written by etch. Do not edit.")
		wr.Blank()
		p.write(m)
		wr.Flush()
		files = append(files, File{wr.modName(m) + ".v", bytes.Clone(b.Bytes())})
		b.Reset()
	}
	if wr.Err != nil {
		return nil, wr.Err
	}
	return append(files, DataFiles(d, o)...), nil
}

// Externs returns the black boxes of a design: the Verilog modules that the text
// refers to and does not hold, each once per parameter set.
func Externs(d *ir.Design) []*ir.Extern {
	var list []*ir.Extern
	for _, m := range d.Modules {
		if m.Extern != nil {
			list = append(list, m.Extern)
		}
	}
	return list
}

// printed lists the modules that get text: no black boxes, and no modules used only in the
// model of one.
func printed(d *ir.Design) []*ir.Module {
	// Parents come after their children, so the list is walked backwards.
	needed := map[*ir.Module]bool{d.Top: true}
	for i := len(d.Modules) - 1; i >= 0; i-- {
		m := d.Modules[i]
		if !needed[m] || m.Extern != nil {
			continue
		}
		for j := range m.Insts {
			needed[m.Insts[j].Mod] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(d.Modules), func(m *ir.Module) bool { return !needed[m] || m.Extern != nil })
}

func newDesign(w io.Writer, d *ir.Design, o Options) (*design, error) {
	if d == nil || d.Top == nil {
		return nil, errors.New("verilog: no design")
	}
	return &design{Printer: syntax.Printer{W: w}, o: o, src: d.Src, top: d.Top,
		modules: moduleNames(d), portsOf: map[*ir.Module][]string{}, resets: map[*ir.Module][]use{}, scopes: scopesOf(d)}, nil
}

// moduleNames gives modules their names. Those of black boxes are fixed and come first,
// then legal names, then the others.
func moduleNames(d *ir.Design) map[*ir.Module]string {
	list := map[*ir.Module]string{}
	var t names.Table
	t.Reset(len(d.Modules))
	for _, m := range d.Modules {
		if m.Extern != nil {
			list[m] = m.Extern.Module
			t.Add([]byte(m.Extern.Module))
		}
	}
	for _, legal := range []bool{true, false} {
		for _, m := range d.Modules {
			if m.Extern == nil && legal == names.IsLegal(m.Name) {
				list[m] = claimModule(&t, m)
			}
		}
	}
	return list
}

func (p *design) modName(m *ir.Module) string { return p.modules[m] }

// where is the text of a position, "" if it is unknown. Texts are cached by position.
func (p *design) where(pos ir.Pos) string {
	if pos == 0 {
		return ""
	}
	for len(p.at) <= int(pos) {
		p.at = append(p.at, "")
	}
	if p.at[pos] == "" {
		var all []string
		for _, l := range p.src.All(pos) {
			all = append(all, oneLine(l.String()))
		}
		p.at[pos] = strings.Join(all, ", ")
	}
	return p.at[pos]
}

// lineNote is the comment for a source position.
func (p *design) lineNote(pos ir.Pos) string {
	if p.o.NoPositions {
		return ""
	}
	return p.where(pos)
}

// end ends a line with the source position that it comes from.
func (p *design) end(pos ir.Pos) { p.End(p.lineNote(pos)) }

// withLine is a note and a source position, either of which may be missing.
func (p *design) withLine(note string, pos ir.Pos) string {
	at := p.lineNote(pos)
	if note == "" || at == "" {
		return note + at
	}
	return note + ", " + at
}

// oneLine makes text safe for a comment.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\\' {
			return '/'
		}
		return r
	}, s)
}

// DataFiles returns the files that $readmemh reads with Options.MemFiles: one word per line
// in hexadecimal. Without that option there are none.
func DataFiles(d *ir.Design, o Options) []File {
	wr, err := newDesign(io.Discard, d, o)
	if err != nil || !o.MemFiles {
		return nil
	}
	var files []File
	for _, m := range printed(d) {
		for i := range m.Mems {
			mem := &m.Mems[i]
			if len(mem.Init) == 0 {
				continue
			}
			var b []byte
			for a := range mem.Depth {
				b = append(mem.Word(a).AppendHex(b), '\n')
			}
			files = append(files, File{wr.dataFile(m, i), b})
		}
	}
	return files
}

// dataFile is the name of the file with the contents of a memory. Memories whose names
// become equal get underscores.
func (p *design) dataFile(m *ir.Module, mem int) string {
	name := names.Legal(cmp.Or(m.Mems[mem].Name, "mem"))
	for i := range mem {
		if names.Legal(cmp.Or(m.Mems[i].Name, "mem")) == name {
			name += "_"
		}
	}
	return p.modName(m) + "_" + name + ".hex"
}
