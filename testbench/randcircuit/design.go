package randcircuit

import (
	"fmt"
	"math/rand/v2"

	"etch/ir"
	"etch/ir/bits"
)

// Config sets the size and the contents of a random design.
type Config struct {
	Nodes   int   // operations per module, about; 40 if 0
	Modules int   // modules below the top, at most
	Widths  []int // widths to draw from; [Widths] if nil
	State   bool  // registers and memories
	Stmts   bool  // statements
	Extern  bool  // some modules below are black boxes with a model
	Control bool  // with State: a state machine in most modules
	Split   bool  // different clock ports of an instance are different clocks above
	Clocks  int   // clock inputs of a module with state; 2 if 0
	Falls   bool  // some state moves with falling edges of clocks
	Latches bool  // with State: latches
	Calm    bool  // latches close while their data stands still
	Pads    bool  // nets with several drivers, and pads below the top
	Pulls   bool  // with Pads: some nets have a pull, and hang at times
	Attrs   bool  // attributes
}

// Widths are the widths at which words, signs and carries go wrong.
var Widths = []int{1, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}

// Narrow are widths whose value combinations can all be tried.
var Narrow = []int{1, 1, 2, 3, 4}

// Design makes a random design. The top is called top; its inputs include the
// clocks clk0, clk1, …, the reset rst and the asynchronous reset arst when there
// is state.
func Design(seed uint64, c Config) *ir.Design {
	if c.Nodes == 0 {
		c.Nodes = 40
	}
	if c.Widths == nil {
		c.Widths = Widths
	}
	if c.Clocks == 0 {
		c.Clocks = 2
	}

	// Modules are made in order; later ones may have instances of earlier ones.
	d := &ir.Design{Src: ir.NewSources()}
	rng := rand.New(rand.NewPCG(seed, 0x7e7c4))
	phase := &ir.Enum{Name: "phase", Names: []string{"idle", "run", "a stop"}, Codes: []uint64{0, 1, 3}}
	for i := range c.Modules {
		g := newGen(rng, &c, d, fmt.Sprintf("part_%d", i), phase)
		if c.Extern && rng.IntN(4) == 0 {
			g.m.Extern = &ir.Extern{Module: "box", Files: []string{"box.v"}, Params: []ir.Param{{Name: "W", Value: "8"}}, Model: true}
		}
		d.Modules = append(d.Modules, g.module())
	}

	top := newGen(rng, &c, d, "top", phase)
	top.top = true
	d.Top = top.module()
	d.Modules = append(d.Modules, d.Top)
	return d
}

// gen makes one module.
type gen struct {
	*rand.Rand
	c     *Config
	d     *ir.Design
	m     *ir.Module
	phase *ir.Enum
	all   []ir.ID         // nodes to draw arguments from
	of    map[int][]ir.ID // of them, by width
	clks  []ir.ID
	rst   ir.ID
	arst  ir.ID
	top   bool
	data  []ir.ID // inputs that are no clock and no reset
	later []ir.ID // wires that refer forward

	padNet, pen ir.ID // of a module with a pad
}

// newGen begins a module.
func newGen(rng *rand.Rand, c *Config, d *ir.Design, name string, phase *ir.Enum) *gen {
	m := ir.NewModule(name, d.Src)
	m.Origin = "randcircuit.Part"
	g := &gen{Rand: rng, c: c, d: d, m: m, phase: phase, of: map[int][]ir.ID{}}
	m.Pos = g.pos()
	return g
}

