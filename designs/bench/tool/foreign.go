package tool

import (
	"context"
	"strconv"
	"strings"

	"etch/backends/yosys"
	"etch/designs/bench"
	"etch/designs/cli"
	"etch/ir"
	"etch/testbench/tools"
)

// foreign is the user's own Verilog as the flags name it.
type foreign struct {
	files, top, resets string
	sets               []string
	source             yosys.Source
}

func newForeign(f flags) *foreign {
	x := &foreign{}
	f.StringVar(&x.files, "verilog", "", "race the Verilog of these `files`, comma-separated, in place of the designs")
	f.StringVar(&x.top, "top", "", "`module` of -verilog that runs")
	f.StringVar(&x.resets, "reset", "", "`inputs` of it that reset it, comma-separated, ! before those that are low-active; by their names without it")

	f.Func("set", "give an input of it a constant, `PORT=NUMBER`; may be repeated", func(s string) error {
		x.sets = append(x.sets, s)
		return nil
	})
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

// design reads the files.
func (x *foreign) design(ctx context.Context) (bench.Design, error) {
	if x.top == "" {
		return bench.Design{}, cli.Usagef("-top is missing")
	}

	yosysTool, err := tools.Find("yosys")
	if err != nil {
		return bench.Design{}, err
	}
	x.source.Files, x.source.Top = strings.Split(x.files, ","), x.top
	body, err := yosys.Read(ctx, yosysTool.Command, x.source)
	if err != nil {
		return bench.Design{}, err
	}

	f := bench.Foreign{Name: x.top, Body: body, Inputs: map[string]uint64{},
		Extern: ir.Extern{Module: x.top, Files: x.source.Files, Params: x.source.Params}}
	if x.resets != "" {
		f.Reset = strings.Split(x.resets, ",")
	}

	// Numbers may have a prefix, 0x or 0b.
	for _, s := range x.sets {
		name, digits, _ := strings.Cut(s, "=")
		v, err := strconv.ParseUint(digits, 0, 64)
		if err != nil {
			return bench.Design{}, cli.Usagef("-set %s: %q is not a number", name, digits)
		}
		f.Inputs[name] = v
	}
	for _, d := range x.source.Defines {
		f.Args = append(f.Args, "-D"+d)
	}
	for _, d := range x.source.Include {
		f.Args = append(f.Args, "-I"+d)
	}
	return f.Design()
}
