// Package sim runs a design: it is the simulator's API, the reference interpreter
// behind it, and what picks the faster engines.
//
// [New] takes an [ir.Design] with its hierarchy as it is, elaborates the tree of
// instances, orders all nodes across instances and lowers them to one flat
// program over slots of 64-bit words. No pass takes part. A [Sim] is that
// program with its state. The interpreter runs the program as it is, and is the
// judge of everything else; the native engine compiles a view of it (netlist.go,
// package sim/native) and works on the same state, so that either goes on where
// the other left off. [WithEngine] chooses; [Lockstep] runs both and compares.
//
//	s, err := sim.New(design)
//	en, _ := s.Signal("en")
//	count, _ := s.Signal("seconds.count") // any named node of any instance
//	s.Reset()
//	err = s.Set(en, 1)
//	s.Step(3)
//	fmt.Println(s.Get(count))
//
// Semantics (two-state, zero delay):
//   - Values are those of package ir. Combinational values follow inputs and
//     state at once; they are computed when somebody reads them or an edge comes.
//   - An event is a rising edge of one clock or of several at the same time.
//     First everything settles, then the statements of these clocks are looked
//     at, then every register, synchronous read port, memory write and black box
//     of these clocks takes its new state from the old values, all together.
//   - Of several writes to one word in an event the later port wins, whatever
//     their clocks. A synchronous read gives the old word for [ir.Old] and
//     [ir.Undefined]; for [ir.New] the old word with the writes of its own clock
//     applied. A write through another clock at the same moment is not seen.
//   - A register with asynchronous reset holds its reset value whenever the
//     reset is high in settled values: at power-up, after every edge, and after
//     inputs have changed. Inputs that are set, and state that is poked, without
//     a look or an edge between change at the same moment: there are no glitches.
//   - A clock is a clock input of the top. Read as a value it is 0: only its
//     edges exist. An [ir.Not] of a clock is its falling edge: an event half a
//     cycle later, or half a period, that no count of cycles has in it. What a
//     Step does includes it.
//   - State without initial value ([ir.Register.Init], [ir.Memory.Init]) starts
//     as 0, or at random with [WithSeed], but memories of more than 16 MiB when
//     packed ([WithPacking]) as 0. A reset value is not an initial value.
//
// Invariants: equal design, options and calls give equal results, failures and
// traces. A Sim is not safe for concurrent use; several Sims run in parallel,
// of one design too. New takes designs that pass [ir.Verify].
//
// ETCH_ENGINE=interpreter, native or lockstep in the environment is the engine of
// a Sim that was not told one; Lanes choose by themselves.
//
// Many instances of one design in lock step are a [Lanes]. Packages sim/vcd and
// sim/fst write waves, sim/dump picks one by a file's name. A [Tracer] that is a
// [Bulk] is told of many cycles at once.
//
// The package imports the standard library, ir, ir/bits and the engines below it
// (sim/net, sim/native, sim/lanes, sim/pages); never hw, passes, backends or testbench.
package sim
