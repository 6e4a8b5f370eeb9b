package firrtl

import (
	"bytes"
	"encoding/json"

	"etch/ir"
)

// annotation has the fields of all classes that are written; empty fields are left out.
type annotation struct {
	Class       string `json:"class"`
	Target      string `json:"target"`
	Filename    string `json:"filename,omitempty"`    // of a memory's contents
	HexOrBinary string `json:"hexOrBinary,omitempty"` // of that file
	Name        string `json:"name,omitempty"`        // of a black box's file
	Text        string `json:"text,omitempty"`        // of that file
	Description string `json:"description,omitempty"` // an attribute as Verilog has it
}

// annotations prints, inside the circuit, the facts for which FIRRTL has no statements: the
// files that initialise memories, the Verilog of the boxes of pads, and attributes.
func (p *module) annotations(d *ir.Design) {
	// The first annotation opens the list: without any there are no brackets.
	first := true
	add := func(a annotation) {
		if first {
			p.str("%[[")
		} else {
			p.str(",")
		}
		first = false
		p.nl()

		// Encode adds a line end, which the next annotation begins with.
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false) // targets have a >
		if err := e.Encode(a); err != nil {
			panic(err) // strings always marshal
		}
		p.str("  " + string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
	}

	// A target is ~circuit|module>object.
	circuit := "~" + p.modName(d.Top) + "|"
	p.eachFile(d, func(m *ir.Module, _ *ir.Memory, name string, _, _ int) {
		add(annotation{Class: "firrtl.annotations.MemoryFileInlineAnnotation", Filename: p.dataFile(m, name), HexOrBinary: "h",
			Target: circuit + p.modName(m) + ">" + name})
	})

	for _, c := range p.cellList {
		add(annotation{Class: "firrtl.transforms.BlackBoxInlineAnno", Target: circuit + p.cellNames[c],
			Name: c.kind.String() + ".v", Text: c.kind.Verilog()})
	}

	for _, m := range reached(d) {
		p.attributes(m, circuit, add)
	}

	if !first {
		p.nl()
		p.str("]]")
	}
}
