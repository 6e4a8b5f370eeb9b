package arith

import (
	"fmt"

	"etch/hw"
	"etch/hw/stream"
)

// SquareRoot is the form of a root: the widths of its numbers. The circuits and the models are made
// of it:
//
//	radicand · 4^Fraction = Root² + Remainder, 0 ≤ Remainder ≤ 2·Root
type SquareRoot struct {
	Radicand int `help:"bits of the radicand, which has no sign" range:"1..1024"`
	Fraction int `help:"fraction bits of the root of an integer" range:"0..1024"`
}

// RootResult is the output of a root.
type RootResult struct {
	Root      hw.UInt
	Remainder hw.UInt // one bit wider than the root
}

func (r SquareRoot) Validate() error {
	switch {
	case r.Radicand < 1 || r.Radicand > MaxWidth:
		return fmt.Errorf("Radicand = %d, want 1 to %d bits", r.Radicand, MaxWidth)
	case r.Fraction < 0 || r.Fraction > MaxWidth:
		return fmt.Errorf("Fraction = %d, want 0 to %d bits", r.Fraction, MaxWidth)
	}
	return nil
}

// RootWidth is half of Radicand, rounded up, and Fraction more bits.
func (r SquareRoot) RootWidth() int { return (r.Radicand+1)/2 + r.Fraction }

// Iterative is the circuit that makes bitsPerCycle bits of the root in each cycle.
func (r SquareRoot) Iterative(bitsPerCycle int) Root {
	return Root{SquareRoot: r, BitsPerCycle: bitsPerCycle}
}

// Pipelined is the circuit with registers after every bitsPerStage bits of the root.
func (r SquareRoot) Pipelined(bitsPerStage int) PipelinedRoot {
	return PipelinedRoot{SquareRoot: r, BitsPerStage: bitsPerStage}
}

// ResultOf is the shape of the result.
func (r SquareRoot) ResultOf() RootResult {
	return RootResult{Root: hw.Unsigned(r.RootWidth()), Remainder: hw.Unsigned(r.RootWidth() + 1)}
}

// Inexact is high where something is left: the sticky bit of floating point.
func (r RootResult) Inexact() hw.Bit { return r.Remainder.Any() }

// Root takes square roots step by step, one at a time, with the handshake and the
// timing of [Divider].
type Root struct {
	SquareRoot
	BitsPerCycle int `help:"bits of the root made in a cycle, as many subtractions in a row" range:"1..1536"`
}

type RootPorts struct {
	In  stream.Stream[hw.UInt]    `dir:"in"`
	Out stream.Stream[RootResult] `dir:"out"`
}

func (r Root) Validate() error {
	if err := r.SquareRoot.Validate(); err != nil {
		return err
	}
	return perCycle("BitsPerCycle", r.BitsPerCycle, r.RootWidth())
}

func (r Root) Ports() RootPorts {
	return RootPorts{In: stream.Of(hw.Unsigned(r.Radicand)), Out: stream.Of(r.ResultOf())}
}

func (r Root) steps() int { return atATime(r.RootWidth(), r.BitsPerCycle) }

// Latency is the number of cycles from radicand to result, and the initiation
// interval: one takes the radicand, one ends the remainder.
func (r Root) Latency() int { return r.steps() + 2 }

func (r Root) Build(m *hw.Module, p RootPorts) {
	steps, width := r.steps(), r.RootWidth()
	c := follow(m, p.In, p.Out, r.Latency())
	line := hw.Reg(m, "line", hw.Unsigned(2*steps*r.BitsPerCycle)) // at the top the rest of the radicand
	root := hw.Reg(m, "root", hw.Unsigned(width))
	rest := hw.Reg(m, "rest", hw.Unsigned(width+2)) // the remainder; see RootStep

	// Two bits of the radicand make a digit of the root; the last cycle restores the remainder.
	m.When(c.taken, func() {
		line.Set(append0(p.In.Data, 2*r.Fraction).Extend(line.Width()))
		root.Set(hw.U(0))
		rest.Set(hw.U(0))
	}).ElseWhen(c.within(steps), func() {
		after, q := rest, root
		for i := range r.BitsPerCycle {
			at := line.Width() - 2*i
			var digit hw.Bit
			after, digit = RootStep(after, [2]hw.Bit{line.Bit(at - 1), line.Bit(at - 2)}, q)
			q = hw.Cat(q, digit).Trunc(width)
		}
		rest.Set(after)
		root.Set(q)
		line.Set(line.Shl(2 * r.BitsPerCycle))
	}).ElseWhen(c.at(steps+1), func() {
		rest.Set(RootRemainder(rest, root).Extend(width + 2))
	})

	p.Out.Data.Root.Set(root)
	p.Out.Data.Remainder.Set(rest.Trunc(width + 1))
}
