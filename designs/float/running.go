package float

import (
	"errors"

	"etch/hw"
)

// Running sums products in floating point, one in a cycle, in the order in which they
// come: product and sum are rounded to the format Sum, which is wider than the
// operands' as a rule, and the total once more to Format. The sum of a cycle is needed
// in the next one, so the adder has no registers inside: for most formats the exact
// [Accumulator] is smaller and faster.
type Running struct {
	Op
	Sum Format `help:"format in which products are summed"`
	Mul int    `help:"registers in the product" range:"0..64"`
}

func (c Running) Validate() error {
	if c.Rounding.ModeWidth() != 0 {
		return errors.New("a running sum has a Rounding that needs no port")
	}
	product := c.Op
	product.Format = c.Sum
	return errors.Join(c.Op.Validate(), product.from(c.Format))
}

func (c Running) Ports() AccumulatorPorts {
	n := Of(c.Format)
	return AccumulatorPorts{Control: c.control(), A: n, B: n, Y: n}
}

// ModuleName is running_e8m23_e5m10_2 for fp16 summed in fp32, with two stages.
func (c Running) ModuleName() string { return c.name("running_" + c.Sum.Name()) }

// Latency is the number of cycles from a product to the sum up to and with it.
func (c Running) Latency() int { return c.Mul + 1 + c.Stages }

// Build has the product outside the loop, where it may take registers, and one addition
// inside. Flags are those of all roundings since Clear.
func (c Running) Build(m *hw.Module, p AccumulatorPorts) {
	run := m.Enabled(p.En)
	op := Op{Format: c.Sum, Rounding: c.Rounding, Flags: c.Flags}
	control := Control{En: p.En}

	// The product, into the format of the sum: outside of the loop, registers cost nothing.
	product := op
	product.Stages = c.Mul
	x := hw.Inst(m, "product", Product{c.Format, product}, BinaryPorts{Control: control, A: p.A, B: p.B})
	clear := hw.Delay(run, "clear_at", p.Clear, c.Mul)
	valid := hw.Delay(run, "valid_at", p.Valid, c.Mul, hw.Low)

	// The loop: one adder between the register and itself.
	zero := Of(c.Sum).LitBits(0)
	total := hw.Reg(run, "total", Of(c.Sum), zero)
	raised := hw.Reg(run, "raised", hw.Unsigned(5), hw.U(0))
	add := hw.Inst(m, "add", Adder{op}, AdderPorts{Control: control, A: hw.Mux(clear, zero, total), B: x.Y, Sub: hw.Low})
	run.When(valid, func() {
		total.Set(add.Y)
		raised.Set(raised.And(clear.Not().Rep(5)).Or(x.Flags).Or(add.Flags))
	})

	// The total in the operands' format, with the exceptions of all that came before.
	before := hw.Delay(run, "raised_at", raised, c.Stages)
	if c.Sum == c.Format {
		p.Y.Set(hw.Delay(run, "total_at", total, c.Stages))
		p.Flags.Set(before)
		return
	}
	y := hw.Inst(m, "convert", Converter{From: c.Sum, Op: c.Op}, ConverterPorts{Control: control, A: total})
	p.Y.Set(y.Y)
	p.Flags.Set(y.Flags.Or(before))
}
