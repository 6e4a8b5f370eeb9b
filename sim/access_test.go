package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
)

// house has names in two instances, a wide input and a signed one.
func house() *ir.Design {
	b := simtest.NewBuild("house")
	leaf := simtest.Counter(8, false)
	b.Src = leaf.Src
	big := b.AddInput("big", 100, 0, 0)
	small := b.AddInput("small", 5, ir.TypeID(ir.SInt), 0)
	rst := b.AddInput("rst", 1, ir.TypeID(ir.Reset), 0)
	for _, name := range []string{"seconds", "minutes"} {
		out := b.Child(name, leaf, b.Clk, rst, b.Cut(big, 0, 1))
		b.AddOutput(name, 8, 0, out[0], 0)
	}
	neg := b.Add(ir.Node{Op: ir.Not, Width: 5, Type: ir.TypeID(ir.SInt)}, small)
	b.SetName(neg, "flipped")
	b.AddOutput("passed", 5, ir.TypeID(ir.SInt), small, 0)
	return simtest.Design(b, leaf)
}

func TestSet(t *testing.T) {
	s := start(t, house())
	small, big := simtest.Sig(t, s, "small"), simtest.Sig(t, s, "big")
	require.NoError(t, s.Set(small, 31))
	require.EqualError(t, s.Set(small, 32), "sim: 32 does not fit in small of 5 bits")
	require.EqualValues(t, 31, s.Get(small), "the error changed nothing")
	require.EqualValues(t, 0, s.GetInt(big), "unsigned: no extension")
	require.EqualValues(t, -1, s.GetInt(small))
	require.EqualValues(t, 0, s.GetInt(simtest.Sig(t, s, "flipped")))
	require.NoError(t, s.SetInt(small, -16))
	require.EqualValues(t, 15, s.GetInt(simtest.Sig(t, s, "flipped")))
	require.EqualValues(t, -16, s.GetInt(simtest.Sig(t, s, "passed")))
	for _, v := range []int64{16, -17} {
		require.ErrorContains(t, s.SetInt(small, v), "does not fit in small of type sint and 5 bits")
	}
	require.ErrorContains(t, s.SetInt(simtest.Sig(t, s, "rst"), -1), "does not fit")
	require.ErrorContains(t, s.SetInt(simtest.Sig(t, s, "rst"), 2), "does not fit")
	require.ErrorContains(t, s.SetInt(simtest.Sig(t, s, "flipped"), 0), "not an input")
	require.ErrorContains(t, s.SetBits(simtest.Sig(t, s, "flipped"), bits.Zero(5)), "not an input")
	require.NoError(t, s.SetInt(big, 7))
	require.ErrorContains(t, s.SetInt(big, -1), "does not fit", "it is unsigned")

	require.NoError(t, s.SetBits(big, bits.Ones(100)))
	require.NoError(t, s.Set(big, 1<<63))
	require.True(t, s.GetBits(big).Equal(bits.New(100, 1<<63)), "the upper bits are cleared")
	require.Equal(t, []uint64{5, 1 << 63, 0}, s.AppendWords([]uint64{5}, big))
	require.EqualError(t, s.SetBits(big, bits.Ones(99)), "sim: "+bits.Ones(99).String()+" is not of 100 bits as big is")
	require.ErrorContains(t, s.Set(simtest.Sig(t, s, "flipped"), 0), "flipped is not an input of the top house")
	require.ErrorContains(t, s.Set(simtest.Sig(t, s, "passed"), 0), "passed is not an input", "an output, though an input drives it")
	require.ErrorContains(t, s.Set(simtest.Sig(t, s, "seconds.en"), 0), "seconds.en is not an input")
	require.ErrorContains(t, s.Set(simtest.Sig(t, s, "clk"), 1), "clk is a clock")
	require.Zero(t, get(t, s, "clk"))

	count := simtest.Sig(t, s, "seconds.count")
	require.True(t, count.IsState() && !small.IsState() && small.IsInput() && simtest.Sig(t, s, "seconds.clk").IsClock())
	require.NoError(t, s.Poke(count, bits.New(8, 9)))
	require.EqualValues(t, 9, get(t, s, "seconds"), "an output sees it")
	require.NoError(t, s.Poke(simtest.Sig(t, s, "seconds"), bits.New(8, 10)), "another name of the register")
	require.EqualValues(t, 10, s.Get(count))
	require.ErrorContains(t, s.Poke(count, bits.New(9, 9)), "not of 8 bits")
	require.ErrorContains(t, s.Poke(small, bits.New(5, 9)), "small is not a register")
}

