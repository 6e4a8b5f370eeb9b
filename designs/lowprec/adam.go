package lowprec

import (
	"fmt"
	"math"
	"slices"

	"etch/designs/float"
	"etch/hw"
	"etch/hw/pipe"
)

// Method is how a step's length is found.
type Method string

// The methods. HAdam keeps the root of Adam's second moment, which has half the range.
const (
	HAdam Method = "hadam"
	Adam  Method = "adam"
)

// Correction is how the bias of the moments is corrected.
type Correction string

// The corrections. Divided is as the paper has it; Folded has one division where the other
// has three, and differs by an ulp or two.
const (
	Divided Correction = "divided"
	Folded  Correction = "folded"
)

// Optimizer is one step of a weight by its gradient, a weight in a cycle: hAdam with the
// sum of Kahan, or without.
type Optimizer struct {
	Numbers
	Method     Method     `help:"second moment: its root (hadam) or itself (adam)" values:"hadam|adam"`
	Correction Correction `help:"bias of the moments: three divisions (divided), or one and constants (folded)" values:"divided|folded"`
	Kahan      bool       `help:"whether the weight keeps the error of its sum"`
	Beta1      float64    `help:"decay of the first moment" range:"0..1"`
	Beta2      float64    `help:"decay of the second moment" range:"0..1"`
	Moments
}

// Moments are the formats of the moments, where they differ from that of all other numbers. A
// moment is kept and moved in its format; the gradient goes into it and the moment comes out of
// it by one rounding each, and the corrections, quotients and sums are in the common format.
//
// In fp16 the root w of the second moment has a bias: at a constant gradient it settles at 0.68 to
// 0.78 of it, since √β2 = 1 − 2^-11 and each step loses a rounding. With 13 fraction bits it comes
// to 0.96 (TestSecondMomentBias).
type Moments struct {
	M Own `json:",omitzero" help:"format of the first moment as eXmY, or same for that of the other numbers" form:"eXmY as e8m7, or same"`
	W Own `json:",omitzero" help:"format of the second moment as eXmY, or same for that of the other numbers" form:"eXmY as e8m7, or same"`
}

// Own is a format that differs from that of a unit's other numbers. The zero value is the common
// format, and its text is same.
type Own float.Format

// Or is the format, where f is the common one.
func (o Own) Or(f float.Format) float.Format {
	if o == (Own{}) {
		return f
	}
	return float.Format(o)
}

func (o Own) String() string {
	if o == (Own{}) {
		return "same"
	}
	return float.Format(o).String()
}

// MarshalText is the format's text, or same.
func (o Own) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a format, or same.
func (o *Own) UnmarshalText(text []byte) error {
	if string(text) == "same" {
		*o = Own{}
		return nil
	}
	return (*float.Format)(o).UnmarshalText(text)
}

// m and w are the formats of the moments.
func (c Optimizer) m() float.Format { return c.M.Or(c.Format) }
func (c Optimizer) w() float.Format { return c.W.Or(c.Format) }

// Ours is the optimiser of the paper in fp16.
func Ours() Optimizer {
	return Optimizer{Numbers: Half(), Method: HAdam, Correction: Divided, Kahan: true, Beta1: .9, Beta2: .999}
}

// State is a weight and its optimiser state: the error C of the weight's sum and the two
// moments.
type State[V any] struct{ Theta, C, M, W V }

// Constants are those of a step, the same for all weights. They stand still while
// elements are under way. With [Folded] First is α/(1−β1^t), Second 1/√(1−β2^t), and Rate
// is not used.
type Constants[V any] struct {
	First   V // 1−β1^t
	Second  V // √(1−β2^t)
	Epsilon V
	Rate    V // α
}

// OptimizerPorts are a weight's gradient and state, the step's constants, and Latency cycles
// later its new state. Moments have their own formats, all else the common one.
type OptimizerPorts struct {
	En     hw.Bit               `dir:"in"`
	Valid  hw.Bit               `dir:"in"`
	G      float.Num            `dir:"in"`
	State  State[float.Num]     `dir:"in"`
	Step   Constants[float.Num] `dir:"in"`
	Done   hw.Bit               `dir:"out"` // Valid, Latency cycles later
	Next   State[float.Num]     `dir:"out"` // without Kahan its C is 0
	Finite hw.Bit               `dir:"out"` // the new state is
}

func (c Optimizer) Validate() error {
	switch {
	case !slices.Contains([]Method{HAdam, Adam}, c.Method):
		return fmt.Errorf("method %q is none of hadam, adam", c.Method)
	case !slices.Contains([]Correction{Divided, Folded}, c.Correction):
		return fmt.Errorf("correction %q is none of divided, folded", c.Correction)
	}

	if err := c.m().Validate(); err != nil {
		return fmt.Errorf("m: %w", err)
	}
	if err := c.w().Validate(); err != nil {
		return fmt.Errorf("w: %w", err)
	}
	return c.Numbers.Validate()
}

func (c Optimizer) Ports() OptimizerPorts {
	n := c.shape()
	s := State[float.Num]{Theta: n, C: n, M: float.Of(c.m()), W: float.Of(c.w())}
	return OptimizerPorts{G: n, State: s, Next: s, Step: Constants[float.Num]{n, n, n, n}}
}

// decays are the factors of the moments.
type decays[V any] struct{ M, W V }

// decaysOf returns β1 for the first moment and β2 for the second, each in the moment's format.
func decaysOf[V any](u ops[V], c Optimizer) decays[V] {
	// hAdam stores the root of the second moment, which decays by √β2.
	second := c.Beta2
	if c.Method == HAdam {
		second = math.Sqrt(c.Beta2)
	}
	return decays[V]{u.In(c.m()).Const(c.Beta1), u.In(c.w()).Const(second)}
}

