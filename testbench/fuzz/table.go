package fuzz

// judges is the table of judges, cheapest first.
var judges = []*Judge{
	{Name: "interp", Doc: "the reference: valid, and the same twice", Batch: 1 << 20, takes: anything, judge: one(interpret)},
	{Name: "native", Doc: "machine code, also in lock step", Batch: 1 << 20, takes: anything, judge: one(runNative)},
	{Name: "lanes", Doc: "many instances at once, in every form", Batch: 1 << 20, takes: anything, judge: one(runLanes)},
	{Name: "passes", Doc: "after every pass of the table and after Optimize", Batch: 1 << 20, takes: anything, judge: one(runPasses)},
	{Name: "iverilog", Doc: "emitted Verilog under Icarus Verilog, statements too", Tools: []string{"iverilog", "vvp"},
		Batch: 200, takes: takesIcarus, judge: runIcarus},
	{Name: "verilator", Doc: "emitted Verilog under Verilator", Tools: []string{"verilator", "g++"},
		Batch: 100, takes: takesVerilator, judge: runVerilator, faster: "iverilog"},
	{Name: "yosys", Doc: "emitted Verilog after yosys synth, under Icarus Verilog; small circuits", Tools: []string{"yosys", "iverilog", "vvp"},
		Batch: 16, takes: smallVerilog, judge: runYosys, faster: "iverilog"},
	{Name: "slang", Doc: "emitted Verilog is read and elaborated by circt-verilog", Tools: []string{"circt-verilog"},
		Batch: 200, takes: portableVerilog, judge: runSlang},
	{Name: "firtool", Doc: "emitted FIRRTL through firtool, under Icarus Verilog", Tools: []string{"firtool", "iverilog", "vvp"},
		Batch: 100, takes: takesFirtool, judge: runFirtool},
	{Name: "firrtl", Doc: "emitted FIRRTL is read back and simulated", Batch: 1 << 20, takes: portableFirrtl, judge: one(runFirrtl)},
}
