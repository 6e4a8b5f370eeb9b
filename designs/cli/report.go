package cli

import (
	"bytes"
	"fmt"
	"io"
)

var reportCommand = Command{
	Name: "report", Usage: "DESIGN [-p name=value]… [-json] [-yosys=false] [-o DIR]",
	Doc: "counts ops, registers, memory bits and logic depth, and yosys's cells where yosys is installed",
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("report", out)
		given := f.Values()
		asJSON := f.Bool("json", false, "print one JSON document")
		withYosys := f.Bool("yosys", true, "let yosys count, where it is installed")
		dir := f.String("o", "", "`folder` for plots, where a design has some")
		pos, err := f.Positional(args, "DESIGN")
		if err != nil {
			return err
		}
		d, err := app.Design(pos[0])
		if err != nil {
			return err
		}
		r, text, err := d.report(given, *withYosys, *dir)
		if err != nil {
			return err
		}
		if *asJSON {
			return JSON(out.Out, r)
		}
		_, err = out.Out.Write(text)
		return err
	},
}

// Report is what etch report says of a design.
type Report struct {
	Stats
	Yosys *Cells `json:"yosys,omitempty"`
	Own   any    `json:"own,omitempty"`
}

func (d Design) report(given Values, withYosys bool, dir string) (*Report, []byte, error) {
	net, err := d.Build(given)
	if err != nil {
		return nil, nil, err
	}
	var w bytes.Buffer
	r := &Report{}
	if r.Stats, err = StatsOf(net); err != nil {
		return nil, nil, err
	}
	r.Stats.print(&w)
	if withYosys {
		if cells, err := Yosys(net, true); err != nil {
			fmt.Fprintf(&w, "no yosys counts: %v\n", err)
		} else if c, ok := cells[net.Top.Name]; ok {
			r.Yosys = &c
			fmt.Fprintf(&w, "yosys %s -flatten: %v\n", Synthesis, c)
		}
	}
	if d.Report != nil {
		if r.Own, err = d.Report(given, &w, dir); err != nil {
			return nil, nil, err
		}
	}
	return r, w.Bytes(), nil
}

func (s *Stats) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d modules, %d instances\n", s.Design, s.Modules, s.Instances)
	fmt.Fprintf(w, "ops %d, registers %d (%d bits), memories %d (%d bits), logic depth %d ops\n",
		s.Ops, s.Registers, s.RegisterBits, s.Memories, s.MemoryBits, s.LogicDepth)
	for _, op := range sorted(s.ByOp) {
		fmt.Fprintf(w, "  %-9s %d\n", op, s.ByOp[op])
	}
}
