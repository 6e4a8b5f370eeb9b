package equiv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/counter"
	"etch/hw"
	"etch/hw/stream"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/equiv"
)

type sumPorts struct{ A, B, Sum hw.UInt }

func sum(w int, body func(m *hw.Module, p sumPorts)) hw.Component[sumPorts] {
	return hw.Func("sum", sumPorts{hw.In(hw.Unsigned(w)), hw.In(hw.Unsigned(w)), hw.Out(hw.Unsigned(w))}, body)
}

// ripple adds bit by bit; at position wrong the carry is.
func ripple(w int, wrong int) hw.Component[sumPorts] {
	return sum(w, func(m *hw.Module, p sumPorts) {
		carry := hw.B(false)
		var bits []hw.Bit
		for i := range w {
			a, b := p.A.Bit(i), p.B.Bit(i)
			c := carry
			bits = append(bits, a.Xor(b).Xor(c))
			if i == wrong {
				carry = a.And(b).Or(a.And(c))
			} else {
				carry = a.And(b).Or(c.And(a.Or(b)))
			}
		}
		p.Sum.Set(hw.FromBits(bits...))
	})
}

func plus(w int) hw.Component[sumPorts] {
	return sum(w, func(m *hw.Module, p sumPorts) { p.Sum.Set(p.A.Add(p.B)) })
}

func TestAdders(t *testing.T) {
	for _, w := range []int{1, 8, 64, 200} {
		t.Log(w, equiv.Check(t, ripple(w, -1), plus(w)))
	}
	for wrong := 1; wrong < 7; wrong++ { // the first carry in is low, the last out is not seen
		r, err := equiv.Compare(made(t, ripple(8, wrong)), made(t, plus(8)))
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome)
		c := r.Counterexample
		require.Equal(t, "sum", c.Port)
		require.Zero(t, c.Cycle)
		require.False(t, c.A.Equal(c.B))
		require.Contains(t, c.String(), "sum differs in cycle 0: a has ")
		require.Contains(t, c.Wave, "a.sum")
	}
	equiv.Check(t, ripple(8, 7), plus(8))
}

// recorder takes what a test says instead of failing.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, "error: "+fmt.Sprintf(format, args...))
}
func (r *recorder) Logf(format string, args ...any) {
	r.said = append(r.said, "log: "+fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.said = append(r.said, "fatal: "+fmt.Sprintf(format, args...))
	panic(r)
}

// says runs what a test would and returns what it said.
func says(f func(t testing.TB)) string {
	r := &recorder{}
	func() {
		defer func() {
			if e := recover(); e != nil && e != any(r) {
				panic(e)
			}
		}()
		f(r)
	}()
	return strings.Join(r.said, "\n")
}

type delayPorts struct {
	X, Y hw.UInt
	Go   hw.Bit
}

// delays counts in different ways how often Go was high; after is when the second
// goes wrong.
func delays(after int) (a, b hw.Component[delayPorts]) {
	shape := delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}
	a = hw.Func("one", shape, func(m *hw.Module, p delayPorts) {
		n := hw.Reg(m, "n", hw.Unsigned(4), hw.U(0))
		m.When(p.Go, func() { n.Set(n.Add(p.X)) })
		p.Y.Set(n)
	})
	b = hw.Func("two", shape, func(m *hw.Module, p delayPorts) {
		n := hw.Reg(m, "left", hw.Unsigned(4), hw.U(15)) // n is 15 - left
		seen := hw.Reg(m, "seen", hw.Unsigned(6), hw.U(0))
		m.When(p.Go, func() {
			n.Set(n.Sub(p.X))
			m.When(seen.Is(63).Not(), func() { seen.Set(seen.Inc()) })
		})
		p.Y.Set(hw.Mux(seen.Is(after), n, n.Not()))
	})
	return a, b
}

func TestSequential(t *testing.T) {
	type ports struct{ Y hw.UInt }
	a, _ := delays(-1)
	t.Log(equiv.Check(t, a, a))
	for _, after := range []int{1, 5, 12, 40} {
		a, b := delays(after)
		r, err := equiv.Compare(made(t, a), made(t, b), equiv.Depth(60))
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome, "%v", r)
		require.GreaterOrEqual(t, r.Counterexample.Cycle, after)
		require.Equal(t, 1, r.Counterexample.Resets)
		t.Log(after, r.By, r.Counterexample.Cycle)
	}
}

