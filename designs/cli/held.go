package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"etch/ir"
)

// heldBodies is Verilog of black boxes that stands in annotations of a FIRRTL file.
// nil holds none.
type heldBodies struct {
	files []File
	fir   bool // the design is of FIRRTL, with its clocks as they are
}

// tell is told of a file.
func (h *heldBodies) tell(file, text string) {
	h.files = append(h.files, File{filepath.Base(file), []byte(text)})
}

// loose reports whether clocks are still to be resolved.
func (h *heldBodies) loose() bool { return h != nil && h.fir }

// missing reports whether d has a black box without a body, for which there may be
// one here.
func (h *heldBodies) missing(d *ir.Design) bool {
	return h != nil && len(h.files) > 0 && slices.ContainsFunc(d.Modules, func(m *ir.Module) bool { return m.Extern != nil && !m.Extern.Model })
}

// add puts the files with modules of d's black boxes that others do not define into a
// folder, which remove takes away, and returns them with those others.
func (h *heldBodies) add(d *ir.Design, others []string) (all []string, remove func(), err error) {
	remove = func() {}

	// Modules that the other files define need no body here.
	defined := map[string]bool{}
	for _, file := range others {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, remove, err
		}
		for _, m := range moduleWord.FindAllSubmatch(text, -1) {
			defined[string(m[1])] = true
		}
	}

	// Bodies are needed for black boxes without a model,
	wanted := map[string]bool{}
	for _, m := range d.Modules {
		if m.Extern != nil && !m.Extern.Model {
			wanted[m.Extern.Module] = true
		}
	}

	// and of the held files those that define one first. They go into a folder of their own.
	dir := ""
	for i, f := range h.files {
		needed := false
		for _, m := range moduleWord.FindAllSubmatch(f.Data, -1) {
			needed = needed || wanted[string(m[1])] && !defined[string(m[1])]
		}
		if !needed {
			continue
		}
		for _, m := range moduleWord.FindAllSubmatch(f.Data, -1) {
			defined[string(m[1])] = true
		}
		if dir == "" {
			if dir, err = os.MkdirTemp("", "etch-bodies"); err != nil {
				return nil, remove, err
			}
			remove = func() { os.RemoveAll(dir) }
		}
		path := filepath.Join(dir, fmt.Sprintf("%d-%s", i, f.Name))
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			return nil, remove, err
		}
		others = append(slices.Clip(others), path)
	}
	return others, remove, nil
}