// module makes the module. Forward wires and state come first, so that operations may read them;
// their inputs come last.
func (g *gen) module() *ir.Module {
	g.inputs()

	// Wires without a driver yet: it is made after the operations.
	for range g.IntN(3) {
		w := g.width()
		wire := g.m.Add(ir.Node{Op: ir.Wire, Width: int32(w), Pos: g.pos()}, ir.None)
		g.later = append(g.later, wire)
		g.keep(wire)
	}

	if g.c.State {
		g.state()
		if g.c.Latches {
			g.latch()
		}
	}

	if g.c.Pads && !g.top && g.m.Extern == nil && g.IntN(2) == 0 {
		g.pad()
		g.keep(g.padNet)
	}

	for n := 0; n < g.c.Nodes; n++ {
		g.one()
	}

	// After the operations, as a machine reads them.
	if g.c.State && g.c.Control && g.IntN(4) != 0 {
		g.machine(0)
	}

	// From inputs only, as a loop would close otherwise.
	for _, wire := range g.later {
		x := g.leafLike(g.m.Width(wire)) // may move the arguments
		g.m.Args(wire)[0] = x
	}
	if g.padNet != ir.None {
		g.drivePad()
	}
	if g.c.State {
		g.feed()
	}
	g.outputs()
	if g.c.Attrs {
		g.attributes()
	}
	if g.c.Stmts {
		g.stmts()
	}
	return g.m
}

// one makes an operation, an instance, a read or a latch. About a third of all are bait for the
// rules of passes.
func (g *gen) one() {
	if g.c.Pads && g.IntN(16) == 0 {
		g.net()
	}

	// Where the kind drawn needs what the module lacks, there is bait.
	switch k := g.IntN(20); {
	case k == 0 && len(g.d.Modules) > 0:
		g.instance()
	case k == 1 && len(g.m.Mems) > 0:
		g.look()
	case k == 2 && g.c.Latches && g.c.State:
		g.latch()
	case k < 9:
		g.bait()
	default:
		g.op()
	}
}

// inputs adds the ports. A few data inputs share a width, so that operations on two inputs are
// common.
func (g *gen) inputs() {
	// Statements need a clock, even without state.
	if g.c.State || g.c.Stmts {
		for i := range g.c.Clocks {
			clk := g.m.AddInput(fmt.Sprintf("clk%d", i), 1, ir.TypeID(ir.Clock), g.pos())
			g.clks = append(g.clks, clk)
		}
		g.rst = g.m.AddInput("rst", 1, ir.TypeID(ir.Reset), g.pos())
		g.arst = g.m.AddInput("arst", 1, ir.TypeID(ir.AsyncReset), g.pos())
	}

	// Few inputs, for their values to meet in one operation.
	for i := range 4 + g.IntN(3) {
		w := g.width()
		g.data = append(g.data, g.keep(g.m.AddInput(fmt.Sprintf("in%d", i), w, g.typ(w), g.pos())))
	}
}

// outputs makes an output of most nodes without a reader, so that little is dead, and of a few
// others.
func (g *gen) outputs() {
	used := make([]bool, g.m.Len())
	for id := ir.ID(1); int(id) < g.m.Len(); id++ {
		for _, a := range g.m.Args(id) {
			used[a] = true
		}
	}
	n := 0
	for i, id := range g.all {
		if i > 0 && (used[id] && g.IntN(16) != 0 || g.IntN(6) == 0) {
			continue // the first node always is an output
		}
		w := g.m.Width(id)
		g.m.AddOutput(fmt.Sprintf("out%d", n), w, g.typ(w), id, g.pos())
		n++
	}
}

// width draws a width.
func (g *gen) width() int { return g.c.Widths[g.IntN(len(g.c.Widths))] }

// pos draws a position.
func (g *gen) pos() ir.Pos {
	file := [...]string{"/src/top.go", `C:\odd "path"\part.go`}[g.IntN(2)]
	return g.d.Src.Line(file, g.IntN(50)) // line 0 is no position
}

// typ draws a type that fits a width; mostly plain bits.
func (g *gen) typ(w int) ir.TypeID {
	// Types may not change values: a pass that looks at them is wrong.
	switch k := g.IntN(12); {
	case k == 0:
		return ir.TypeID(ir.SInt)
	case k == 1 && w == 1:
		return ir.TypeID(ir.Bool)
	case k == 2 && w >= 2 && w <= 8:
		return g.m.AddType(ir.Type{Kind: ir.EnumKind, Enum: g.phase})
	case k == 4 && 4 <= w && w <= 64:
		e := 2 + g.IntN(min(10, w-3))
		return g.m.AddType(ir.Type{Kind: ir.Float, Exp: e, Frac: min(w-1-e, 52), Top: ir.TopCodes(g.IntN(3))})
	case k == 3:
		return g.m.AddType(ir.Type{Kind: ir.Fixed, Frac: g.IntN(9) - 2})
	}
	return ir.TypeID(ir.UInt)
}

