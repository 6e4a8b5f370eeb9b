package testbench_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/stream"
	"etch/sim"
	"etch/testbench"
)

// The short words of the language in one component, checked by a model in Go with
// the interpreter, the engine and the emitted Verilog.

type mode string

const (
	off  mode = "off"
	low  mode = "low"
	high mode = "high"
)

type duo struct {
	N hw.UInt
	M hw.Enum[mode]
}

type wordPorts struct {
	A, B       hw.UInt // of 8 bits
	S          hw.SInt
	Sel        hw.UInt // of 3 bits
	C          hw.Bit
	In         stream.Stream[hw.UInt]
	Out        stream.Stream[hw.UInt]
	Held       hw.UInt // a register set in parts
	Mode       hw.Enum[mode]
	Cased      hw.UInt
	Ripple     hw.UInt
	Cat        hw.UInt
	Padded     hw.SInt
	Reversed   hw.UInt
	Signed     hw.UInt
	Hot, First hw.UInt
	Gated      duo
	Sum        hw.UInt
	Rise, Fall hw.Bit
	Orders     hw.UInt
	Shifted    fixed.Num
	AtIndex    hw.UInt
	Bits       hw.SInt
}

func wordShapes() wordPorts {
	w8, modes := hw.Unsigned(8), hw.EnumOf(off, low, high)
	return wordPorts{
		A: hw.In(w8), B: hw.In(w8), S: hw.In(hw.Signed(8)), Sel: hw.In(hw.Unsigned(3)), C: hw.In(hw.Bit{}),
		In: hw.In(stream.Of(w8)), Out: hw.Out(stream.Of(w8)),
		Held: hw.Out(w8), Mode: hw.Out(modes), Cased: hw.Out(w8), Ripple: hw.Out(w8), Cat: hw.Out(hw.Unsigned(22)),
		Padded: hw.Out(hw.Signed(10)), Reversed: hw.Out(w8), Signed: hw.Out(hw.Unsigned(12)), Hot: hw.Out(w8), First: hw.Out(w8),
		Gated: hw.Out(duo{w8, modes}), Sum: hw.Out(w8), Rise: hw.Out(hw.Bit{}), Fall: hw.Out(hw.Bit{}), Orders: hw.Out(hw.Unsigned(8)),
		Shifted: hw.Out(fixed.Q(4, 4)), AtIndex: hw.Out(w8), Bits: hw.Out(hw.Signed(8)),
	}
}

func buildWords(m *hw.Module, p wordPorts) {
	// State: conditional Sets, of the whole and of parts.
	held := hw.Reg(m, "held_bits", hw.Unsigned(8), hw.U(0x81))
	held.SetIf(p.C, p.A)
	m.When(p.Sel.Bit(0), func() { held.Range(6, 4).Set(p.B.Trunc(3)) }).
		ElseWhen(p.Sel.Bit(1), func() { held.Bit(0).SetIf(p.S.IsNeg(), hw.High) })
	p.Held.Set(held)
	modes := hw.Reg(m, "modes", hw.EnumOf(off, low, high), hw.Val(off))
	modes.GotoIf(p.A.IsGt(200), high).ElseWhen(p.A.IsLe(20), func() { modes.Goto(low) })
	p.Mode.Set(modes)

	// Cases of numbers, parts of outputs, bits that follow from others.
	for n := range p.Sel.Cases(0, 5) {
		switch n {
		case 0:
			p.Cased.Set(p.A)
		case 5:
			p.Cased.Range(7, 4).Set(p.B.Trunc(4))
			p.Cased.Range(3, 0).Set(hw.Ones(4))
		default:
			p.Cased.Set(p.B)
		}
	}
	p.Ripple.Bit(0).Set(p.A.Bit(0))
	for i := 1; i < 8; i++ {
		p.Ripple.Bit(i).Set(p.Ripple.Bit(i - 1).Xor(p.A.Bit(i)))
	}

	// Arithmetic of bits.
	p.Cat.Set(hw.Cat(p.C, p.S, modes, p.A, hw.Zeros(2), hw.High))
	p.Padded.Set(p.S.PadLow(2))
	p.Reversed.Set(p.A.Reverse())
	p.Signed.Set(p.A.SignExtend(12))
	p.Bits.Set(p.S.Xor(p.A.AsSigned()).And(p.S.Or(hw.S(7))))
	p.Shifted.Set(hw.Mux(p.C, p.Shifted.LitRaw(-77), fixed.FromBits(p.A, 4)).ShrBy(p.Sel))
	p.Orders.Set(hw.Cat(p.A.Is(9), p.A.IsNot(9), p.S.IsLt(-3), p.S.IsLe(-3), p.S.IsGt(-3), p.S.IsGe(-3), p.A.IsLt(256), p.S.IsGe(128)))

	// Choices.
	p.Hot.Set(hw.OneHotMux(p.Sel, []hw.UInt{p.A, p.B, hw.U(3)}))
	p.First.Set(hw.PriorityMux(p.Sel, p.A.Not(), []hw.UInt{p.A, p.B, hw.U(3)}))
	hw.Set(p.Gated, hw.Gate(p.C, duo{p.A, modes}))
	p.Sum.Set(hw.Reduce([]hw.UInt{p.A, p.B, p.A.Rep(2).Trunc(8), p.B.Rep(2).Range(11, 4), hw.Zeros(8).Or(p.A)}, hw.UInt.Add))
	p.AtIndex.Set(held)
	p.Rise.Set(hw.RisingEdge(m, "rise_c", p.C, hw.Low))
	p.Fall.Set(hw.FallingEdge(m, "fall_c", p.C, hw.Low))

	// Streams.
	p.In.Ready.Set(p.Out.Ready.And(p.C))
	p.Out.Idle()
	m.When(p.In.Fire(), func() { p.Out.Send(hw.High, p.In.Data) })
}

