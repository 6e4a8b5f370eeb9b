package replay

import (
	"cmp"
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
	InPipeline Form = iota // an operation every cycle: [Pipelined]
	InSeries               // one operation after the other: [Serial]
	ByScan                 // children one by one, after the paper: [Scan]
)

var formNames = []string{"pipelined", "serial", "scan"}

// String is the form's name.
func (f Form) String() string {
	if f < 0 || int(f) >= len(formNames) {
		return fmt.Sprintf("form %d", int(f))
	}
	return formNames[f]
}

// UnmarshalText reads a form's name.
func (f *Form) UnmarshalText(text []byte) error {
	for i, name := range formNames {
		if name == string(text) {
			*f = Form(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not a form; want pipelined, serial or scan", text)
}

// Tree is a tree in one of its forms, with its generator of random bits.
type Tree struct {
	Config
	Form     Form   `help:"how the tree is built" values:"pipelined|serial|scan"`
	Samplers int    `help:"draws on their way at once, of the scan; 0 for 8" range:"0..64"`
	Early    bool   `help:"the scan ends at the child that it looks for"`
	Seed     uint64 `help:"state of the generator after reset" range:"1..2^32"`

	flaw flaw
}

// Validate refuses parameters that give no tree.
func (t Tree) Validate() error {
	if err := t.Config.Validate(); err != nil {
		return err
	}
	switch {
	case t.Form < InPipeline || t.Form > ByScan:
		return fmt.Errorf("Form = %d, want pipelined, serial or scan", int(t.Form))
	case t.Form != InPipeline && t.Capacity == 1:
		return fmt.Errorf("a tree of one slot has no levels: only the pipelined form takes it")
	}
	return nil
}

// unit is the tree without its generator.
func (t Tree) unit() hw.Component[UnitPorts] {
	switch t.Form {
	case InSeries:
		return Serial{t.Config}
	case ByScan:
		return Scan{t.Config, cmp.Or(t.Samplers, 8), t.Early}
	}
	return Pipelined{t.Config, t.flaw}
}

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

func (t Tree) Build(m *hw.Module, p TreePorts) {
	// xorshift64 (Marsaglia, Xorshift RNGs, 2003) with shifts of 13, 7 and 17. A draw
	// takes the state behind its step.
	state := hw.Reg(m, "state", hw.Unsigned(64), hw.U(t.Seed))
	next := state.Xor(state.Shl(13))
	next = next.Xor(next.Shr(7))
	next = next.Xor(next.Shl(17))

	unit := hw.Inst(m, "unit", t.unit(), UnitPorts{
		Op: p.Op, Random: next.Range(63, 64-t.DrawBits()), Result: p.Result, Filling: p.Filling,
	})
	p.Seed.Ready.Set(hw.High)
	m.When(p.Seed.Valid.And(p.Seed.Data.Any()), func() { state.Set(p.Seed.Data) }).
		ElseWhen(unit.Step, func() { state.Set(next) })
}
