package cosim

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"etch/testbench/tools"
)

// simulator is a tool that can run a model.
type simulator struct {
	name     string
	needs    [][]string // alternatives for each need; the first one found is taken
	memFiles bool       // contents of memories are read at the start of a run
	// driver returns the program that reads the stimulus and writes the response; starts: the
	// shell has a task for the state at power-up.
	driver func(l *layout, starts bool) (name, text string)
	// flags are the part of the model's key besides the texts.
	flags []string
	// build makes the model from the sources in dir.
	build func(ctx context.Context, with *kit, s *sources, dir string) error
	// run returns the command that runs a model on the stimulus in its folder.
	run func(ctx context.Context, with *kit, model string) *exec.Cmd
}

// simulators lists the tools. Icarus compiles quickly. A model of Verilator's is expensive, so
// the contents of memories are not part of it.
var simulators = []simulator{
	{name: "iverilog", needs: [][]string{{"iverilog"}, {"vvp"}}, driver: (*layout).bench,
		flags: icarusFlags, build: buildIcarus, run: runIcarus},
	{name: "verilator", needs: [][]string{{"verilator"}, {"g++", "clang++"}}, driver: (*layout).program, memFiles: true,
		flags: append(verilatorFlags, compilerFlags...), build: buildVerilator, run: runVerilator},
}

// lookup returns the simulator of a name, nil if there is none.
func lookup(name string) *simulator {
	for i := range simulators {
		if simulators[i].name == name {
			return &simulators[i]
		}
	}
	return nil
}

// kit is the programs of a simulator, in the order of its needs, and the folder of built models,
// "" if there is none.
type kit struct {
	tools []tools.Tool
	cache string
}

// kit finds the programs of a simulator; the error names a missing one.
func (sim *simulator) kit() (*kit, error) {
	k := &kit{}
	for _, any := range sim.needs {
		// Of a need without any alternative, the error is that of the first.
		var first error
		found := false
		for _, name := range any {
			t, err := tools.Find(name)
			if err == nil {
				k.tools, found = append(k.tools, t), true
				break
			}
			if first == nil {
				first = err
			}
		}
		if !found {
			return nil, first
		}
	}
	return k, nil
}

var icarusFlags = []string{"-g2005", "-s", benchName}

// icarusFalls is for designs with falling edges: in SystemVerilog a clock's initial 0 is there
// before it can be taken for an edge.
const icarusFalls = "-g2012"

// buildIcarus compiles with iverilog.
func buildIcarus(ctx context.Context, with *kit, s *sources, dir string) error {
	args := append([]string{"-o", modelFile}, icarusFlags...)
	// args[2] is the standard of the language.
	if s.falls {
		args[2] = icarusFalls
	}
	return command(with.tools[0].Command(ctx, append(args, s.verilog()...)...), dir)
}

// runIcarus runs a model with vvp.
func runIcarus(ctx context.Context, with *kit, model string) *exec.Cmd {
	return with.tools[1].Command(ctx, "-n", model)
}

// verilatorFlags make C++ whose undefined values are 0. Two optimisations of Verilator 5.48.0
// are off for their mistakes. The one over graphs (dfg) turns (x >> a) >> b into x >> (a + b)
// with a sum that is no wider than a and b. The one of gates removes writes to a memory that
// constants at ports disable, and then numbers the rest in every instance separately; but there
// is one variable per number for all instances, with the width of the first.
var verilatorFlags = []string{"--cc", "-fno-dfg", "-fno-gate", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--x-assign", "0",
	"--top-module", shellName, "--prefix", "V" + shellName, "--Mdir", "."}

// compilerFlags make the build fast: the runs of tests are short.
var compilerFlags = []string{"-O1", "-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TIMING=0", "-DVM_TRACE=0",
	"-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_SAIF=0", "-pthread"}

// buildVerilator does the work of Verilator's makefile, but compiles the model as one file and
// the run-time library once for all models. This takes a second instead of seven.
func buildVerilator(ctx context.Context, with *kit, s *sources, dir string) error {
	verilator, compiler := with.tools[0], with.tools[1]

	// The capacity is cut, so that append copies the flags that all builds share.
	if err := command(verilator.Command(ctx, append(verilatorFlags[:len(verilatorFlags):len(verilatorFlags)], s.verilog()...)...), dir); err != nil {
		return err
	}

	include, err := includeFolder(ctx, verilator)
	if err != nil {
		return err
	}
	library, err := with.library(ctx, include, dir)
	if err != nil {
		return err
	}

	// Join Verilator's files and the driver into one unit, since most of the time is for the
	// headers.
	parts, err := filepath.Glob(filepath.Join(dir, "V"+shellName+"*.cpp"))
	if err != nil {
		return err
	}
	var whole strings.Builder // Glob sorts
	for _, p := range append(parts, programFile) {
		fmt.Fprintf(&whole, "#include %q\n", filepath.Base(p))
	}
	const wholeFile = "whole.cpp"
	if err := save(dir, []file{{Name: wholeFile, Data: []byte(whole.String())}}); err != nil {
		return err
	}

	args := append([]string{"-I.", "-I" + include, "-I" + filepath.Join(include, "vltstd")}, compilerFlags...)
	return command(compiler.Command(ctx, append(args, wholeFile, library, "-s", "-o", modelFile)...), dir)
}

// includeFolder returns the folder of Verilator's headers.
func includeFolder(ctx context.Context, verilator tools.Tool) (string, error) {
	out, err := verilator.Command(ctx, "--getenv", "VERILATOR_ROOT").Output()
	if err != nil {
		return "", fmt.Errorf("verilator --getenv VERILATOR_ROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "include"), nil
}

// library returns Verilator's run-time library as one object file.
func (k *kit) library(ctx context.Context, include, dir string) (string, error) {
	build := func(dir string) error {
		args := []string{"-O0", "-r", "-nostdlib", "-I" + include, "-I" + filepath.Join(include, "vltstd"), "-o", modelFile}
		for _, f := range []string{"verilated.cpp", "verilated_threads.cpp"} {
			args = append(args, filepath.Join(include, f))
		}
		return command(k.tools[1].Command(ctx, append(args, compilerFlags[1:]...)...), dir)
	}

	// Without a cache the library is for this build alone.
	if k.cache == "" {
		sub, err := newFolder(dir)
		if err != nil {
			return "", err
		}
		return filepath.Join(sub, modelFile), build(sub)
	}

	key, err := k.key("library "+include, compilerFlags, nil)
	if err != nil {
		return "", err
	}
	return cached(k.cache, key+".o", build)
}

func runVerilator(ctx context.Context, _ *kit, model string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, model)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}