func TestPortsMustMatch(t *testing.T) {
	type other struct{ A, B, Total hw.UInt }
	shape := other{hw.In(hw.Unsigned(8)), hw.In(hw.Unsigned(9)), hw.Out(hw.Unsigned(8))}
	b := hw.Func("total", shape, func(m *hw.Module, p other) { p.Total.Set(p.A) })
	require.Equal(t, `fatal: equiv: the ports of sum (a) and total (b) do not match:
	input b has 8 bits in a, 9 in b
	output sum is a port of a only
	output total is a port of b only`, says(func(t testing.TB) { equiv.Check(t, plus(8), b) }))
	require.Contains(t, says(func(t testing.TB) { equiv.CheckDesigns(t, nil, nil) }), "there is no design a")
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, plus(4), plus(4), equiv.Hold("c", bits.New(4, 0))) }), "Hold: there is no input c")
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, plus(4), plus(4), equiv.Hold("a", bits.New(3, 0))) }), "Hold: a has 4 bits, not 3")
	require.Contains(t, says(func(t testing.TB) { equiv.Prove(t, plus(4), "") }), "sum has no assertions")
}

// An answer that is not known fails the test, unless the test says otherwise.
func TestUnknown(t *testing.T) {
	square := func(x hw.UInt) hw.UInt { return x.Mul(x).Trunc(16) }
	a := sum(16, func(m *hw.Module, p sumPorts) { p.Sum.Set(square(p.A.Add(p.B))) })
	b := sum(16, func(m *hw.Module, p sumPorts) {
		p.Sum.Set(square(p.A).Add(square(p.B)).Add(p.A.Mul(p.B).Trunc(15).Extend(16).Shl(1).Trunc(16)))
	})
	opts := []equiv.Option{equiv.Conflicts(50), equiv.Limit(2 * time.Second), equiv.WithoutABC()}
	said := says(func(t testing.TB) { equiv.Check(t, a, b, opts...) })
	require.Contains(t, said, "error: not decided: ")
	said = says(func(t testing.TB) { equiv.Check(t, a, b, append(opts, equiv.MayBeUnknown())...) })
	require.Contains(t, said, "log: not decided: ")
}

func TestHold(t *testing.T) {
	a := sum(4, func(m *hw.Module, p sumPorts) { p.Sum.Set(p.A.Add(p.B)) })
	b := sum(4, func(m *hw.Module, p sumPorts) { p.Sum.Set(p.A.Sub(p.B)) })
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, a, b) }), "sum differs")
	equiv.Check(t, a, b, equiv.Hold("b", bits.New(4, 8)))
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, a, b, equiv.Hold("b", bits.New(4, 7))) }), "sum differs")
}

// start is a register without reset or initial value, in one of two names.
func start(name string) hw.Component[delayPorts] {
	return hw.Func("start", delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
		r := hw.Reg(m, name, hw.Unsigned(4))
		m.When(p.Go, func() { r.Set(p.X) })
		p.Y.Set(r)
	})
}

func TestStartOfState(t *testing.T) {
	equiv.Check(t, start("r"), start("r"))
	equiv.Check(t, start("r"), start("s"))
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, start("r"), start("s"), equiv.Unpaired()) }), "y differs in cycle 0")
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, start("r"), start("r"), equiv.Unpaired()) }), "y differs in cycle 0")
	equiv.Check(t, start("r"), start("s"), equiv.FromZero())

	reset := func(init int) hw.Component[delayPorts] {
		return hw.Func("reset", delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
			r := hw.RegInit(m, "r", hw.Unsigned(4), hw.U(init))
			n := hw.Reg(m, "n", hw.Unsigned(4), hw.U(0))
			n.Set(n.Inc())
			r.Set(p.X)
			p.Y.Set(hw.Mux(n.Is(0), r, r.Lit(0)))
		})
	}
	equiv.Check(t, reset(1), reset(2)) // the reset cycle takes X
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, reset(1), reset(2), equiv.FromPowerUp()) }), "y differs in cycle 0: a has 4'h1, b has 4'h2")
	equiv.Check(t, reset(1), reset(2), equiv.Reset(3))
}

