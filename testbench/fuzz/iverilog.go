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

// icarusBench has the circuits answer one after another.
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

// takesIcarus is the reason why Icarus Verilog is not asked about a circuit: version
// 11 divides some constants of more than 64 bits for ever, as 129'h1 << 128 by some
// values.
func takesIcarus(c *Case) string {
	for _, m := range c.Design.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			switch m.Op(id) {
			case ir.Div, ir.DivS, ir.Rem, ir.RemS:
				if m.Width(id) > 64 && m.Op(root(m, m.Args(id)[0])) == ir.Const {
					return "Icarus Verilog 11 divides some constants of more than 64 bits for ever"
				}
			}
		}
	}
	if hasty(c.Design) {
		return hastyLatch
	}
	return portableVerilog(c)
}

// runIcarus compiles a batch with all warnings on, none of which is fine, and runs
// it circuit by circuit, so that statements can be told apart.
func runIcarus(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error) {
	e, err := w.emit(ctx, cases)
	if err != nil {
		return nil, err
	}
	defer e.close()
	return e.icarus(true, func(cases []*Case) ([]Verdict, error) { return runIcarus(ctx, w, cases) })
}

// icarus runs what is in the seats; again judges some of the circuits anew.
func (e *emitted) icarus(strict bool, again func([]*Case) ([]Verdict, error)) ([]Verdict, error) {
	for {
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
	o, err := e.run("vvp", responseFile, "-n", "model")
	if err != nil {
		return nil, err
	}
	if o.failed {
		return halves(e.cases, o, again)
	}
	return e.judge(responseFile, strict)
}

// standard is the version of Verilog that is asked for: that of emitted text; but
// only in SystemVerilog is a clock's first 0 no falling edge.
func (e *emitted) standard() string {
	for _, c := range e.cases {
		if falls(c.Design) {
			return "-g2012"
		}
	}
	if e.systemVerilog {
		return "-g2012"
	}
	return "-g2005"
}

// falls reports whether a design has clocks that are the inverse of others.
func falls(d *ir.Design) bool {
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if m.Op(id) == ir.Not && m.TypeOf(m.Node(id).Type).Kind == ir.Clock {
				return true
			}
		}
	}
	return false
}
