package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/program"
	"etch/sim/internal/simtest"
)

// buffer is a module whose output is its input.
func buffer() *ir.Module {
	b := simtest.NewBuild("buffer")
	in := b.AddInput("in", 1, 0, 0)
	b.AddOutput("out", 1, 0, in, 0)
	return b.Module
}

func TestLoop(t *testing.T) {
	leaf := buffer()
	b := simtest.NewBuild("top")
	x := b.Add(ir.Node{Op: ir.Wire, Width: 1, Pos: b.Src.Line("a/top.go", 4)}, ir.None)
	b.SetName(x, "x")
	out := b.Child("u", leaf, b.Clk, x)
	y := b.Add(ir.Node{Op: ir.Not, Width: 1, Pos: b.Src.Line("a/top.go", 5)}, out[0])
	b.Args(x)[0] = y
	b.AddOutput("y", 1, 0, y, 0)
	_, err := sim.New(simtest.Design(b, leaf))
	require.EqualError(t, err, fmt.Sprintf("sim: combinational loop of 4 nodes: x (top.go:4) needs not %%%d (top.go:5) needs out %%%d needs u.in needs x (top.go:4)", y, out[0]))

	b = simtest.NewBuild("top") // wires simtest.Alone
	x, y = b.Put(ir.Wire, 1, ir.None), b.Put(ir.Wire, 1, ir.None)
	b.Args(x)[0], b.Args(y)[0] = y, x
	_, err = sim.New(simtest.Design(b))
	require.ErrorContains(t, err, "loop of 2 nodes")

	b = simtest.NewBuild("top") // through an asynchronous read
	b.Mems = []ir.Memory{{Name: "m", Depth: 4, Width: 2}}
	r := b.Put(ir.MemRead, 2, 0)
	b.Args(r)[0] = r
	_, err = sim.New(simtest.Design(b))
	require.ErrorContains(t, err, "loop of 1 nodes")

	b = simtest.NewBuild("top") // a long one
	first := b.Put(ir.Not, 1, ir.None)
	last := first
	for range 100000 {
		last = b.Put(ir.Not, 1, last)
	}
	b.Args(first)[0] = last
	_, err = sim.New(simtest.Design(b))
	require.ErrorContains(t, err, "loop of 100001 nodes")
	require.Less(t, len(err.Error()), 1000)
}

// TestNoFalseLoop: two instances feed each other, by other ports than they are
// fed by; the order of nodes must not follow that of instances.
func TestNoFalseLoop(t *testing.T) {
	pair := simtest.NewBuild("pair")
	p, q := pair.AddInput("p", 8, 0, 0), pair.AddInput("q", 8, 0, 0)
	pair.AddOutput("p1", 8, 0, pair.Put(ir.Add, 8, p, pair.Number(8, 1)), 0)
	pair.AddOutput("q2", 8, 0, pair.Put(ir.Add, 8, q, pair.Number(8, 2)), 0)
	b := simtest.NewBuild("top")
	in := b.AddInput("in", 8, 0, 0)
	back := b.Put(ir.Wire, 8, ir.None)
	u := b.Child("u", pair.Module, b.Clk, in, back)
	v := b.Child("v", pair.Module, b.Clk, u[0], u[1]) // v.p1 = in + 2
	b.Args(back)[0] = v[0]
	b.AddOutput("out", 8, 0, v[1], 0) // v.q2 = u.q2 + 2 = back + 4
	s := start(t, simtest.Design(b, pair.Module))
	set(t, s, "in", 10)
	require.EqualValues(t, 16, get(t, s, "out"))
}

// TestLongChain: order and lowering do not recurse.
func TestLongChain(t *testing.T) {
	b := simtest.NewBuild("chain")
	x := b.AddInput("in", 8, 0, 0)
	start0 := b.Put(ir.Wire, 8, ir.None) // the last node is visited first
	one, last := b.Number(8, 1), x
	for range 300000 {
		last = b.Put(ir.Add, 8, last, one)
	}
	b.Args(start0)[0] = last
	b.AddOutput("out", 8, 0, start0, 0)
	s, err := sim.New(simtest.Design(b))
	require.NoError(t, err)
	require.EqualValues(t, 300000%256, get(t, s, "out"))
}

func TestTooLarge(t *testing.T) {
	var below []*ir.Module
	child := buffer()
	for i := range 40 { // 2^40 instances
		below = append(below, child)
		b := simtest.NewBuild(fmt.Sprintf("level%d", i))
		in := b.AddInput("in", 1, 0, 0)
		x := b.Child("a", child, b.Clk, in)
		y := b.Child("b", child, b.Clk, x[0])
		b.AddOutput("out", 1, 0, y[0], 0)
		child = b.Module
	}
	_, err := sim.New(&ir.Design{Top: child, Modules: append(below, child), Src: child.Src})
	require.EqualError(t, err, fmt.Sprintf("sim: the instances of level39 have more than %d nodes", program.MaxNodes))

	b := simtest.NewBuild("huge")
	b.Mems = []ir.Memory{{Name: "m", Depth: 1 << 40, Width: 64, Pos: b.Src.Line("huge.go", 3)}}
	_, err = sim.New(simtest.Design(b))
	require.ErrorContains(t, err, "sim: memory m (huge.go:3) of 1099511627776 words of 64 bits")
	b.Mems = []ir.Memory{{Name: "m", Depth: program.MaxLarge / 16, Width: 65}, {Name: "n", Depth: program.MaxWords, Width: 64}}
	_, err = sim.New(simtest.Design(b))
	require.ErrorContains(t, err, "sim: memory n")
	_, err = sim.New(simtest.Design(b), sim.WithPacking(program.MaxLarge))
	require.ErrorContains(t, err, "sim: memory m")

	b = simtest.NewBuild("wide")
	x := b.AddInput("in", 1<<24, 0, 0)
	for range program.MaxWords >> 18 {
		x = b.Put(ir.Not, 1<<24, x)
	}
	_, err = sim.New(simtest.Design(b))
	require.ErrorContains(t, err, "sim: the values of wide take more than")

	b = simtest.NewBuild("self")
	b.AddInst("again", b.Module, 0)
	_, err = sim.New(simtest.Design(b))
	require.EqualError(t, err, "sim: module self holds itself")
}

