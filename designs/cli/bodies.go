package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"etch/ir"
	"etch/testbench/extern"
)

// verilogExts are the endings of Verilog files.
var verilogExts = []string{".v", ".sv"}

func isVerilog(file string) bool { return slices.Contains(verilogExts, filepath.Ext(file)) }

// withoutBodies takes Verilog files off the end of a list that begins with another
// kind: they are the bodies of that design's black boxes.
func withoutBodies(files []string) (design, bodies []string) {
	n := len(files)
	for !isVerilog(files[0]) && n > 1 && isVerilog(files[n-1]) {
		n--
	}
	return files[:n], files[n:]
}

// bodiless is an error for a black box of d that nothing can simulate.
func bodiless(d *ir.Design, files []string) error {
	for _, m := range d.Modules {
		if m.Extern != nil && !m.Extern.Model {
			return fmt.Errorf("black box %s has no body: name the Verilog file of its module %s behind %s", m.Name, m.Extern.Module, files[0])
		}
	}
	return nil
}

var moduleWord = regexp.MustCompile(`\bmodule\s+\\?([A-Za-z_][\w$]*)`)

// giveBodies gives the black boxes of d the Verilog files that have their modules,
// and has all boxes whose files are known read, with the flags that are for bodies.
func giveBodies(d *ir.Design, files []string, v *VerilogFlags) error {
	if err := regular(files); err != nil {
		return err
	}

	// Modules are found by their keyword: parsing Verilog is left to yosys.
	var defined []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, m := range moduleWord.FindAllSubmatch(text, -1) {
			defined = append(defined, string(m[1]))
		}
	}

	// A black box gets the files if one of them has its module.
	given := false
	var boxes []string
	for _, m := range d.Modules {
		if m.Extern == nil || m.Extern.Model {
			continue
		}
		if boxes = append(boxes, m.Extern.Module); slices.Contains(defined, m.Extern.Module) {
			m.Extern.Files, given = slices.Clone(files), true
		}
	}

	// Files for nothing are a mistake: name the black boxes there are.
	if len(files) > 0 && !given {
		slices.Sort(boxes)
		has := "which has none"
		if boxes = slices.Compact(boxes); len(boxes) > 0 {
			has = "which has " + strings.Join(boxes[:min(len(boxes), maxNotes)], ", ")
		}
		return fmt.Errorf("%s: no module there is a black box of %s, %s", strings.Join(files, ", "), d.Top.Name, has)
	}

	// Boxes that name files of their own are read as well.
	ctx, stop := Interruptible()
	defer stop()
	if given {
		defer progress(v.err, "yosys reads "+shortList(files))()
	}
	return Interrupted(ctx, extern.Attach(ctx, d, v.source))
}
