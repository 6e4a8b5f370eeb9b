package replay

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