// A reset that is an ordinary input, low when active.
func TestResetBy(t *testing.T) {
	type ports struct {
		RstN hw.Bit
		Y    hw.UInt
	}
	c := func(name string) hw.Component[ports] {
		return hw.Func("low", ports{hw.In(hw.Bit{}), hw.Out(hw.Unsigned(4))}, func(m *hw.Module, p ports) {
			r := hw.Reg(m, name, hw.Unsigned(4))
			r.Set(hw.Mux(p.RstN, r.Inc(), r.Lit(3)))
			p.Y.Set(r)
		})
	}
	apart := equiv.Unpaired()
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, c("r"), c("s"), apart) }), "y differs in cycle 0")
	equiv.Check(t, c("r"), c("s"), apart, equiv.ResetBy("rst_n", bits.New(1, 0)))
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, c("r"), c("s"), apart, equiv.ResetBy("rst_n", bits.New(1, 1))) }), "y differs in cycle 0 (after 1 of reset)")
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, c("r"), c("s"), equiv.ResetBy("rst", bits.New(1, 1))) }), "ResetBy: there is no input rst")
}

func TestDump(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.vcd")
	r, err := equiv.Compare(made(t, ripple(8, 3)), made(t, plus(8)), equiv.Dump(file))
	require.NoError(t, err)
	require.Equal(t, equiv.Different, r.Outcome)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "$scope module a $end")
	_, err = equiv.Compare(made(t, ripple(8, 3)), made(t, plus(8)), equiv.Dump("run.txt"))
	require.ErrorContains(t, err, "run.txt")
}

type twoClocks struct {
	A, B hw.Domain
	Y, Z hw.Bit
}

// marks toggles a bit at every edge of each clock, and shows the two in one order
// or the other.
func marks(swap bool) hw.Component[twoClocks] {
	return hw.Func("marks", twoClocks{hw.In(hw.Domain{}), hw.In(hw.Domain{}), hw.Out(hw.Bit{}), hw.Out(hw.Bit{})}, func(m *hw.Module, p twoClocks) {
		a := hw.Reg(m.On(p.A), "a", hw.Bit{}, hw.B(false))
		b := hw.Reg(m.On(p.B), "b", hw.Bit{}, hw.B(false))
		a.Set(a.Not())
		b.Set(b.Not())
		if swap {
			a, b = b, a
		}
		p.Y.Set(a)
		p.Z.Set(b)
	})
}

func TestSeveralClocks(t *testing.T) {
	equiv.Check(t, marks(false), marks(false))
	equiv.Check(t, marks(false), marks(true), equiv.Together(), equiv.Hold("a_rst", bits.New(1, 0)), equiv.Hold("b_rst", bits.New(1, 0)))
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, marks(false), marks(true)) }), "y differs in cycle 1")
}

// box is a black box without a model.
type box struct{}

type boxPorts struct{ A, Y hw.UInt }

func (box) Ports() boxPorts                { return boxPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4))} }
func (box) Build(m *hw.Module, p boxPorts) {}
func (box) Verilog() hw.Verilog            { return hw.Verilog{Module: "box"} }
func boxed(body func(m *hw.Module, p boxPorts)) hw.Component[boxPorts] {
	return hw.Func("boxed", box{}.Ports(), body)
}

func TestBlackBoxes(t *testing.T) {
	plain := boxed(func(m *hw.Module, p boxPorts) {
		p.Y.Set(hw.Inst(m, "u", box{}, boxPorts{A: p.A}).Y.Inc())
	})
	same := boxed(func(m *hw.Module, p boxPorts) {
		p.Y.Set(hw.Inst(m, "u", box{}, boxPorts{A: p.A.Not().Not()}).Y.Not().Dec().Not())
	})
	equiv.Check(t, plain, same)
	in := boxed(func(m *hw.Module, p boxPorts) {
		p.Y.Set(hw.Inst(m, "u", box{}, boxPorts{A: p.A.Inc()}).Y.Inc())
	})
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, plain, in) }), "u.a differs in cycle 0")
	out := boxed(func(m *hw.Module, p boxPorts) {
		p.Y.Set(hw.Inst(m, "u", box{}, boxPorts{A: p.A}).Y.Dec())
	})
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, plain, out) }), "y differs in cycle 0")
	other := boxed(func(m *hw.Module, p boxPorts) {
		p.Y.Set(hw.Inst(m, "v", box{}, boxPorts{A: p.A}).Y.Inc())
	})
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, plain, other) }), "black box v is in b only")
}

// limited counts to a limit and asserts that it does not pass it.
func limited(limit, top int, promise bool) hw.Component[delayPorts] {
	return hw.Func("limited", delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
		n := hw.Reg(m, "n", hw.Unsigned(4), hw.U(0))
		m.When(p.Go, func() { n.Set(hw.Mux(n.Is(limit), n.Lit(0), n.Inc())) })
		p.Y.Set(n)
		m.Assert(n.Gt(n.Lit(top)).Not(), "n = %d is too large", n)
		if promise {
			m.Assume(p.X.Is(0).Not(), "x is not 0")
		}
		m.Assert(p.X.Is(0).Not(), "x is 0")
	})
}

