package cli

import (
	"io"
	"strings"
	"time"

	"etch/backends/yosys"
	"etch/ir"
	"etch/testbench/tools"
)

// VerilogFlags are the flags of commands that read Verilog.
type VerilogFlags struct {
	source yosys.Source
	given  []string  // flags that were
	notes  []string  // of the files read
	err    io.Writer // for progress
}

// Verilog adds them.
func (f *Flags) Verilog() *VerilogFlags {
	v := &VerilogFlags{err: f.err}
	text := func(name, doc string, add func(s string) error) {
		f.Func(name, doc, func(s string) error {
			v.given = append(v.given, "-"+name)
			return add(s)
		})
	}

	// Each flag is noted, so that a reader of other files can refuse it.
	text("param", "Verilog: give the top a parameter, `NAME=VALUE`; may be repeated", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return usagef("%q has no =", s)
		}
		v.source.Params = append(v.source.Params, ir.Param{Name: name, Value: value})
		return nil
	})
	text("define", "Verilog: define a macro, `NAME[=VALUE]`; may be repeated", func(s string) error {
		v.source.Defines = append(v.source.Defines, s)
		return nil
	})
	text("include", "Verilog: look for included files in a `folder`; may be repeated", func(s string) error {
		v.source.Include = append(v.source.Include, s)
		return nil
	})

	f.BoolFunc("flatten", "Verilog: melt all modules into the top", func(string) error {
		v.given = append(v.given, "-flatten")
		v.source.Flatten = true
		return nil
	})
	if f.Lookup("time") == nil { // a proof has one for all that it does
		text("time", "Verilog: `time` that yosys gets at most (5m)", func(s string) (err error) {
			v.source.Time, err = time.ParseDuration(s)
			if err == nil && v.source.Time <= 0 {
				err = usagef("-time %s: want some time", s)
			}
			return err
		})
	}
	return v
}

// besides is the first flag given that is not for bodies of black boxes, or the
// first one if there are none.
func (v *VerilogFlags) besides(bodies bool) string {
	for _, f := range v.given {
		if !bodies || f != "-define" && f != "-include" && f != "-time" {
			return f
		}
	}
	return ""
}

// Read reads Verilog files by Yosys, which has to be installed. An interrupt ends Yosys too.
func (v *VerilogFlags) Read(files []string, top string) (*ir.Design, error) {
	tool, err := tools.Find("yosys")
	if err != nil {
		return nil, err
	}
	ctx, stop := Interruptible()
	defer stop()
	defer progress(v.err, "yosys reads "+shortList(files))()

	src := v.source
	src.Files, src.Top = files, top
	v.notes = nil
	src.Note = func(n string) { v.notes = append(v.notes, n) }
	d, err := yosys.Read(ctx, tool.Command, src)
	return d, Interrupted(ctx, err)
}

func readVerilog(files []string, o readOptions) (*ir.Design, []string, error) {
	d, err := o.verilog.Read(files, o.top)
	return d, o.verilog.notes, err
}
