package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/pipe"
)

// Element is the processing element: a step of a trajectory in every cycle, the
// last one in time first, and its advantage and return Latency cycles later.
//
// Vectors follow each other without a gap, since the last step of each has Cut
// set. Cycles without a step may stand between vectors; within one, En stops the
// whole element. The c-slow form takes K trajectories in turn, one step of each
// in every K cycles.
type Element struct{ model.Element }

// Step is a step of a trajectory.
type Step struct {
	Reward fixed.Num // r_t
	Value  fixed.Num // V_t
	Boot   fixed.Num // X_t: the value after the cut; read where Cut is high and Term is low
	Term   hw.Bit    // the episode ended here
	Cut    hw.Bit    // the next step in time is of another trajectory; high where Term is
}

// StepOf is the shape of a step.
func StepOf(f fixed.Format) Step {
	q := fixed.Of(f)
	return Step{Reward: q, Value: q, Boot: q}
}

// Result is the output for one step.
type Result struct {
	Advantage fixed.Num // A_t
	Return    fixed.Num // A_t + V_t
	Clipped   Clipped
}

// Clipped tells which numbers of a step were saturated.
type Clipped struct{ Delta, Advantage, Return hw.Bit }

// ResultOf is the shape of a result.
func ResultOf(f fixed.Format) Result {
	q := fixed.Of(f)
	return Result{Advantage: q, Return: q}
}

type ElementPorts struct {
	En       hw.Bit `dir:"in"` // the element moves; otherwise it stands still
	Valid    hw.Bit `dir:"in"` // In is a step
	In       Step   `dir:"in"`
	OutValid hw.Bit `dir:"out"` // Out is a result
	Out      Result `dir:"out"`
}

func (e Element) Ports() ElementPorts {
	return ElementPorts{In: StepOf(e.Format()), Out: ResultOf(e.Format())}
}

// The stages of the pipeline. A product has a register at its operand, one behind
// the multiplier and one more, which are the registers inside a DSP block.
const (
	deltaStage   = 3
	productDepth = 2 // registers behind a multiplier
)

// Latency is the number of cycles from a step to its result.
func (e Element) Latency() int { return e.advantageStage() + 2 }

// advantageStage is the stage of the adder that closes the loop.
func (e Element) advantageStage() int {
	if e.Form == model.CSlow || e.K == 1 {
		return deltaStage + 1
	}
	levels := 0
	for 1<<levels < e.K {
		levels++
	}
	return deltaStage + 2 + levels
}

func (e Element) Build(m *hw.Module, p ElementPorts) {
	run := m.Enabled(p.En)
	x := &datapath{
		Element: e, run: run,
		data:  fixed.Of(e.Format()),
		value: pipe.Of(run, "value", 0, p.In.Value),
		cut:   pipe.Of(run, "cut", 0, p.In.Cut),
	}

	// The pipeline in three parts: δ, the recurrence, the return; results leave two stages after
	// the recurrence.
	end := e.advantageStage()
	delta, deltaClipped := x.delta(p.In)
	advantage, clipped := x.advantage(end, x.ahead(delta))
	ret, retClipped := x.saturate("return", end+1, advantage.At(end+1).Add(x.value.At(end+1)))

	p.Out.Advantage.Set(advantage.At(end + 2))
	p.Out.Return.Set(ret.At(end + 2))
	p.Out.Clipped.Delta.Set(deltaClipped.At(end + 2))
	p.Out.Clipped.Advantage.Set(clipped.At(end + 2))
	p.Out.Clipped.Return.Set(retClipped.At(end + 2))
	p.OutValid.Set(pipe.Of(run, "valid", 0, p.Valid, hw.Low).At(end + 2))
	run.Assert(p.OutValid.Eq(hw.Past(run, p.Valid, e.Latency())), "a result without its step, or a step without its result")
}

// datapath holds the values that the parts of an element share.
type datapath struct {
	Element
	run   *hw.Module
	data  fixed.Num
	value pipe.Value[fixed.Num]
	cut   pipe.Value[hw.Bit]
}

