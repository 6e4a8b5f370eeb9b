package cli

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"etch/backends/verilog"
	"etch/ir"
)

var reportCommand = Command{
	Name: "report", Usage: "DESIGN [-p name=value]… [-json] [-yosys=false] [-family NAME] [-O] [-flatten] [-o DIR]",
	Doc:      "counts ops, registers, memory bits and logic depth, and yosys's cells where yosys is installed; with -O before and after the passes",
	Examples: []string{"report gae_row -family xcup", "report fifo -p depth=64 -yosys=false -json"},
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("report", out)
		given := f.Values()
		asJSON := f.Bool("json", false, "print one JSON document")
		withYosys := f.Bool("yosys", true, "let yosys count, where it is installed")
		family := f.String("family", family, "`family` of FPGAs that yosys counts for, one that its synth_xilinx knows: xc7, xcup, …")
		optimised := f.optimised()
		dir := f.String("o", "", "`folder` for plots, where a design has some")
		pos, err := f.Positional(args, "DESIGN")
		if err != nil {
			return err
		}
		if !familyName.MatchString(*family) {
			return usagef("family %q is no name of letters and digits", *family)
		}
		d, err := app.Design(pos[0])
		if err != nil {
			return err
		}
		working := NewProgress(out.Err, "counts "+d.Name)
		r, text, err := d.report(given, optimised, *withYosys, *family, *dir)
		working.End()
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

// familyName is a name that is safe in a script of yosys.
var familyName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// Report is the report of a design.
type Report struct {
	Stats
	Yosys     *Cells  `json:"yosys,omitempty"`
	Optimised *Report `json:"optimised,omitempty"` // after the passes, with -O
	Own       any     `json:"own,omitempty"`
}

func (d Design) report(given Values, optimised func(*ir.Design) *ir.Design, withYosys bool, family, dir string) (*Report, []byte, error) {
	net, err := d.Build(given)
	if err != nil {
		return nil, nil, err
	}

	// Counts of the netlist as it was built, of the optimised one, and the design's own part.
	var w bytes.Buffer
	r, err := reportOf(net, withYosys, family, &w)
	if err != nil {
		return nil, nil, err
	}
	if small := optimised(net); small != net {
		fmt.Fprintln(&w, "after the passes:")
		if r.Optimised, err = reportOf(small, withYosys, family, &w); err != nil {
			return nil, nil, err
		}
	}
	if d.Report != nil {
		if r.Own, err = d.Report(given, &w, dir); err != nil {
			return nil, nil, err
		}
	}
	return r, w.Bytes(), nil
}

// reportOf counts a netlist, and prints the counts.
func reportOf(net *ir.Design, withYosys bool, family string, w io.Writer) (r *Report, err error) {
	r = &Report{}
	if r.Stats, err = StatsOf(net); err != nil {
		return nil, err
	}
	r.Stats.print(w)
	if !withYosys {
		return r, nil
	}

	// Without yosys the report has the counts of the netlist alone.
	if cells, err := YosysFor(family, net, true); err != nil {
		fmt.Fprintf(w, "no yosys counts: %v\n", err)
	} else if c, ok := cells[verilog.TopName(net)]; ok {
		r.Yosys = &c
		fmt.Fprintf(w, "yosys synth_xilinx -family %s -flatten: %v\n", family, c)
	}
	return r, nil
}

func (s *Stats) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d modules, %d instances\n", s.Design, s.Modules, s.Instances)
	fmt.Fprintf(w, "ops %d, registers %d (%d bits), memories %d (%d bits), logic depth %d ops\n",
		s.Ops, s.Registers, s.RegisterBits, s.Memories, s.MemoryBits, s.LogicDepth)
	for _, op := range sorted(s.ByOp) {
		fmt.Fprintf(w, "  %-9s %d\n", op, s.ByOp[op])
	}
}
