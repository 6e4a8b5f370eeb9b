package bench

import (
	"fmt"

	"etch/designs/examples/rv32i"
	"etch/hw"
)

// Cores is K processors with one program, not in lock step: each leaves reset at
// another time, and its output makes it wait by a pattern of its own.
type Cores struct {
	K int
}

func (c Cores) Validate() error {
	if c.K < 1 || c.K > 1024 {
		return fmt.Errorf("K = %d, want 1 to 1024", c.K)
	}
	return nil
}

func (c Cores) Ports() Ports { return ports() }

func (c Cores) Build(m *hw.Module, p Ports) {
	part := node{Core: core(m)}
	var sums []hw.UInt
	for i := range c.K {
		// 4093 is a prime, so the delays of 1024 cores differ. Seeds are multiples of the
		// golden ratio's fraction.
		n := hw.Inst(m, hw.Name("node", i), part, nodePorts{
			Delay: hw.U(1 + i*7919%4093),
			Seed:  hw.U(uint64(i+1) * 0x9e3779b9 & 0xffffffff),
		})
		sums = append(sums, n.Sum)
	}
	fold(m, p, mix(sums))
}

// node is a core with its own reset and its own consumer.
type node struct {
	Core rv32i.Core
}

type nodePorts struct {
	Delay hw.UInt `dir:"in"` // cycles for which the core stays in reset
	Seed  hw.UInt `dir:"in"` // of the consumer's pauses, not 0
	Sum   hw.UInt `dir:"out"`
}

// ModuleName is node: there is one kind only.
func (node) ModuleName() string { return "node" }

func (node) Ports() nodePorts {
	return nodePorts{Delay: hw.Unsigned(16), Seed: hw.Unsigned(32), Sum: hw.Unsigned(64)}
}

func (n node) Build(m *hw.Module, p nodePorts) {
	// Each core leaves reset after a delay of its own and is stalled by a random generator of its
	// own (xorshift32; Marsaglia, 2003), so no two are in lock step.
	age := hw.Reg(m, "age", hw.Like(p.Delay), hw.U(0))
	held := hw.Reg(m, "held", hw.Bit{}, hw.High)
	pause := hw.Reg(m, "pause", hw.Like(p.Seed), hw.U(0))
	m.When(held, func() {
		age.Set(age.Inc())
		held.Set(age.Ne(p.Delay))
		pause.Set(p.Seed)
	}).Else(func() {
		x := pause.Xor(pause.Shl(13))
		x = x.Xor(x.Shr(17))
		pause.Set(x.Xor(x.Shl(5)))
	})

	// The core starts when its own reset falls.
	late := m.On(hw.Domain{Clk: m.Domain().Clk, Rst: held.AsReset()})
	core := hw.Inst(late, "core", n.Core)
	core.Out.Ready.Set(pause.Trunc(3).Is(0))

	sum := hw.Reg(m, "sum", hw.Like(p.Sum), hw.U(0))
	sum.SetIf(held.Not(), sum.RotL(1).Xor(seen(core)))
	p.Sum.Set(sum)
}
