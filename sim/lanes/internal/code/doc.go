// Package code compiles a net for many instances at once: each instruction works on one bit, or
// one word, of all instances of a group.
//
// A [Layout] has one of three forms. In [Sliced] form a vector holds one bit of every instance:
// slices, concatenations and extensions are free, and a gate is one instruction for as many
// instances as a vector has bits. In [Words] form a value is elements of 16, 32 or 64 bits in
// one, two or four vectors: an addition or a product is one instruction per vector. In [Mixed]
// form each word, memory and node has one of the two: a minimum cut finds the cheapest division,
// including conversions between the forms (division). [Layouts] estimates which forms are worth
// compiling, [Program.Cost] compares compiled ones. Memories hold words, instance by instance or
// row by row; in sliced form addresses and data are transposed for each access.
//
// Mixed form is for designs with two kinds of parts, for example look-up tables beside multipliers:
// there it is at least ten times as fast as the better of the other two forms. Designs whose nodes
// of both kinds are interleaved, such as processors, would convert values too often.
//
// [Compile] turns a net into a [Program] for a [Target]: the vector length, the operands of a
// gate, the number of registers, and whether machine code is made or the program is executed in
// Go. A [Group] is the state of programs of one [Layout]. All targets and forms give the same
// results:
//
//	l := code.NewLayout(net, nil, code.Sliced, &choose.Standard().LaneCode)
//	p, err := code.Compile(net, l, code.Best(cpu.Host()))
//	g, w := code.NewGroup(l, target), code.NewWorker()
//	g.SetWord(reg, lane, 5)
//	left := p.Run(w, g, 1000, false) // more than 0: the net's Stop was met
//
// [Bodies] is code in word form with special bodies: code for one cycle in which control
// registers, and the memory words they address, are constants. A body runs cycles in which all
// instances of a group agree on these; the general code runs the others. A body forks by
// conditions of the cycle that determine the next state, such as a branch: if all instances
// agree on them too, the next state is known, and nothing is looked up per instance. The state
// selects the body of each cycle, by jumps from body to body (vector.Chain). Constant next
// values of control registers are written only when bodies are left. Bodies may be added for
// states that occur later.
//
// Sliced form uses package gates (the graph of one-bit functions), schedules its gates, and
// generates code by package vector (registers, machine code). Word form goes to vector directly.
// Mixed form is programs of both (mixed.go), in stages (staging.go).
//
// Words used here: an instance is one copy of the design; a group is the instances of one
// vector; a subgroup is one of several word-form groups under a sliced group; a row is one word of a
// memory, of all instances; a knot is a range of gates scheduled in order; a leaf is state that
// a node reads.
//
// The package imports sim/net, sim/choose (which chooses bodies), sim/native/cpu, sim/native/exec,
// sim/native/vector and package gates beside it.
package code
