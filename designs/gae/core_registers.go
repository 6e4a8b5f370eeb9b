package gae

import (
	"fmt"

	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/axi"
	"etch/hw/fixed"
)

// core is what the parts of [Core] share: the registers.
type core struct {
	model.System
	m        *hw.Module
	write    hw.Bit  // a register is written in this cycle
	word     hw.UInt // which
	data     hw.UInt
	shown    map[int]hw.UInt // what reads give
	loading  Loading
	settings Settings
}

func newCore(s model.System, m *hw.Module, request axi.Request) *core {
	c := &core{System: s, m: m, word: request.Word, data: request.Data, shown: map[int]hw.UInt{}}
	c.write = hw.Wire(m, "write", hw.Bit{})
	load, set := s.Defaults()
	c.loading.Reward = c.norm("reward", model.RewardMean, load.Reward)
	c.loading.Value = c.norm("value", model.ValueMean, load.Value)
	c.loading.Shift = c.number("data_shift", model.DataShift, hw.Unsigned(stepBits), 0)
	c.settings = Settings{
		RewardScale:  c.fixed("reward_scale", model.RewardScale, set.RewardScale),
		RewardOffset: c.fixed("reward_offset", model.RewardOffset, 0),
		ValueScale:   c.fixed("value_scale", model.ValueScale, set.ValueScale),
		ValueOffset:  c.fixed("value_offset", model.ValueOffset, 0),
		Shift:        c.loading.Shift,
		Advantage:    unitOf(c.number("advantage_step", model.AdvantageStep, hw.Unsigned(stepBits), set.AdvantageStep)),
		Return:       unitOf(c.number("return_step", model.ReturnStep, hw.Unsigned(stepBits), set.ReturnStep)),
	}
	return c
}

// isWrite reports whether register r is written in this cycle.
func (c *core) isWrite(r model.Register) hw.Bit { return c.write.And(c.word.Is(int(r))) }

// show makes x what a read of r gives.
func (c *core) show(r model.Register, x hw.UInt) {
	if x.Width() < axi.DataBits {
		x = x.Extend(axi.DataBits)
	}
	c.shown[int(r)] = x
}

// number is a setting that the host writes and reads.
func (c *core) number(name string, r model.Register, shape hw.UInt, start int) hw.UInt {
	x := hw.Reg(c.m, name, shape, hw.U(start))
	x.SetIf(c.isWrite(r), c.data.Trunc(x.Width()))
	c.show(r, x)
	return x
}

// signed is a signed setting.
func (c *core) signed(name string, r model.Register, shape hw.SInt, start int64) hw.SInt {
	x := hw.Reg(c.m, name, shape, hw.S(start))
	wide := c.data.AsSigned()
	if x.Width() > axi.DataBits {
		wide = wide.Extend(x.Width())
	}
	x.SetIf(c.isWrite(r), wide.Trunc(x.Width()))
	shown := x
	if x.Width() < axi.DataBits {
		shown = x.Extend(axi.DataBits)
	}
	c.show(r, shown.Trunc(axi.DataBits).AsUnsigned())
	return x
}

// fixed is a setting in the format of data.
func (c *core) fixed(name string, r model.Register, start int64) fixed.Num {
	f := c.Format()
	return fixed.FromInt(c.signed(name, r, hw.FixedPoint(f.Width, f.Frac), start)).Scale(-f.Frac)
}

// norm is the three settings that standardise a quantity, in registers side by
// side.
func (c *core) norm(name string, mean model.Register, start model.Norm) Norm {
	shape := normOf()
	return Norm{
		Mean:     c.signed(name+"_mean", mean, shape.Mean, start.Mean),
		Mantissa: c.number(name+"_mantissa", mean+1, shape.Mantissa, int(start.Mantissa)),
		Shift:    c.number(name+"_shift", mean+2, shape.Shift, start.Shift),
	}
}

// counter counts the bits that are high, from one Clear to the next.
func (c *core) counter(r model.Register, bits ...hw.Bit) {
	x := hw.Reg(c.m, fmt.Sprintf("counter_%d", int(r)), hw.Unsigned(axi.DataBits), hw.U(0))

	// Events of the cycle of reset, in which the rows hold anything, must not be counted.
	events := hw.Delay(c.m, fmt.Sprintf("counted_%d", int(r)), hw.FromBits(bits...).PopCount(), 1, hw.U(0))
	x.Set(x.Add(events.Extend(axi.DataBits)))
	x.SetIf(c.isWrite(model.Clear).And(c.data.Bit(1)), hw.U(0))
	c.show(r, x)
}

// read is the reply to a read.
func (c *core) read() axi.Reply {
	known := map[int]hw.Bit{}
	for r := range c.shown {
		known[r] = hw.High
	}
	return axi.Reply{
		Data:  hw.Choose(c.word, hw.Zeros(axi.DataBits), c.shown),
		Error: hw.Choose(c.word, hw.Low, known).Not(),
	}
}
