package benchtool

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"etch/backends/yosys"
	"etch/designs/bench"
	"etch/designs/bench/rival"
	"etch/designs/cli"
	"etch/ir"
	"etch/testbench/tools"
)

// foreign is the user's own Verilog or FIRRTL as the flags name it.
type foreign struct {
	files, firrtl, top, resets string
	sets, mems                 []string
	hold                       uint
	source                     yosys.Source
	gsimArgs                   string
	statements                 bool          // of -firrtl run
	core                       *rival.Core   // of -firrtl, for GSIM and firtool
	whole                      bench.Foreign // the same for etch
}

func newForeign(f flags) *foreign {
	x := &foreign{}
	f.StringVar(&x.files, "verilog", "", "race the Verilog of these `files`, comma-separated, in place of the designs")
	f.StringVar(&x.firrtl, "firrtl", "", "race the FIRRTL of this `file` in place of the designs")
	f.StringVar(&x.top, "top", "", "`module` of -verilog or -firrtl that runs; of -firrtl the main one without it")
	f.UintVar(&x.hold, "hold", 10, "`cycles` for which the resets of -firrtl stay high")
	f.Func("mem", "load a memory of -firrtl from a hex file, or a .bin file of raw bytes, `NAME=FILE`; may be repeated", func(s string) error {
		x.mems = append(x.mems, s)
		return nil
	})
	f.StringVar(&x.gsimArgs, "gsim-args", "", "`arguments` of GSIM for -firrtl, such as --supernode-max-size=90")
	f.BoolVar(&x.statements, "statements", true, "run assertions, prints and other statements of -firrtl; GSIM cannot leave them out")
	f.StringVar(&x.resets, "reset-inputs", "", "`inputs` of it that reset it, comma-separated, ! before those that are low-active; by their names without it")

	f.Func("set", "give an input of it a constant, `PORT=NUMBER`; may be repeated", func(s string) error {
		x.sets = append(x.sets, s)
		return nil
	})

	// The rest is of Verilog alone, for yosys and Verilator alike.
	f.Func("param", "give it a parameter, `NAME=VALUE`; may be repeated", func(s string) error {
		name, v, _ := strings.Cut(s, "=")
		x.source.Params = append(x.source.Params, ir.Param{Name: name, Value: v})
		return nil
	})
	f.Func("define", "define a macro, `NAME[=VALUE]`; may be repeated", func(s string) error {
		x.source.Defines = append(x.source.Defines, s)
		return nil
	})
	f.Func("include", "look for included files in a `folder`; may be repeated", func(s string) error {
		x.source.Include = append(x.source.Include, s)
		return nil
	})
	return x
}

// given reports whether there is a design by flags.
func (x *foreign) given() bool { return x.files != "" || x.firrtl != "" }

// design reads the files.
func (x *foreign) design(ctx context.Context, log io.Writer) (bench.Design, error) {
	switch {
	case x.files != "" && x.firrtl != "":
		return bench.Design{}, cli.Usagef("-verilog and -firrtl exclude each other")
	case x.firrtl != "":
		return x.ofFIRRTL(log)
	case len(x.mems) > 0:
		return bench.Design{}, cli.Usagef("-mem goes with -firrtl")
	case x.gsimArgs != "":
		return bench.Design{}, cli.Usagef("-gsim-args goes with -firrtl")
	case !x.statements:
		return bench.Design{}, cli.Usagef("-statements=false goes with -firrtl")
	}
	if x.top == "" {
		return bench.Design{}, cli.Usagef("-top is missing")
	}

	yosysTool, err := tools.Find("yosys")
	if err != nil {
		return bench.Design{}, err
	}

	// yosys makes the netlist that etch runs.
	x.source.Files, x.source.Top = strings.Split(x.files, ","), x.top
	body, err := yosys.Read(ctx, yosysTool.Command, x.source)
	if err != nil {
		return bench.Design{}, err
	}

	f := bench.Foreign{Name: x.top, Body: body, Inputs: map[string]uint64{},
		Extern: ir.Extern{Module: x.top, Files: x.source.Files, Params: x.source.Params}}
	if err := x.inputs(&f); err != nil {
		return bench.Design{}, err
	}

	// Verilator reads the files with the macros and folders that yosys had.
	for _, d := range x.source.Defines {
		f.Args = append(f.Args, "-D"+d)
	}
	for _, d := range x.source.Include {
		f.Args = append(f.Args, "-I"+d)
	}
	return f.Design()
}

// inputs sets the resets and constant inputs.
func (x *foreign) inputs(f *bench.Foreign) error {
	if x.resets != "" {
		f.Reset = strings.Split(x.resets, ",")
	}
	for _, s := range x.sets {
		name, digits, _ := strings.Cut(s, "=")
		v, err := strconv.ParseUint(digits, 0, 64)
		if err != nil {
			return cli.Usagef("-set %s: %q is not a number", name, digits)
		}
		f.Inputs[name] = v
	}
	return nil
}

// ofFIRRTL reads a FIRRTL file and the contents of its memories.
func (x *foreign) ofFIRRTL(log io.Writer) (bench.Design, error) {
	if x.hold > 255 {
		return bench.Design{}, cli.Usagef("-hold: at most 255 cycles")
	}
	body, notes, err := cli.ReadFIRRTL(x.firrtl, x.top)
	if err != nil {
		return bench.Design{}, err
	}

	for _, n := range notes {
		fmt.Fprintln(log, "note:", n)
	}

	// Contents of memories are part of the design, so that Verilator has them too.
	core := &rival.Core{File: x.firrtl, Top: body.Top, Hold: int(x.hold), Args: strings.Fields(x.gsimArgs)}
	for _, s := range x.mems {
		name, file, ok := strings.Cut(s, "=")
		if !ok {
			return bench.Design{}, cli.Usagef("-mem %s: want NAME=FILE", s)
		}
		m, mem, err := bench.Load(body, name, file)
		if err != nil {
			return bench.Design{}, fmt.Errorf("-mem: %w", err)
		}
		fill(core, body, m, mem)
	}

	// The same module for etch, and for the rivals that read the file themselves.
	f := bench.Foreign{Name: body.Top.Name, Body: body, Inputs: map[string]uint64{}, Extern: ir.Extern{Module: body.Top.Name}, Hold: int(x.hold), Silent: !x.statements}
	for i := range core.Memories {
		f.Looks = append(f.Looks, core.Memories[i].Path)
	}
	if err := x.inputs(&f); err != nil {
		return bench.Design{}, err
	}
	if err := driven(core, f); err != nil {
		return bench.Design{}, err
	}
	x.core, x.whole = core, f
	return f.Design()
}