var oddNames = []string{"", "lane[3]", "a.b.c", "module", "x y", "é→", "\"q\"", "\xff", "1st", "%7"}

// keep makes a node available as an argument, and gives some nodes names and types.
func (g *gen) keep(id ir.ID) ir.ID {
	n := g.m.Node(id)

	// One name in three; a few of them are no identifiers of Verilog.
	if g.m.NameOf(id) == "" && g.IntN(3) == 0 {
		g.m.SetName(id, fmt.Sprintf("%s%d", oddNames[max(0, g.IntN(40)-30)], id))
	}
	if n.Type == 0 && n.Op != ir.InstOut {
		n.Type = g.typ(int(n.Width))
	}
	g.all = append(g.all, id)
	g.of[int(n.Width)] = append(g.of[int(n.Width)], id)
	return id
}

// pick returns a node of width w: an existing one, often a recent one, or one made from another.
func (g *gen) pick(w int) ir.ID {
	// Of the draws from the list, half are of its last four, so that logic gets deep.
	if list := g.of[w]; len(list) > 0 && g.IntN(8) != 0 {
		if g.IntN(2) == 0 {
			return list[len(list)-1-g.IntN(min(len(list), 4))]
		}
		return list[g.IntN(len(list))]
	}

	// Nothing of that width, or one draw in eight: a constant, or any node made to fit.
	if g.IntN(6) == 0 {
		return g.konst(w)
	}
	x := g.all[g.IntN(len(g.all))]
	return g.fit(x, w)
}

// fit cuts or extends a node to width w.
func (g *gen) fit(x ir.ID, w int) ir.ID {
	switch have := g.m.Width(x); {
	case have == w:
		return x
	case have > w:
		return g.m.Add(ir.Node{Op: ir.Slice, Width: int32(w), Aux: int32(g.IntN(have - w + 1)), Pos: g.pos()}, x)
	case g.IntN(2) == 0:
		return g.m.Add(ir.Node{Op: ir.ZExt, Width: int32(w), Pos: g.pos()}, x)
	default:
		return g.m.Add(ir.Node{Op: ir.SExt, Width: int32(w), Pos: g.pos()}, x)
	}
}

// leafLike makes a node of width w that depends on data inputs only.
func (g *gen) leafLike(w int) ir.ID {
	// Clocks and resets are left out, since they are no data.
	for i := range g.m.Ports {
		p := &g.m.Ports[i]
		switch g.m.TypeOf(p.Type).Kind {
		case ir.Clock, ir.Reset, ir.AsyncReset:
			continue
		}
		if p.Dir == ir.In && g.IntN(2) == 0 {
			return g.fit(p.Node, w)
		}
	}
	return g.konst(w)
}

// konst makes a constant, often one of the values in identities.
func (g *gen) konst(w int) ir.ID { return g.m.Const(g.value(w), g.pos()) }

// value draws a value: often 0, 1, all ones, a single bit or a sign.
func (g *gen) value(w int) bits.Value {
	// Corner values are most of the draws: they are where operators go wrong.
	switch g.IntN(10) {
	case 0, 1:
		return bits.Zero(w)
	case 2:
		return bits.New(w, 1)
	case 3:
		return bits.Ones(w)
	case 4:
		return bits.Zero(w).SetBit(g.IntN(w), 1)
	case 5:
		return bits.Ones(w).SetBit(w-1, 0)
	case 6:
		return bits.New(w, uint64(g.IntN(4)))
	case 7:
		return bits.Zero(w).SetBit(w-1, 1)
	}

	words := make([]uint64, bits.WordCount(w))
	for i := range words {
		words[i] = g.Uint64()
	}
	return bits.FromWords(w, words)
}
