// Package sim simulates a design, cycle by cycle. Tests mostly use it through package testbench.
//
//	s, err := sim.New(design)
//	en, _ := s.Signal("en")
//	count, _ := s.Signal("seconds.count") // any named node of any instance
//	s.Reset()
//	err = s.Set(en, 1)
//	s.Step(3)
//	fmt.Println(s.Get(count))
//
// [New] takes a design as package hw builds it. After its first cycles the simulator runs machine
// code; [Sim.Report] describes it, and where there is none, says why. [WithEngine] chooses an
// engine; [Lockstep] runs machine code and the reference interpreter and compares them.
// ETCH_ENGINE=interpreter, native, parts or lockstep in the environment is the engine of a Sim
// without WithEngine; lanes choose by themselves. Package sim/internal/switches lists all debug
// switches.
//
// Package sim/lanes runs many instances of one design side by side. [Sim.Trace] writes waves:
// packages sim/vcd and sim/fst make tracers of files, sim/dump chooses one by a file's name. A
// [Tracer] that is a [Bulk] gets many cycles at once.
//
// # Semantics
//
// Simulation has two states and no delays.
//
//   - Values are those of package ir. Combinational values follow inputs and state at once; they
//     are computed when they are read or an edge comes.
//   - An event is a rising edge of one clock or of several at the same time. First all values
//     settle. Then the statements of these clocks act. Then every register, synchronous read port,
//     memory write and black box of these clocks takes its new state from the old values, all
//     together.
//   - If several ports write one word in an event, the later port wins, whatever their clocks. A
//     synchronous read gives the old word for [ir.Old] and [ir.Undefined]; for [ir.New] it gives the
//     old word with the writes of its own clock applied. It does not see a write through another
//     clock at the same moment.
//   - A register with asynchronous reset holds its reset value while the reset is high in settled
//     values: at power-up, after every edge, and after inputs have changed. Inputs set, and state
//     poked, without a read or an edge between change at the same moment: there are no glitches.
//   - A clock is a clock input of the top. Read as a value it is 0: only its edges exist. An
//     [ir.Not] of a clock is its falling edge: an event half a cycle or half a period later, which
//     no count of cycles includes. A Step includes it.
//   - State without initial value ([ir.Register.Init], [ir.Memory.Init]) starts as 0, or at random
//     with [WithSeed]; memories of more than 16 MiB when packed ([WithPacking]) start as 0. A reset
//     value is not an initial value.
//
// Equal design, options and calls give equal results, failures and traces. A Sim is not safe for
// concurrent use; several Sims may run in parallel, also of one design. New takes designs that pass
// [ir.Verify].
//
// # Inside
//
// New elaborates the tree of instances, orders all nodes across instances, and lowers them to one
// flat program over slots of 64-bit words. No pass takes part. Package internal/drive holds the
// program with its state, and runs its events. The interpreter runs the program directly, and is the
// reference for everything else. The native engine compiles a view of it (packages internal/nets and
// native) and works on the same state, so either continues where the other stopped.
//
// Equal designs, options and calls give equal machine code, under any load: decisions follow from
// estimates. Plain code and specialised code, and code with gates, are measured against each other
// in processor time; a near tie goes to a fixed default (sim/internal/contest).
//
// These words are used here and in the packages below. Where a word has a second meaning, the
// package that uses it says so.
//
//	event      the edges of one set of clocks at one moment, and their effects
//	slot       a 64-bit word of the state, or of a combinational value, by index
//	leaf       a value that no operation computes: input, state or constant
//	kind       the data common to all instances of one module
//	clock set  clocks whose edges come together, with the work of their events (drive.ClockSet)
//	plan       the choice of the control states that get bodies (package choose)
//	body       code of one cycle, specialised to control states or general (packages native,
//	           lanes); the code of one clock set is one body or many
//	net        the program as a graph of 64-bit operations (package net)
//	class      instances of one module that share machine code
//	team       independent machines of one net with bodies of their own (net.Machines)
//	part       a piece of a net that runs when a value it reads has changed (net.Partition)
//	gate       code that skips a region of the net whose inputs have not changed; in
//	           gates of lanes: a logic gate
//	chain      the bodies of a net and the jumps between them; in lanes: vector programs
//	           that follow each other; an n-ary operation as successive binary ones
//	place      the position of a value: slot, register, scratch word, or memory address
//	journal    prints recorded by machine code, formatted afterwards
//	view       code that computes combinational signals without an event
//	large      (memory) packed, in pages outside of the state
//	lane       one instance of many of package lanes
//	element    a value of a vector (packs, vector code)
//	field      neighbouring bits of a word, or a word's values in the rows of a native.Log
//	group      the lanes of one vector
//	form       the arrangement of lanes in vectors: Sliced (one bit of all lanes), Words (a
//	           field per lane), or Mixed (each value in one of these)
//	twin       a second Sim that uses the code of another
//	moment     a point around an event at which tracers sample
//
// The package imports ir with its parts and the packages below sim (choose, native for reports, pages,
// and of internal drive, interp, program and quads) besides the standard library; never hw, passes,
// backends or testbench.
package sim
