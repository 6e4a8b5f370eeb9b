package equiv_test

import (
	"fmt"

	"etch/hw"
	"etch/testbench"
	"etch/testbench/equiv"
)

// Gray counts so that one bit changes at a time: by a binary counter and a
// conversion, or by looking for the bit to turn.
type Gray struct {
	Width  int
	Direct bool
	Wrong  bool // a mistake for the example
}

type GrayPorts struct {
	En   hw.Bit
	Code hw.UInt
}

func (g Gray) Ports() GrayPorts {
	return GrayPorts{En: hw.In(hw.Bit{}), Code: hw.Out(hw.Unsigned(g.Width))}
}

func (g Gray) Build(m *hw.Module, p GrayPorts) {
	if !g.Direct {
		n := hw.Reg(m, "n", hw.Unsigned(g.Width), hw.U(0))
		m.When(p.En, func() { n.Set(n.Inc()) })
		p.Code.Set(n.Xor(n.Shr(1)))
		return
	}
	code := hw.Reg(m, "code", hw.Unsigned(g.Width), hw.U(0))
	odd := hw.Reg(m, "odd", hw.Bit{}, hw.B(false))
	turn := []hw.Bit{odd.Not()}
	below := hw.B(true) // no bit below the last is set
	for i := 1; i < g.Width; i++ {
		b := odd.And(code.Bit(i - 1)).And(below)
		if i == g.Width-1 && !g.Wrong {
			b = odd.And(below)
		}
		turn = append(turn, b)
		below = below.And(code.Bit(i - 1).Not())
	}
	m.When(p.En, func() {
		code.Set(code.Xor(hw.FromBits(turn...)))
		odd.Set(odd.Not())
	})
	p.Code.Set(code)
}

func Example() {
	t := testbench.Example() // a *testing.T in a test
	r := equiv.Check(t, Gray{Width: 3}, Gray{Width: 3, Direct: true}, equiv.WithoutABC())
	fmt.Println(r.Outcome)
	equiv.Check(t, Gray{Width: 3}, Gray{Width: 3, Direct: true, Wrong: true}, equiv.WithoutABC())
	// Output:
	// equal
	// code differs in cycle 8 (after 1 of reset): a has 3'h0, b has 3'h4
	// en      ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾\__
	// a.code  |0 |1 |3 |2 |6 |7 |5 |4 |0
	// b.code  |0 |1 |3 |2 |6 |7 |5 |4
}

// A queue of one element that is never full and empty at once, whatever happens.
func ExampleProve() {
	type ports struct{ Push, Pop, Full, Empty hw.Bit }
	slot := hw.Func("slot", ports{hw.In(hw.Bit{}), hw.In(hw.Bit{}), hw.Out(hw.Bit{}), hw.Out(hw.Bit{})}, func(m *hw.Module, p ports) {
		full := hw.Reg(m, "full", hw.Bit{}, hw.B(false))
		empty := hw.Reg(m, "empty", hw.Bit{}, hw.B(true))
		m.When(p.Push.And(empty), func() { full.Set(hw.B(true)); empty.Set(hw.B(false)) }).
			ElseWhen(p.Pop, func() { full.Set(hw.B(false)); empty.Set(hw.B(true)) })
		p.Full.Set(full)
		p.Empty.Set(empty)
		m.Assert(full.Xor(empty), "full and empty at once")
	})
	fmt.Println(equiv.Prove(testbench.Example(), slot, "at once").Outcome)
	// Output: equal
}
