package replay

import (
	"etch/designs/replay/model"
	"etch/hw"
	"etch/hw/stream"
)

// Operation is an operation on the tree; see [model.Operation] for which of its fields an operation
// reads. Priority and Target are in LSBs of 2^-Fraction.
type Operation struct {
	Kind       hw.Enum[model.Kind]
	Index      hw.UInt
	Generation hw.UInt // 8 bits
	Priority   hw.UInt
	Stratum    hw.UInt
	Strata     hw.UInt // the number of strata is 2^Strata
	Target     hw.UInt
}

// Result is a response; see [model.Response]. Priority and Sum are in LSBs of 2^-Fraction.
type Result struct {
	Valid      hw.Bit
	Index      hw.UInt
	Generation hw.UInt
	Priority   hw.UInt
	Sum        hw.UInt // after the operation
	Unfilled   hw.Bit
	Stale      hw.Bit
	Empty      hw.Bit
	OutOfRange hw.Bit
}

// Filling is the state of the tree when all operations that were accepted have reached its head; Sum
// and Max are in LSBs of 2^-Fraction.
type Filling struct {
	Count hw.UInt // slots that are filled
	Sum   hw.UInt // of all leaves
	Max   hw.UInt // the largest priority since the last clear, at least 1.0
}

// UnitPorts are the ports of a tree in any of its forms. Results come in the order of
// operations and cannot wait.
type UnitPorts struct {
	Op      stream.Stream[Operation]
	Random  hw.UInt // DrawBits bits for the draw that is at the head
	Step    hw.Bit  // Random is used in this cycle: the next draw wants other bits
	Result  Result
	Filling Filling
}

// generationBits is the width of a generation.
const generationBits = 8

func (c Config) operation() Operation {
	return Operation{
		Kind:       hw.EnumOf(model.Kinds()...),
		Index:      hw.Unsigned(c.indexWidth()),
		Generation: hw.Unsigned(generationBits),
		Priority:   hw.Unsigned(c.Leaf),
		Stratum:    hw.Unsigned(c.stratumBits()),
		Strata:     hw.Unsigned(c.strataBits()),
		Target:     hw.Unsigned(c.SumBits()),
	}
}

func (c Config) result() Result {
	return Result{
		Index:      hw.Unsigned(c.indexWidth()),
		Generation: hw.Unsigned(generationBits),
		Priority:   hw.Unsigned(c.Leaf),
		Sum:        hw.Unsigned(c.SumBits()),
	}
}

func (c Config) filling() Filling {
	return Filling{Count: hw.UpTo(c.Capacity), Sum: hw.Unsigned(c.SumBits()), Max: hw.Unsigned(c.Leaf)}
}

func (c Config) unitPorts() UnitPorts {
	return UnitPorts{
		Op:      hw.In(stream.Of(c.operation())),
		Random:  hw.In(hw.Unsigned(c.DrawBits())),
		Step:    hw.Out(hw.Bit{}),
		Result:  hw.Out(c.result()),
		Filling: hw.Out(c.filling()),
	}
}
