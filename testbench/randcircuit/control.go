package randcircuit

import (
	"fmt"
	"math/rand/v2"

	"etch/ir"
	"etch/ir/bits"
)

// Control makes a design of random state machines. Each has a state register with a table of
// successors that depends on bits of the data, counters that run in some states only, data
// registers with an operation per state, and a memory addressed by a counter. Beside them is a
// little processor with a program memory. A generator of pseudo-random bits drives it all: the
// inputs are only the clock clk and the asynchronous reset rst. The output out depends on
// everything.
//
// Such a design stays in few of its states for long, so it tests an engine that adapts to
// states.
func Control(seed uint64) *ir.Design {
	src := ir.NewSources()
	g := &machines{Rand: rand.New(rand.NewPCG(seed, 0xf5)), m: ir.NewModule("control", src)}
	g.clk = g.m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	rst := g.m.AddInput("rst", 1, ir.TypeID(ir.AsyncReset), 0)
	g.noise()
	for i := range 1 + g.IntN(4) {
		g.machine(i, rst)
	}
	g.program()

	// The output: a sum over all data, so that nothing is dead.
	sum := g.m.AddReg("sum", 64, 0, g.clk, 0)
	x := g.two(ir.Xor, 64, g.rotated(sum), g.fit(g.data[g.IntN(len(g.data))], 64))
	for _, d := range g.data {
		x = g.two(ir.Add, 64, x, g.fit(d, 64))
	}
	g.next(sum, x)
	g.m.AddOutput("out", 64, 0, sum, 0)
	if g.IntN(2) == 0 { // statements that seldom fire
		hit := g.two(ir.Eq, 1, g.slice(sum, 0, 9), g.c(9, 77))
		g.m.Stmts = append(g.m.Stmts, ir.Stmt{Kind: ir.Assert, Name: "seldom", Clk: g.clk, Cond: g.not(hit), Format: "sum %x", Args: []ir.ID{sum}},
			ir.Stmt{Kind: ir.Cover, Name: "often", Clk: g.clk, Cond: g.slice(sum, 3, 1)})
	}
	return &ir.Design{Top: g.m, Modules: []*ir.Module{g.m}, Src: src}
}

// machines adds state machines to a module.
type machines struct {
	*rand.Rand
	m    *ir.Module
	clk  ir.ID
	data []ir.ID // operands of data registers
	bits []ir.ID // conditions of machines
}

// c makes a constant.
func (g *machines) c(w int, v uint64) ir.ID { return g.m.Const(bits.New(w, v), 0) }

// two makes an operation with two operands.
func (g *machines) two(op ir.Op, w int, x, y ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: op, Width: int32(w)}, x, y)
}

// not inverts a bit.
func (g *machines) not(x ir.ID) ir.ID { return g.m.Add(ir.Node{Op: ir.Not, Width: 1}, x) }

func (g *machines) slice(x ir.ID, lo, w int) ir.ID {
	return g.m.Add(ir.Node{Op: ir.Slice, Width: int32(w), Aux: int32(lo)}, x)
}

// mux makes a multiplexer.
func (g *machines) mux(s, x, y ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: ir.Mux, Width: int32(g.m.Width(x))}, s, x, y)
}

// fit cuts x to w bits, or extends it by zeros.
func (g *machines) fit(x ir.ID, w int) ir.ID {
	if g.m.Width(x) > w {
		return g.slice(x, 0, w)
	}
	return g.m.Add(ir.Node{Op: ir.ZExt, Width: int32(w)}, x)
}

// rotated rotates 64 bits by one.
func (g *machines) rotated(x ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: ir.Cat, Width: 64}, g.slice(x, 0, 63), g.slice(x, 63, 1))
}

// next sets a register's next value.
func (g *machines) next(reg, x ir.ID) { g.m.Regs[g.m.Node(reg).Aux].Next = x }

// bit draws a condition.
func (g *machines) bit() ir.ID { return g.bits[g.IntN(len(g.bits))] }

// noise adds a linear congruential generator, and conditions on it that are seldom 1, so that
// control state stays for a while.
func (g *machines) noise() {
	// An odd start; the multiplier and the increment are D. Knuth's, of MMIX.
	n := g.m.AddReg("noise", 64, 0, g.clk, 0)
	g.m.Regs[g.m.Node(n).Aux].Init = g.c(64, g.Uint64()|1)
	g.next(n, g.two(ir.Add, 64, g.two(ir.Mul, 64, n, g.c(64, 6364136223846793005)), g.c(64, 1442695040888963407)))
	g.data = append(g.data, g.slice(n, 20, 32))

	// Eight conditions that are high in one cycle of 2 up to one of 64.
	for i := range 8 {
		wide := 1 + g.IntN(6)
		g.bits = append(g.bits, g.two(ir.Eq, 1, g.slice(n, 30+4*i%30, wide), g.c(wide, 0)))
	}
}

