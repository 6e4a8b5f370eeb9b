package equiv

import (
	"slices"
	"strings"
	"time"

	"etch/passes/aig"
	"etch/testbench/equiv/prover"
)

// The correspondence of state is a guess where names do not tell it. A difference in a run may
// then come from the starts alone: the designs need not be in them at the same time. So a run
// counts only if one side cannot, from any start of its guessed state and with the same inputs,
// behave as the other one does in the run.

// guessed returns the leaves that are starts of state paired by a guess, or not at all.
func (p *problem) guessed() map[aig.Lit]bool {
	list := map[aig.Lit]bool{}
	if p.seen == nil { // all starts as 0, or nothing is paired
		return list
	}
	_, other := p.named()
	for i, w := range p.start {
		// State paired by name is no guess, except for words of memories that are not expanded.
		if _, ok := other[i]; ok && p.circuit.States[i].Kind != aig.Cell {
			continue
		}
		if p.circuit.States[i].Kind == aig.CellAddress || p.sameCells(i) {
			continue
		}
		for k, l := range w {
			if !p.seen[p.circuit.States[i].Q[k].Node()] {
				continue
			}
			if !l.IsConst() && p.sys.Graph.IsLeaf(l.Node()) {
				list[l&^1] = true
			}
		}
	}
	return list
}

// sameCells reports whether a state is a word of a memory whose group has one name only.
func (p *problem) sameCells(i int) bool {
	s := &p.circuit.States[i]
	if s.Kind != aig.Cell {
		return false
	}
	name, _ := twin(s.Name)
	for other, m := range p.models {
		if base, _ := twin(other); m.Group == p.models[s.Name].Group && base != name {
			return false
		}
	}
	return true
}

// explained reports whether each side can, from some start, behave as the other one does in a
// trace that ends with a difference. Then the trace shows no difference. If it is not decided in
// time, the answer is yes.
func (p *problem) explained(t *aig.Trace, end time.Time) bool {
	guessed := p.guessed()
	if len(guessed) == 0 {
		return false
	}
	return p.follows(t, 'a', guessed, end) && p.follows(t, 'b', guessed, end)
}

// follows reports whether a side can behave as the other one does in a trace, from another
// start.
func (p *problem) follows(t *aig.Trace, side byte, guessed map[aig.Lit]bool, end time.Time) bool {
	s := p.sys
	free := make([]bool, len(s.Free))
	for i, l := range s.Free {
		free[i] = guessed[l]
	}
	mine := make([]bool, len(s.Latches))

	// Latches are in the order in which step makes them: levels, then states.
	k := len(p.levels)
	for i := range p.circuit.States {
		_, of := twin(p.circuit.States[i].Name)
		for range p.circuit.States[i].Q {
			mine[k] = of == side
			k++
		}
	}
	return prover.Follows(s, t, mine, free, end) != prover.No
}

// verdict makes the Result of the prover's answer. A trace that shows no difference is replaced
// by one that differs whatever the guessed state starts as, found by ternary simulation, or else
// the result is Unknown.
func (q *question) verdict(p *problem, r prover.Result) (*Result, error) {
	if r.Outcome != prover.Refuted || !q.paired || q.o.unpaired || !p.explained(r.Trace, q.end) {
		return p.result(r)
	}
	guessed := p.guessed()
	unknown := make([]bool, len(p.sys.Free))
	for i, l := range p.sys.Free {
		unknown[i] = guessed[l]
	}
	limits := prover.Limits{Conflicts: q.o.conflicts, Depth: q.o.depth, Time: max(time.Until(q.end), time.Millisecond), Bounded: true}
	again := prover.Prove(prover.UnknownStart(p.sys, unknown), limits)

	// The trace has to show the difference in the system itself, too.
	if again.Outcome == prover.Refuted && p.sys.Check(again.Trace) == nil {
		again.Gates, again.Latches = r.Gates, r.Latches
		return p.result(again)
	}
	r.Outcome, r.Trace = prover.Unknown, nil
	r.Why = "the sides differ where state starts differently that no name pairs (" + p.guessedNames() + "), but each can do as the other does from some start"
	return p.result(r)
}

// guessedNames lists the names of guessed state, a few of them.
func (p *problem) guessedNames() string {
	const most = 6
	guessed := p.guessed()
	var names []string

	// Names are listed in the order of the states, each once.
	for i, w := range p.start {
		name := p.circuit.States[i].Name
		for _, l := range w {
			if !guessed[l&^1] || slices.Contains(names, name) {
				continue
			}
			if len(names) == most {
				return strings.Join(names, ", ") + " and others"
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
