package arith

import (
	"etch/hw"
	"etch/hw/pipe"
)

// PipelinedRoot takes a radicand in every cycle and gives its root Latency cycles
// later.
type PipelinedRoot struct {
	SquareRoot
	BitsPerStage int `help:"bits of the root made between two registers, as many subtractions in a row" range:"1..1536"`
}

type PipelinedRootPorts struct {
	En       hw.Bit     `dir:"in"` // the pipeline moves; otherwise it stands still
	Valid    hw.Bit     `dir:"in"` // In is a radicand
	In       hw.UInt    `dir:"in"`
	OutValid hw.Bit     `dir:"out"` // Out is a result
	Out      RootResult `dir:"out"`
}

func (r PipelinedRoot) Validate() error {
	if err := r.SquareRoot.Validate(); err != nil {
		return err
	}
	return perCycle("BitsPerStage", r.BitsPerStage, r.RootWidth())
}

func (r PipelinedRoot) Ports() PipelinedRootPorts {
	return PipelinedRootPorts{In: hw.Unsigned(r.Radicand), Out: r.ResultOf()}
}

// Latency is the number of cycles from radicand to result: the stages of the
// digits and one that ends the remainder.
func (r PipelinedRoot) Latency() int { return atATime(r.RootWidth(), r.BitsPerStage) + 1 }

// Build describes the body. The remainder grows with the root, so the first stages
// are small.
func (r PipelinedRoot) Build(m *hw.Module, p PipelinedRootPorts) {
	run := m.Enabled(p.En)
	even := (r.Radicand + 1) / 2 * 2
	line := newTape(run, "line", 0, p.In.Extend(even), even)
	zero := hw.Wire(run, "zero", hw.Unsigned(1), hw.U(0))
	rest := pipe.Of(run, "rest", 0, zero)
	root := number{m: run, name: "root"}

	// A stage takes two bits a digit from the top of the radicand.
	stage := 0
	for left := r.RootWidth(); left > 0; left -= r.BitsPerStage {
		n := min(left, r.BitsPerStage)
		next := line.take(stage, 2*n)
		after, q := rest.At(stage), root.under(zero, stage)
		digits := make([]hw.Bit, n)
		for i := range digits {
			after, digits[i] = RootStep(after, [2]hw.Bit(next[2*i:]), q)
			q = hw.Cat(q, digits[i])
		}
		rest = pipe.Of(run, "rest", stage, after)
		root.put(stage, digits)
		stage++
	}

	// The remainder of the last step may be negative: it is restored in a stage of its own.
	q := root.value.At(stage)
	remainder := pipe.Of(run, "remainder", stage, RootRemainder(rest.At(stage), q))
	p.Out.Root.Set(root.value.At(stage + 1))
	p.Out.Remainder.Set(remainder.At(stage + 1))

	p.OutValid.Set(pipe.Of(run, "valid", 0, p.Valid, hw.Low).At(stage + 1))
	run.Assert(p.OutValid.Eq(hw.Past(run, p.Valid, r.Latency())), "a root without its radicand, or a radicand without a root")
}