// machine adds a state machine with its counter, data register and memory.
func (g *machines) machine(i int, rst ir.ID) {
	w := 2 + g.IntN(3)
	states := 1 << w

	// Half of the machines do not use all codes of their state.
	if g.IntN(2) == 0 {
		states -= g.IntN(states / 2)
	}
	state := g.m.AddReg(fmt.Sprintf("state%d", i), w, 0, g.clk, 0)

	// A reset, asynchronous or not, on half of the machines.
	if g.IntN(2) == 0 {
		r := &g.m.Regs[g.m.Node(state).Aux]
		r.Rst, r.Reset, r.Async = rst, g.c(w, 0), g.IntN(2) == 0
	}
	count := g.m.AddReg(fmt.Sprintf("count%d", i), 5, 0, g.clk, 0)
	acc := g.m.AddReg(fmt.Sprintf("acc%d", i), 8+g.IntN(57), 0, g.clk, 0)
	wa := g.m.Width(acc)
	at := len(g.m.Mems)
	g.m.Mems = append(g.m.Mems, ir.Memory{Name: fmt.Sprintf("scratch%d", i), Depth: 5 + g.IntN(30), Width: 16, Init: []bits.Value{}})
	read := g.m.Add(ir.Node{Op: ir.MemRead, Width: 16, Aux: int32(at)}, count)

	// Full is the condition that some states wait for.
	full := g.two(ir.Eq, 1, count, g.c(5, g.Uint64N(32)))
	g.bits = append(g.bits, full, g.slice(acc, g.IntN(wa), 1))
	g.data = append(g.data, acc, read)

	// Three tables by state: successors, the counter's next value, the data register's.
	var keys []bits.Value
	states3 := [3][]ir.ID{{state, g.c(w, 0)}, {state, count}, {state, acc}}
	for s := range states {
		keys = append(keys, bits.New(w, uint64(s)))
		states3[0] = append(states3[0], g.successor(state, w, states))
		states3[1] = append(states3[1], g.counted(count, full))
		states3[2] = append(states3[2], g.computed(acc, wa))
	}
	g.next(state, g.m.AddCase(w, 0, keys, states3[0]...))
	g.next(count, g.m.AddCase(5, 0, keys, states3[1]...))
	g.next(acc, g.m.AddCase(wa, 0, keys, states3[2]...))

	// It writes in one state only.
	in := g.two(ir.Eq, 1, state, g.c(w, g.Uint64N(uint64(states))))
	mem := &g.m.Mems[at]
	mem.Writes = append(mem.Writes, ir.WritePort{Name: "w", Clk: g.clk, Addr: count, Data: g.fit(acc, 16), En: in})
}

// successor returns the state that follows one of the states.
func (g *machines) successor(state ir.ID, w, states int) ir.ID {
	other := func() ir.ID { return g.c(w, g.Uint64N(uint64(states))) }
	return g.mux(g.bit(), other(), g.mux(g.bit(), other(), state))
}

// counted returns a counter's next value in one of the states.
func (g *machines) counted(count, full ir.ID) ir.ID {
	more := func() ir.ID { return g.two(ir.Add, 5, count, g.c(5, 1)) }
	switch g.IntN(4) {
	case 0:
		return count
	case 1:
		return more()
	case 2:
		return g.c(5, 0)
	}
	return g.mux(full, g.c(5, 0), more())
}

// computed returns a data register's next value in one of the states.
func (g *machines) computed(acc ir.ID, w int) ir.ID {
	d := g.fit(g.data[g.IntN(len(g.data))], w)
	ops := [...]ir.Op{ir.Add, ir.Sub, ir.Xor, ir.And, ir.Or, ir.Mul}
	switch g.IntN(3) {
	case 0:
		return acc
	case 1:
		return g.two(ops[g.IntN(len(ops))], w, acc, d)
	}
	return g.two(ir.Add, w, d, g.c(w, 1))
}

// program adds a little processor: words of a memory, which it changes now and then, tell the
// next address and the value to add.
func (g *machines) program() {
	const depth = 24
	pc := g.m.AddReg("pc", 5, 0, g.clk, 0)
	acc := g.m.AddReg("total", 32, 0, g.clk, 0)
	mem := ir.Memory{Name: "code", Depth: depth, Width: 32}

	// Any word is an instruction.
	for range depth {
		mem.Init = append(mem.Init, bits.New(32, g.Uint64()&0xffffffff))
	}
	at := int32(len(g.m.Mems))
	g.m.Mems = append(g.m.Mems, mem)
	word := g.m.Add(ir.Node{Op: ir.MemRead, Width: 32, Aux: at}, pc)

	// The address stays within the program; a jump may lead past its end.
	ahead := g.two(ir.Add, 5, pc, g.c(5, 1))
	ahead = g.mux(g.two(ir.Lt, 1, ahead, g.c(5, depth)), ahead, g.c(5, 0))
	jump := g.two(ir.And, 1, g.slice(word, 0, 1), g.bit())
	g.next(pc, g.mux(jump, g.slice(word, 1, 5), ahead))
	g.next(acc, g.mux(g.slice(word, 6, 1), g.two(ir.Add, 32, acc, g.fit(g.slice(word, 8, 12), 32)), g.two(ir.Xor, 32, acc, word)))
	g.data = append(g.data, acc)

	// A program that changes itself, about once in 2048 cycles.
	seldom := g.two(ir.Eq, 1, g.slice(acc, 0, 11), g.c(11, 5))
	m := &g.m.Mems[at]
	m.Writes = append(m.Writes, ir.WritePort{Name: "w", Clk: g.clk, Addr: g.slice(acc, 11, 5), Data: g.two(ir.Xor, 32, acc, word), En: seldom})
}

// machine adds a state machine that reads existing nodes.
func (g *gen) machine(i int) {
	k := &machines{Rand: g.Rand, m: g.m, clk: g.clk(), data: []ir.ID{g.pick(8), g.pick(g.width())}, bits: g.picks(4, 1)}
	from := g.m.Len()
	k.machine(i, g.arst)
	for id := ir.ID(from); int(id) < g.m.Len(); id++ {
		switch g.m.Op(id) {
		case ir.Reg, ir.MemRead, ir.Case:
			g.keep(id)
		}
	}
}
