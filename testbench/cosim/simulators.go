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
	needs    [][]string // tools; of several that serve as well the first is taken
	memFiles bool       // contents of memories are read at the start of a run
	// driver is what reads the stimulus and writes the response; starts: the shell has
	// a task for the state at power-up.
	driver func(l *layout, starts bool) (name, text string)
	// flags are what the model depends on besides the texts.
	flags []string
	// build makes the model of sources that are in dir.
	build func(ctx context.Context, with *kit, s *sources, dir string) error
	// run is the command that has a model answer the stimulus in its folder.
	run func(ctx context.Context, with *kit, model string) *exec.Cmd
}

// simulators are the tools that co-simulation knows. Icarus compiles in no time;
// a model of Verilator's is costly, so it does not hold what memories start with.
var simulators = []simulator{
	{name: "iverilog", needs: [][]string{{"iverilog"}, {"vvp"}}, driver: (*layout).bench,
		flags: icarusFlags, build: buildIcarus, run: runIcarus},
	{name: "verilator", needs: [][]string{{"verilator"}, {"g++", "clang++"}}, driver: (*layout).program, memFiles: true,
		flags: append(verilatorFlags, compilerFlags...), build: buildVerilator, run: runVerilator},
}

func lookup(name string) *simulator {
	for i := range simulators {
		if simulators[i].name == name {
			return &simulators[i]
		}
	}
	return nil
}

// kit is the tools that a simulator needs, in the order of its table, and the
// folder of built models, "" if there is none.
type kit struct {
	tools []tools.Tool
	cache string
}

// kit finds the tools of a simulator; the error names one that is missing.
func (sim *simulator) kit() (*kit, error) {
	k := &kit{}
	for _, any := range sim.needs {
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

// icarusFalls is for designs that look at falling edges: only in SystemVerilog is
// the 0 that a clock starts from there before it can be taken for an edge.
const icarusFalls = "-g2012"

func buildIcarus(ctx context.Context, with *kit, s *sources, dir string) error {
	args := append([]string{"-o", modelFile}, icarusFlags...)
	if s.falls {
		args[2] = icarusFalls
	}
	return command(with.tools[0].Command(ctx, append(args, s.verilog()...)...), dir)
}

func runIcarus(ctx context.Context, with *kit, model string) *exec.Cmd {
	return with.tools[1].Command(ctx, "-n", model)
}

// verilatorFlags ask for C++ whose undefined values are 0. Verilator 5.48.0 makes
// x >> (a + b) of (x >> a) >> b, with a sum that is no wider than a and b: its
// optimisation over graphs is off. It also numbers the writes to a memory in every
// instance by itself, after gate optimisation has left out those that constants at
// ports keep from happening, and yet has one variable for all of a number, as wide as
// the first of them: that is off too.
var verilatorFlags = []string{"--cc", "-fno-dfg", "-fno-gate", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--x-assign", "0",
	"--top-module", shellName, "--prefix", "V" + shellName, "--Mdir", "."}

// compilerFlags make for a fast build: the runs of tests are short.
var compilerFlags = []string{"-O1", "-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TIMING=0", "-DVM_TRACE=0",
	"-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_SAIF=0", "-pthread"}

// buildVerilator does what the makefile of Verilator would, but compiles the
// model as one file and the run-time library once for all models, which takes a
// second instead of seven.
func buildVerilator(ctx context.Context, with *kit, s *sources, dir string) error {
	verilator, compiler := with.tools[0], with.tools[1]
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

// includeFolder is where Verilator's headers are.
func includeFolder(ctx context.Context, verilator tools.Tool) (string, error) {
	out, err := verilator.Command(ctx, "--getenv", "VERILATOR_ROOT").Output()
	if err != nil {
		return "", fmt.Errorf("verilator --getenv VERILATOR_ROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "include"), nil
}

// library is Verilator's run-time library as one object file.
func (k *kit) library(ctx context.Context, include, dir string) (string, error) {
	build := func(dir string) error {
		args := []string{"-O0", "-r", "-nostdlib", "-I" + include, "-I" + filepath.Join(include, "vltstd"), "-o", modelFile}
		for _, f := range []string{"verilated.cpp", "verilated_threads.cpp"} {
			args = append(args, filepath.Join(include, f))
		}
		return command(k.tools[1].Command(ctx, append(args, compilerFlags[1:]...)...), dir)
	}
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
