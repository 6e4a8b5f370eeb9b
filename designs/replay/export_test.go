package replay

import "etch/hw"

// Flaws are mistakes that can be built in, by name.
var Flaws = map[string]flaw{
	"shallow head": shallowHead, "shallow level": shallowLevel, "latched sum": latchedSum,
	"inclusive step": inclusiveStep, "stale rows": staleRows, "shared leaf": sharedLeaf,
}

// Flawed is a tree with a mistake.
func Flawed(t Tree, name string) Tree {
	t.flaw = Flaws[name]
	return t
}

// FlawedUnit is a pipeline with a mistake.
func FlawedUnit(t Pipelined, name string) Pipelined {
	t.flaw = Flaws[name]
	return t
}

// PowerPorts are the ports of Power.
type PowerPorts struct {
	Delta, Alpha, Beta, Epsilon, Drawn, Least hw.UInt `dir:"in"`
	Priority, Weight                          hw.UInt `dir:"out"`
}

// Power is the circuits of the exponents by themselves.
type Power struct{ Config }

func (c Power) Ports() PowerPorts {
	unit, leaf := hw.Unsigned(unitBits), hw.Unsigned(c.Leaf)
	return PowerPorts{Delta: hw.Unsigned(32), Alpha: unit, Beta: unit, Epsilon: hw.Unsigned(32), Drawn: leaf, Least: leaf, Priority: leaf, Weight: unit}
}

func (c Power) Build(m *hw.Module, p PowerPorts) {
	p.Priority.Set(c.priority(m, p.Delta, p.Alpha, p.Epsilon).At(priorityLatency))
	p.Weight.Set(c.weight(m, p.Drawn, p.Drawn.BitLen(), p.Least, p.Beta).At(weightLatency))
}

// The latencies of Power.
const (
	PriorityLatency = priorityLatency
	WeightLatency   = weightLatency
)
