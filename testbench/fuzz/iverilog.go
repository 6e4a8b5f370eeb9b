package fuzz

import (
	"context"
	"fmt"

	"etch/ir"
)

const (
	harnessFile  = "harness.v"
	benchFile    = "bench.v"
	responseFile = "response.txt"
)

// icarusBench moves the circuits one after another.
const icarusBench = `module etch_fuzz_bench;
  reg [31:0] turn, step;
  reg rise = 0, show;
  %s all(turn, step, rise, show);
  initial begin
    turn = 32'hffffffff;
    step = 0;
    show = 0;
    #5;
    for (turn = 0; turn < %d; turn = turn + 1) begin
      for (step = 0; step < %d; step = step + 1) begin
        #5 show = 1;
        #5 show = 0;
        rise = 1;
        #5 rise = 0;
        #5 show = 1;
        #5 show = 0;
      end
      step = 0;
    end
    $finish(0);
  end
endmodule
`

// takesIcarus returns the reason why Icarus Verilog is not asked about a circuit. Version 11
// never ends the division of some constants of more than 64 bits, such as 129'h1 << 128.
func takesIcarus(c *Case) string {
	for _, m := range c.Design.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			switch m.Op(id) {
			// Only a constant dividend: others are divided while the simulation runs.
			case ir.Div, ir.DivS, ir.Rem, ir.RemS:
				if m.Width(id) > 64 && m.Op(m.Unwired(m.Args(id)[0])) == ir.Const {
					return "Icarus Verilog 11 divides some constants of more than 64 bits for ever"
				}
			}
		}
	}

	// The order of a latch and its data within one moment is open in Verilog.
	if hasty(c.Design) {
		return hastyLatch
	}
	return portableVerilog(c)
}

// runIcarus compiles a batch with all warnings on, none of which is accepted, and runs it
// circuit by circuit, so that the output of statements can be told apart.
func runIcarus(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error) {
	e, err := w.emit(ctx, cases)
	if err != nil {
		return nil, err
	}
	defer e.close()
	return e.icarus(true, func(cases []*Case) ([]Verdict, error) { return runIcarus(ctx, w, cases) })
}

// icarus compiles and runs the circuits in the seats. A circuit that the compiler names in a
// message gives up its seat, and the rest is compiled again; a failure without a name splits the
// batch, whose halves go to again.
func (e *emitted) icarus(strict bool, again func([]*Case) ([]Verdict, error)) ([]Verdict, error) {
	for {
		// Each turn writes the harness anew, for the circuits that still have seats.
		bench := fmt.Sprintf(icarusBench, allName, len(e.cases), mostSteps(e.seats))
		if err := e.write(harnessFile, harness(e.seats, true)); err != nil {
			return nil, err
		}
		if err := e.write(benchFile, []byte(bench)); err != nil {
			return nil, err
		}
		args := []string{e.standard(), "-s", "etch_fuzz_bench", "-o", "model", harnessFile, benchFile}
		if strict {
			args = append([]string{"-Wall", "-Wno-timescale"}, args...)
		}
		o, err := e.run("iverilog", "", append(args, e.files...)...)
		if err != nil {
			return nil, err
		}

		// A strict run takes a warning as a refusal.
		if !o.failed && (!strict || len(o.messages) == 0) {
			break
		}
		if !e.refuse(o) {
			if o.failed || strict {
				return halves(e.cases, o, again)
			}
			break
		}
	}

	// All texts are accepted: run the model.
	o, err := e.run("vvp", responseFile, "-n", "model")
	if err != nil {
		return nil, err
	}
	if o.failed {
		return halves(e.cases, o, again)
	}
	return e.judge(responseFile, strict)
}

// standard returns the flag of the Verilog version: the one that the emitter writes. A design
// with falling edges needs SystemVerilog, where a clock's change from x to its first 0 is no
// falling edge.
func (e *emitted) standard() string {
	for _, c := range e.cases {
		if falls(c.Design) {
			return "-g2012"
		}
	}

	// firtool and yosys write SystemVerilog.
	if e.systemVerilog {
		return "-g2012"
	}
	return "-g2005"
}

// falls reports whether a design has inverted clocks.
func falls(d *ir.Design) bool {
	for _, m := range d.Modules {
		// An inverted clock is a Not of the type of clocks.
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if m.Op(id) == ir.Not && m.TypeOf(m.Node(id).Type).Kind == ir.Clock {
				return true
			}
		}
	}
	return false
}
