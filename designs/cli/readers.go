package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/ir/input"
	"etch/ir/text"
	"etch/passes/derived"
)

// reader reads source files of one kind into a design.
type reader struct {
	exts []string // with the point
	doc  string
	// read reads all files, of which there is one unless many. Notes say which parts were
	// left out and which choices were made.
	read func(files []string, o readOptions) (d *ir.Design, notes []string, err error)
	many bool
}

// readOptions are common to all readers.
type readOptions struct {
	top     string // the main module, "" for the one that the files name
	verilog *VerilogFlags
	bodies  bool // of black boxes come behind the files
	run     bool // to simulate: black boxes take the Verilog that annotations hold
	held    *heldBodies
}

// readers lists the readers of etch import and etch sim.
var readers = []reader{
	{exts: []string{".fir"}, doc: "FIRRTL", read: readFIRRTL},
	{exts: []string{".etch"}, doc: "netlist text", read: readNetlist},
	{exts: verilogExts, doc: "Verilog", read: readVerilog, many: true},
}

// readDesign reads files with the reader of the first one's extension. Verilog
// files behind one of another kind are bodies of its black boxes.
func readDesign(files []string, o readOptions) (*ir.Design, []string, error) {
	if o.verilog == nil {
		o.verilog = &VerilogFlags{}
	}
	files, bodies := withoutBodies(files)
	o.bodies = len(bodies) > 0
	if o.run {
		o.held = &heldBodies{}
	}

	// Bodies that a FIRRTL file carries become files, which yosys reads like the others.
	d, notes, err := readFiles(files, o.bodies, o)
	if err == nil && o.held.missing(d) {
		var remove func()
		bodies, remove, err = o.held.add(d, bodies)
		defer remove()
	}
	if err == nil && len(bodies) > 0 {
		err = giveBodies(d, bodies, o.verilog)
	}
	if err == nil && (o.bodies || o.held.loose()) {
		err = derived.Resolve(d) // a body may make a clock
	}
	return d, notes, err
}

// ReadFIRRTL reads a design from a FIRRTL file, and the annotations beside it; top is its main module
// if it is empty. The notes tell of parts left out.
func ReadFIRRTL(file, top string) (d *ir.Design, notes []string, err error) {
	return readDesign([]string{file}, readOptions{top: top})
}

func readFiles(files []string, bodies bool, o readOptions) (*ir.Design, []string, error) {
	ext := filepath.Ext(files[0])
	var known []string
	for _, r := range readers {
		for _, e := range r.exts {
			if known = append(known, e); e != ext {
				continue
			}

			// All files must be of the first one's kind.
			if !r.many && len(files) > 1 {
				return nil, nil, usagef("one %s file is read at a time", e)
			}
			for _, f := range files {
				if !slices.Contains(r.exts, filepath.Ext(f)) {
					return nil, nil, usagef("%s is not %s as %s is", f, r.doc, files[0])
				}
			}
			if r.doc == "Verilog" {
				if err := regular(files); err != nil {
					return nil, nil, err
				}
			}
			if flag := o.verilog.besides(bodies); flag != "" && r.doc != "Verilog" {
				return nil, nil, usagef("%s is for Verilog; %s is %s", flag, files[0], r.doc)
			}
			if r.doc != "Verilog" { // yosys tells its own
				defer progress(o.verilog.err, "reads "+files[0])()
			}
			return r.read(files, o)
		}
	}
	return nil, nil, usagef("%s: files of type %q are not read; there are %s", files[0], ext, strings.Join(known, ", "))
}

// regular refuses anything but a regular file of bounded size, for tools that read files
// themselves.
func regular(files []string) error {
	for _, f := range files {
		info, err := os.Stat(f)

		switch {
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is not a regular file", f)
		case info.Size() > maxText:
			return fmt.Errorf("%s: more than %s", f, input.Size(maxText))
		}
	}
	return nil
}

func readFIRRTL(files []string, o readOptions) (*ir.Design, []string, error) {
	f, err := os.Open(files[0])
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()

	// Files that the text names, as contents of memories, are beside it.
	beside := func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(files[0]), name)
		}
		return input.ReadFile(name, maxText)
	}
	options := firrtl.ReadOptions{Top: o.top, File: beside, KeepClocks: o.bodies}
	if o.held != nil {
		options.KeepClocks, options.Body, o.held.fir = true, o.held.tell, true
	}

	// Chisel up to 3.6 writes name.anno.json beside name.fir: to pass over it would
	// be to run another circuit.
	annos := strings.TrimSuffix(files[0], filepath.Ext(files[0])) + ".anno.json"
	if text, err := input.ReadFile(annos, maxText); err == nil {
		options.Annotations, options.AnnotationsName = string(text), annos
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}

	d, found, err := firrtl.Read(f, files[0], options)
	var notes []string
	for _, n := range found {
		notes = append(notes, n.String())
	}
	return d, notes, err
}

func readNetlist(files []string, o readOptions) (*ir.Design, []string, error) {
	f, err := os.Open(files[0])
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	d, err := text.Parse(f, files[0])
	if err == nil {
		err = ir.Verify(d)
	}
	if err != nil {
		return nil, nil, err
	}

	// Another top is a module of the file.
	if o.top == "" || d.Top.Name == o.top {
		return d, nil, nil
	}
	var names []string
	for _, m := range d.Modules {
		if names = append(names, m.Name); m.Name == o.top {
			d.Top = m
			return d, nil, nil
		}
	}
	return nil, nil, fmt.Errorf("%s: there is no module %s%s", files[0], o.top, suggestion(o.top, names))
}

// maxText bounds the files that are read whole: annotations, the contents of
// memories, bodies of black boxes.
const maxText = 1 << 30

// extensions lists the extensions of readable files, for usage texts.
func extensions() string {
	var all []string
	for _, r := range readers {
		all = append(all, r.exts...)
	}
	return strings.Join(all, ", ")
}