func TestBlackBoxErrors(t *testing.T) {
	d := boxed()
	d.Top.Insts[0].Pos = d.Src.Line("top.go", 9)
	_, err := sim.New(d)
	require.EqualError(t, err, `sim: instance acc (top.go:9): black box accumulate_8 (Verilog module ACC) has no behaviour: give it a model body, or WithModel("accumulate_8", …)`)
	_, err = sim.New(d, sim.WithModel("acc", func() program.Model { return &accumulate{} }))
	require.EqualError(t, err, `sim: instance acc (top.go:9): black box accumulate_8 (Verilog module ACC) has no behaviour: give it a model body, or WithModel("accumulate_8", …)`)
	_, err = sim.New(d, sim.WithModel("ACC", func() program.Model { return &accumulate{} }), sim.WithModel("PLL", nil))
	require.EqualError(t, err, `sim: WithModel("PLL", …): no instance of a black box of that name; there are accumulate_8`)
	_, err = sim.New(house(), sim.WithModel("PLL", nil))
	require.EqualError(t, err, `sim: WithModel("PLL", …): no instance of a black box of that name; the design has none`)
	_, err = sim.New(d, sim.WithModel("ACC", func() program.Model { return nil }))
	require.EqualError(t, err, `sim: WithModel("ACC", …) made a nil Model`)
	box := *d.Top.Insts[0].Mod
	_, err = sim.New(&ir.Design{Top: &box, Modules: []*ir.Module{&box}})
	require.EqualError(t, err, "sim: the top accumulate_8 is a black box")
}

// TestDerivedClocks: ports of memories, statements and black boxes need a clock
// of the top as well.
func TestDerivedClocks(t *testing.T) {
	b := simtest.NewBuild("top")
	no := b.Add(ir.Node{Op: ir.And, Width: 1, Type: ir.TypeID(ir.Clock)}, b.Clk, b.Number(1, 1))
	rd := b.Add(ir.Node{Op: ir.MemOut, Width: 2})
	b.Mems = []ir.Memory{{Name: "m", Depth: 4, Width: 2,
		Reads:  []ir.ReadPort{{Name: "r", Node: rd, Clk: no, Addr: rd, Pos: b.Src.Line("t.go", 1)}},
		Writes: []ir.WritePort{{Name: "w", Clk: no, Addr: rd, Data: rd, Pos: b.Src.Line("t.go", 2)}}}}
	b.Stmts = []ir.Stmt{{Kind: ir.Print, Name: "say", Clk: no, Pos: b.Src.Line("t.go", 3)}}
	box := boxed().Modules[0]
	b.Child("u", box, b.Number(8, 0), no)
	b.Insts[0].Pos = b.Src.Line("t.go", 4)
	_, err := sim.New(simtest.Design(b, box), sim.WithModel("ACC", func() program.Model { return &accumulate{} }))
	why := fmt.Sprintf("its clock is not a clock input of the top top but and %%%d; clocks made in the design are not simulated", no)
	require.EqualError(t, err, "sim: memory m: read port r (t.go:1): "+why+
		"\nsim: memory m: write port w (t.go:2): "+why+"\nsim: print say (t.go:3): "+why+"\nsim: black box u: clock clk (t.go:4): "+why)
}

func TestManyClocks(t *testing.T) {
	b := simtest.NewBuild("many")
	var clks []ir.ID
	for i := range 100 {
		clks = append(clks, b.AddInput(fmt.Sprintf("clk%d", i), 1, ir.TypeID(ir.Clock), 0))
	}
	for i, clk := range clks {
		b.Clk = clk
		q := b.Register(fmt.Sprintf("q%d", i), 16, 0)
		b.Feed(q, b.Put(ir.Add, 16, q, b.Number(16, 1)))
	}
	s := start(t, simtest.Design(b))
	for i := range 1000 { // more sets of clocks than are kept
		s.TickAll(simtest.Sig(t, s, fmt.Sprintf("clk%d", i%100)), simtest.Sig(t, s, fmt.Sprintf("clk%d", i/5%100)), simtest.Sig(t, s, fmt.Sprintf("clk%d", i*7%100)))
	}
	var sum uint64
	for i := range 100 {
		require.Equal(t, get(t, s, fmt.Sprintf("q%d", i)), s.Edges(simtest.Sig(t, s, fmt.Sprintf("clk%d", i))))
		sum += get(t, s, fmt.Sprintf("q%d", i))
	}
	require.Greater(t, sum, uint64(2000))
}
