package testbench

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

type mode string

// kinds has a port of every kind.
type kinds struct {
	Clk  hw.Domain
	Bit  hw.Bit
	U    hw.UInt
	S    hw.SInt
	Mode hw.Enum[mode]
	Wide hw.UInt
	Deep hw.SInt
	Long hw.UInt // 64 bits

	BitOut  hw.Bit
	UOut    hw.UInt
	SOut    hw.SInt
	ModeOut hw.Enum[mode]
	WideOut hw.UInt
	DeepOut hw.SInt
	LongOut hw.UInt
}

// through gives every input to an output, behind a register where there is one.
var through = hw.Func("through", kinds{
	Clk: hw.In(hw.Domain{}), Bit: hw.In(hw.Bit{}), U: hw.In(hw.Unsigned(4)), S: hw.In(hw.Signed(4)),
	Mode: hw.In(hw.EnumOf[mode]("idle", "run", "stop")), Wide: hw.In(hw.Unsigned(100)), Deep: hw.In(hw.Signed(129)), Long: hw.In(hw.Unsigned(64)),
	BitOut: hw.Out(hw.Bit{}), UOut: hw.Out(hw.Unsigned(4)), SOut: hw.Out(hw.Signed(4)),
	ModeOut: hw.Out(hw.EnumOf[mode]("idle", "run", "stop")), WideOut: hw.Out(hw.Unsigned(100)), DeepOut: hw.Out(hw.Signed(129)), LongOut: hw.Out(hw.Unsigned(64)),
}, func(m *hw.Module, p kinds) {
	m = m.On(p.Clk)
	u := hw.Reg(m, "inner", hw.Unsigned(4), hw.U(5))
	u.Set(p.U)
	p.UOut.Set(u)
	p.BitOut.Set(p.Bit)
	p.SOut.Set(p.S)
	p.ModeOut.Set(p.Mode)
	p.WideOut.Set(p.Wide)
	p.DeepOut.Set(p.Deep)
	p.LongOut.Set(p.Long)
})

func TestSetGetExpect(t *testing.T) {
	s, p := New(t, through)
	s.Expect(p.UOut, 5) // New has reset it
	for _, v := range []int{0, 1} {
		s.Set(p.Bit, v)
		s.Expect(p.BitOut, v)
		require.Equal(t, v == 1, s.High(p.BitOut))
	}
	for v := range 16 {
		s.Set(p.U, v)
		s.Step(1)
		s.Expect(p.UOut, v)
		require.Equal(t, v, s.Peek("inner"))
		require.Equal(t, v, s.Get(p.U))
	}
	for v := -8; v < 8; v++ {
		s.Set(p.S, v)
		s.Expect(p.SOut, v)
		require.Equal(t, v, s.Get(p.SOut))
	}
	s.Set(p.Mode, 2)
	s.Expect(p.ModeOut, 2)
	Check(s, p, kinds{ModeOut: hw.Val(mode("stop")), SOut: hw.S(7)})
}

func TestWide(t *testing.T) {
	s, p := New(t, through)
	s.Set(p.Wide, 77)
	s.ExpectBits(p.WideOut, bits.New(100, 77))
	s.Set(p.Deep, -3)
	s.ExpectBits(p.DeepOut, bits.FromInt(129, -3))
	v := bits.Ones(100).Shl(99)
	s.SetBits(p.Wide, v)
	require.True(t, s.GetBits(p.WideOut).Equal(v))
	require.True(t, s.High(p.WideOut))
	s.SetBits(p.Long, bits.Ones(64))
	s.ExpectBits(p.LongOut, bits.Ones(64))
	s.Set(p.Long, 1<<62)
	s.Expect(p.LongOut, 1<<62)

	fails(t, func(t testing.TB) { s, p := New(t, through); s.Get(p.WideOut) }, "Get: wide_out has 100 bits; GetBits")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Expect(p.WideOut, 0) }, "Expect: wide_out has 100 bits; ExpectBits")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.Wide, -1) }, "Set: wide cannot be -1")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.SetBits(p.Wide, bits.Zero(99)) }, "100 bits as wide")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.ExpectBits(p.WideOut, bits.Zero(99)) }, "100 bits as wide_out")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.ExpectBits(p.WideOut, bits.New(100, 1)) }, "wide_out = 100'h0, want 100'h1")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.SetBits(p.Long, bits.Ones(64)); s.Get(p.LongOut) }, "Get: the value of long_out is too large")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.SetBits(p.Long, bits.Ones(64)); s.Expect(p.LongOut, -1) }, "Expect: long_out cannot be -1")
}

// A test that cannot fail is a defect.
func TestExpectFails(t *testing.T) {
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.U, 3); s.Step(1); s.Expect(p.UOut, 4) },
		"cycle 2: u_out = 3, want 4")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.S, -3); s.Expect(p.SOut, 3) }, "s_out = -3, want 3")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.Mode, 1); s.Expect(p.ModeOut, 2) }, "mode_out = run, want stop")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Expect(p.UOut, 16) }, "Expect: u_out cannot be 16: it is unsigned, 4 bits, 0 to 15")
	fails(t, func(t testing.TB) { s, p := New(t, through); Check(s, p, kinds{BitOut: hw.B(true), SOut: hw.S(-1)}) },
		"bit_out = 0, want 1", "s_out = 0, want -1")
	fails(t, func(t testing.TB) { s, p := New(t, through); Check(s, p, kinds{UOut: hw.U(16)}) }, "Check: 16 does not fit")
	fails(t, func(t testing.TB) { s, p := New(t, through); Check(s, p.UOut, p.U) }, "Check: u is not a literal")
}

