package sim_test

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim/internal/simtest"
)

// dwcNet is a weightless network of the shape of designs/dwc with n look-ups of
// six inputs in each of two layers: noise, thermometers, layers, four popcounts,
// all into one checksum.
func dwcNet(n int) *ir.Design {
	r := simtest.NewRand(7)
	b := simtest.NewBuild("dwc")
	var layer []ir.ID
	var noise []ir.ID
	for i := range 5 {
		noise = append(noise, b.Noise(fmt.Sprintf("noise%d", i), 0x9e3779b97f4a7c15*uint64(i+1)))
	}
	all := b.Put(ir.Cat, 320, noise...)
	for i := range 100 {
		field := b.Cut(all, 3*i, 3)
		for level := range 7 {
			layer = append(layer, b.Put(ir.Lt, 1, b.Number(3, uint64(level)), field))
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
		q := b.Register(fmt.Sprintf("layer%d", l), n, 0)
		b.Feed(q, b.Put(ir.Cat, n, next...))
		layer = layer[:0:0]
		for k := range n {
			layer = append(layer, b.Cut(q, k, 1))
		}
		if l == 1 {
			countAll(b, q, n)
		}
	}
	return simtest.Design(b)
}

// countAll adds four counts of quarters of q and a checksum of them.
func countAll(b *simtest.Build, q ir.ID, n int) {
	w := ir.CountWidth(n / 4)
	var counts []ir.ID
	for k := range 4 {
		counts = append(counts, b.Put(ir.PopCount, w, b.Cut(q, k*n/4, n/4)))
	}
	y := b.Register("y", 4*w, 0)
	b.Feed(y, b.Put(ir.Cat, 4*w, counts...))
	c := b.Register("c", 64, 0)
	b.Feed(c, b.Put(ir.Xor, 64, b.Rotated(c, 64), b.Put(ir.ZExt, 64, y)))
	b.AddOutput("check", 64, 0, c, 0)
}

// element is a processing element: it keeps a weight, passes a on and adds
// a·weight to the sum that comes by.
func element() *ir.Module {
	b := simtest.NewBuild("element")
	load := b.AddInput("load", 1, 0, 0)
	a := b.AddInput("a", 8, 0, 0)
	sum := b.AddInput("sum", 32, 0, 0)
	weight := b.AddInput("weight", 8, 0, 0)
	aq, sq, wq := b.Register("a_q", 8, 0), b.Register("sum_q", 32, 0), b.Register("weight_q", 8, 0)
	b.Feed(aq, a)
	b.Feed(sq, b.Put(ir.Add, 32, sum, b.Put(ir.ZExt, 32, b.Put(ir.Mul, 16, a, wq))))
	b.Feed(wq, b.Put(ir.Mux, 8, load, weight, wq))
	b.AddOutput("a_out", 8, 0, aq, 0)
	b.AddOutput("sum_out", 32, 0, sq, 0)
	b.AddOutput("weight_out", 8, 0, wq, 0)
	return b.Module
}

// systolic is a weight-stationary array of n×n elements, an instance each, fed
// by noise, its sums in one checksum.
func systolic(n int) *ir.Design {
	pe := element()
	b := simtest.NewBuild("systolic")
	cycle := b.Register("cycle", 16, 0)
	b.Feed(cycle, b.Put(ir.Add, 16, cycle, b.Number(16, 1)))
	load := b.Put(ir.Lt, 1, cycle, b.Number(16, uint64(n)))
	var feed []ir.ID
	for i := range (n + 7) / 8 {
		x := b.Noise(fmt.Sprintf("noise%d", i), 0x9e3779b97f4a7c15*uint64(i+1))
		for k := range 8 {
			feed = append(feed, b.Cut(x, 8*k, 8))
		}
	}
	sums, weights := make([]ir.ID, n), make([]ir.ID, n)
	for j := range n {
		sums[j], weights[j] = b.Number(32, 0), feed[j*5%n]
	}
	for i := range n {
		a := feed[i]
		for j := range n {
			out := b.Child(fmt.Sprintf("pe_%d_%d", i, j), pe, b.Clk, load, a, sums[j], weights[j])
			a, sums[j], weights[j] = out[0], out[1], out[2]
		}
	}
	x := sums[0]
	for _, s := range sums[1:] {
		x = b.Put(ir.Xor, 32, b.Rotated(x, 32), s)
	}
	c := b.Register("c", 64, 0)
	b.Feed(c, b.Put(ir.Xor, 64, b.Rotated(c, 64), b.Put(ir.Cat, 64, x, x)))
	b.AddOutput("check", 64, 0, c, 0)
	return simtest.Design(b, pe)
}
