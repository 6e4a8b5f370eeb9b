package rival

import (
	"fmt"

	"etch/testbench/tools"
)

// Verilator is an installed Verilator with the compilers that it can use.
type Verilator struct {
	Version   string // "5.048"
	Compilers []Compiler
	tool      tools.Tool
	make      tools.Tool
}

// Compiler is a C++ compiler.
type Compiler struct {
	Name    string // g++ or clang++
	Version string
	tool    tools.Tool
	flags   []string // of make
}

// String is name and version.
func (c Compiler) String() string { return c.Name + " " + c.Version }

// compilers are those that Verilator's models are built with, the one that takes
// less time first. Verilator's makefile comes without settings for any of them:
// precompiled headers are named and included differently, and clang 14 needs to
// be told to keep the alignment that the models ask for, which C++ promises
// since 2017.
var compilers = []Compiler{
	{Name: "clang++", flags: []string{
		"CFG_CXXFLAGS_PCH_I=-include-pch", "CFG_GCH_IF_CLANG=.gch", "CFG_LDLIBS_THREADS=-pthread -latomic",
		"CFG_CXXFLAGS_STD=-std=gnu++17",
	}},
	{Name: "g++", flags: []string{
		"CFG_CXXFLAGS_PCH_I=-include", "CFG_GCH_IF_CLANG=", "CFG_LDLIBS_THREADS=-pthread",
		"CFG_CXXFLAGS_STD=-std=gnu++17",
	}},
}

// Find looks for Verilator, make and at least one compiler. The error is one
// line and names the missing tool.
func Find() (*Verilator, error) {
	v := &Verilator{}
	var err error
	if v.tool, err = tools.Find("verilator"); err != nil {
		return nil, err
	}
	if v.make, err = tools.Find("make"); err != nil {
		return nil, err
	}
	if v.Version, err = v.tool.Version(); err != nil {
		return nil, err
	}

	// One compiler is enough; a missing one is an error only if all are missing.
	var missing error
	for _, c := range compilers {
		if c.tool, err = tools.Find(c.Name); err != nil {
			missing = err
			continue
		}
		if c.Version, err = c.tool.Version(); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		v.Compilers = append(v.Compilers, c)
	}
	if len(v.Compilers) == 0 {
		return nil, missing
	}
	return v, nil
}
