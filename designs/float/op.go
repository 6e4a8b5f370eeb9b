package float

import (
	"errors"
	"fmt"
	"strings"

	"etch/hw"
	"etch/hw/float"
	"etch/hw/pipe"
)

// Op is the parameters that the units of the package share. Unless a unit says otherwise, it takes
// operands in every cycle in which En is high and gives their result Stages such cycles later.
type Op struct {
	Format   Format   `help:"format of the operands and the result"`
	Rounding Rounding `help:"rounding: rne, rtz, rdn, rup, rna, dynamic (a port), or sr1 to sr24 (random bits at a port)"`
	Flags    bool     `help:"whether there are exceptions; without them the port Flags is 0"`
	Stages   int      `help:"registers that the steps of the operation are spread over: its latency in cycles" range:"0..64"`
}

// Latency is the number of cycles from operands to result.
func (o Op) Latency() int { return o.Stages }

func (o Op) Validate() error { return errors.Join(o.Format.Validate(), o.Rounding.Validate()) }

// name is add_e5m10_3 for the unit add with three stages; unusual parameters follow.
func (o Op) name(unit string) string {
	// Modules of equal parameters are one, so every parameter that changes the circuit is in the
	// name.
	words := []string{unit, o.Format.Name(), fmt.Sprint(o.Stages)}
	if o.Rounding != NearestEven {
		words = append(words, o.Rounding.String())
	}
	if o.Flags {
		words = append(words, "flags")
	}
	return strings.Join(words, "_")
}

// Control is the ports that every unit has beside its operands and its result. Mode has one element
// where Rounding has a port, given with the operands: the mode, 3 bits in the codes of RISC-V, or
// random bits. Flags are 5 bits, from the top NV DZ OF UF NX, and 0 without Op.Flags.
type Control struct {
	En    hw.Bit    `dir:"in"` // the unit moves; otherwise it stands still
	Mode  []hw.UInt `dir:"in"`
	Flags hw.UInt   `dir:"out"`
}

func (o Op) control() Control {
	c := Control{Flags: hw.Unsigned(5)}
	if w := o.Rounding.ModeWidth(); w > 0 {
		c.Mode = []hw.UInt{hw.Unsigned(w)}
	}
	return c
}

// later is the ports of a step that stands n cycles after the operands: the mode waits.
func (c Control) later(run *hw.Module, n int) Control {
	if len(c.Mode) > 0 {
		c.Mode = []hw.UInt{hw.Delay(run, "mode_later", c.Mode[0], n)}
	}
	return c
}

// steps spreads the steps of an operation over its registers: step i of n stands at
// stage i · Stages / n, so that the last register is that of the result.
type steps struct {
	Op
	run   *hw.Module
	count int // steps that the operation has
	at    int // the step that is being made
	mode  pipe.Value[hw.UInt]

	exactBelow bool // see float.Rounder
	values     []interface{ Spare() }
}

func (o Op) steps(m *hw.Module, c Control, count int) *steps {
	// A unit without registers has no clock, so the enable has nothing to do.
	run := m
	if o.Stages > 0 {
		run = m.Enabled(c.En)
	} else {
		hw.Unused(m, c.En)
	}

	s := &steps{Op: o, run: run, count: count}
	if len(c.Mode) > 0 {
		s.mode = input(s, "mode", c.Mode[0])
	}
	return s
}

// stage is where the next step stands.
func (s *steps) stage() int { return s.at * s.Stages / s.count }

// rounder is the rounding at the step that is being made.
func (s *steps) rounder(stage int) float.Rounder {
	// The mode waits with the operands until the step that rounds.
	r := float.Rounder{Format: s.Format, Rounding: s.Rounding, Flags: s.Op.Flags, ExactBelow: s.exactBelow}
	if s.Rounding.ModeWidth() > 0 {
		r.Mode = s.mode.At(stage)
	}
	return r
}

// input is a value at the unit's ports.
func input[T any](s *steps, name string, x T) pipe.Value[T] {
	return spared(s, pipe.Of(s.run, name+"_at", 0, x))
}

// spared is a value of which some parts are needed at some stages only.
func spared[T any](s *steps, v pipe.Value[T]) pipe.Value[T] {
	s.values = append(s.values, v)
	return v
}

// end marks the registers of all values that nothing reads.
func (s *steps) end() {
	for _, v := range s.values {
		v.Spare()
	}
}

// step is the next step: f makes its value of earlier ones, which it asks for at the
// stage that it is given.
func step[T any](s *steps, name string, f func(stage int) T) pipe.Value[T] {
	stage := s.stage()
	s.at++
	return spared(s, pipe.Of(s.run, name, stage, f(stage)))
}

// finish is the last step, rounding; it drives the result.
func (s *steps) finish(y Num, flags hw.UInt, exact pipe.Value[float.Exact]) {
	type result struct {
		Y     Num
		Flags hw.UInt
	}

	// Without flags the exceptions have no reader.
	end := step(s, "result", func(at int) result {
		x := exact.At(at)
		if !s.Op.Flags {
			hw.Unused(s.run, x.Invalid, x.DivideZero)
		}
		y, flags := s.rounder(at).Finish(x)
		if s.Stages > 0 { // a circuit without registers has no clock
			s.run.Assert(y.IsNaN().Implies(y.Raw.Eq(y.LitBits(s.Format.NaN()).Raw)), "the NaN %x", y.Raw)
			s.run.Assert(flags.Range(2, 1).Any().Implies(flags.Bit(0)), "overflow or underflow of an exact result: %b", flags)
		}
		return result{y, flags}
	})

	// The last register is that of the result.
	out := end.At(s.Stages)
	y.Set(out.Y)
	flags.Set(out.Flags)
	s.end()
}
