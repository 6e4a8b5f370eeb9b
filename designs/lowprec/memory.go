package lowprec

import (
	"fmt"

	"etch/designs/float"
	"etch/hw"
	"etch/hw/pipe"
)

// Pass is an operation of an [OptimizerMemory] on every weight.
type Pass int

// The passes.
const (
	Keep   Pass = iota // nothing: the state is read
	Step               // a step by the gradient
	Halve              // both moments, with the scale of the loss: a skipped step
	Double             // both moments, with the scale of the loss
	Load               // the state is the one at In
)

var passNames = [...]string{"keep", "step", "halve", "double", "load"}

func (p Pass) String() string { return passNames[p] }

// OptimizerMemory is [Optimizer] with the states of n weights in one memory, a word a
// weight. Every cycle with Valid takes the next weight, and after the last one the first;
// a pass is n of them. Its result is written back without a bubble, in the same cycle in
// which it is at the output.
//
// Passes that change the scale go through the same units: a moment becomes k·m + (1−β1)·(−0), with
// k = ½, 2 or 1 for β1; Adam's second moment, a square, takes k². That is exact but for halved
// moments that are subnormal, which are rounded, and doubled ones past the range, see [Fits].
type OptimizerMemory struct {
	Optimizer
	Weights int `help:"weights in the memory; more than Latency" range:"2..65536"`
}

// Fits bounds the moments that may be doubled in fp16, which rounds it to 7744: sums of two moments,
// and their corrections, stay in range.
const Fits = 7745

// OptimizerMemoryPorts are the inputs of one weight a cycle and, Latency cycles later, its new
// state and the findings about the pass.
type OptimizerMemoryPorts struct {
	En    hw.Bit               `dir:"in"`
	Valid hw.Bit               `dir:"in"`
	Pass  hw.Enum[Pass]        `dir:"in"` // the same for a whole pass
	G     float.Num            `dir:"in"` // for Step
	In    State[float.Num]     `dir:"in"` // for Load
	Step  Constants[float.Num] `dir:"in"`

	Done   hw.Bit           `dir:"out"` // Out is a weight's new state
	Last   hw.Bit           `dir:"out"` // it is the last weight of a pass
	Out    State[float.Num] `dir:"out"`
	Finite hw.Bit           `dir:"out"` // all states of the pass so far are finite
	Fits   hw.Bit           `dir:"out"` // all moments of the pass so far are at most Fits
}

func (c OptimizerMemory) Validate() error {
	if err := c.Optimizer.Validate(); err != nil {
		return err
	}
	if c.Weights <= c.Latency() {
		return fmt.Errorf("weights is %d, want more than the latency %d: a weight is read again after its result is written", c.Weights, c.Latency())
	}
	return nil
}

// Latency is the number of cycles from a gradient to the new state: one reads the memory.
func (c OptimizerMemory) Latency() int { return 1 + c.Optimizer.Latency() }

func (c OptimizerMemory) Ports() OptimizerMemoryPorts {
	p := c.Optimizer.Ports()
	return OptimizerMemoryPorts{Pass: hw.EnumOf(Keep, Step, Halve, Double, Load), G: p.G, In: p.State, Step: p.Step, Out: p.Next}
}

// order is a weight on its way.
type order struct {
	Valid hw.Bit
	Last  hw.Bit
	At    hw.UInt
	Step  hw.Bit // of the pass; otherwise weight and error stay
}

// Build puts the memory around the optimiser: stage 0 reads a state, stage 1 is the optimiser's
// stage 0, and its last stage writes the state back.
func (c OptimizerMemory) Build(m *hw.Module, p OptimizerMemoryPorts) {
	run := m.Enabled(p.En)
	at := hw.Reg(run, "at", hw.AddressOf(c.Weights), hw.U(0))
	last := at.Is(c.Weights - 1)
	run.When(p.Valid, func() { at.Set(hw.Mux(last, at.Lit(0), at.Inc())) })

	// The order waits a cycle for the memory's word.
	in := hw.Delay(run, "asked", struct {
		Order order
		Pass  hw.Enum[Pass]
		G     float.Num
		In    State[float.Num]
	}{order{p.Valid, last, at, p.Pass.Is(Step)}, p.Pass, p.G, p.In}, 1)

	// The state of a weight, or the state to be loaded. No word is read while its result is under
	// way, since a pass is longer than the pipe: so the read port may be undefined under a write.
	memory := hw.Mem(run, "states", c.Weights, hw.Unsigned(c.word()), hw.Style("block"))
	stored := c.unpack(memory.SyncRead("state", at, hw.Undefined))
	s := hw.Mux(in.Pass.Is(Load), in.In, stored)
	if !c.Kahan {
		hw.Unused(m, in.In.C)
	}

	next := c.through(m, run, p.Step, s, in.G, in.Pass)

	// The result goes back to the address that it is from.
	way := pipe.Of(run, "order", 0, in.Order)
	end := c.Optimizer.Latency()
	back := way.At(end)
	valid := hw.Delay(run, "valid", hw.Delay(run, "valid_in", p.Valid, 1, hw.Low), end, hw.Low)
	hw.Unused(m, back.Valid)
	run.When(valid, func() { memory.Write(back.At, c.pack(next)) })

	// Finite and Fits hold for the pass so far: at its last weight they are its result.
	hw.Set(p.Out, next)
	p.Done.Set(valid)
	p.Last.Set(back.Last.And(valid))
	p.Finite.Set(passed(run, "finite", valid, back.Last, finite(next)))
	small := hw.AllOf(next.M.Abs().Le(next.M.Lit(Fits)), next.W.Abs().Le(next.W.Lit(Fits)))
	p.Fits.Set(passed(run, "fits", valid, back.Last, small))

	way.Spare()
	m.Assert(p.Last.Implies(p.Done), "the last weight of a pass without a weight")
}

