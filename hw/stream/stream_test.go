package stream_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/stream"
	"etch/testbench"
)

// through is the ports of a part with one stream in and one out.
type through struct {
	In  stream.Stream[hw.UInt]
	Out stream.Stream[hw.UInt]
}

var word = hw.Unsigned(12)

func shape() through {
	return through{In: hw.In(stream.Of(word)), Out: hw.Out(stream.Of(word))}
}

// checked is a component around a part whose both ends are watched.
func checked(name string, part func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt]) hw.Component[through] {
	return hw.Func(name, shape(), func(m *hw.Module, p through) {
		stream.Check(m, "check_in", p.In)
		stream.Check(m, "check_out", p.Out)
		hw.Set(p.Out, part(m, p.In))
	})
}

func values(n int) (out []hw.UInt) {
	for i := range n {
		out = append(out, hw.U(i*2654435761>>8&0xfff))
	}
	return out
}

// pushThrough sends values and expects want, for several rates of both sides.
func pushThrough(t *testing.T, c hw.Component[through], sent, want []hw.UInt) {
	t.Helper()
	for seed, rates := range [][2]float64{{0, 0}, {0.5, 0}, {0, 0.5}, {0.3, 0.6}, {0.8, 0.1}} {
		s, p := testbench.New(t, c)
		in := testbench.NewSource(s, p.In, testbench.Pauses(rates[0], uint64(seed)))
		out := testbench.NewSink(s, p.Out, testbench.Pauses(rates[1], uint64(seed)+100))
		in.Send(sent...)
		s.StepUntil(func() bool { return in.Left() == 0 && len(out.Got()) >= len(want) }, 100*len(sent))
		s.Step(20)
		out.Expect(want...)
	}
}

func TestParts(t *testing.T) {
	parts := map[string]func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt]{}
	for _, depth := range []int{1, 2, 3, 5, 8} {
		parts[fmt.Sprintf("queue_%d", depth)] = func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt] {
			return stream.Buffer(m, "q", in, depth)
		}
	}
	for _, cut := range []stream.Cut{stream.Forward, stream.Backward, stream.Both} {
		parts[fmt.Sprintf("slice_%d", cut)] = func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt] {
			return stream.Pipe(m, "s", in, cut)
		}
	}
	parts["narrow_widen"] = func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt] {
		w := hw.Inst(m, "w", stream.Widen[hw.UInt]{Elem: word, N: 3}, stream.WidenPorts[hw.UInt]{In: in})
		return hw.Inst(m, "n", stream.Narrow[hw.UInt]{Elem: word, N: 3}, stream.NarrowPorts[hw.UInt]{In: w.Out}).Out
	}
	parts["fork_join"] = func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt] {
		f := hw.Inst(m, "f", stream.Fork[hw.UInt]{Elem: word, N: 2}, stream.ForkPorts[hw.UInt]{In: in})
		slow := stream.Buffer(m, "q", f.Out[0], 2)
		return stream.Map(stream.Join(m, "j", slow, f.Out[1]), func(p stream.Pair[hw.UInt, hw.UInt]) hw.UInt {
			return hw.Mux(p.First.Eq(p.Second), p.First, hw.U(0))
		})
	}
	for name, part := range parts {
		t.Run(name, func(t *testing.T) { pushThrough(t, checked(name, part), values(60), values(60)) })
	}
}

func TestFilter(t *testing.T) {
	c := checked("odd", func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt] {
		return stream.Filter(m, "odd", in, func(x hw.UInt) hw.Bit { return x.Bit(0) })
	})
	var want []hw.UInt
	for i := range 60 {
		if v := i * 2654435761 >> 8 & 0xfff; v&1 == 1 {
			want = append(want, hw.U(v))
		}
	}
	require.NotEmpty(t, want)
	pushThrough(t, c, values(60), want)
}

// A queue takes and gives an element in every cycle.
func TestThroughput(t *testing.T) {
	for name, part := range map[string]func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt]{
		"queue": func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt] {
			return stream.Buffer(m, "q", in, 2)
		},
		"slice": func(m *hw.Module, in stream.Stream[hw.UInt]) stream.Stream[hw.UInt] {
			return stream.Pipe(m, "s", in, stream.Both)
		},
	} {
		s, p := testbench.New(t, checked(name, part))
		in, out := testbench.NewSource(s, p.In), testbench.NewSink(s, p.Out)
		in.Send(values(50)...)
		cycles := s.StepUntil(func() bool { return len(out.Got()) == 50 }, 100)
		require.LessOrEqual(t, cycles, 52, name)
	}
}

