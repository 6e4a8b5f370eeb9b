package verilog_test

import (
	"etch/hw"
	"etch/hw/stream"
)

// timerBlock is a peripheral as firmware people write one: an address decoder with
// byte strobes, registers at word addresses, flags that a write of 1 clears.
type timerBlock struct{}

type timerBlockPorts struct {
	Sel, Write hw.Bit
	Addr       hw.UInt
	Strobe     hw.UInt
	WData      hw.UInt
	RData      hw.UInt
	Irq        hw.Bit
}

func (timerBlock) Ports() timerBlockPorts {
	return timerBlockPorts{
		Sel: hw.In(hw.Bit{}), Write: hw.In(hw.Bit{}), Addr: hw.In(hw.Unsigned(4)), Strobe: hw.In(hw.Unsigned(4)),
		WData: hw.In(hw.Unsigned(32)), RData: hw.Out(hw.Unsigned(32)), Irq: hw.Out(hw.Bit{}),
	}
}

func (timerBlock) Build(m *hw.Module, p timerBlockPorts) {
	count := hw.Reg(m, "count", hw.Unsigned(32), hw.U(0))
	limit := hw.Reg(m, "limit", hw.Unsigned(32), hw.Ones(32))
	enable := hw.Reg(m, "enable", hw.Bit{}, hw.B(false))
	repeat := hw.Reg(m, "repeat", hw.Bit{}, hw.B(false))
	hit := hw.Reg(m, "hit", hw.Bit{}, hw.B(false))
	mask := hw.Reg(m, "mask", hw.Bit{}, hw.B(false))

	m.When(enable, func() {
		count.Set(count.Inc())
		m.When(count.Eq(limit), func() {
			count.Set(count.Lit(0))
			hit.Set(hw.B(true))
			m.When(repeat.Not(), func() { enable.Set(hw.B(false)) })
		})
	})
	m.When(p.Sel.And(p.Write), func() {
		for word := range p.Addr.Range(3, 2).Cases(0, 1, 2) {
			switch word {
			case 0:
				m.When(p.Strobe.Bit(0), func() {
					enable.Set(p.WData.Bit(0))
					repeat.Set(p.WData.Bit(1))
					mask.Set(p.WData.Bit(2))
				})
			case 1:
				for i := range 4 {
					m.When(p.Strobe.Bit(i), func() { limit.Range(8*i+7, 8*i).Set(p.WData.Range(8*i+7, 8*i)) })
				}
			case 2:
				m.When(p.Strobe.Bit(0).And(p.WData.Bit(0)), func() { hit.Set(hw.B(false)) })
			}
		}
	})
	p.RData.Set(hw.Choose(p.Addr.Range(3, 2), count, map[int]hw.UInt{
		0: hw.Cat(mask, repeat, enable).Extend(32),
		1: limit,
		2: hit.UInt().Extend(32),
	}))
	p.Irq.Set(hit.And(mask))
}

// merge joins two streams into packets by their first words, with the handshakes
// written out.
type merge struct{}

type mergePorts struct {
	A, B stream.Stream[hw.UInt]
	Out  stream.Stream[hw.UInt]
	Last hw.Bit
}

func (merge) Ports() mergePorts {
	w := stream.Of(hw.Unsigned(8))
	return mergePorts{A: hw.In(w), B: hw.In(w), Out: hw.Out(w), Last: hw.Out(hw.Bit{})}
}

func (merge) Build(m *hw.Module, p mergePorts) {
	left := hw.Reg(m, "left", hw.Unsigned(4), hw.U(0))
	second := hw.Reg(m, "second", hw.Bit{}, hw.B(false))
	from := hw.Mux(second, p.B.Data, p.A.Data).Named("from")
	valid := second.And(p.B.Valid).Or(second.Not().And(p.A.Valid)).Named("valid")
	fire := valid.And(p.Out.Ready).Named("fire")
	p.A.Ready.Set(second.Not().And(p.Out.Ready))
	p.B.Ready.Set(second.And(p.Out.Ready))
	p.Out.Valid.Set(valid)
	p.Out.Data.Set(from)
	p.Last.Set(left.Is(1).Or(left.Is(0).And(from.Range(3, 0).Is(0))))
	m.When(fire, func() {
		m.When(left.Is(0), func() {
			left.Set(from.Trunc(4))
			m.When(from.Trunc(4).Is(0), func() { second.Set(second.Not()) })
		}).Else(func() {
			left.Set(left.Dec())
			m.When(left.Is(1), func() { second.Set(second.Not()) })
		})
	})
}

// writeBack is the middle of a pipeline: bypasses over each other, stalls, a kill
// that wins over everything, and a decoder by table.
type writeBack struct{}

type decoded struct {
	Write hw.Bit
	Sub   hw.Bit
	Imm   hw.Bit
}

type writeBackPorts struct {
	Inst   hw.UInt
	Stall  hw.Bit
	Kill   hw.Bit
	Load   hw.UInt
	Result hw.UInt
	Rd     hw.UInt
	Write  hw.Bit
}

func (writeBack) Ports() writeBackPorts {
	return writeBackPorts{
		Inst: hw.In(hw.Unsigned(16)), Stall: hw.In(hw.Bit{}), Kill: hw.In(hw.Bit{}), Load: hw.In(hw.Unsigned(16)),
		Result: hw.Out(hw.Unsigned(16)), Rd: hw.Out(hw.Unsigned(3)), Write: hw.Out(hw.Bit{}),
	}
}

func (writeBack) Build(m *hw.Module, p writeBackPorts) {
	regs := hw.Mem(m, "regs", 8, hw.Unsigned(16), hw.Cleared())
	ctrl := hw.Decode(p.Inst, hw.Zero(decoded{}), map[string]decoded{
		"000 --- --- ---- 000": {Write: hw.B(true)},
		"001 --- --- ---- 000": {Write: hw.B(true), Sub: hw.B(true)},
		"000 --- --- ---- 001": {Write: hw.B(true), Imm: hw.B(true)},
		"1-- --- --- ---- 010": {Write: hw.B(true), Imm: hw.B(true), Sub: hw.B(true)},
	})
	rd, rs, rt := p.Inst.Range(12, 10), p.Inst.Range(9, 7), p.Inst.Range(6, 4)
	write := hw.Reg(m, "write", hw.Bit{}, hw.B(false))
	to := hw.Reg(m, "to", hw.Unsigned(3), hw.U(0))
	value := hw.Reg(m, "value", hw.Unsigned(16), hw.U(0))
	isLoad := hw.Reg(m, "is_load", hw.Bit{}, hw.B(false))
	done := hw.Mux(isLoad, p.Load, value).Named("done")

	read := func(name string, at hw.UInt) hw.UInt {
		x := hw.Wire(m, name, hw.Unsigned(16), regs.Read(at))
		m.When(write.And(to.Eq(at)), func() { x.Set(done) })
		m.When(at.Is(0), func() { x.Set(x.Lit(0)) })
		return x
	}
	x, y := read("x", rs), read("y", rt)
	y2 := hw.Mux(ctrl.Imm, rt.Extend(16), y).Named("operand")
	m.When(p.Stall.Not(), func() {
		write.Set(ctrl.Write)
		to.Set(rd)
		value.Set(hw.Mux(ctrl.Sub, x.Sub(y2), x.Add(y2)))
		isLoad.Set(p.Inst.Bit(15))
	})
	m.When(p.Kill, func() { write.Set(hw.B(false)) })
	m.When(write.And(p.Stall.Not()), func() { regs.Write(to, done) })
	p.Result.Set(done)
	p.Rd.Set(to)
	p.Write.Set(write)
}