// wordState is the model's registers.
type wordState struct {
	held, modes int
	was         bool
}

func TestWords(t *testing.T) {
	s, p := testbench.New(t, hw.Func("words", wordShapes(), buildWords), testbench.CoSim(), testbench.WithSim(sim.WithEngine(sim.Lockstep)))
	rng, x := rand.New(rand.NewPCG(1, 13)), &wordState{held: 0x81}
	for range 600 {
		a, b, v, sel, c := rng.IntN(256), rng.IntN(256), rng.IntN(256)-128, rng.IntN(8), rng.IntN(2) == 1
		s.Set(p.A, a)
		s.Set(p.B, b)
		s.Set(p.S, v)
		s.Set(p.Sel, sel)
		s.Set(p.C, one(c))
		s.Set(p.In.Valid, sel&1)
		s.Set(p.In.Data, b)
		s.Set(p.Out.Ready, sel>>1&1)
		x.check(s, p, a, b, v, sel, c)
		s.Step(1)
		x.step(a, b, v, sel, c)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (x *wordState) check(s *testbench.Bench, p wordPorts, a, b, v, sel int, c bool) {
	s.Expect(p.Held, x.held)
	s.Expect(p.Mode, x.modes)
	cased := b
	switch sel {
	case 0:
		cased = a
	case 5:
		cased = b&15<<4 | 15
	}
	s.Expect(p.Cased, cased)
	ripple, bit := 0, 0
	for i := range 8 {
		bit ^= a >> i & 1
		ripple |= bit << i
	}
	s.Expect(p.Ripple, ripple)

	s.Expect(p.Cat, one(c)<<21|v&255<<13|x.modes<<11|a<<3|1)
	s.Expect(p.Padded, v*4)
	s.Expect(p.Reversed, int(bits.Reverse8(uint8(a))))
	s.Expect(p.Signed, int(int8(a))&0xfff)
	s.Expect(p.Bits, int(int8(v^a))&(v|7))
	raw := int(int8(a))
	if c {
		raw = -77
	}
	s.Expect(p.Shifted.Raw, raw>>sel)
	s.Expect(p.Orders, one(a == 9)<<7|one(a != 9)<<6|one(v < -3)<<5|one(v <= -3)<<4|one(v > -3)<<3|one(v >= -3)<<2|2)

	hot, first := 0, ^a&255
	for i, e := range []int{a, b, 3} {
		if sel>>i&1 == 1 {
			hot |= e
		}
		if sel&(1<<(i+1)-1) == 1<<i {
			first = e
		}
	}
	s.Expect(p.Hot, hot)
	s.Expect(p.First, first)
	s.Expect(p.Gated.N, one(c)*a)
	s.Expect(p.Gated.M, one(c)*x.modes)
	s.Expect(p.Sum, (a+b+a+(b>>4|b<<4&255)+a)&255)
	s.Expect(p.Rise, one(c && !x.was))
	s.Expect(p.Fall, one(!c && x.was))
	fire := sel&3 == 3 && c
	s.Expect(p.Out.Valid, one(fire))
	s.Expect(p.Out.Data, one(fire)*b)
}

func (x *wordState) step(a, b, v, sel int, c bool) {
	if c {
		x.held = a
	}
	switch {
	case sel&1 == 1:
		x.held = x.held&^0x70 | b&7<<4
	case sel&2 != 0 && v < 0:
		x.held |= 1
	}
	switch {
	case a > 200:
		x.modes = 2
	case a <= 20:
		x.modes = 1
	}
	x.was = c
}

// Fire names itself where the name is free.
func TestFireHasAName(t *testing.T) {
	type ports struct{ In, Push stream.Stream[hw.UInt] }
	w8 := hw.Unsigned(8)
	s, p := testbench.New(t, hw.Func("fires", ports{hw.In(stream.Of(w8)), hw.In(stream.Of(w8))}, func(m *hw.Module, p ports) {
		taken := hw.Reg(m, "push_fire", w8, hw.U(0))
		p.In.Ready.Set(taken.IsLt(3))
		p.Push.Ready.Set(p.In.Fire())
		taken.SetIf(p.Push.Fire(), taken.Inc())
		m.When(p.In.Fire(), func() { m.Printf("in") })
	}))
	s.Set(p.In.Valid, 1)
	require.Equal(t, 1, s.Peek("in_fire"))
	require.Equal(t, 0, s.Peek("push_fire"), "the register, not the handshake")
}
