package tools

import (
	"os/exec"
	"strings"
)

// verilatorMakeVars returns make variables that correct the wheel's makefile, which has the
// settings of its build machine: the two compilers name and include precompiled headers
// differently, and no option for threads, atomics or coroutines was found there. A variable on
// make's command line (-MAKEFLAGS) still wins over these.
func verilatorMakeVars() string {
	vars := []string{"PYTHON3=python3", "PERL=perl"}

	// clang++ serves only where there is no g++.
	_, noGCC := exec.LookPath("g++")
	_, noClang := exec.LookPath("clang++")
	if noGCC != nil && noClang == nil {
		vars = append(vars,
			"CXX=clang++", "LINK=clang++",
			"CFG_CXXFLAGS_PCH_I=-include-pch", "CFG_GCH_IF_CLANG=.gch",
			"CFG_LDLIBS_THREADS=-pthread\\ -latomic", "CFG_CXXFLAGS_COROUTINES=-std=gnu++20")
	} else {
		vars = append(vars,
			"CXX=g++", "LINK=g++",
			"CFG_CXXFLAGS_PCH_I=-include", "CFG_GCH_IF_CLANG=",
			"CFG_LDLIBS_THREADS=-pthread", "CFG_CXXFLAGS_COROUTINES=-fcoroutines")
	}
	return strings.Join(vars, " ")
}
