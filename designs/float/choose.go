package float

import "etch/hw"

// MinMax is the lesser of two numbers, or the greater where Max is high: minimumNumber
// and maximumNumber of IEEE 754-2019. A signalling NaN raises Invalid.
type MinMax struct{ Op }

// MinMaxPorts are A and B and the lesser of them, or with Max the greater.
type MinMaxPorts struct {
	Control
	A, B Num    `dir:"in"`
	Max  hw.Bit `dir:"in"`
	Y    Num    `dir:"out"`
}

func (c MinMax) Ports() MinMaxPorts {
	n := Of(c.Format)
	return MinMaxPorts{Control: c.control(), A: n, B: n, Y: n}
}

// ModuleName is minmax_e5m10_1 for fp16 and one stage.
func (c MinMax) ModuleName() string { return c.name("minmax") }

// Build compares both ways at once: the greater of two is the lesser of them with their
// signs changed.
func (c MinMax) Build(m *hw.Module, p MinMaxPorts) {
	s := c.steps(m, p.Control, 1)
	if len(p.Mode) > 0 {
		hw.Unused(m, p.Mode...)
	}
	y := p.A.FlipIf(p.Max).Min(p.B.FlipIf(p.Max))
	y = hw.Mux(y.IsNaN(), y, y.FlipIf(p.Max)) // the NaN keeps its sign

	// Only a signalling NaN is invalid: a quiet one gives way to the number.
	invalid := hw.Zeros(5)
	if c.Flags {
		invalid = p.A.IsSignaling().Or(p.B.IsSignaling()).UInt().Extend(5).PadLow(4).Trunc(5)
	}
	p.Y.Set(hw.Delay(s.run, "result", y, c.Stages))
	p.Flags.Set(hw.Delay(s.run, "raised", invalid, c.Stages))
}

// Comparer compares two numbers. One output is high: Unordered where one is a NaN.
type Comparer struct{ Op }

// ComparerPorts are two numbers and their relation, of which one bit is high.
type ComparerPorts struct {
	Control
	A, B                            Num    `dir:"in"`
	Signaling                       hw.Bit `dir:"in"` // every NaN raises Invalid, not only a signalling one
	Less, Equal, Greater, Unordered hw.Bit `dir:"out"`
}

func (c Comparer) Ports() ComparerPorts {
	n := Of(c.Format)
	return ComparerPorts{Control: c.control(), A: n, B: n}
}

// ModuleName is compare_e5m10_1 for fp16 and one stage.
func (c Comparer) ModuleName() string { return c.name("compare") }

// Build compares magnitudes once.
func (c Comparer) Build(m *hw.Module, p ComparerPorts) {
	s := c.steps(m, p.Control, 1)
	if len(p.Mode) > 0 {
		hw.Unused(m, p.Mode...)
	}
	less, equal, unordered := p.A.Compare(p.B)
	type result struct {
		Less, Equal, Greater, Unordered hw.Bit
		Flags                           hw.UInt
	}

	// Nothing but NaN raises a flag: every NaN in a signalling comparison, else those that signal.
	flags := hw.Zeros(5)
	if c.Flags {
		flags = hw.Cat(hw.Mux(p.Signaling, unordered, p.A.IsSignaling().Or(p.B.IsSignaling())), hw.Zeros(4))
	} else {
		hw.Unused(m, p.Signaling)
	}

	// A NaN's code compares as a number's would; unordered takes the others' place.
	r := hw.Delay(s.run, "result", result{
		less.AndNot(unordered), equal.AndNot(unordered), less.Or(equal, unordered).Not(), unordered, flags,
	}, c.Stages)
	p.Less.Set(r.Less)
	p.Equal.Set(r.Equal)
	p.Greater.Set(r.Greater)
	p.Unordered.Set(r.Unordered)
	p.Flags.Set(r.Flags)
}
