// Package clean has designs in every style that the language has: no check may
// report anything here.
package clean

import (
	"errors"

	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/stream"
)

// Blinker divides its clock.
type Blinker struct {
	Width int
	Taps  []int
}

// BlinkerPorts are the ports of [Blinker].
type BlinkerPorts struct {
	En   hw.Bit
	Lamp hw.Bit
	Tap  hw.Vec[hw.Bit]
}

var (
	high  = hw.B(true)
	pixel = Pixel{R: hw.Unsigned(8), G: hw.Unsigned(8)}
)

// Pixel is a bundle with a method.
type Pixel struct{ R, G hw.UInt }

// Luma is the mean.
func (p Pixel) Luma() hw.UInt { return p.R.AddGrow(p.G).Range(8, 1) }

func (b Blinker) Validate() error {
	if b.Width < 1 {
		return errors.New("no width")
	}
	return nil
}

func (b Blinker) Ports() (p BlinkerPorts) {
	p.En = hw.In(hw.Bit{})
	p.Lamp = hw.Out(hw.Bit{})
	p.Tap = hw.Out(hw.VecOf(len(b.Taps), hw.Bit{}))
	return p
}

func (b Blinker) Build(m *hw.Module, p BlinkerPorts) {
	count := hw.Reg(m, "count", hw.Unsigned(b.Width), hw.U(0))
	m.When(p.En, func() { count.Set(count.Inc()) })
	lamp := count.Bit(b.Width - 1)
	if b.Width > 4 {
		lamp = lamp.Not()
	}
	p.Lamp.Set(lamp.Named("lamp_inverted"))
	for i, tap := range p.Tap {
		tap.Set(count.Bit(b.Taps[i]))
	}
}

// Chain is a parent with a shift register, a pipeline and a queue.
type Chain[T any] struct {
	Elem  T
	Links int
	Link  hw.Component[LinkPorts]
}

// LinkPorts are the ports of a link.
type LinkPorts struct{ In, Out hw.UInt }

// ChainPorts are the ports of [Chain].
type ChainPorts[T any] struct {
	In   stream.Stream[T]
	Out  stream.Stream[T]
	Word LinkPorts
	A, Y fixed.Num
}

func (c Chain[T]) Ports() ChainPorts[T] {
	q := fixed.Q(4, 12)
	return ChainPorts[T]{
		In:   hw.In(stream.Of(c.Elem)),
		Out:  hw.Out(stream.Of(c.Elem)),
		Word: LinkPorts{In: hw.In(hw.Unsigned(8)), Out: hw.Out(hw.Unsigned(8))},
		A:    hw.In(q),
		Y:    hw.Out(q),
	}
}

func (c Chain[T]) Build(m *hw.Module, p ChainPorts[T]) {
	in := stream.Buffer(m, "queue", p.In, 4)
	hw.Set(p.Out, in)
	x := p.Word.In
	for i := range c.Links {
		x = hw.Inst(m, hw.Name("link", i), c.Link, LinkPorts{In: x}).Out
		m := m.Scope("stage", i)
		held := hw.Reg(m, "held", hw.Like(x))
		held.Set(x)
		x = held
	}
	p.Word.Out.Set(x)
	p.Y.Set(hw.Delay(m, "y", p.A, 2))
}

type step string

const (
	wait step = "wait"
	move step = "move"
)

// Machine is a state machine with a memory.
var Machine = hw.Func("machine", LinkPorts{In: hw.In(hw.Unsigned(8)), Out: hw.Out(hw.Unsigned(8))}, func(m *hw.Module, p LinkPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(wait, move), hw.Val(wait))
	mem := hw.Mem(m, "mem", 256, hw.Unsigned(8), hw.Contents(1, 2, 255))
	next := hw.Wire(m, "next", hw.Unsigned(8), hw.U(0))
	best, at := p.In, hw.U(0)
	for i := range 4 {
		better := p.In.Lt(best)
		best, at = hw.Mux(better, p.In, best), hw.Mux(better, hw.U(i), at)
	}
	p.Out.Set(mem.Read(next))
	for s := range state.Cases() {
		switch s {
		case wait:
			m.When(p.In.Is(255), func() {
				next.Set(best)
				state.Goto(move)
			})
		case move:
			mem.Write(p.In, at.Add(p.In))
			state.Goto(wait)
		}
	}
	a, b := gray(m, p.In.Any())
	m.When(high.And(a.Eq(b)), func() {}).Else(func() { next.Set(hw.U(3)) })
	shown := hw.Wire(m, "shown", pixel)
	hw.Set(shown, Pixel{R: hw.U(255), G: p.In})
	next.Set(shown.Luma())
})

func gray(m *hw.Module, advance hw.Bit) (count, code hw.UInt) {
	count = hw.Reg(m, "count", hw.Unsigned(4), hw.U(0))
	code = hw.Reg(m, "code", hw.Unsigned(4), hw.U(0))
	m.When(advance, func() {
		count.Set(count.Inc())
		code.Set(count)
	})
	return count, code
}

// released calls a method that is named as an operation with arguments is.
func released(d hw.Domain) hw.Bit { return d.Rst.Bit().Not() }
