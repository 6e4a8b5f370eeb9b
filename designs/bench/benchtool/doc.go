// Package benchtool is etch bench: it measures etch's engines and Verilator on the
// designs of package bench, and with GSIM on a user's own core, side by side.
//
//	etch bench [-json] [-short] [-design a,b] [-engine a,b] [-rival a,b] [-cycles n]
//	etch bench -firrtl FILE [-mem NAME=FILE] [-rival verilator,gsim] [-cycles n]
//	etch bench -verilog FILE,FILE -top NAME [-v] [-cycles n]
//	etch bench scale [-json] [-short] [-engine a,b]
//	etch bench repeat [-json] [-runs n] [-design a,b] [-cycles n]
//	etch bench cover [-json] [-design a,b]
//
// # Measured figures
//
// A run is a new simulator that makes a cycle of reset and then the timed cycles
// in one call. compile_ms is the time from netlist to the end of the first cycle;
// cycles_per_s is about the cycles behind it, with all that an engine does
// meanwhile, such as compiling again. Where the system tells it, time is that of
// the processor, for etch's whole process as for Verilator's model, so that other
// work on the machine counts for neither.
//
// The engine lanes is 256 instances, whose cycles are counted together: its ratio
// is to one instance of Verilator's.
//
// All that run a design take turns, five times; the medians are shown. Each runs
// for as many cycles as take about half a second, or as -cycles says.
//
// With -v the command also says which machine code the native engine ended with, and why other
// kinds lost (sim.Report).
//
// repeat makes equal runs of the native engine. It counts the runs that end with the same machine
// code, byte by byte, and measures the rates of the settled code and of the first 20 and 100 ms.
// Rates of runs one after the other differ with the machine's speed. So each run's simulator then
// runs in turn with the first run's, 41 pieces of 5 ms each; side by side is the largest over the
// smallest of the medians of these ratios.
//
// # The comparison
//
// Verilator's model is built from the Verilog that etch writes for the same
// netlist, see package rival, once with each compiler that is there; the faster
// model counts. Before anything is timed, the checksum of every engine and model
// after one number of cycles must be the same, else the command fails.
//
// A user's own FIRRTL (-firrtl) is raced with more. etch runs it without what neither outputs nor
// statements nor the memories of -mem depend on (passes.Prune), as its rivals do. With
// -statements=false etch and Verilator leave out assertions and prints too; Verilator then has the
// Verilog of firtool alone, with public memories, and GSIM is not raced. Otherwise Verilator gets
// firtool's Verilog beside etch's, where firtool is installed, since etch's suits it less for some
// cores. GSIM runs the file as it stands, where ETCH_GSIM names its program (package rival); for it
// the hash of the memories that -mem fills must be the same too. A line names each rival that is
// missing. -rival chooses the rivals. Such models may take many minutes to build, so etch's own
// figures are printed first. Rates include the first seconds, in which etch learns: the more
// -cycles, the less these count.
//
// With -short runs are a tenth as long, only the smaller designs are run, without lanes, and a
// model is built only if that can end in time; built models are kept, so a second run has more of
// them.
package benchtool