func TestSetMisuse(t *testing.T) {
	other, q := New(t, through)
	require.NotNil(t, other)
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.U, 16) }, "Set: u cannot be 16: it is unsigned, 4 bits, 0 to 15")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.U, -1) }, "Set: u cannot be -1")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.S, 8) }, "Set: s cannot be 8: it is signed, 4 bits, -8 to 7")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.S, -9) }, "Set: s cannot be -9")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.Bit, 2) }, "Set: bit cannot be 2: it is a single bit")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.Mode, 4) }, "Set: mode cannot be 4: it is one of [idle run stop]")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.UOut, 1) }, "u_out is not an input")
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.Clk.Clk, 1) }, "is a clock: Step and Tick make its edges")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.Set(nil, 1) }, "Set: the signal is nil")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.Set(hw.UInt{}, 1) }, "Set: the hw.UInt is no signal")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.Set(hw.U(3), 1) }, "Set: the hw.UInt is no signal")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.Set(q.U, 1) }, "Set: u belongs to another through")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.Get(q.UOut) }, "Get: u_out belongs to another through")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.GetBits(nil) }, "GetBits: the signal is nil")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.High(hw.Bit{}) }, "High: the hw.Bit is no signal")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.Expect(hw.Bit{}, 1) }, "Expect: the hw.Bit is no signal")
	fails(t, func(t testing.TB) { s, _ := New(t, through); s.ExpectBits(nil, bits.Zero(1)) }, "ExpectBits: the signal is nil")
	fails(t, func(t testing.TB) { s, p := New(t, through); Put(s, p, kinds{U: hw.U(99)}) }, "Put: 99 does not fit")
	fails(t, func(t testing.TB) { s, p := New(t, through); Put(s, p, kinds{UOut: hw.U(9)}) }, "u_out is not an input")
}

// A signal inside the design is not a port, even where its handle leaks out.
func TestInnerSignal(t *testing.T) {
	var inner hw.UInt
	type in struct{ U hw.UInt }
	leaky := func() hw.Component[in] {
		return hw.Func("leaky", in{hw.In(hw.Unsigned(4))}, func(m *hw.Module, p in) { inner = p.U.Inc().Named("more") })
	}
	fails(t, func(t testing.TB) { s, _ := New(t, leaky()); s.Get(inner) }, "Get: more is a signal inside leaky and not a port")
	fails(t, func(t testing.TB) { s, _ := New(t, leaky()); s.Peek("moer") }, `no signal "moer" in leaky`, "more")
	fails(t, func(t testing.TB) { s, _ := New(t, leaky()); s.Signal("x.y") }, `no signal "x.y"`)
	fails(t, func(t testing.TB) { s, p := New(t, through); s.Set(p.Deep, -1); s.Peek("deep") }, "Peek: deep = ", "too large")
}

type broken struct{ N int }

func (b broken) Validate() error {
	return errors.Join(errors.New("N is odd"), errors.New("N is small"))
}
func (b broken) Ports() kinds                { return kinds{} }
func (b broken) Build(m *hw.Module, p kinds) {}

// undirected has a port without a direction.
type undirected struct{}

func (undirected) Ports() relayPorts            { return relayPorts{Dom: hw.In(hw.Domain{}), A: hw.Unsigned(8)} }
func (undirected) Build(*hw.Module, relayPorts) {}

// What is wrong with the parameters or ports of a component is told at the call of New,
// and nowhere in this package.
func TestNewFailsAtTheCall(t *testing.T) {
	here := func() string {
		_, file, line, _ := runtime.Caller(1)
		return fmt.Sprintf("%s:%d: ", filepath.Base(file), line)
	}
	at := ""
	f := attempt(t, func(t testing.TB) { at = here(); New(t, broken{}) })
	require.Contains(t, f.fatal, at+"broken: N is odd [param]")
	f = attempt(t, func(t testing.TB) { at = here(); New(t, undirected{}) })
	require.Contains(t, f.fatal, at+"Ports of undirected: a has no direction; wrap it in hw.In or hw.Out, or tag the field dir:\"in\" or dir:\"out\" [direction]")
	f = attempt(t, func(t testing.TB) {
		open := func() { at = here(); New(t, broken{}) }
		open()
	})
	require.Contains(t, f.fatal, at+"broken: N is small [param]")
	require.NotContains(t, f.fatal, "bench.go")
}

func TestNewFails(t *testing.T) {
	fails(t, func(t testing.TB) { New(t, broken{}) }, "building testbench.broken", "N is odd", "N is small")
	fails(t, func(t testing.TB) { New[kinds](t, nil) }, "the component is nil")
	fails(t, func(t testing.TB) { Run(t, nil) }, "there is no design")
	fails(t, func(t testing.TB) { Run(t, &ir.Design{}) }, "there is no design")
	bad := ir.NewModule("bad", nil)
	bad.AddOutput("y", 1, ir.TypeID(ir.Bool), ir.None, 0)
	fails(t, func(t testing.TB) { Run(t, &ir.Design{Top: bad, Modules: []*ir.Module{bad}}) }, "Run:", "y")
}

func TestRun(t *testing.T) {
	d, _, err := hw.Build(through)
	require.NoError(t, err)
	s := Run(t, d)
	require.NoError(t, s.Sim.Set(s.Signal("u"), 9))
	s.Step(1)
	require.Equal(t, 9, s.Peek("u_out"))
}

// TestNoAllocations: a cycle takes no memory, apart from handles, which become signals before it.
func TestNoAllocations(t *testing.T) {
	s, p := New(t, through)
	var u, v, uOut, vOut hw.Signal = p.U, p.S, p.UOut, p.SOut
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s.Set(u, 7)
		s.Set(v, -7)
		s.Step(1)
		s.Expect(uOut, 7)
		if s.Get(vOut) != -7 || !s.High(uOut) {
			panic("wrong")
		}
	}))
}
