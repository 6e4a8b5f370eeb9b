package firrtl

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"etch/ir"
)

// Options change the text. The zero Options give the text that is meant for other tools.
type Options struct {
	// NoPositions leaves out the source locators.
	NoPositions bool
	// NoMemFiles leaves out the annotations by which memories are initialised from the
	// files of [DataFiles]. Initial contents are then lost, except for memories that are
	// never written; see the package comment.
	NoMemFiles bool
}

// File is a file by its name, without folder.
type File struct {
	Name string
	Data []byte
}

// Version is the version of FIRRTL that is written.
const Version = "4.0.0"

// writer is the state that the modules of a design share.
type writer struct {
	output
	o       Options
	src     *ir.Sources
	top     *ir.Module
	names   map[*ir.Module]string
	portsOf map[*ir.Module][]string

	cellList  []cell // for pads
	cellNames map[cell]string

	at []string // locators of positions
}

// Write writes a design as one circuit, children first, with the top as public module.
// Black boxes become external modules, with or without a model. The design must pass
// [ir.Verify]. Errors: w's; no design; a black box as top; a latch ([ErrLatch]). Equal
// designs and options give equal bytes.
func Write(w io.Writer, d *ir.Design, o Options) error {
	wr, err := newWriter(w, d, o)
	if err != nil {
		return err
	}
	wr.line(0, "FIRRTL version "+Version)
	wr.line(0, "; Written by etch. Do not edit.")
	wr.str("circuit " + id(wr.modName(d.Top)) + " :")
	p := &module{writer: wr}
	// Annotations follow the name of the circuit, on its line.
	p.annotations(d)
	wr.nl()
	wr.cells()
	for _, m := range reached(d) {
		wr.blank()
		if m.Extern != nil {
			wr.extern(m)
		} else {
			p.write(m)
		}
	}
	wr.flush()
	return wr.err
}

// Text is Write to memory.
func Text(d *ir.Design, o Options) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, d, o)
	return b.Bytes(), err
}

// ErrLatch is wrapped by the error for a design with a latch.
var ErrLatch = errors.New("is a latch, which FIRRTL has not")

func newWriter(w io.Writer, d *ir.Design, o Options) (*writer, error) {
	if d == nil || d.Top == nil {
		return nil, errors.New("firrtl: no design")
	}
	if d.Top.Extern != nil {
		return nil, fmt.Errorf("firrtl: the top %s is a black box", d.Top.Name)
	}
	// FIRRTL has no latches.
	for _, m := range reached(d) {
		for i := range m.Regs {
			if r := &m.Regs[i]; m.Extern == nil && r.Kind == ir.Latch {
				return nil, fmt.Errorf("firrtl: %s: module %s: %s %w", d.Src.At(m.Node(r.Node).Pos), m.Name, orElse(m.NameOf(r.Node), "a register"), ErrLatch)
			}
		}
	}
	wr := &writer{output: output{w: w}, o: o, src: d.Src, top: d.Top, portsOf: map[*ir.Module][]string{}, cellList: cellsOf(d)}
	wr.names, wr.cellNames = allNames(d, wr.cellList)
	return wr, nil
}

// reached lists the modules that the top uses, children first. Modules below a black box
// belong to its model and are left out.
func reached(d *ir.Design) []*ir.Module {
	// Parents come after their children: walk backwards.
	used := map[*ir.Module]bool{d.Top: true}
	for i := len(d.Modules) - 1; i >= 0; i-- {
		m := d.Modules[i]
		if !used[m] || m.Extern != nil {
			continue
		}
		for j := range m.Insts {
			used[m.Insts[j].Mod] = true
		}
	}
	var list []*ir.Module
	for _, m := range d.Modules {
		if used[m] {
			list = append(list, m)
		}
	}
	return list
}

func (w *writer) modName(m *ir.Module) string { return w.names[m] }

// portNames caches PortNames by module.
func (w *writer) portNames(m *ir.Module) []string {
	names, ok := w.portsOf[m]
	if !ok {
		names = PortNames(m)
		w.portsOf[m] = names
	}
	return names
}
