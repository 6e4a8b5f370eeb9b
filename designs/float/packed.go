package float

import (
	"errors"
	"fmt"
	"slices"

	"etch/hw"
)

// Packed is a [Shared] unit on words of several numbers: of each format as many as fit
// the widest one, the first at the low end. Every number has the same operation. Lane 0
// computes in all formats, lane i in those of which more than i fit, each in one
// datapath. A conversion stays in its lane, and flags are those of all lanes.
type Packed struct{ Shared }

func (c Packed) Validate() error {
	if c.Rounding.ModeWidth() != 0 || len(c.Also) == 0 {
		return errors.New("a packed unit has several formats, and its Rounding needs no port")
	}
	if err := c.Shared.Validate(); err != nil {
		return err
	}
	for _, f := range c.Formats() {
		if c.Width()%f.Width() != 0 {
			return fmt.Errorf("numbers of %v do not fill a word of %d bits", f, c.Width())
		}
	}
	return nil
}

// ModuleName is packed_shared_e5m10_e8m23_4 for fp32 and two fp16 in four stages.
func (c Packed) ModuleName() string { return "packed_" + c.Shared.ModuleName() }

// lane is the formats of which more than i fit.
func (c Packed) lane(i int) (list []Format) {
	for _, f := range c.Formats() {
		if c.Width()/f.Width() > i {
			list = append(list, f)
		}
	}
	return list
}

// Build has a shared unit for each lane.
func (c Packed) Build(m *hw.Module, p SharedPorts) {
	run := m.Enabled(p.En)
	formats := c.Formats()

	// The formats of the ports, decoded once for all lanes. Only a conversion has a second one.
	in, out := one(p.In[0], len(formats)), one(p.Out[0], len(formats))
	for i := range formats {
		out[i] = hw.Mux(p.Do.Is(DoConvert), out[i], in[i])
	}

	// A lane for every place that has a number in some format.
	y, flags := hw.Zeros(c.Width()), hw.Zeros(5)
	for i := 0; len(c.lane(i)) > 0; i++ {
		list := c.lane(i)
		unit := Shared{Op: c.Op, Also: list[1:]}
		unit.Format = list[0]

		// The lane's number of every format stands at a place of its own.
		w := unit.Width()
		number := func(x hw.UInt) hw.UInt {
			v := hw.Zeros(w)
			for k, f := range formats {
				if n := f.Width(); slices.Contains(list, f) {
					v = v.Or(x.Range((i+1)*n-1, i*n).Extend(w).And(in[k].Rep(w)))
				}
			}
			return v
		}

		// The lane's unit has the formats that reach its place, numbered by themselves.
		ports := SharedPorts{Control: Control{En: p.En}, Do: p.Do, A: number(p.A), B: number(p.B), C: number(p.C)}
		if len(list) > 1 {
			ports.In, ports.Out = []hw.UInt{c.among(list, in)}, []hw.UInt{c.among(list, out)}
		}
		lane := hw.Inst(m, hw.Name("lane", i), unit, ports)

		// The lane's result goes where its number stands, where it has one: flags of a lane without
		// are not told.
		active := hw.Low
		for k, f := range formats {
			if n := f.Width(); slices.Contains(list, f) {
				here := hw.Delay(run, hw.Name(hw.Name("out", i), k), out[k].And(c.both(list, in)), c.Stages)
				active = active.Or(here)
				y = y.Or(lane.Y.Trunc(n).And(here.Rep(n)).Extend(c.Width()).Shl(i * n))
			}
		}
		flags = flags.Or(lane.Flags.And(active.Rep(5)))
	}

	p.Y.Set(y)
	p.Flags.Set(flags)
}

// both is high where the operands have a format of the lane.
func (c Packed) both(list []Format, in []hw.Bit) hw.Bit {
	// A lane takes part where it computes in the operands' format.
	any := hw.Low
	for k, f := range c.Formats() {
		if slices.Contains(list, f) {
			any = any.Or(in[k])
		}
	}
	return any
}

// among is the number of a format in a lane's list.
func (c Packed) among(list []Format, this []hw.Bit) hw.UInt {
	w := hw.UpTo(len(list) - 1).Width()
	n := hw.Zeros(w)
	for k, f := range c.Formats() {
		if at := slices.Index(list, f); at >= 0 {
			n = n.Or(hw.U(at).Extend(w).And(this[k].Rep(w)))
		}
	}
	return n
}
