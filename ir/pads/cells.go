package pads

import (
	"strings"

	"etch/ir"
)

// CellKind is a small Verilog module that does one thing to a net. Some languages can
// connect nets but cannot drive or read them (FIRRTL's Analog). They instantiate these
// cells, by the name that String gives. Each has the parameter WIDTH.
type CellKind uint8

// The kinds.
const (
	DriveCell    CellKind = iota // drives Value while Enable is high
	ReadCell                     // gives the net as Value
	PullUpCell                   // holds the net high while nothing drives
	PullDownCell                 // holds the net low while nothing drives
	numCells
)

// The names of the cells' ports.
const (
	PadPort    = "pad"
	ValuePort  = "value"
	EnablePort = "enable"
)

var cellNames = [numCells]string{"etch_drive", "etch_read", "etch_pullup", "etch_pulldown"}

// String is the name of the module.
func (k CellKind) String() string { return cellNames[k] }

// CellOf is the kind of the cell whose module has that name.
func CellOf(module string) (k CellKind, ok bool) {
	for k, name := range cellNames {
		if name == module {
			return CellKind(k), true
		}
	}
	return 0, false
}

// PullCell is the cell for a pull; ok is false for PullNone.
func PullCell(p ir.Pull) (k CellKind, ok bool) {
	return PullUpCell + CellKind(p) - CellKind(ir.PullUp), p != ir.PullNone
}

// Pull is the pull of a cell, PullNone for others.
func (k CellKind) Pull() ir.Pull {
	if k < PullUpCell {
		return ir.PullNone
	}
	return ir.PullUp + ir.Pull(k-PullUpCell)
}

// CellPort is a port of a pad cell. Its width is the net's, but the enable has one bit.
type CellPort struct {
	Name string
	Dir  ir.Dir
}

// WidthOf is the width of the port on a net of width bits.
func (p CellPort) WidthOf(width int) int {
	if p.Name == EnablePort {
		return 1
	}
	return width
}

// Ports are the ports in their order, the pad first.
func (k CellKind) Ports() []CellPort {
	pad := CellPort{PadPort, ir.InOut}
	switch k {
	case DriveCell:
		return []CellPort{pad, {ValuePort, ir.In}, {EnablePort, ir.In}}
	case ReadCell:
		return []CellPort{pad, {ValuePort, ir.Out}}
	}
	return []CellPort{pad}
}

// Verilog is the text of the module. A pull is left out of synthesis, as in package
// verilog.
func (k CellKind) Verilog() string {
	var b strings.Builder
	// The ports.
	b.WriteString("module " + k.String() + " #(parameter WIDTH = 1) (\n")
	for i, p := range k.Ports() {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("  " + p.Dir.String() + " wire ")
		if p.Name != EnablePort {
			b.WriteString("[WIDTH-1:0] ")
		}
		b.WriteString(p.Name)
	}
	b.WriteString("\n);\n")

	// The body. pullup and pulldown are primitives of one bit each.
	switch k {
	case DriveCell:
		b.WriteString("  assign pad = enable ? value : {WIDTH{1'bz}};\n")
	case ReadCell:
		b.WriteString("  assign value = pad;\n")
	default:
		b.WriteString("`ifndef SYNTHESIS\n  genvar i;\n  generate\n    for (i = 0; i < WIDTH; i = i + 1) begin : each\n" +
			"      pull" + k.Pull().String() + " (pad[i]);\n    end\n  endgenerate\n`endif\n")
	}
	b.WriteString("endmodule\n")
	return b.String()
}