// All inputs are served, in order each, and in turn when all ask.
func TestArbiter(t *testing.T) {
	for _, priority := range []bool{false, true} {
		s, p := testbench.New(t, stream.Arbiter[hw.UInt]{Elem: word, N: 3, Priority: priority})
		for i, in := range p.In {
			src := testbench.NewSource(s, in, testbench.Pauses(0.3, uint64(i)))
			for k := range 30 {
				src.Send(hw.U(i<<8 | k))
			}
		}
		out := testbench.NewSink(s, p.Out, testbench.Pauses(0.3, 9))
		s.StepUntil(func() bool { return len(out.Got()) == 90 }, 2000)
		next := [3]int{}
		for _, v := range out.Got() {
			x := int(v[0].Uint64())
			require.Equal(t, next[x>>8], x&0xff, "input %d", x>>8)
			next[x>>8]++
		}
		require.Equal(t, [3]int{30, 30, 30}, next)
	}
	s, p := testbench.New(t, stream.Arbiter[hw.UInt]{Elem: word, N: 3})
	for _, in := range p.In {
		s.Set(in.Valid, 1)
	}
	s.Set(p.Out.Ready, 1)
	var from []int
	for range 6 {
		from = append(from, s.Get(p.From))
		s.Step(1)
	}
	require.Equal(t, []int{1, 2, 0, 1, 2, 0}, from)
}

// A choice that was offered stands until it is taken, whoever asks meanwhile.
func TestArbiterKeepsItsOffer(t *testing.T) {
	s, p := testbench.New(t, stream.Arbiter[hw.UInt]{Elem: word, N: 3, Priority: true})
	s.Set(p.In[2].Valid, 1)
	s.Set(p.In[2].Data, 7)
	s.Step(2)
	s.Set(p.In[0].Valid, 1)
	s.Step(1)
	s.Expect(p.From, 2)
	s.Expect(p.Out.Data, 7)
}

func TestAsyncQueue(t *testing.T) {
	for _, ratio := range [][2]int{{1, 1}, {1, 3}, {5, 2}, {2, 7}} {
		s, p := testbench.New(t, stream.AsyncQueue[hw.UInt]{Elem: word, Depth: 4})
		in := testbench.NewSource(s, p.Push, testbench.OnClock(p.Wr.Clk), testbench.Pauses(0.2, 1))
		out := testbench.NewSink(s, p.Pop, testbench.OnClock(p.Rd.Clk), testbench.Pauses(0.2, 2))
		in.Send(values(80)...)
		for now := 0; len(out.Got()) < 80 && now < 20000; now++ {
			var edges []hw.Clock
			if now%ratio[0] == 0 {
				edges = append(edges, p.Wr.Clk)
			}
			if now%ratio[1] == 0 {
				edges = append(edges, p.Rd.Clk)
			}
			if len(edges) > 0 {
				s.Tick(edges...)
			}
		}
		out.Expect(values(80)...)
	}
}

func TestLevel(t *testing.T) {
	s, p := testbench.New(t, stream.Queue[hw.UInt]{Elem: word, Depth: 3})
	for i := range 3 {
		s.Expect(p.Level, i)
		testbench.Send(s, p.Push, hw.U(i))
	}
	s.Expect(p.Level, 3)
	s.Expect(p.Push.Ready, 0)
	testbench.Take(s, p.Pop, hw.U(0), hw.U(1), hw.U(2))
	s.Expect(p.Level, 0)
}

// Parameters out of range are mistakes that say the range.
func TestParameters(t *testing.T) {
	for want, build := range map[string]func() error{
		"Queue[UInt]: Depth = 0, want 1 to 16777216":                     func() error { _, _, err := hw.Build(stream.Queue[hw.UInt]{Elem: word}); return err },
		"Fork[UInt]: N = 0, want 1 to 4096":                              func() error { _, _, err := hw.Build(stream.Fork[hw.UInt]{}); return err },
		"Arbiter[UInt]: N = 4097, want 1 to 4096":                        func() error { _, _, err := hw.Build(stream.Arbiter[hw.UInt]{N: 4097}); return err },
		"Widen[UInt]: N = 1, want 2 to 65536":                            func() error { _, _, err := hw.Build(stream.Widen[hw.UInt]{N: 1}); return err },
		"Narrow[UInt]: N = 1, want 2 to 65536":                           func() error { _, _, err := hw.Build(stream.Narrow[hw.UInt]{N: 1}); return err },
		"RegisterSlice[UInt]: Cut = 3, want Forward":                     func() error { _, _, err := hw.Build(stream.RegisterSlice[hw.UInt]{Cut: 3}); return err },
		"AsyncQueue[UInt]: Depth = 3, want 2 to 1048576, a power of two": func() error { _, _, err := hw.Build(stream.AsyncQueue[hw.UInt]{Depth: 3}); return err },
	} {
		require.ErrorContains(t, build(), want)
	}
}