// turn is how many cycles lie between two steps of one trajectory.
func (x *datapath) turn() int {
	if x.Form == model.CSlow {
		return x.K
	}
	return 1
}

// reach is how many steps the loop spans.
func (x *datapath) reach() int {
	if x.Form == model.CSlow {
		return 1
	}
	return x.K
}

// delta is δ_t = r_t + γ·b_t − V_t.
func (x *datapath) delta(in Step) (d pipe.Value[fixed.Num], clipped pipe.Value[hw.Bit]) {
	after := hw.Mux(in.Cut, in.Boot, x.value.Back(0, x.turn()))
	boot := pipe.Of(x.run, "boot", 0, hw.Mux(in.Term, x.data.Lit(0), after))
	margin := pipe.Of(x.run, "margin", 0, in.Reward.Sub(in.Value))
	scaled := x.times("discounted", x.Discount(), boot, 1)
	return x.saturate("delta", deltaStage, margin.At(deltaStage).Add(scaled(deltaStage, 0)))
}

// ahead is Σ_{i<k} C^i·δ_{t+i} at the stage of the loop.
func (x *datapath) ahead(delta pipe.Value[fixed.Num]) fixed.Num {
	switch {
	case x.reach() == 1:
		return delta.At(x.advantageStage())
	case x.Form == model.Factored:
		return x.factors(delta)
	}
	return x.terms(delta)
}

// terms is the sum as it stands, added pair by pair.
func (x *datapath) terms(delta pipe.Value[fixed.Num]) fixed.Num {
	stage := deltaStage + 2 // where the product with the step just after is there
	sum := []fixed.Num{delta.At(stage)}
	for i := 1; i < x.K; i++ {
		scaled := x.times(hw.Name("term", i), x.Carry(i), delta, deltaStage+1)
		sum = append(sum, x.open(stage, i, scaled(stage, i)))
	}

	// A balanced tree of adders with a register per level; an odd term waits for the next level.
	for ; len(sum) > 1; stage++ {
		var next []fixed.Num
		for i := 0; i < len(sum); i += 2 {
			s := sum[i]
			if i+1 < len(sum) {
				s = s.Add(sum[i+1])
			}
			next = append(next, pipe.Of(x.run, hw.Name("sum", stage, i/2), stage, s).At(stage+1))
		}
		sum = next
	}
	return sum[0]
}

// factors is the sum as a product: u += C^span·u of span steps later, span = 1, 2, …
func (x *datapath) factors(delta pipe.Value[fixed.Num]) fixed.Num {
	u, from := delta, deltaStage+1
	for span := 1; span < x.K; span *= 2 {
		scaled := x.times(hw.Name("factor", span), x.Carry(span), u, from)
		stage := max(from, from+productDepth-span)
		u = pipe.Of(x.run, hw.Name("sum", span), stage, u.At(stage).Add(x.open(stage, span, scaled(stage, span))))
		from = stage + 1
	}
	return u.At(from)
}

// advantage closes the loop: A_t = u_t + C^k·A_{t+k}, saturated inside it. It has k
// registers: one holds A, the others are behind the multiplier.
func (x *datapath) advantage(stage int, u fixed.Num) (a pipe.Value[fixed.Num], clipped pipe.Value[hw.Bit]) {
	loop := hw.Wire(x.run, "advantage", x.data)
	a = pipe.Of(x.run, "advantage", stage, loop)
	back := x.reach() * x.turn() // cycles around the loop
	scaled := x.times("carry", x.Carry(x.reach()), a, stage+1)
	sum, clipped := x.saturate("next", stage, u.Add(x.open(stage, x.reach(), scaled(stage, back))))
	loop.Set(sum.At(stage))
	return a, clipped
}

