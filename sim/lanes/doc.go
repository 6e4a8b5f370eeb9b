// Package lanes compiles a net for many instances at once: each of its
// instructions works on one bit, or one word, of all the instances of a group.
//
// A [Layout] has one of three forms. In [Sliced] form a vector is one bit of every
// instance: slices, concatenations and extensions cost nothing, and a gate is an
// instruction for as many instances as a vector has bits. In [Words] form a value
// is elements of 16, 32 or 64 bits in one, two or four vectors: an addition or a
// product is one instruction a vector. In [Mixed] form each word, memory and node
// has the one or the other: a minimum cut finds what costs least together with what
// values take from form to form (division). [Layouts] estimates which forms are worth
// compiling, [Program.Cost] knows which is cheaper. Memories hold words, instance by
// instance or row by row; in sliced form addresses and data are transposed on the way.
//
// Mixed form is for designs of two kinds of parts, look-up tables beside multipliers
// for example: ten times and more as fast there as the better of the other two. In
// designs whose nodes are of both kinds all over, such as processors, values would
// change their form so often that it costs more than it saves.
//
// [Compile] turns a net into a [Program] for a [Target]: a vector length, the
// operands of a gate, the number of registers, and whether machine code is made
// or the program is executed in Go. A [Group] is state that programs of one
// [Layout] work on. All targets and forms give the same results:
//
//	l := lanes.NewLayout(net, nil, lanes.Sliced)
//	p, err := lanes.Compile(net, l, lanes.Best(cpu.Host()))
//	g, w := lanes.NewGroup(l, target), lanes.NewWorker()
//	g.SetWord(reg, lane, 5)
//	left := p.Run(w, g, 1000, false) // more than 0: the net's Stop was met
//
// [Bodies] is code in word form with bodies: code for one cycle in which control
// registers, and words of memories that they address, are constants. They are for
// cycles in which all instances of a group agree about those; the others are done by
// the code for any state. A body forks by conditions of the cycle on which the next
// state depends, such as that of a branch: where all instances agree on them too,
// the next state is known, so that nothing is looked up instance by instance. The
// state decides, cycle by cycle, and jumps lead from body to body (vector.Chain);
// constants that control registers take are written when bodies are left. More bodies
// may be added for states that are met later.
//
// Sliced form is package gates (the graph of one-bit functions), an order of them,
// and package vector (registers, machine code); word form goes to vector directly;
// mixed form is programs of both (mixed.go), stage by stage (staging.go).
//
// The package imports sim/net, sim/native (which says what bodies are worth it),
// sim/native/cpu, sim/native/exec and what is below sim/lanes.
package lanes