// adam is a step of a weight. α is multiplied last: α·m of small numbers would lose them.
func adam[V any](u ops[V], c Optimizer, s State[V], g V, d decays[V], k Constants[V]) (next State[V]) {
	// The first moment, in its format.
	um := u.In(c.m())
	grown := um.As("m_new").Mul(um.Const(1-c.Beta1), um.As("m_gradient").From(c.Format, g))
	next.M = um.As("m").Add(um.As("m_kept").Mul(d.M, s.M), grown)

	// The second. hAdam keeps its root: √(β2·w² + (1−β2)·g²) is a hypot of two products.
	uw := u.In(c.w())
	kept, gradient := uw.As("w_kept").Mul(d.W, s.W), uw.As("w_gradient").From(c.Format, g)
	var scale V // of gradients: the root of the second moment
	if c.Method == HAdam {
		next.W = uw.As("w").Hypot(kept, uw.As("w_new").Mul(uw.Const(math.Sqrt(1-c.Beta2)), uw.Abs(gradient)))
		scale = next.W
	} else {
		next.W = uw.As("w").Add(kept, uw.As("w_new").Mul(uw.Const(1-c.Beta2), uw.As("square").Mul(gradient, gradient)))
		scale = uw.As("root").Sqrt(next.W)
	}

	// Both come back to the common format by one rounding each.
	m, root := u.As("m_common").From(c.m(), next.M), u.As("w_common").From(c.w(), scale)

	// The step down: α · m̂ / (ŵ + ε). Folded, the corrections are in the constants, and one
	// division is left.
	var down V
	if c.Correction == Folded {
		by := u.As("denominator").Add(u.As("w_hat").Mul(root, k.Second), k.Epsilon)
		down = u.As("down").Mul(k.First, u.As("ratio").Div(m, by))
	} else {
		by := u.As("denominator").Add(u.As("w_hat").Div(root, k.Second), k.Epsilon)
		down = u.As("down").Mul(k.Rate, u.As("ratio").Div(u.As("m_hat").Div(m, k.First), by))
	}

	// The weight's sum, with its error or without.
	delta := u.Neg(down)
	if c.Kahan {
		next.Theta, next.C = kahan(u, s.Theta, s.C, delta)
	} else {
		next.Theta, next.C = u.As("sum").Add(s.Theta, delta), u.Const(0)
	}
	return next
}

// Latency is the number of cycles from a gradient to the new state.
func (c Optimizer) Latency() int {
	u := stages{c.Numbers}
	s := adam[int](u, c, State[int]{}, 0, decaysOf[int](u, c), Constants[int]{})
	return max(s.Theta, s.C, s.M, s.W)
}

// Next is the model.
func (c Optimizer) Next(s State[uint64], g uint64, k Constants[uint64]) State[uint64] {
	u := c.codes()
	return adam[uint64](u, c, s, g, decaysOf[uint64](u, c), k)
}

// StepConstants are those of step t, counted from 1, with rate α, ε and the loss scaled by
// S. Each is rounded once, from float64; ε·S is 1e-7 at least, which is not 0 in fp16.
func (c Optimizer) StepConstants(t int, rate, epsilon, scale float64) Constants[uint64] {
	// The corrections in float64, then one rounding each; folded, their inverses.
	first, second := 1-math.Pow(c.Beta1, float64(t)), math.Sqrt(1-math.Pow(c.Beta2, float64(t)))
	f := c.Format
	k := Constants[uint64]{Epsilon: f.Code(max(scale*epsilon, 1e-7)), Rate: f.Code(rate)}
	if c.Correction == Folded {
		k.First, k.Second = f.Code(rate/first), f.Code(1/second)
	} else {
		k.First, k.Second = f.Code(first), f.Code(second)
	}
	return k
}

func (c Optimizer) Build(m *hw.Module, p OptimizerPorts) {
	end := c.Latency()
	run := enabled(m, p.En, end)
	u := c.flow(run)

	// The state comes in with the gradient; without Kahan there is no error to carry.
	s := State[float.Value]{Theta: u.Input("theta", p.State.Theta), M: u.Input("m_before", p.State.M), W: u.Input("w_before", p.State.W)}
	if c.Kahan {
		s.C = u.Input("c", p.State.C)
	} else {
		hw.Unused(m, p.State.C)
	}

	// The results have stages of their own and leave together, after the last one.
	next := adam[float.Value](u, c, s, u.Input("g", p.G), decaysOf[float.Value](u, c), still(m, run, c, p.Step))
	hw.Set(p.Next, State[float.Num]{next.Theta.At(end), next.C.At(end), next.M.At(end), next.W.At(end)})
	p.Finite.Set(finite(p.Next))
	p.Done.Set(hw.Delay(run, "valid", p.Valid, end, hw.Low))
}

// still is the constants as values that are there at every stage.
func still(m, run *hw.Module, c Optimizer, k Constants[float.Num]) Constants[float.Value] {
	k = hw.Static(m, "step_constants", k)
	if c.Correction == Folded {
		hw.Unused(m, k.Rate)
	}
	return Constants[float.Value]{pipe.Always(run, k.First), pipe.Always(run, k.Second), pipe.Always(run, k.Epsilon), pipe.Always(run, k.Rate)}
}

// finite is high where all of a state is.
func finite(s State[float.Num]) hw.Bit {
	return hw.AllOf(s.Theta.IsFinite(), s.C.IsFinite(), s.M.IsFinite(), s.W.IsFinite())
}
