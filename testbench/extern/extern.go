// Package extern makes black boxes ready for simulation: it finds yosys and has it read their
// Verilog files.
//
// It imports backends/yosys, testbench/tools and below; not testing.
package extern

import (
	"context"
	"fmt"
	"strings"

	"etch/backends/yosys"
	"etch/ir"
	"etch/testbench/tools"
)

// Attach gives every black box of d that has Verilog files and no model its body from these
// files, read with flags, see [yosys.Bodies]. It changes d, and does nothing without such a box.
// Errors: yosys is missing (with an explanation); the errors of yosys.Bodies.
func Attach(ctx context.Context, d *ir.Design, flags yosys.Source) error {
	var box *ir.Module
	for _, m := range d.Modules {
		if box == nil && yosys.NeedsBody(m) {
			box = m
		}
	}
	if box == nil {
		return nil
	}
	tool, err := tools.Find("yosys")
	if err != nil {
		return fmt.Errorf("black box %s can only be simulated with yosys, which reads its Verilog (%s), or with a model body: %w",
			box.Name, strings.Join(box.Extern.Files, ", "), err)
	}
	return yosys.Bodies(ctx, tool.Command, d, flags)
}
