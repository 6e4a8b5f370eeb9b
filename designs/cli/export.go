package cli

import (
	"bytes"
	"fmt"
	"path/filepath"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/text"
)

var exportCommand = Command{
	Name: "export", Usage: "DESIGN [-p name=value]… [-o DIR]", Doc: "writes a design as Verilog and as netlist text",
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
		return nil
	},
}

// Exported is a design as files: TOP.v and TOP.etch.
func Exported(d *ir.Design) ([]File, error) {
	v, err := verilog.Text(d, verilog.Options{})
	if err != nil {
		return nil, err
	}
	var net bytes.Buffer
	if err := text.Print(&net, d); err != nil {
		return nil, err
	}
	return []File{{d.Top.Name + ".v", v}, {d.Top.Name + ".etch", net.Bytes()}}, nil
}