// open is v if n steps, beginning with the step at stage, belong to one trajectory with the step
// after them; otherwise 0.
func (x *datapath) open(stage, n int, v fixed.Num) fixed.Num {
	var cuts []hw.Bit
	for i := range n {
		cuts = append(cuts, x.cut.Back(stage, i*x.turn()))
	}
	return hw.Mux(hw.AnyOf(cuts...), v.Lit(0), v)
}

// times gives c·v for a step so many cycles back, seen from a stage. The
// multiplier's operand is v at stage from; behind it are as many registers as the
// distance leaves, at most productDepth, or one between the parts of a product, before
// the product is rounded and subtracted, and the others behind that.
func (x *datapath) times(name string, c model.Coefficient, v pipe.Value[fixed.Num], from int) func(stage, back int) fixed.Num {
	if c.One() {
		return v.Back
	}

	parts := x.product(name, c, v.At(from).Raw, from)
	deepest := productDepth
	if len(parts) > 1 {
		deepest = 1
	}

	// The registers up to deepest belong to the multiplier, where tools retime them; the rest
	// delay the rounded value.
	return func(stage, back int) fixed.Num {
		at := from + min(stage+back-from, deepest)
		scaled := fixed.FromInt(less(v.At(at).Raw, parts, at, c.Shift)).Scale(-x.data.Frac())
		return pipe.Of(x.run, name, at, scaled).Back(stage, back)
	}
}

// part is a product of a part of an operand.
type part struct {
	pipe.Value[hw.SInt]
	weight int // bits below the part
}

// product is v times the mantissa of 1 − c. With Split, where v is wide enough, it is two products
// whose operands have 18 bits with sign, the size of an ECP5 multiplier.
func (x *datapath) product(name string, c model.Coefficient, v hw.SInt, from int) []part {
	const low = 17

	mantissa := hw.S(c.Mantissa).Extend(model.MantissaBits + 1)
	if !x.Split || v.Width() <= low+1 {
		return []part{{pipe.Of(x.run, name+"_product", from, v.Mul(mantissa)), 0}}
	}

	// The low part is unsigned: a zero above it makes it a signed operand.
	below := v.Range(low-1, 0).Extend(low + 1).AsSigned()
	return []part{
		{pipe.Of(x.run, name+"_high", from, v.Shr(low).Trunc(v.Width()-low).Mul(mantissa)), low},
		{pipe.Of(x.run, name+"_low", from, below.Mul(mantissa)), 0},
	}
}

// less is v minus the product, rounded to v's last bit, ties up. It is a single subtraction: v −
// ⌊(p + h)/2^s⌋ = ⌊(v·2^s + (2^s − 1 − h) − p)/2^s⌋, where the rounding constant takes the place
// of the zeros below v. It is no larger than v.
func less(v hw.SInt, parts []part, stage, shift int) hw.SInt {
	width := v.Width() + shift
	for _, p := range parts {
		width = max(width, p.At(stage).Width()+p.weight)
	}
	width++

	rest := v.PadLow(shift).Extend(width).Or(hw.S(int64(1)<<(shift-1) - 1).Extend(width))
	for _, p := range parts {
		rest = rest.Sub(p.At(stage).PadLow(p.weight).Extend(width))
	}
	return rest.Shr(shift).Trunc(v.Width())
}

// saturate brings a sum into the format of data and tells whether it had to.
func (x *datapath) saturate(name string, stage int, sum fixed.Num) (v pipe.Value[fixed.Num], clipped pipe.Value[hw.Bit]) {
	fit, over := sum.FitOver(x.data, fixed.Floor, fixed.Saturate)
	raw := fit.Raw.AsUnsigned()
	rest := raw.Trunc(raw.Width() - 1)
	extreme := hw.Mux(raw.Bit(raw.Width()-1), rest.Any().Not(), rest.All())
	x.run.Assert(over.Implies(extreme), name+": %d is clipped and not at the end of its range", fit.Raw)
	return pipe.Of(x.run, name, stage, fit), pipe.Of(x.run, name+"_clipped", stage, over)
}
