package function

import (
	"fmt"
	mathbits "math/bits"
	"strings"

	"etch/hw"
	"etch/hw/float"
	"etch/ir/bits"
)

// Unit computes a function: a result in every cycle.
type Unit struct {
	Function Function     `help:"elementary function; sin and cos take turns" values:"exp|exp2|log|log2|log1p|tanh|sigmoid|softplus|recip|rsqrt|sin|cos"`
	Format   float.Format `help:"format of operand and result, of up to 16 bits" form:"eXmY of up to 16 bits as e5m10, or fp16 or bf16"`
	Ulp      float64      `help:"greatest error in units of the last place; up to 0.5 it is correct rounding" range:"0..1"`
	Flags    bool         `help:"whether there are exceptions, at a port; they are those of correct rounding"`
}

// Ports are an operand and a result of the unit's format. A cycle with En high takes A; Y and the
// flags for it are there [Unit.Latency] such cycles later.
type Ports struct {
	En hw.Bit    `dir:"in"` // the unit moves; otherwise it stands still
	A  float.Num `dir:"in"`
	Y  float.Num `dir:"out"`

	Flags []hw.UInt `dir:"out"` // one of 5 bits, NV DZ OF UF NX from the top, in a unit with flags; else none
}

func (u Unit) Validate() error {
	if err := u.Function.Validate(); err != nil {
		return err
	}
	if w := u.Format.Width(); w > 16 || w < 6 || u.Format.Flush || u.Format.Saturate || u.Format.Codes != float.IEEE {
		return fmt.Errorf("a table of %v: want IEEE codes of 6 to 16 bits that neither flush nor saturate", u.Format)
	}
	if u.Flags && u.ulp() > 0.5 {
		return fmt.Errorf("ulp %v with flags, which are those of correct rounding: want 0.5", u.Ulp)
	}
	return u.Format.Validate()
}

func (u Unit) ulp() float64 { return max(u.Ulp, 0.5) }

func (u Unit) Ports() Ports {
	p := Ports{A: float.Of(u.Format), Y: float.Of(u.Format)}
	if u.Flags {
		p.Flags = []hw.UInt{hw.Unsigned(5)}
	}
	return p
}

// ModuleName is exp_e5m10, exp_e5m10_ulp0p6 or exp_e5m10_flags.
func (u Unit) ModuleName() string {
	name := string(u.Function) + "_" + u.Format.Name()
	if u.ulp() > 0.5 {
		name += "_ulp" + strings.ReplaceAll(fmt.Sprint(u.ulp()), ".", "p")
	}
	if u.Flags {
		name += "_flags"
	}
	return name
}

// Latency is the number of cycles from operand to result: one reads the segment, one
// multiplies, one adds and chooses a place, one reads it.
func (u Unit) Latency() int { return 4 }

// Build looks up the coefficients of the operand's segment and evaluates their polynomial at its
// low bits.
func (u Unit) Build(m *hw.Module, p Ports) {
	t, err := TableOf(u)
	if err != nil {
		m.Errorf("param", "%v", err)
		return
	}

	run := m.Enabled(p.En)
	f := t.Form
	low := p.A.Raw.Trunc(f.Low)

	// The segment, and the low bits beside it.
	memory := hw.Mem(run, "segments", len(t.segments), hw.Unsigned(t.word()), hw.ContentsBits(t.words()...), hw.Style("block"))
	raw := memory.SyncRead("segment", p.A.Raw.Range(p.A.Width()-1, f.Low), hw.Old)
	d := hw.Delay(run, "low", low, 1)
	fitted := raw.Bit(t.word() - 1)
	c0 := raw.Range(t.word()-2, f.Slope+f.Bend)

	// The products, in one register; then their sum.
	w := t.c0() + 2
	sum := hw.Delay(run, "linear", raw.Range(f.Slope+f.Bend-1, f.Bend).AsSigned().Mul(hw.Cat(hw.Low, d).AsSigned()), 1).Extend(w)
	if f.Bend > 0 {
		square := d.Mul(d)
		bent := raw.Trunc(f.Bend).AsSigned().Mul(hw.Cat(hw.Low, square).AsSigned())
		sum = sum.Add(hw.Delay(run, "bent", bent, 1).Extend(w))
	}

	// The constant, the low bits and the mark of a fitted segment wait for the products.
	start := hw.Delay(run, "start", c0, 1)
	d2, fitted2 := hw.Delay(run, "low_2", d, 1), hw.Delay(run, "fitted", fitted, 1)
	code := hw.Delay(run, "code", sum.AsUnsigned().Add(start.Extend(w)).Range(t.c0()-1, f.guard()), 1)

	// A segment without a polynomial has its results in the second memory, which has a power of two of
	// words, so that no read needs a test of its range.
	y := hw.Delay(run, "code_2", code, 1)
	if len(t.places) > 0 {
		bits := max(mathbits.Len(uint(len(t.places)-1)), 1)
		results := make([]uint64, 1<<bits)
		copy(results, t.places)
		places := hw.Mem(run, "places", len(results), hw.Unsigned(u.Format.Width()), hw.Contents(results...), hw.Style("block"))

		// The constant coefficient of such a segment is where its results begin.
		at := hw.Cat(start, d2)
		place := places.SyncRead("place", hw.Delay(run, "at", at.Trunc(bits), 1), hw.Old)
		choice := hw.Delay(run, "choice", fitted2, 2)
		y = hw.Mux(choice, y, place)
	} else {
		hw.Unused(m, fitted2)
	}

	p.Y.Set(float.FromBits(u.Format, y))
	if u.Flags {
		p.Flags[0].Set(u.flags(hw.Delay(run, "operand", u.operand(p.A), u.Latency()), float.FromBits(u.Format, y)))
	}

	run.Assert(d2.Eq(hw.Past(run, low, 2)), "a segment and a place of two operands")
}

// words are the segments as the memory holds them: fitted, c0, c1, c2 from the top.
func (t *Table) words() (list []bits.Value) {
	f := t.Form
	for _, s := range t.segments {
		v := uint64(s.c0)
		v = v<<f.Slope | uint64(s.c1)&(1<<f.Slope-1)
		v = v<<f.Bend | uint64(s.c2)&(1<<f.Bend-1)

		if s.fitted {
			v |= 1 << (t.word() - 1)
		}
		list = append(list, bits.New(t.word(), v))
	}
	return list
}
