package sim_test

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// build wraps a module for designs written straight in ir.
type build struct {
	*ir.Module
	clk ir.ID
}

func newBuild(name string) *build {
	m := ir.NewModule(name, ir.NewSources())
	return &build{m, m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)}
}

func (b *build) node(op ir.Op, width int, args ...ir.ID) ir.ID {
	return b.Add(ir.Node{Op: op, Width: int32(width)}, args...)
}

func (b *build) konst(width int, v uint64) ir.ID { return b.Const(bits.New(width, v), 0) }

func (b *build) slice(id ir.ID, lo, width int) ir.ID {
	return b.Add(ir.Node{Op: ir.Slice, Width: int32(width), Aux: int32(lo)}, id)
}

// reg adds a register that starts at init; its next value comes by next.
func (b *build) reg(name string, width int, init uint64) ir.ID {
	id := b.AddReg(name, width, 0, b.clk, 0)
	b.Regs[b.Node(id).Aux].Init = b.konst(width, init)
	return id
}

func (b *build) next(reg, to ir.ID) { b.Regs[b.Node(reg).Aux].Next = to }

// instance connects the inputs of a child by position and returns its outputs.
func (b *build) instance(name string, child *ir.Module, in ...ir.ID) []ir.ID {
	inst := &b.Insts[b.AddInst(name, child, 0)]
	var out []ir.ID
	for i, p := range child.Ports {
		if p.Dir == ir.In {
			inst.Conns[i], in = in[0], in[1:]
		} else {
			out = append(out, inst.Conns[i])
		}
	}
	return out
}

func design(top *build, below ...*ir.Module) *ir.Design {
	return &ir.Design{Top: top.Module, Modules: append(below, top.Module), Src: top.Src}
}

// noise is a xorshift generator of 64 bits (Marsaglia 2003).
func (b *build) noise(name string, seed uint64) ir.ID {
	x := b.reg(name, 64, seed)
	y := b.node(ir.Xor, 64, x, b.node(ir.Shl, 64, x, b.konst(6, 13)))
	y = b.node(ir.Xor, 64, y, b.node(ir.Shr, 64, y, b.konst(6, 7)))
	b.next(x, b.node(ir.Xor, 64, y, b.node(ir.Shl, 64, y, b.konst(6, 17))))
	return x
}

// rotated is x, of w bits, rotated by one.
func (b *build) rotated(x ir.ID, w int) ir.ID {
	return b.node(ir.Cat, w, b.slice(x, 0, w-1), b.slice(x, w-1, 1))
}

// dwcNet is a weightless network of the shape of designs/dwc with n look-ups of
// six inputs in each of two layers: noise, thermometers, layers, four popcounts,
// all into one checksum.
func dwcNet(n int) *ir.Design {
	r := newRand(7)
	b := newBuild("dwc")
	var layer []ir.ID
	var noise []ir.ID
	for i := range 5 {
		noise = append(noise, b.noise(fmt.Sprintf("noise%d", i), 0x9e3779b97f4a7c15*uint64(i+1)))
	}
	all := b.node(ir.Cat, 320, noise...)
	for i := range 100 {
		field := b.slice(all, 3*i, 3)
		for level := range 7 {
			layer = append(layer, b.node(ir.Lt, 1, b.konst(3, uint64(level)), field))
		}
	}
	for l := range 2 {
		var next []ir.ID
		for range n {
			in := make([]ir.ID, 6)
			for k := range in {
				in[k] = layer[r.IntN(len(layer))]
			}
			next = append(next, b.AddLut(bits.New(64, r.Uint64()), 0, in...))
		}
		q := b.reg(fmt.Sprintf("layer%d", l), n, 0)
		b.next(q, b.node(ir.Cat, n, next...))
		layer = layer[:0:0]
		for k := range n {
			layer = append(layer, b.slice(q, k, 1))
		}
		if l == 1 {
			b.countAll(q, n)
		}
	}
	return design(b)
}

// countAll adds four counts of quarters of q and a checksum of them.
func (b *build) countAll(q ir.ID, n int) {
	w := ir.CountWidth(n / 4)
	var counts []ir.ID
	for k := range 4 {
		counts = append(counts, b.node(ir.PopCount, w, b.slice(q, k*n/4, n/4)))
	}
	y := b.reg("y", 4*w, 0)
	b.next(y, b.node(ir.Cat, 4*w, counts...))
	c := b.reg("c", 64, 0)
	b.next(c, b.node(ir.Xor, 64, b.rotated(c, 64), b.node(ir.ZExt, 64, y)))
	b.AddOutput("check", 64, 0, c, 0)
}

// element is a processing element: it keeps a weight, passes a on and adds
// a·weight to the sum that comes by.
func element() *ir.Module {
	b := newBuild("element")
	load := b.AddInput("load", 1, 0, 0)
	a := b.AddInput("a", 8, 0, 0)
	sum := b.AddInput("sum", 32, 0, 0)
	weight := b.AddInput("weight", 8, 0, 0)
	aq, sq, wq := b.reg("a_q", 8, 0), b.reg("sum_q", 32, 0), b.reg("weight_q", 8, 0)
	b.next(aq, a)
	b.next(sq, b.node(ir.Add, 32, sum, b.node(ir.ZExt, 32, b.node(ir.Mul, 16, a, wq))))
	b.next(wq, b.node(ir.Mux, 8, load, weight, wq))
	b.AddOutput("a_out", 8, 0, aq, 0)
	b.AddOutput("sum_out", 32, 0, sq, 0)
	b.AddOutput("weight_out", 8, 0, wq, 0)
	return b.Module
}

// systolic is a weight-stationary array of n×n elements, an instance each, fed
// by noise, its sums in one checksum.
func systolic(n int) *ir.Design {
	pe := element()
	b := newBuild("systolic")
	cycle := b.reg("cycle", 16, 0)
	b.next(cycle, b.node(ir.Add, 16, cycle, b.konst(16, 1)))
	load := b.node(ir.Lt, 1, cycle, b.konst(16, uint64(n)))
	var feed []ir.ID
	for i := range (n + 7) / 8 {
		x := b.noise(fmt.Sprintf("noise%d", i), 0x9e3779b97f4a7c15*uint64(i+1))
		for k := range 8 {
			feed = append(feed, b.slice(x, 8*k, 8))
		}
	}
	sums, weights := make([]ir.ID, n), make([]ir.ID, n)
	for j := range n {
		sums[j], weights[j] = b.konst(32, 0), feed[j*5%n]
	}
	for i := range n {
		a := feed[i]
		for j := range n {
			out := b.instance(fmt.Sprintf("pe_%d_%d", i, j), pe, b.clk, load, a, sums[j], weights[j])
			a, sums[j], weights[j] = out[0], out[1], out[2]
		}
	}
	x := sums[0]
	for _, s := range sums[1:] {
		x = b.node(ir.Xor, 32, b.rotated(x, 32), s)
	}
	c := b.reg("c", 64, 0)
	b.next(c, b.node(ir.Xor, 64, b.rotated(c, 64), b.node(ir.Cat, 64, x, x)))
	b.AddOutput("check", 64, 0, c, 0)
	return design(b, pe)
}
