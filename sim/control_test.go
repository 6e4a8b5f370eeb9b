package sim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/native"

	"github.com/stretchr/testify/require"
)

// machines makes a design of random state machines: each has a state register
// with a table of successors that depends on bits of the data, counters that run
// in some states only, data registers with an operation per state, a memory
// addressed by a counter, a program memory addressed by a program counter, and a
// generator of pseudo-random bits that drives it all. Nothing comes from outside.
type machines struct {
	*rand.Rand
	m    *ir.Module
	clk  ir.ID
	data []ir.ID
	bits []ir.ID
}

func controlDesign(seed uint64) *ir.Design {
	src := ir.NewSources()
	g := &machines{Rand: rand.New(rand.NewPCG(seed, 0xf5)), m: ir.NewModule("control", src)}
	g.clk = g.m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	rst := g.m.AddInput("rst", 1, ir.TypeID(ir.AsyncReset), 0)
	g.noise()
	for i := range 1 + g.IntN(4) {
		g.machine(i, rst)
	}
	g.program()
	sum := g.m.AddReg("sum", 64, 0, g.clk, 0)
	x := g.two(ir.Xor, 64, g.rot(sum), g.wide(g.data[g.IntN(len(g.data))], 64))
	for _, d := range g.data {
		x = g.two(ir.Add, 64, x, g.wide(d, 64))
	}
	g.next(sum, x)
	g.m.AddOutput("out", 64, 0, sum, 0)
	if g.IntN(2) == 0 { // something that speaks once in a while
		hit := g.two(ir.Eq, 1, g.slice(sum, 0, 9), g.c(9, 77))
		g.m.Stmts = append(g.m.Stmts, ir.Stmt{Kind: ir.Assert, Name: "seldom", Clk: g.clk, Cond: g.not(hit), Format: "sum %x", Args: []ir.ID{sum}},
			ir.Stmt{Kind: ir.Cover, Name: "often", Clk: g.clk, Cond: g.slice(sum, 3, 1)})
	}
	return &ir.Design{Top: g.m, Modules: []*ir.Module{g.m}, Src: src}
}

func (g *machines) c(w int, v uint64) ir.ID { return g.m.Const(bits.New(w, v), 0) }
func (g *machines) two(op ir.Op, w int, x, y ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: op, Width: int32(w)}, x, y)
}
func (g *machines) not(x ir.ID) ir.ID { return g.m.Add(ir.Node{Op: ir.Not, Width: 1}, x) }
func (g *machines) slice(x ir.ID, lo, w int) ir.ID {
	return g.m.Add(ir.Node{Op: ir.Slice, Width: int32(w), Aux: int32(lo)}, x)
}
func (g *machines) mux(s, x, y ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: ir.Mux, Width: int32(g.m.Width(x))}, s, x, y)
}
func (g *machines) wide(x ir.ID, w int) ir.ID {
	if g.m.Width(x) > w {
		return g.slice(x, 0, w)
	}
	return g.m.Add(ir.Node{Op: ir.ZExt, Width: int32(w)}, x)
}
func (g *machines) rot(x ir.ID) ir.ID {
	return g.m.Add(ir.Node{Op: ir.Cat, Width: 64}, g.slice(x, 0, 63), g.slice(x, 63, 1))
}
func (g *machines) next(reg, x ir.ID) { g.m.Regs[g.m.Node(reg).Aux].Next = x }
func (g *machines) bit() ir.ID        { return g.bits[g.IntN(len(g.bits))] }

func (g *machines) noise() {
	n := g.m.AddReg("noise", 64, 0, g.clk, 0)
	g.m.Regs[g.m.Node(n).Aux].Init = g.c(64, g.Uint64()|1)
	g.next(n, g.two(ir.Add, 64, g.two(ir.Mul, 64, n, g.c(64, 6364136223846793005)), g.c(64, 1442695040888963407)))
	g.data = append(g.data, g.slice(n, 20, 32))
	for i := range 8 {
		// rare events too: control state stays for a while
		wide := 1 + g.IntN(6)
		g.bits = append(g.bits, g.two(ir.Eq, 1, g.slice(n, 30+4*i%30, wide), g.c(wide, 0)))
	}
}

