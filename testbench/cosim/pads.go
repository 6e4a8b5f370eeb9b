package cosim

import (
	"fmt"
	"strings"

	"etch/ir"
	"etch/ir/pads"
)

// pad is an inout port of the Verilog. The lowered design has three ports for it (package
// ir/pads): an output, the value of its wire, and two inputs, the value and enable of the test's
// driver. The shell drives the wire with these.
type pad struct {
	port          int
	value, enable field
	holds         bool // the design has a pull for it
}

// isDriven reports whether an output is the flag that the design drives a pad.
func isDriven(top *ir.Module, name string) bool {
	base, ok := strings.CutSuffix(name, pads.Driven(""))
	return ok && top.PortIndex(base) >= 0 && top.PortIndex(pads.Enable(base)) >= 0
}

// layoutOf returns the layout of the lowered design that the simulator runs.
func layoutOf(d *ir.Design) (layout, error) {
	l, err := newLayout(pads.Lower(d).Top)
	if err != nil {
		return l, err
	}

	in := map[string]field{}
	for _, f := range l.ins.fields {
		in[f.name] = f
	}
	for i, p := range d.Top.Ports {
		if p.Dir == ir.InOut {
			net := d.Top.Nets[d.Top.Node(p.Node).Aux]
			l.pads = append(l.pads, pad{i, in[pads.Value(p.Name)], in[pads.Enable(p.Name)], net.Pull != ir.PullNone})
		}
	}
	return l, nil
}

// wires declares the wires of the pads, each with the test as a driver. A wire without a pull is
// weakly low, as it reads as 0 in the simulator.
func (l *layout) wires(b *strings.Builder, conns []string) {
	for i, p := range l.pads {
		name, width := fmt.Sprintf("pad%d", i), p.value.width
		fmt.Fprintf(b, "  wire [%d:0] %s = stimulus[%d] ? stimulus[%d:%d] : %d'bz;\n",
			width-1, name, l.ins.low(p.enable), l.ins.low(p.value)+width-1, l.ins.low(p.value), width)
		// A pull of the design's is in its Verilog.
		for k := 0; k < width && !p.holds; k++ {
			fmt.Fprintf(b, "  pulldown (%s[%d]);\n", name, k)
		}

		// The lowered design's output for the pad reads the wire.
		for _, f := range l.outs.fields {
			if f.port == p.port {
				fmt.Fprintf(b, "  assign %s = %s;\n", conns[p.port], name)
			}
		}
		conns[p.port] = name
	}
}
