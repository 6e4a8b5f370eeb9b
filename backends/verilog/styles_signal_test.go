package verilog_test

import "etch/hw"

// fir is a transposed filter as someone from signal processing writes it: signed
// throughout, a slice of registers, one loop.
type fir struct{ Taps []int }

type firPorts struct {
	X hw.SInt
	Y hw.SInt
}

func (c fir) Ports() firPorts { return firPorts{X: hw.In(hw.Signed(12)), Y: hw.Out(hw.Signed(24))} }

func (c fir) Build(m *hw.Module, p firPorts) {
	var sum hw.SInt
	for i := len(c.Taps) - 1; i >= 0; i-- {
		term := p.X.Mul(hw.Sized(hw.Signed(12), hw.S(c.Taps[i])))
		if i < len(c.Taps)-1 {
			term = sum.Add(term)
		}
		sum = hw.Reg(m, hw.Name("sum", i), hw.Signed(24), hw.S(0))
		sum.Set(term)
	}
	peak := hw.Reg(m, "peak", hw.Signed(24), hw.S(0))
	m.When(sum.Gt(peak), func() { peak.Set(sum) }).
		ElseWhen(sum.Lt(peak.Minus()), func() { peak.Set(sum.Minus()) })
	p.Y.Set(hw.Mux(sum.Gt(peak.Shr(1)), peak.Shr(1), sum))
}

// divider divides by subtraction, one bit a cycle: registers of one job side by side,
// a busy flag, everything nested below it.
type divider struct{ Width int }

type dividerPorts struct {
	Start hw.Bit
	N, D  hw.UInt
	Q, R  hw.UInt
	Ready hw.Bit
}

func (c divider) Ports() dividerPorts {
	w := hw.Unsigned(c.Width)
	return dividerPorts{Start: hw.In(hw.Bit{}), N: hw.In(w), D: hw.In(w), Q: hw.Out(w), R: hw.Out(w), Ready: hw.Out(hw.Bit{})}
}

func (c divider) Build(m *hw.Module, p dividerPorts) {
	w := hw.Unsigned(c.Width)
	busy := hw.Reg(m, "busy", hw.Bit{}, hw.B(false))
	left := hw.Reg(m, "left", hw.UpTo(c.Width), hw.U(0))
	q, r, d := hw.Reg(m, "quotient", w), hw.Reg(m, "rest", w), hw.Reg(m, "divisor", w)

	m.When(busy, func() {
		next := hw.Cat(r, q.Bit(c.Width-1)).Named("next")
		m.When(next.Ge(d.Extend(c.Width+1)), func() {
			r.Set(next.Sub(d.Extend(c.Width + 1)).Trunc(c.Width))
			q.Set(hw.Cat(q.Trunc(c.Width-1), hw.B(true)))
		}).Else(func() {
			r.Set(next.Trunc(c.Width))
			q.Set(q.Shl(1))
		})
		m.When(left.Is(1), func() { busy.Set(hw.B(false)) })
		left.Set(left.Dec())
	}).ElseWhen(p.Start, func() {
		busy.Set(hw.B(true))
		left.Set(left.Lit(c.Width))
		q.Set(p.N)
		r.Set(r.Lit(0))
		d.Set(p.D)
	})
	p.Q.Set(q)
	p.R.Set(r)
	p.Ready.Set(busy.Not())
}

// hash is one round of SHA-256 on eight words in a vector, with the words shifted in
// a loop: wide values, rotations, no control.
type hash struct{}

type hashPorts struct {
	Load hw.Bit
	In   hw.UInt
	W, K hw.UInt
	Out  hw.UInt
}

func (hash) Ports() hashPorts {
	return hashPorts{Load: hw.In(hw.Bit{}), In: hw.In(hw.Unsigned(256)), W: hw.In(hw.Unsigned(32)), K: hw.In(hw.Unsigned(32)), Out: hw.Out(hw.Unsigned(256))}
}

func (hash) Build(m *hw.Module, p hashPorts) {
	var shape [8]hw.UInt
	for i := range shape {
		shape[i] = hw.Unsigned(32)
	}
	words := hw.Reg(m, "word", shape)
	a, b, c, d := words[0], words[1], words[2], words[3]
	e, f, g, h := words[4], words[5], words[6], words[7]
	s1 := e.RotL(-6).Xor(e.RotL(-11)).Xor(e.RotL(-25)).Named("s1")
	ch := e.And(f).Xor(e.Not().And(g)).Named("ch")
	t1 := h.Add(s1).Add(ch).Add(p.K).Add(p.W).Named("t1")
	s0 := a.RotL(-2).Xor(a.RotL(-13)).Xor(a.RotL(-22)).Named("s0")
	maj := a.And(b).Xor(a.And(c)).Xor(b.And(c)).Named("maj")
	next := words
	copy(next[1:], words[:7])
	next[0], next[4] = t1.Add(s0).Add(maj), d.Add(t1)
	hw.Set(words, hw.Mux(p.Load, hw.Unpack(shape, p.In), next))
	p.Out.Set(hw.Pack(words))
}