func TestProve(t *testing.T) {
	t.Log(equiv.Prove(t, limited(9, 9, true), ""))
	t.Log(equiv.Prove(t, limited(9, 9, false), "too large"))
	said := says(func(t testing.TB) { equiv.Prove(t, limited(9, 8, true), "") })
	require.Contains(t, said, "fails in cycle 9 (after 1 of reset): ")
	require.Contains(t, said, "n = 9 is too large")
	require.Contains(t, said, "y   |0 |1 |2")
	require.Contains(t, says(func(t testing.TB) { equiv.Prove(t, limited(9, 9, false), "") }), "x is 0")
	require.Contains(t, says(func(t testing.TB) { equiv.Prove(t, limited(9, 9, false), "overflow") }), `no assertion of limited contains "overflow"; there are: n = %d is too large; x is 0`)

	equiv.Bounded(t, limited(9, 8, true), 9) // cycles 0 to 8
	require.Contains(t, says(func(t testing.TB) { equiv.Bounded(t, limited(9, 8, true), 10) }), "fails in cycle 9")
	require.Contains(t, says(func(t testing.TB) { equiv.Bounded(t, limited(9, 8, true), 0) }), "0 cycles are nothing to look at")
}

// TestProveStops: a stop with a code other than 0 is an assertion that it does not
// come; one with 0 is none.
func TestProveStops(t *testing.T) {
	ends := func(good, bad, code int) hw.Component[delayPorts] {
		return hw.Func("ends", delayPorts{hw.In(hw.Unsigned(4)), hw.Out(hw.Unsigned(4)), hw.In(hw.Bit{})}, func(m *hw.Module, p delayPorts) {
			n := hw.Reg(m, "n", hw.Unsigned(4), hw.U(0))
			m.When(p.Go, func() { n.Set(hw.Mux(n.Is(9), n.Lit(0), n.Inc())) })
			p.Y.Set(n)
			m.When(n.Is(good), func() { m.Stop(0) })
			m.When(n.Is(bad), func() { m.Stop(code) })
		})
	}
	equiv.Prove(t, ends(5, 10, 2), "")
	require.Contains(t, says(func(t testing.TB) { equiv.Prove(t, ends(5, 9, 2), "") }), "stop failed: code 2")
	require.Contains(t, says(func(t testing.TB) { equiv.Prove(t, ends(5, 9, 0), "") }), "has no assertions")
	equiv.Check(t, ends(5, 9, 2), ends(5, 9, 2))
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, ends(5, 9, 2), ends(5, 9, 3), equiv.Statements()) }), "only")
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, ends(5, 9, 0), ends(6, 9, 0), equiv.Statements()) }), "hit")
}

type queuePorts struct {
	In, Out stream.Stream[hw.UInt]
}

// TestStreamRules: a queue keeps the rules of streams at its output for every
// surrounding that keeps them at its input or not.
func TestStreamRules(t *testing.T) {
	form := hw.Unsigned(3)
	q := hw.Func("checked", queuePorts{hw.In(stream.Of(form)), hw.Out(stream.Of(form))}, func(m *hw.Module, p queuePorts) {
		hw.Inst(m, "queue", stream.Queue[hw.UInt]{Elem: form, Depth: 3}, stream.QueuePorts[hw.UInt]{Push: p.In, Pop: p.Out})
		stream.Check(m, "gives", p.Out)
	})
	r := equiv.Prove(t, q, "")
	t.Log(r)
}

func TestCounterIsNotAnother(t *testing.T) {
	r, err := equiv.Compare(made(t, counter.Counter{Width: 4}), made(t, counter.Counter{Width: 4}), equiv.WithoutABC())
	require.NoError(t, err)
	require.Equal(t, "holds, by correspondence (65 gates, 8 bits of state)", r.String())
	d := made(t, counter.Counter{Width: 4})
	d.Top.Regs[0].Reset = d.Top.Const(bits.New(4, 1), 0)
	require.NoError(t, ir.Verify(d))
	said := says(func(t testing.TB) { equiv.CheckDesigns(t, made(t, counter.Counter{Width: 4}), d) })
	require.Contains(t, said, "count differs in cycle 0 (after 1 of reset): a has 4'h0, b has 4'h1")
}
