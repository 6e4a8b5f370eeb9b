package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/program"
	"etch/sim/internal/simtest"
)

// boxed uses a black box: total is the sum of the inputs so far, ahead the sum
// with the present one, flags a wide constant.
func boxed() *ir.Design {
	box := ir.NewModule("accumulate_8", ir.NewSources())
	box.Extern = &ir.Extern{Module: "ACC"}
	box.AddInput("add", 8, 0, 0)
	box.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	box.AddOutput("total", 8, 0, ir.None, 0)
	box.AddOutput("ahead", 8, 0, ir.None, 0)
	box.AddOutput("flags", 70, 0, ir.None, 0)
	b := simtest.NewBuild("boxed")
	in := b.AddInput("in", 8, 0, 0)
	loop := b.AddInput("loop", 1, 0, 0)
	fed := b.Put(ir.Wire, 8, ir.None)
	b.SetName(fed, "fed")
	out := b.Child("acc", box, fed, b.Clk)
	back := b.Put(ir.Mux, 8, loop, out[0], in) // total back to add: no loop, if the Model says so
	b.Args(fed)[0] = back
	b.AddOutput("total", 8, 0, out[0], 0)
	b.AddOutput("ahead", 8, 0, out[1], 0)
	b.AddOutput("flags", 70, 0, out[2], 0)
	return simtest.Design(b, box)
}

type accumulate struct {
	sum   bits.Value
	width int
	ticks []int
}

func (a *accumulate) total() bits.Value { return bits.New(8, a.sum.Uint64()) }

func (a *accumulate) Eval(in, out []bits.Value) {
	out[0], out[1], out[2] = a.total(), a.total().Add(in[0]), bits.Ones(70-a.width)
}

func (a *accumulate) Tick(clock int, in []bits.Value) {
	a.ticks = append(a.ticks, clock)
	a.sum = a.total().Add(in[0])
}

func (a *accumulate) Depends(out, in int) bool { return out == 1 && in == 0 }
func (a *accumulate) Save() any                { return a.sum }
func (a *accumulate) Load(state any)           { a.sum = state.(bits.Value) }

// plain hides everything but the Model.
type plain struct{ program.Model }

func TestModel(t *testing.T) {
	var made []*accumulate
	s := start(t, boxed(), sim.WithModel("ACC", func() program.Model {
		made = append(made, &accumulate{})
		return made[len(made)-1]
	}))
	set(t, s, "in", 5)
	require.EqualValues(t, []uint64{0, 5}, []uint64{get(t, s, "total"), get(t, s, "ahead")})
	s.Step(3)
	require.EqualValues(t, []uint64{15, 20}, []uint64{get(t, s, "total"), get(t, s, "ahead")})
	require.Equal(t, []int{1, 1, 1}, made[0].ticks, "clk is the second input")
	require.EqualValues(t, 20, get(t, s, "acc.ahead"))
	require.EqualValues(t, 5, get(t, s, "acc.add"))
	require.True(t, s.GetBits(simtest.Sig(t, s, "flags")).IsOnes())

	snap, err := s.Snapshot()
	require.NoError(t, err)
	set(t, s, "loop", 1)
	require.EqualValues(t, 30, get(t, s, "ahead"))
	s.Step(2)
	require.EqualValues(t, 60, get(t, s, "total"))
	require.NoError(t, s.Restore(snap))
	require.EqualValues(t, 15, get(t, s, "total"))
	s.Restart()
	require.Len(t, made, 2)
	require.Zero(t, get(t, s, "total"))
	_, err = s.NodeOf("acc", 1)
	require.ErrorContains(t, err, "run by a Model")
}

func TestModelWithout(t *testing.T) {
	model := func() program.Model { return plain{&accumulate{}} }
	_, err := sim.New(boxed(), sim.WithModel("ACC", model))
	require.ErrorContains(t, err, "combinational loop", "every output depends on every input")
	d := boxed()
	fed := d.Top.Insts[0].Conns[0]
	d.Top.Args(fed)[0] = d.Top.Ports[1].Node
	s := start(t, d, sim.WithModel("ACC", model))
	set(t, s, "in", 7)
	s.Step(2)
	require.EqualValues(t, 21, get(t, s, "ahead"))
	_, err = s.Snapshot()
	require.EqualError(t, err, "sim: the Model of black box acc cannot be saved: it has no Save and Load")
	bad := start(t, d, sim.WithModel("ACC", func() program.Model { return &accumulate{width: 1} }))
	require.PanicsWithValue(t, "sim: the Model of black box accumulate_8 (instance acc) gives 69 bits for output flags of 70", func() { bad.Step(1) })
}

// TestModelBody: a black box with a body runs it, unless a Model is given.
func TestModelBody(t *testing.T) {
	leaf := simtest.Counter(8, false)
	leaf.Extern = &ir.Extern{Module: "COUNT", Model: true}
	b := simtest.NewBuild("top")
	out := b.Child("u", leaf, b.Clk, b.Number(1, 0), b.Number(1, 1))
	b.AddOutput("out", 8, 0, out[0], 0)
	s := start(t, simtest.Design(b, leaf))
	s.Step(3)
	require.EqualValues(t, 3, get(t, s, "out"))
	s = start(t, simtest.Design(b, leaf), sim.WithModel("counter", func() program.Model { return steady{} }))
	s.Step(3)
	require.EqualValues(t, 42, get(t, s, "out"))
	var names []string
	for x := range s.Signals() {
		names = append(names, x.Name())
	}
	require.Equal(t, []string{"clk", "out", "u.clk", "u.rst", "u.en", "u.count"}, names)
}

type steady struct{}

func (steady) Eval(_, out []bits.Value) { out[0] = bits.New(8, 42) }
func (steady) Tick(int, []bits.Value)   {}
