package fuzz

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"etch/testbench/cosim"
	"etch/testbench/tools"
)

// verilatorFlags make Verilator write C++ whose undefined values are 0. Statements are left out:
// all circuits of a batch move at once, so their output could not be told apart.
//
// Two optimisations of Verilator 5.48.0 are off for their mistakes. The one over graphs (dfg)
// turns (x >> a) >> b into x >> (a + b) with a sum that is no wider than a and b. The one of
// gates makes it mix up writes of several widths to a memory of several instances; see package
// cosim.
var verilatorFlags = []string{"--cc", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-fno-expand", "-fno-dfg", "-fno-gate", "--x-assign", "0", "--x-initial", "0",
	"-DSYNTHESIS=1", "--top-module", allName, "--prefix", "Vall", "--Mdir", "."}

// takesVerilator returns the reason why Verilator is not asked about a circuit. The text is
// compiled as for synthesis, which leaves out statements and pulls.
func takesVerilator(c *Case) string {
	if hasPull(c.Design) {
		return "a pull is for simulators"
	}
	return portableVerilog(c)
}

const verilatorMain = `// Written by etch.
#include "Vall.h"
#include "verilated.h"

int main() {
  VerilatedContext* context = new VerilatedContext;
  context->randReset(0);
  Vall* all = new Vall(context);
  all->turn = 0;
  all->step = %[1]d;
  all->rise = 0;
  all->show = 0;
  all->eval();
  for (int step = 0; step < %[1]d; step++) {
    all->step = step;
    all->eval();
    for (int rise = 0; rise < 2; rise++) {
      all->rise = rise;
      all->eval();
      all->rise = 0;
      all->eval();
      all->show = 1;
      all->eval();
      all->show = 0;
      all->eval();
    }
  }
  all->final();
  return 0;
}
`

// runVerilator makes one model of a batch, compiled without optimisation.
func runVerilator(ctx context.Context, w *workshop, cases []*Case) ([]Verdict, error) {
	e, err := w.emit(ctx, cases)
	if err != nil {
		return nil, err
	}
	defer e.close()
	return e.verilator(func(cases []*Case) ([]Verdict, error) { return runVerilator(ctx, w, cases) })
}

// verilator compiles and runs the circuits in the seats; circuits that Verilator refuses are
// handled as in icarus.
func (e *emitted) verilator(again func([]*Case) ([]Verdict, error)) ([]Verdict, error) {
	if err := e.write("main.cpp", fmt.Appendf(nil, verilatorMain, mostSteps(e.seats))); err != nil {
		return nil, err
	}

	// Only compilation tells which circuits Verilator refuses, so it is repeated without them.
	for {
		if err := e.write(harnessFile, harness(e.seats, false)); err != nil {
			return nil, err
		}
		args := append(append([]string(nil), verilatorFlags...), harnessFile)
		o, err := e.run("verilator", "", append(args, e.files...)...)
		if err != nil {
			return nil, err
		}
		if !o.failed {
			break
		}
		if !e.refuse(o) {
			return halves(e.cases, o, again)
		}
	}

	// The model's program, then its run.
	o, err := e.compile()
	if err != nil {
		return nil, err
	}
	if o.failed {
		return halves(e.cases, o, again)
	}
	o, err = e.command(func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, e.path("model")) }, responseFile)
	if err != nil {
		return nil, err
	}
	if o.failed {
		return halves(e.cases, o, again)
	}
	return e.judge(responseFile, false)
}

// compile compiles Verilator's files into one program, as one unit: the headers are read once.
func (e *emitted) compile() (*outcome, error) {
	parts, err := filepath.Glob(e.path("Vall*.cpp"))
	if err != nil {
		return nil, err
	}
	var whole strings.Builder // Glob sorts
	whole.WriteString(verilatorMend)
	for _, p := range append(parts, "main.cpp") {
		fmt.Fprintf(&whole, "#include %q\n", filepath.Base(p))
	}
	if err := e.write("whole.cpp", []byte(whole.String())); err != nil {
		return nil, err
	}

	// Verilator's own run-time library is built once and shared by all batches.
	args, err := cosim.Runtime(e.ctx, e.dir)
	if err != nil {
		return nil, err
	}
	compiler := "g++"
	if _, err := tools.Find(compiler); err != nil {
		compiler = "clang++"
	}
	return e.run(compiler, "", append(args, "whole.cpp", "-o", "model")...)
}