// passed is high while x was for all valid elements since the last one of a pass.
func passed(run *hw.Module, name string, valid, last, x hw.Bit) hw.Bit {
	so := hw.Reg(run, name+"_so_far", hw.Bit{}, hw.High)
	all := so.And(x.Or(valid.Not()))
	so.Set(all.Or(valid.And(last)))
	return all
}

// word is the bits of a state: without Kahan there is no error to keep.
func (c OptimizerMemory) word() int {
	width := c.Format.Width() + c.m().Width() + c.w().Width()
	if c.Kahan {
		width += c.Format.Width()
	}
	return width
}

func (c OptimizerMemory) pack(s State[float.Num]) hw.UInt {
	if c.Kahan {
		return hw.Cat(s.C.Raw, s.Theta.Raw, s.M.Raw, s.W.Raw)
	}
	return hw.Cat(s.Theta.Raw, s.M.Raw, s.W.Raw)
}

func (c OptimizerMemory) unpack(word hw.UInt) State[float.Num] {
	// From the last place up, in the order of pack.
	low := 0
	field := func(f float.Format) float.Num {
		low += f.Width()
		return floatFrom(f, word.Range(low-1, low-f.Width()))
	}
	s := State[float.Num]{W: field(c.w()), M: field(c.m()), Theta: field(c.Format), C: c.shape().LitBits(0)}
	if c.Kahan {
		s.C = field(c.Format)
	}
	return s
}

// through is the optimiser's dataflow with the factors of a pass.
func (c OptimizerMemory) through(m, run *hw.Module, k Constants[float.Num], s State[float.Num], g float.Num, pass hw.Enum[Pass]) State[float.Num] {
	// The optimiser's inputs.
	u, end := c.flow(run), c.Optimizer.Latency()
	v := State[float.Value]{Theta: u.Input("theta", s.Theta), M: u.Input("m_before", s.M), W: u.Input("w_before", s.W)}
	if c.Kahan {
		v.C = u.Input("c", s.C)
	}

	// A pass without a step has -0 for the gradient, which adds nothing to a moment of either sign,
	// and a factor for the decay.
	moves := pass.Is(Step)
	g = hw.Mux(moves, g, g.LitBits(c.Format.Neg(0)))
	factor := decaysOf[float.Value](u, c.Optimizer)

	halve, double := c.factors(Halve), c.factors(Double)
	choose := func(step float.Value, one, half, two float64) float.Num {
		n := step.At(0)
		x := hw.Mux(pass.Is(Halve), n.Lit(half), hw.Mux(pass.Is(Double), n.Lit(two), n.Lit(one)))
		return hw.Mux(moves, n, x)
	}
	d := decays[float.Value]{
		u.Input("m_factor", choose(factor.M, 1, halve.M, double.M)),
		u.Input("w_factor", choose(factor.W, 1, halve.W, double.W)),
	}

	next := adam[float.Value](u, c.Optimizer, v, u.Input("g", g), d, still(m, run, c.Optimizer, k))

	// A pass that is no step leaves the weight and its error.
	step := input(run, "steps", moves).At(end)
	out := State[float.Num]{Theta: hw.Mux(step, next.Theta.At(end), v.Theta.At(end)), C: next.C.At(end), M: next.M.At(end), W: next.W.At(end)}
	if c.Kahan {
		out.C = hw.Mux(step, out.C, v.C.At(end))
	}
	return out
}

// factors are those of the moments in a pass that changes the scale.
func (c OptimizerMemory) factors(pass Pass) decays[float64] {
	k := map[Pass]float64{Keep: 1, Halve: .5, Double: 2}[pass]
	if c.Method == Adam {
		return decays[float64]{k, k * k}
	}
	return decays[float64]{k, k}
}

// Next is the model of a pass for one weight; in is for Load.
func (c OptimizerMemory) Next(pass Pass, s State[uint64], g uint64, in State[uint64], k Constants[uint64]) State[uint64] {
	switch pass {
	case Step:
		return c.Optimizer.Next(s, g, k)
	case Load:
		if !c.Kahan {
			in.C = 0
		}
		return c.Next(Keep, in, 0, in, k)
	}

	// Keep, Halve and Double multiply. The sign of W after it is that of the circuit's hypot or sum.
	um, uw, by := c.codes().In(c.m()), c.codes().In(c.w()), c.factors(pass)
	s.M, s.W = um.Mul(s.M, um.Const(by.M)), uw.Mul(s.W, uw.Const(by.W))
	if c.Method == HAdam { // as √(w² + 0²)
		s.W = uw.Abs(s.W)
	} else {
		s.W = uw.Add(s.W, 0)
	}
	return s
}
