// Package lanes simulates many instances of one design side by side, at a small part of a
// simulator's cost each.
//
//	l, err := lanes.New(design, 512, sim.WithSeed(1))
//	en, _ := l.Signal("en")
//	count, _ := l.Signal("count")
//	err = l.SetSlice(en, values) // one for each instance
//	l.Step(1000)
//	fmt.Println(l.Get(count, 7), l.Failures())
//
// An instance is a lane. Vectors hold one bit, or part of one word, of many lanes: the lanes of a
// vector are a group. Each group runs machine code made for its form (package internal/code). Lanes
// that do not share a control state, and designs that vectors cannot hold, run one after the other:
// each in a simulator of its own, and the simulators of a worker share their code.
//
// # Files
//
//	lanes.go, access.go, mem.go, run.go   Lanes and their methods
//	speak.go, stop.go, trace.go           failures, prints, stops, and waves of a lane
//	report.go                             what the engine has decided
//	choice.go                             decisions by the user, for tests
//	engine.go                             the interface of the two engines, and their common data
//	place.go                              signals of any simulator of the design
//	grouped*.go, form.go, outs.go         lanes in vectors
//	single.go, printer.go                 a simulator for each lane
//	study.go, learn.go, trial.go          bodies for control states that lanes share
//	apart.go, apart_trial.go              the trial of lanes one after the other
//
// The package imports sim, ir with ir/bits, sim/choose, sim/native (for an error), sim/net, of
// sim/internal the packages contest, drive, interp, nets, notes, program and switches, and package
// internal/code.
package lanes
