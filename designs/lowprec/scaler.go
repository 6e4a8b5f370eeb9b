package lowprec

import (
	"fmt"
	"math"
	mathbits "math/bits"

	"etch/designs/float"
	"etch/hw"
)

// LossScaler keeps the scales of the loss, one for each group of weights: compound loss
// scaling. A group's scale is Start · 2^level. A step is in two events.
//
//   - Gradient: the group's gradient is complete, and Finite or not. In the same cycle Step
//     says that the step is taken, or Halve that it is skipped and scale and moments are
//     halved.
//   - Stepped: the step has been taken; Fits says that no moment is too great to be
//     doubled. In the same cycle Grow says that scale and moments are doubled: after
//     Growth steps in a row.
//
// The scale does not fall below Start · 2^-Floor. A step that is skipped there leaves
// scale and moments and sets Diverged, which stays: the loss itself is not finite, and a
// scale that ran to 0 would hide it.
type LossScaler struct {
	Format  float.Format `help:"format of the constants" form:"eXmY as e5m10, or fp16, bf16, tf32, fp32 or fp64"`
	Groups  int          `help:"groups of weights" range:"1..16"`
	Start   float64      `help:"scale at first" range:"1..65504"`
	Growth  int          `help:"steps in a row after which the scale is doubled" range:"1..1048576"`
	Floor   int          `help:"halvings below the first scale" range:"1..16"`
	Batch   int          `help:"samples of a batch" range:"1..65536"`
	Epsilon float64      `help:"ε of the optimiser" range:"0..1"`
}

// Scaling is that of the paper, for groups of weights and a batch.
func Scaling(groups, batch int) LossScaler {
	return LossScaler{Format: float.F16, Groups: groups, Start: 1e4, Growth: 10000, Floor: 10, Batch: batch, Epsilon: 1e-8}
}

// top is the greatest level.
const top = 16

// LossScalerPorts are an event of a group, the order that it gives in the same cycle, and the
// constants of the group's scale before it.
type LossScalerPorts struct {
	Group    hw.UInt `dir:"in"`
	Gradient hw.Bit  `dir:"in"`
	Finite   hw.Bit  `dir:"in"`
	Stepped  hw.Bit  `dir:"in"`
	Fits     hw.Bit  `dir:"in"`

	Step     hw.Bit    `dir:"out"`
	Halve    hw.Bit    `dir:"out"`
	Grow     hw.Bit    `dir:"out"` // scale and moments are doubled
	Level    hw.SInt   `dir:"out"` // of the group: its scale is Start · 2^Level
	Seed     float.Num `dir:"out"` // scale / batch
	Seed2    float.Num `dir:"out"` // 2 · scale / batch
	Epsilon  float.Num `dir:"out"` // scale · ε, and 1e-7 at least
	Diverged hw.UInt   `dir:"out"` // a bit a group
}

func (c LossScaler) Validate() error {
	if err := c.Format.Validate(); err != nil {
		return err
	}
	for level := -c.Floor; level <= top; level++ {
		if !(c.Scale(level) > 0) {
			return fmt.Errorf("the scale %v · 2^%d is not positive", c.Start, level)
		}
	}
	return nil
}

func (c LossScaler) Ports() LossScalerPorts {
	n := float.Of(c.Format)
	return LossScalerPorts{Group: hw.AddressOf(c.Groups), Level: hw.Signed(6), Seed: n, Seed2: n, Epsilon: n, Diverged: hw.Unsigned(c.Groups)}
}

// Scale is Start · 2^level.
func (c LossScaler) Scale(level int) float64 { return math.Ldexp(c.Start, level) }

// ScaleConstants are the numbers that a training step takes from a scale, each rounded once.
type ScaleConstants[V any] struct{ Seed, Seed2, Epsilon V }

// ScaleConstants are those of a level.
func (c LossScaler) ScaleConstants(level int) ScaleConstants[uint64] {
	s, b := c.Scale(level), float64(c.Batch)
	return ScaleConstants[uint64]{c.Format.Code(s / b), c.Format.Code(2 * s / b), c.Format.Code(max(s*c.Epsilon, 1e-7))}
}

// scale is a group's state.
type scale struct {
	Level    hw.SInt
	Count    hw.UInt // steps since the last change
	Diverged hw.Bit
}

