package cli

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"etch/backends/firrtl"
	"etch/backends/verilog"
	"etch/hw"
	"etch/hw/axi"
	"etch/ir"
	"etch/ir/text"
	"etch/passes"
)

var exportCommand = Command{
	Name: "export", Usage: "DESIGN [-p name=value]… [-clock PORT=FREQUENCY]… [-o DIR] [-strict] [-split] [-memfiles] [-src] [-zero] [-positions=false] [-lutram=false] [-O] [-flatten]",
	Doc:      "writes a design as Verilog with constraints, as FIRRTL and as netlist text, and the registers of a host port as a header for C and a table",
	Examples: []string{"export uart -p clocks_per_bit=104 -o build", "export crossing -clock from=100MHz -clock to=25MHz -o build", "export dwc -O -flatten -o build"},
	Run: func(app *App, args []string, out Output) error {
		f := NewFlags("export", out)
		given, dir := f.Values(), f.String("o", ".", "`folder` to write to")
		strict := f.Bool("strict", false, "warnings, of values that nothing reads, are errors")
		as := f.verilogText()
		clocks := f.periods()
		optimised := f.optimised()

		// Warnings are about the design as it was written, before the passes.
		d, net, err := app.built(f, args, given)
		if err != nil {
			return err
		}
		if err := warn(out, d.Name, net, *strict); err != nil {
			return err
		}
		net = optimised(net)
		files, err := ExportedAs(net, as())
		if err != nil {
			return err
		}

		// Beside the netlists: constraints of the clocks, and the registers of a host port.
		xdc, sdc, err := verilog.Constraints(net, *clocks)
		if err != nil {
			return err
		}
		if xdc != nil {
			files = append(files, File{net.Top.Name + ".xdc", xdc}, File{net.Top.Name + ".sdc", sdc})
		}
		if d.Registers != nil {
			regs, err := d.Registers(given)
			if err != nil {
				return err
			}
			files = append(files, registerFiles(d.Name, regs)...)
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

// built parses args, which name one design beside the flags, and builds that design with the given
// values.
func (app *App) built(f *Flags, args []string, given Values) (Design, *ir.Design, error) {
	pos, err := f.Positional(args, "DESIGN")
	if err != nil {
		return Design{}, nil, err
	}
	d, err := app.Design(pos[0])
	if err != nil {
		return Design{}, nil, err
	}
	net, err := d.built(given, f.err)
	return d, net, err
}

// optimised defines the flags for the passes over the netlist; the function that runs the
// ones asked for is known after parsing.
func (f *Flags) optimised() func(d *ir.Design) *ir.Design {
	on := f.Bool("O", false, "run the passes of package passes first: constants, widths, tables, equal and unread values")
	flatten := f.Bool("flatten", false, "make one module of the hierarchy, with -O")
	return func(d *ir.Design) *ir.Design {
		if !*on && !*flatten {
			return d
		}
		return passes.Optimize(d, passes.Options{Flatten: *flatten})
	}
}

// registerFiles are the registers of a host port for software and for readers. Names in
// the header begin with the design's, as the files do.
func registerFiles(design string, regs axi.Map) []File {
	return []File{
		{design + "_registers.h", []byte(regs.Header(design))},
		{design + "_registers.md", []byte("# Registers of " + design + "\n32-bit words by byte address.\n\n" + regs.Table())},
	}
}

// warn prints the warnings of a design; with strict they are the error.
func warn(out Output, name string, d *ir.Design, strict bool) error {
	warnings := hw.Warnings(d)
	switch {
	case len(warnings) == 0:
		return nil
	case strict:
		return warnings
	}
	count := fmt.Sprintf("%d warnings", len(warnings))
	if len(warnings) == 1 {
		count = "1 warning"
	}
	text := fmt.Sprintf("%s: %s; hw.Unused(m, …) marks a value as meant to be unread\n%v", name, count, warnings)
	fmt.Fprintln(out.Err, painted(out.Err, text))
	return nil
}

// periods defines the repeatable flag -clock; the clocks are known after parsing.
func (f *Flags) periods() *[]verilog.Period {
	var clocks []verilog.Period
	f.Func("clock", "the frequency of a clock for constraints, `PORT=100MHz`; may be repeated", func(s string) error {
		p, ok := periodOf(s)
		if !ok {
			return fmt.Errorf("%q is not a clock; want clk=100MHz, with kHz, MHz or GHz", s)
		}

		if slices.ContainsFunc(clocks, func(q verilog.Period) bool { return q.Port == p.Port }) {
			return fmt.Errorf("%s is given twice", p.Port)
		}

		clocks = append(clocks, p)
		return nil
	})
	return &clocks
}

// periodOf reads a clock like clk=100MHz, whose period is at least a picosecond.
func periodOf(s string) (p verilog.Period, ok bool) {
	port, rate, _ := strings.Cut(s, "=")
	for _, unit := range []struct {
		name string
		ns   float64
	}{{"GHz", 1}, {"MHz", 1e3}, {"kHz", 1e6}} {
		// A rate is a number and its unit without a blank; a period below a picosecond is no clock.
		digits, is := strings.CutSuffix(rate, unit.name)
		if !is {
			continue
		}
		v, err := strconv.ParseFloat(digits, 64)
		ns := unit.ns / v
		return verilog.Period{Port: port, NS: ns}, port != "" && err == nil && v > 0 && ns >= 0.001 && !math.IsInf(ns, 0)
	}
	return p, false
}

// Exported is a design as files: TOP.v, TOP.etch and, unless it has latches or pads, TOP.fir,
// with the files that the memories of the last start from.
func Exported(d *ir.Design) ([]File, error) { return ExportedAs(d, Form{}) }

// Form is the form of exported Verilog.
type Form struct {
	verilog.Options
	Split bool // one file a module, called after it
}

// verilogText defines the flags for the form of Verilog; the form is known after
// parsing.
func (f *Flags) verilogText() func() Form {
	positions := f.Bool("positions", true, "end lines of the Verilog with the lines of Go that they come from")
	src := f.Bool("src", false, "write the attribute src, from which yosys and nextpnr name lines of Go")
	split := f.Bool("split", false, "write one Verilog file a module")
	memFiles := f.Bool("memfiles", false, "write the contents of memories as files for $readmemh")
	lutRAM := f.Bool("lutram", true, "let small memories become RAM in look-up tables; false for families without, such as iCE40")
	zero := f.Bool("zero", false, "start all state of the Verilog that the design leaves open as 0")
	return func() Form {
		return Form{verilog.Options{NoPositions: !*positions, Src: *src, MemFiles: *memFiles, NoLUTRAM: !*lutRAM, Zero: *zero}, *split}
	}
}

// files is a design as files of Verilog and of the contents of memories.
func (as Form) files(d *ir.Design) (list []File, err error) {
	// One file for each module, or one for all with the contents of memories beside it.
	var found []verilog.File
	if as.Split {
		if found, err = verilog.Files(d, as.Options); err != nil {
			return nil, err
		}
	} else {
		v, err := verilog.Text(d, as.Options)
		if err != nil {
			return nil, err
		}
		found = append([]verilog.File{{Name: verilog.TopName(d) + ".v", Data: v}}, verilog.DataFiles(d, as.Options)...)
	}

	for _, f := range found {
		list = append(list, File(f))
	}
	return list, nil
}

// ExportedAs is Exported with Verilog in a form of choice.
func ExportedAs(d *ir.Design, as Form) ([]File, error) {
	files, err := as.files(d)
	if err != nil {
		return nil, err
	}
	var net bytes.Buffer
	if err := text.Print(&net, d); err != nil {
		return nil, err
	}

	files = append(files, File{d.Top.Name + ".etch", net.Bytes()})

	// FIRRTL has no latches: such a design is written without it.
	fir, err := firrtl.Text(d, firrtl.Options{})
	switch {
	case errors.Is(err, firrtl.ErrLatch): // a note says so
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
