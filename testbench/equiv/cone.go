package equiv

import (
	"etch/ir"
	"etch/passes/aig"
)

// cone marks the nodes of the circuit on which outputs, constraints and memories to be kept
// equal depend, over any number of steps.
func (p *problem) cone() []bool {
	next := map[int][]aig.Lit{}
	for i := range p.circuit.States {
		s := &p.circuit.States[i]
		for k, q := range s.Q {
			next[q.Node()] = s.Next[k : k+1]
		}
	}

	// The roots: outputs, memories that have to stay equal, statements, and reads of words that are
	// not kept.
	var todo []aig.Lit
	for _, out := range p.circuit.Outputs {
		todo = append(todo, out.Bits...)
	}
	for _, u := range p.circuit.Unlike {
		todo = append(todo, u.Hit)
	}
	for i := range p.circuit.Stmts {
		if s := &p.circuit.Stmts[i]; s.Kind == ir.Assume || p.o.statements {
			todo = append(todo, s.Hit)
		}
	}
	todo = append(todo, p.circuit.Miss)
	return p.circuit.Graph.Support(todo, next)
}
