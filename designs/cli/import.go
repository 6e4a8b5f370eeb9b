package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"etch/backends/firrtl"
	"etch/ir/input"
)

// ImportCommand reads a design from files and writes it as export does.
var ImportCommand = Command{
	Name: "import", Usage: "FILE… [BODY.v…] [-top NAME] [-o DIR] [-param NAME=VALUE]… [-define NAME]… [-include DIR]… [-flatten]",
	Doc:      "reads a design from files (FIRRTL: .fir, netlist text: .etch, either with the Verilog of black boxes behind it; Verilog: .v) and writes it as Verilog, FIRRTL and netlist text",
	Examples: []string{"import core.fir -o build", "import a.v b.v -top core -param WIDTH=16 -o build"},
	Run: func(_ *App, args []string, out Output) error {
		f := NewFlags("import", out)
		top, dir := f.String("top", "", "main module, `name`"), f.String("o", ".", "`folder` to write to")
		v := f.Verilog()
		files, err := f.rest(args)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return usagef("FILE is missing")
		}
		d, notes, err := readDesign(files, readOptions{top: *top, verilog: v})
		printNotes(out, notes)
		if err != nil {
			return err
		}
		written, err := Exported(d)
		if err != nil {
			return err
		}

		// import does not write over its source.
		written = slices.DeleteFunc(written, func(f File) bool { return isOneOf(filepath.Join(*dir, f.Name), files) })
		if err := WriteFiles(*dir, written...); err != nil {
			return err
		}
		for _, file := range written {
			fmt.Fprintln(out.Out, filepath.Join(*dir, file.Name))
		}
		printNotes(out, firrtl.Notes(d, firrtl.Options{}))
		return nil
	},
}

// isOneOf reports whether a path is one of the files that were read: import does
// not write over its source.
func isOneOf(path string, files []string) bool {
	at, err := os.Stat(path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(files, func(f string) bool {
		other, err := os.Stat(f)
		return err == nil && os.SameFile(at, other)
	})
}

// maxNotes is how many notes are shown.
const maxNotes = 20

func printNotes(out Output, notes []string) {
	for i, n := range notes {
		if i == maxNotes {
			fmt.Fprintf(out.Err, "and %d more notes\n", len(notes)-i)
			return
		}
		fmt.Fprintln(out.Err, "note:", input.Message(n))
	}
}
