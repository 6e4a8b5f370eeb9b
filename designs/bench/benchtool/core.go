package benchtool

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"

	"etch/backends/yosys"
	"etch/designs/bench"
	"etch/designs/bench/rival"
	"etch/ir"
)

// fill adds a memory with contents to a core, once for each instance of its module: they share the
// contents in etch and in firtool, but not in GSIM.
func fill(c *rival.Core, d *ir.Design, m *ir.Module, mem *ir.Memory) {
	for _, path := range bench.Instances(d, m) {
		name := mem.Name
		if path != "" {
			name = path + "." + name
		}
		found := slices.ContainsFunc(c.Memories, func(x rival.CoreMemory) bool { return x.Path == name })
		if !found {
			c.Memories = append(c.Memories, rival.CoreMemory{Path: name, Mem: mem})
		}
	}
}

// driven completes a core with the name of its circuit and the inputs of f.
func driven(c *rival.Core, f bench.Foreign) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	name := circuit.FindSubmatch(text)
	if name == nil {
		return fmt.Errorf("%s: no line names the circuit", c.File)
	}
	c.Circuit = string(name[1])

	// Resets by the same rules as in etch's design, so that both begin alike.
	resets, err := f.Resets(f.Body.Top)
	if err != nil {
		return err
	}
	c.Inputs = f.Inputs
	for _, p := range f.Body.Top.Ports {
		switch resets[p.Name] {
		case yosys.High:
			c.High = append(c.High, p.Name)
		case yosys.Low:
			c.Low = append(c.Low, p.Name)
		}
	}
	return nil
}

// circuit is the line of a FIRRTL file that names its main module.
var circuit = regexp.MustCompile("(?m)^\\s*circuit\\s+`?([\\w$]+)")

// form is a design in a form for Verilator.
type form struct {
	design *ir.Design
	args   []string
	by     string // behind the versions in the table
}

// otherForm is a core in the Verilog of firtool, which suits Verilator better than etch's for some
// cores and worse for others.
func (x *foreign) otherForm(ctx context.Context) (form, error) {
	if x.core.Circuit != x.core.Top.Name {
		return form{}, fmt.Errorf("firtool compiles the circuit's main module %s alone", x.core.Circuit)
	}
	file, err := x.core.Verilog(ctx)
	if err != nil {
		return form{}, err
	}

	// For Verilator the module is a black box that firtool's file fills.
	f := x.whole
	f.Extern.Files = []string{file}
	d, err := f.Boxed()
	return form{d, rival.FirtoolArgs(file, x.statements), ", Verilog of firtool"}, err
}

// another adds the form of a user's FIRRTL that firtool makes for Verilator.
func (o *settings) another(ctx context.Context, t *track) {
	if o.core() == nil || o.verilator == nil {
		return
	}

	// Without statements, Verilator would leave out of etch's Verilog what they alone look at.
	if !o.foreign.statements {
		t.forms, t.why = nil, errLater.Error()
	}
	if o.short {
		return
	}

	// Without firtool the race goes on, with a line about it.
	limited, cancel := context.WithTimeout(ctx, o.buildLimit)
	defer cancel()
	f, err := o.foreign.otherForm(limited)
	switch {
	case err == nil:
		t.forms, t.why = append(t.forms, f), ""
	case len(t.forms) == 0:
		t.why = err.Error()
	case ctx.Err() == nil:
		fmt.Fprintf(o.log, "%s: Verilator has etch's Verilog alone: %v\n", t.name, err)
	}
}

// gsimModel makes GSIM's model of a user's FIRRTL.
func (o *settings) gsimModel(ctx context.Context, t *track) {
	// A reason is told for a user's own FIRRTL only: GSIM reads nothing else.
	switch core := o.core(); {
	case core == nil:
		return
	case o.gsim == nil:
		t.whyGSIM = o.whyGSIM
		return
	case !o.foreign.statements:
		t.whyGSIM = "it runs statements"
		return
	case core.Circuit != core.Top.Name:
		t.whyGSIM = "it runs the circuit's main module " + core.Circuit + " alone"
		return
	}

	if m, err := o.buildGSIM(ctx, t); err != nil {
		t.whyGSIM = err.Error()
	} else {
		t.gsim = &racer{model: m}
	}
}

// buildGSIM makes GSIM's model or finds it. A short run makes none.
func (o *settings) buildGSIM(ctx context.Context, t *track) (*rival.Model, error) {
	if !o.gsim.Has(o.core()) {
		if o.short {
			return nil, errLater
		}
		fmt.Fprintf(o.log, "building %s with GSIM %s and %s\n", t.name, o.gsim.Version, o.gsim.Compiler)
	}
	return o.limited(ctx, t, o.buildLimit, func(ctx context.Context) (*rival.Model, error) { return o.gsim.Build(ctx, o.core()) })
}