func (c LossScaler) Build(m *hw.Module, p LossScalerPorts) {
	count := hw.Unsigned(mathbits.Len(uint(c.Growth)))
	groups := make([]scale, c.Groups)
	for i := range groups {
		groups[i] = hw.Reg(m, hw.Name("group", i), scale{hw.Signed(6), count, hw.Bit{}}, scale{hw.S(0), hw.U(0), hw.Low})
	}

	// The group that the event is of.
	now := groups[0]
	for i := 1; i < c.Groups; i++ {
		now = hw.Mux(p.Group.Is(i), groups[i], now)
	}

	// The order that the event gives: a step, a skip with or without room to halve, or growth.
	atFloor, atTop := now.Level.Eq(hw.S(-c.Floor)), now.Level.Eq(hw.S(top))
	skip := p.Gradient.AndNot(p.Finite)
	grown := p.Stepped.And(now.Count.Is(c.Growth))
	p.Step.Set(p.Gradient.And(p.Finite))
	p.Halve.Set(skip.AndNot(atFloor))
	p.Grow.Set(grown.And(p.Fits).AndNot(atTop))

	// The group's state after it. A count at Growth waits there for its Stepped.
	next := scale{Level: now.Level, Count: now.Count, Diverged: now.Diverged.Or(skip.And(atFloor))}
	next.Count = hw.Mux(p.Step, hw.Mux(now.Count.Is(c.Growth), now.Count, now.Count.Inc()), next.Count)
	next.Count = hw.Mux(skip.Or(grown), now.Count.Lit(0), next.Count)
	next.Level = hw.Mux(p.Grow, now.Level.Add(hw.S(1).Extend(6)), hw.Mux(p.Halve, now.Level.Sub(hw.S(1).Extend(6)), now.Level))

	var diverged []hw.Signal
	for i := c.Groups - 1; i >= 0; i-- {
		m.When(p.Group.Is(i).And(p.Gradient.Or(p.Stepped)), func() { hw.Set(groups[i], next) })
		diverged = append(diverged, groups[i].Diverged)
	}

	// The outputs are those of the group that is asked for, events or not.
	c.constants(m, p, now.Level)
	p.Diverged.Set(hw.Cat(diverged...))

	m.Assert(now.Level.Ge(hw.S(-c.Floor)).And(now.Level.Le(hw.S(top))), "the level %d is out of its bounds", now.Level)
	m.Assert(hw.AnyOf(p.Step.And(p.Halve), p.Halve.And(p.Grow)).Not().Or(p.Gradient.And(p.Stepped)), "two orders at once")
}

// constants are a table by level.
func (c LossScaler) constants(m *hw.Module, p LossScalerPorts, level hw.SInt) {
	p.Level.Set(level)
	n := float.Of(c.Format)

	// A level is six bits, signed: codes past the floor or the top have the constants of the
	// nearest level.
	var table hw.Vec[ScaleConstants[float.Num]]
	for at := range 64 {
		k := c.ScaleConstants(min(max(at<<58>>58, -c.Floor), top))
		table = append(table, ScaleConstants[float.Num]{n.LitBits(k.Seed), n.LitBits(k.Seed2), n.LitBits(k.Epsilon)})
	}

	k := table.At(level.AsUnsigned())
	p.Seed.Set(k.Seed)
	p.Seed2.Set(k.Seed2)
	p.Epsilon.Set(k.Epsilon)
}

// Scaler is the model of a group.
type Scaler struct {
	LossScaler
	Level    int
	Count    int
	Diverged bool
}

// NewScaler is a group at its first scale.
func NewScaler(c LossScaler) *Scaler { return &Scaler{LossScaler: c} }

// Now is the factor by which the next loss is multiplied.
func (s *Scaler) Now() float64 { return s.Scale(s.Level) }

// Gradient is the event of a complete gradient: Step, Halve, or Keep at the floor.
func (s *Scaler) Gradient(finite bool) Pass {
	if finite {
		s.Count = min(s.Count+1, s.Growth)
		return Step
	}
	s.Count = 0
	if s.Level == -s.Floor {
		s.Diverged = true
		return Keep
	}
	s.Level--
	return Halve
}

// Stepped is the event after a step: Double or Keep.
func (s *Scaler) Stepped(fits bool) Pass {
	if s.Count != s.Growth {
		return Keep
	}
	s.Count = 0
	if !fits || s.Level == top {
		return Keep
	}
	s.Level++
	return Double
}