func TestNames(t *testing.T) {
	s := start(t, house())
	count := simtest.Sig(t, s, "minutes.count")
	require.Equal(t, []any{"minutes.count", "count", 8, "counter.go:7"}, []any{count.Name(), count.Base(), count.Width(), count.At().String()})
	require.Equal(t, count.Net(), simtest.Sig(t, s, "minutes").Net())
	require.NotEqual(t, count.Net(), simtest.Sig(t, s, "seconds").Net())
	require.Equal(t, count, simtest.Sig(t, s, "minutes.count"))
	require.Equal(t, ir.SInt, simtest.Sig(t, s, "flipped").Type().Kind)
	for path, want := range map[string]string{
		"secondz":       `sim: no signal "secondz" in house; nearest: seconds`,
		"seconds.cuont": `sim: no signal "seconds.cuont" in house; nearest: seconds.count`,
		"minute.count":  `sim: no signal "minute.count" in house; nearest: seconds.count, minutes.count`,
		"count":         `sim: no signal "count" in house; nearest: seconds.count, minutes.count`,
		// The top's own name in front is passed over, as a wave viewer shows it.
		"house.seconds":       `sim: no signal "house.seconds" in house; nearest: seconds`,
		"house.seconds.count": `sim: no signal "house.seconds.count" in house; nearest: seconds.count, minutes.count`,
		"house.secondz":       `sim: no signal "house.secondz" in house; nearest: seconds`,
		"house.xyzzy":         `sim: no signal "house.xyzzy" in house`,

		"xyzzy":         `sim: no signal "xyzzy" in house`,
		"":              `sim: no signal "" in house`,
		"seconds.en.xx": `sim: no signal "seconds.en.xx" in house`,
	} {
		_, err := s.Signal(path)
		require.EqualError(t, err, want)
	}
	long := strings.Repeat("seconds.", 100000)
	_, err := s.Signal(long)
	require.Less(t, len(err.Error()), 200)
	_, err = s.Signal(strings.Repeat(".", 1000000))
	require.Error(t, err)

	var all []string
	for x := range s.Signals() {
		all = append(all, x.Name())
	}
	require.Equal(t, strings.Fields(`clk big small rst seconds minutes passed flipped
		seconds.clk seconds.rst seconds.en seconds.count
		minutes.clk minutes.rst minutes.en minutes.count`), all)
	for range s.Signals() {
		break
	}
	root := s.Root()
	require.Equal(t, []string{"house", "", "minutes", "minutes"}, []string{root.Name(), root.Path(), root.Children()[1].Name(), root.Children()[1].Path()})
	require.Equal(t, "counter", root.Children()[0].Module().Name)
	require.Equal(t, count, root.Children()[1].Signals()[3])
	require.True(t, count.Valid() && !sim.Signal{}.Valid())
	d := ram(8, 0)
	require.Equal(t, d, start(t, d).Design())
	require.Equal(t, "words", start(t, d).Root().Mems()[0].Name())
}

func TestNodeHandles(t *testing.T) {
	d := house()
	s := start(t, d)
	id := d.Modules[0].Regs[0].Next
	x, err := s.NodeOf("seconds", id)
	require.NoError(t, err)
	require.Regexp(t, `^seconds\.%\d+$`, x.Name())
	require.NoError(t, s.Set(simtest.Sig(t, s, "big"), 1))
	require.EqualValues(t, 1, s.Get(x))
	require.Equal(t, "small", s.Node(d.Top.Ports[2].Node).Base())
	for _, c := range []struct {
		path string
		id   ir.ID
		want string
	}{
		{"second", 1, `sim: no instance "second" in house`},
		{"seconds.x", 1, `sim: no instance "seconds.x" in house`},
		{"seconds", 0, `sim: module counter has no node %0`},
		{"", 10000, `sim: module house has no node %10000`},
	} {
		_, err := s.NodeOf(c.path, c.id)
		require.EqualError(t, err, c.want)
	}
	require.Panics(t, func() { s.Node(0) })
	for i, p := range s.Top() {
		require.Equal(t, d.Top.Ports[i].Name, p.Name())
	}
}

// TestDottedNames: a name may hold dots itself.
func TestDottedNames(t *testing.T) {
	leaf := simtest.Counter(8, false)
	b := simtest.NewBuild("top")
	rst := b.AddInput("in.rst", 1, 0, 0)
	out := b.Child("u.v", leaf, b.Clk, rst, rst)
	b.AddOutput("u.v.count", 8, 0, b.Put(ir.Not, 8, out[0]), 0)
	s := start(t, simtest.Design(b, leaf))
	require.EqualValues(t, 255, get(t, s, "u.v.count"), "the top's own name goes first")
	require.EqualValues(t, 0, get(t, s, "u.v.en"))
	require.EqualValues(t, 0, get(t, s, "in.rst"))
}

func TestSeed(t *testing.T) {
	state := func(opts ...sim.Option) (v [4]uint64) {
		b := simtest.NewBuild("state")
		q := b.AddReg("q", 60, 0, b.Clk, 0)
		b.Regs[0].Next = q
		z := b.Register("z", 60, 5) // has an initial value
		b.Feed(z, z)
		rd := b.Add(ir.Node{Op: ir.MemOut, Width: 60})
		b.SetName(rd, "rd")
		addr := b.AddInput("addr", 4, 0, 0)
		b.Mems = []ir.Memory{
			{Name: "m", Depth: 9, Width: 60, Reads: []ir.ReadPort{{Node: rd, Clk: b.Clk, Addr: addr}}},
			{Name: "given", Depth: 9, Width: 60, Init: []bits.Value{}},
		}
		s := start(t, simtest.Design(b), opts...)
		m, err := s.Mem("m")
		require.NoError(t, err)
		given, err := s.Mem("given")
		require.NoError(t, err)
		require.EqualValues(t, 5, get(t, s, "z"))
		require.True(t, given.Read(8).IsZero())
		require.Zero(t, m.Read(8).Uint64()>>60)
		return [4]uint64{get(t, s, "q"), get(t, s, "rd"), m.Read(0).Uint64(), m.Read(8).Uint64()}
	}
	require.Equal(t, [4]uint64{}, state())
	one := state(sim.WithSeed(1))
	require.Equal(t, one, state(sim.WithSeed(1)))
	for _, other := range [][4]uint64{{}, state(sim.WithSeed(0)), state(sim.WithSeed(2))} {
		for i := range one {
			require.NotEqual(t, one[i], other[i])
			require.NotEqual(t, one[i], one[(i+1)%4])
		}
	}
}
