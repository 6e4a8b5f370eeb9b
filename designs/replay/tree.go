package replay

import (
	"fmt"

	"etch/designs/replay/model"
	"etch/hw"
	"etch/hw/stream"
)

// The operations by themselves, for [hw.Enum.Is].
const (
	insertMaxKind = model.InsertMax
	updateKind    = model.Update
	sampleKind    = model.Sample
	findKind      = model.Find
	clearKind     = model.Clear
)

var insertKinds = []model.Kind{model.Insert, model.InsertMax}

// Form is how the tree is built.
type Form int

// The forms.
const (
	InPipeline Form = iota // an operation every cycle
)

// String is the form's name.
func (f Form) String() string {
	if f == InPipeline {
		return "pipelined"
	}
	return fmt.Sprintf("form %d", int(f))
}

// Tree is a tree with its generator of random bits.
type Tree struct {
	Config
	Seed uint64 `help:"state of the generator after reset" range:"1.."`

	flaw flaw
}

// TreePorts are the ports of [Tree].
type TreePorts struct {
	Op      stream.Stream[Operation]
	Seed    stream.Stream[hw.UInt] // a state for the generator; 0 is taken and has no effect
	Result  Result
	Filling Filling
}

func (t Tree) Ports() TreePorts {
	u := t.unitPorts()
	return TreePorts{Op: u.Op, Seed: hw.In(stream.Of(hw.Unsigned(64))), Result: u.Result, Filling: u.Filling}
}

// Build describes the body.
func (t Tree) Build(m *hw.Module, p TreePorts) {
	// xorshift64 (Marsaglia, Xorshift RNGs, 2003) with shifts of 13, 7 and 17. A draw
	// takes the state behind its step.
	state := hw.Reg(m, "state", hw.Unsigned(64), hw.U(t.Seed))
	next := state.Xor(state.Shl(13))
	next = next.Xor(next.Shr(7))
	next = next.Xor(next.Shl(17))

	unit := hw.Inst(m, "unit", hw.Component[UnitPorts](Pipelined{t.Config, t.flaw}), UnitPorts{
		Op: p.Op, Random: next.Range(63, 64-t.DrawBits()), Result: p.Result, Filling: p.Filling,
	})
	p.Seed.Ready.Set(hw.High)
	m.When(p.Seed.Valid.And(p.Seed.Data.Any()), func() { state.Set(p.Seed.Data) }).
		ElseWhen(unit.Step, func() { state.Set(next) })
}