// machine adds a state machine with what it steers.
func (g *machines) machine(i int, rst ir.ID) {
	w, states := 2+g.IntN(3), 0
	states = 1 << w
	if g.IntN(2) == 0 {
		states -= g.IntN(states / 2)
	}
	state := g.m.AddReg(fmt.Sprintf("state%d", i), w, 0, g.clk, 0)
	if g.IntN(2) == 0 {
		r := &g.m.Regs[g.m.Node(state).Aux]
		r.Rst, r.Reset, r.Async = rst, g.c(w, 0), g.IntN(2) == 0
	}
	count := g.m.AddReg(fmt.Sprintf("count%d", i), 5, 0, g.clk, 0)
	acc := g.m.AddReg(fmt.Sprintf("acc%d", i), 8+g.IntN(57), 0, g.clk, 0)
	wa := g.m.Width(acc)
	depth := 5 + g.IntN(30)
	g.m.Mems = append(g.m.Mems, ir.Memory{Name: fmt.Sprintf("mem%d", i), Depth: depth, Width: 16, Init: []bits.Value{}})
	read := g.m.Add(ir.Node{Op: ir.MemRead, Width: 16, Aux: int32(len(g.m.Mems) - 1)}, count)
	full := g.two(ir.Eq, 1, count, g.c(5, g.Uint64N(32)))
	g.bits = append(g.bits, full, g.slice(acc, g.IntN(wa), 1))
	g.data = append(g.data, acc, read)
	var keys []bits.Value
	args := [3][]ir.ID{{state, g.c(w, 0)}, {state, count}, {state, acc}}
	for s := range states {
		keys = append(keys, bits.New(w, uint64(s)))
		args[0] = append(args[0], g.mux(g.bit(), g.c(w, g.Uint64N(uint64(states))), g.mux(g.bit(), g.c(w, g.Uint64N(uint64(states))), state)))
		args[1] = append(args[1], [...]ir.ID{count, g.two(ir.Add, 5, count, g.c(5, 1)), g.c(5, 0), g.mux(full, g.c(5, 0), g.two(ir.Add, 5, count, g.c(5, 1)))}[g.IntN(4)])
		d := g.wide(g.data[g.IntN(len(g.data))], wa)
		ops := [...]ir.Op{ir.Add, ir.Sub, ir.Xor, ir.And, ir.Or, ir.Mul}
		args[2] = append(args[2], [...]ir.ID{acc, g.two(ops[g.IntN(6)], wa, acc, d), g.two(ir.Add, wa, d, g.c(wa, 1))}[g.IntN(3)])
	}
	g.next(state, g.m.AddCase(w, 0, keys, args[0]...))
	g.next(count, g.m.AddCase(5, 0, keys, args[1]...))
	g.next(acc, g.m.AddCase(wa, 0, keys, args[2]...))
	in := g.two(ir.Eq, 1, state, g.c(w, g.Uint64N(uint64(states))))
	mem := &g.m.Mems[len(g.m.Mems)-1]
	mem.Writes = append(mem.Writes, ir.WritePort{Name: "w", Clk: g.clk, Addr: count, Data: g.wide(acc, 16), En: in})
}

// program adds a little processor: words of a memory, which it changes now and
// then, say where to go on and what to add.
func (g *machines) program() {
	const depth = 24
	pc := g.m.AddReg("pc", 5, 0, g.clk, 0)
	acc := g.m.AddReg("total", 32, 0, g.clk, 0)
	mem := ir.Memory{Name: "code", Depth: depth, Width: 32}
	for range depth {
		mem.Init = append(mem.Init, bits.New(32, g.Uint64()&0xffffffff))
	}
	at := int32(len(g.m.Mems))
	g.m.Mems = append(g.m.Mems, mem)
	word := g.m.Add(ir.Node{Op: ir.MemRead, Width: 32, Aux: at}, pc)
	ahead := g.two(ir.Add, 5, pc, g.c(5, 1))
	ahead = g.mux(g.two(ir.Lt, 1, ahead, g.c(5, depth)), ahead, g.c(5, 0))
	jump := g.two(ir.And, 1, g.slice(word, 0, 1), g.bit())
	g.next(pc, g.mux(jump, g.slice(word, 1, 5), ahead))
	g.next(acc, g.mux(g.slice(word, 6, 1), g.two(ir.Add, 32, acc, g.wide(g.slice(word, 8, 12), 32)), g.two(ir.Xor, 32, acc, word)))
	g.data = append(g.data, acc)
	seldom := g.two(ir.Eq, 1, g.slice(acc, 0, 11), g.c(11, 5))
	m := &g.m.Mems[at]
	m.Writes = append(m.Writes, ir.WritePort{Name: "w", Clk: g.clk, Addr: g.slice(acc, 11, 5), Data: g.two(ir.Xor, 32, acc, word), En: seldom})
}

// TestControlInLockstep runs random state machines for so long that bodies are
// compiled, missed and compiled again, with pokes of state between.
func TestControlInLockstep(t *testing.T) {
	n, cycles := uint64(60), 9000
	if testing.Short() {
		n, cycles = 6, 6000
	}
	if *manySeeds > 0 {
		n = uint64(*manySeeds)
	}
	specialised := uint64(0)
	for i := range n {
		seed := *firstSeed + i
		d := controlDesign(seed)
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		s, err := sim.New(d, sim.WithEngine(sim.Lockstep), sim.WithSeed(seed))
		require.NoError(t, err, "seed %d", seed)
		s.Reset()
		r := rand.New(rand.NewPCG(seed, 1))
		for range 6 {
			s.Step(cycles / 6)
			for sig := range s.Signals() {
				if sig.IsState() && r.IntN(8) == 0 {
					require.NoError(t, s.Poke(sig, bits.New(sig.Width(), r.Uint64()&(1<<min(sig.Width(), 63)-1))))
				}
			}
			if r.IntN(3) == 0 {
				s.Reset()
			}
		}
		require.NoError(t, s.Err(), "seed %d", seed)
		if s.Engine() == sim.Interpreter || sim.Bodies(s) > 0 {
			specialised++
		}
		require.NoError(t, s.Close())
	}
	if native.Adapts() {
		require.Greater(t, 2*specialised, n, "few designs were specialised: the test tries nothing")
	}
}
