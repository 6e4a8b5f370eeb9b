package randcircuit

import (
	"fmt"
	"math/rand/v2"

	"etch/ir"
	"etch/ir/bits"
)

// Classes makes a design of count instances of one random module. Their inputs are registers
// that take outputs of other instances, mixed with a counter, so the instances take different
// courses. Its inputs are only the clock clk and the reset rst. It tests engines that compute
// alike instances together.
func Classes(seed uint64, nodes, count int) *ir.Design {
	d := Design(seed, Config{Nodes: nodes, Modules: int(seed % 2), State: true, Stmts: seed%3 == 0})
	part := d.Top
	part.Name = "part"
	g := &classes{Rand: rand.New(rand.NewPCG(seed, 0xc1a55)), m: ir.NewModule("many", d.Src)}

	// A linear congruential generator: its bits are mixed into the inputs.
	g.clk = g.m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	g.rst = g.m.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	g.tick = g.m.AddReg("tick", 64, 0, g.clk, 0)
	product := g.m.Add(ir.Node{Op: ir.Mul, Width: 64}, g.tick, g.m.Const(bits.New(64, 0x9e3779b97f4a7c15), 0))
	g.m.Regs[0].Next = g.m.Add(ir.Node{Op: ir.Add, Width: 64}, product, g.m.Const(bits.New(64, 12345), 0))
	for i := range count {
		g.insts = append(g.insts, g.m.AddInst(fmt.Sprintf("u%d", i), part, 0))
	}

	// Connect all instances after all exist: their inputs are each other's outputs.
	for i, at := range g.insts {
		for k := range part.Ports {
			if part.Ports[k].Dir == ir.In {
				g.m.Insts[at].Conns[k] = g.input(i, k, &part.Ports[k], part)
			}
		}
	}

	// The last instance alone is seen; it depends on the others through its inputs.
	for k, p := range part.Ports {
		if p.Dir == ir.Out {
			g.m.AddOutput(p.Name, p.Width, 0, g.m.Insts[g.insts[count-1]].Conns[k], 0)
		}
	}
	out := &ir.Design{Top: g.m, Src: d.Src}
	out.Modules = append(append(out.Modules, d.Modules...), g.m)
	return out
}

// classes makes the module around the instances.
type classes struct {
	*rand.Rand
	m              *ir.Module
	clk, rst, tick ir.ID
	insts          []int
}

// input returns the driver of input port k of instance i.
func (g *classes) input(i, k int, p *ir.Port, part *ir.Module) ir.ID {
	switch part.TypeOf(p.Type).Kind {
	case ir.Clock:
		return g.clk
	case ir.Reset, ir.AsyncReset:
		return g.rst
	}

	// A constant that differs from instance to instance.
	if g.IntN(5) == 0 {
		return g.m.Const(bits.New(min(p.Width, 60), uint64(i+1)*77).Slice(0, min(p.Width, 60)).ZExt(p.Width), 0)
	}

	// A register between, since outputs may follow from inputs within the cycle.
	r := g.m.AddReg(fmt.Sprintf("in%d_%d", i, k), p.Width, 0, g.clk, 0)
	at := len(g.m.Regs) - 1
	bit := g.m.Add(ir.Node{Op: ir.Slice, Width: 1, Aux: int32(g.IntN(64))}, g.tick)
	mixed := g.m.Add(ir.Node{Op: ir.SExt, Width: int32(p.Width)}, bit)
	g.m.Regs[at].Next = g.m.Add(ir.Node{Op: ir.Xor, Width: int32(p.Width)}, g.other(g.insts[g.IntN(len(g.insts))], p.Width), mixed)
	return r
}

// other returns an output of an instance in w bits.
// The first output serves; its place in the word does not matter.
func (g *classes) other(inst, w int) ir.ID {
	for k, p := range g.m.Insts[inst].Mod.Ports {
		if p.Dir == ir.Out {
			x := g.m.Insts[inst].Conns[k]
			if p.Width >= w {
				return g.m.Add(ir.Node{Op: ir.Slice, Width: int32(w)}, x)
			}
			return g.m.Add(ir.Node{Op: ir.ZExt, Width: int32(w)}, x)
		}
	}
	return g.m.Const(bits.Zero(w), 0)
}
