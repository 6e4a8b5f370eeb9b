package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"etch/backends/firrtl"
	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/text"
)

var exportCommand = Command{
	Name: "export", Usage: "DESIGN [-p name=value]… [-o DIR]", Doc: "writes a design as Verilog, as FIRRTL and as netlist text",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("export", out)
		given, dir := f.Values(), f.String("o", ".", "`folder` to write to")
		pos, err := f.Positional(args, "DESIGN")
		if err != nil {
			return err
		}
		d, err := app.Design(pos[0])
		if err != nil {
			return err
		}
		net, err := d.Build(given)
		if err != nil {
			return err
		}
		files, err := Exported(net)
		if err != nil {
			return err
		}
		if err := WriteFiles(*dir, files...); err != nil {
			return err
		}
		for _, file := range files {
			fmt.Fprintln(out.Out, filepath.Join(*dir, file.Name))
		}
		printNotes(out, firrtl.Notes(net, firrtl.Options{}))
		return nil
	},
}

// Exported is a design as files: TOP.v, TOP.etch and, unless it has latches or pads, TOP.fir,
// with the files that the memories of the last start from.
func Exported(d *ir.Design) ([]File, error) {
	v, err := verilog.Text(d, verilog.Options{})
	if err != nil {
		return nil, err
	}
	var net bytes.Buffer
	if err := text.Print(&net, d); err != nil {
		return nil, err
	}
	files := []File{{d.Top.Name + ".v", v}, {d.Top.Name + ".etch", net.Bytes()}}
	fir, err := firrtl.Text(d, firrtl.Options{})
	switch {
	case errors.Is(err, firrtl.ErrLatch), errors.Is(err, firrtl.ErrPad): // a note says so
		return files, nil
	case err != nil:
		return nil, err
	}
	files = append(files, File{d.Top.Name + ".fir", fir})
	for _, f := range firrtl.DataFiles(d, firrtl.Options{}) {
		files = append(files, File(f))
	}
	return files, nil
}
