package equiv

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
	"etch/passes/aig"
	"etch/testbench/equiv/prover"
)

// question is a question about a design. Memories that both sides have are left out of the first
// problem, which decides two nearly equal sides soon. Memories that are too large to be expanded
// are left out of the proof, and mostly out of the search for a counterexample.
type question struct {
	design *ir.Design
	o      *options
	paired bool
	cycles int                    // number of cycles; 0: all
	end    time.Time              // end of its time
	bad    func(p *problem) error // adds the bad literals
}

// answer decides the question.
func (q *question) answer() (*Result, error) {
	r, err := q.decide()
	switch {
	case errors.Is(err, errLate):
		return &Result{Why: err.Error()}, nil
	case err != nil:
		return nil, fmt.Errorf("equiv: %w", err)
	}
	return r, nil
}

// decide tries the abstractions in turn.
func (q *question) decide() (*Result, error) {
	large, err := q.beyond(q.limit())
	if err != nil {
		return nil, err
	}
	if r, err := q.nearlyEqual(len(large)); r != nil || err != nil {
		return r, err
	}
	if len(large) > 0 {
		return q.withLarge(large)
	}
	return q.whole()
}

// smallMemory is the size in bits up to which a memory costs little as registers.
const smallMemory = 512

// nearlyEqual tries a proof by corresponding state alone, in which no memory has words that both
// sides have and that is larger than smallMemory. Without a proof there is no result. If there
// are no more of them than large memories, withLarge begins with the same.
func (q *question) nearlyEqual(large int) (*Result, error) {
	if !q.paired || q.cycles > 0 || q.o.unpaired || q.o.onlyABC {
		return nil, nil
	}
	list, err := q.beyond(smallMemory)
	if err != nil {
		return nil, err
	}
	shared, names := map[string]aig.Model{}, []string{}
	for _, m := range list {
		if m.twin {
			names = append(names, m.name)
			shared[m.name] = aig.Model{Kind: aig.Shared, Group: m.group}
		}
	}
	if len(names) <= large {
		return nil, nil
	}

	p, err := q.problem(shared)
	if err != nil {
		return nil, err
	}

	// At most a third of the time, since other methods follow.
	r := prover.Prove(p.sys, prover.Limits{Conflicts: q.o.conflicts, Time: max(time.Until(q.end)/3, time.Millisecond), Paired: true})
	if r.Outcome != prover.Proved {
		return nil, nil
	}
	r.By += withoutWords(names)
	return p.result(r)
}

// withoutWords names memories that a proof needs no words of, the first few of them.
func withoutWords(names []string) string {
	const most = 6
	if n := len(names) - most; n > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", n))
	}
	return ", " + strings.Join(names, ", ") + " without their words"
}

// problem makes the problem of the question, with models for some memories.
func (q *question) problem(models map[string]aig.Model) (*problem, error) {
	p, err := newProblem(q.design, q.o, q.paired, models)
	if err == nil {
		err = q.bad(p)
	}
	return p, err
}

// whole decides the question with all memories expanded.
func (q *question) whole() (*Result, error) {
	p, err := q.problem(nil)
	if err != nil {
		return nil, err
	}
	r, err := p.ask(q.cycles, time.Until(q.end))
	if err != nil {
		return nil, err
	}
	return q.verdict(p, r)
}

// withLarge tries a proof with memories that have no words, and then searches counterexamples
// with some words of them.
func (q *question) withLarge(large []large) (*Result, error) {
	var names []string
	shared, few := map[string]aig.Model{}, map[string]aig.Model{}

	// Few words are complete for a bounded question if they cover every access.
	complete := q.cycles > 0

	// Describe both abstractions of each memory.
	for _, m := range large {
		cells, all := m.cells(q.cycles + q.resets())
		complete = complete && all
		names = append(names, m.name)
		shared[m.name] = aig.Model{Kind: aig.Shared, Group: m.group}
		few[m.name] = aig.Model{Kind: aig.Cells, Group: m.group, Cells: cells}
	}

	// The proof, then the search. If that is complete, for a bounded question, its failure is a
	// proof as well.
	proved, why, err := q.proveWithout(shared, names)
	if proved != nil || err != nil {
		return proved, err
	}
	if q.o.late() {
		return &Result{Why: why}, nil
	}

	p, err := q.problem(few)
	if err != nil {
		return nil, err
	}

	// A search needs a bound.
	cycles := q.cycles
	if cycles == 0 {
		if cycles = q.o.depth; cycles == 0 {
			cycles = prover.DefaultDepth
		}
	}

	r, err := p.ask(cycles, time.Until(q.end))
	if err != nil {
		return nil, err
	}

	if r.Outcome == prover.Proved && !complete {
		r.Outcome = prover.Unknown
		r.Why = fmt.Sprintf("%s not expanded, of more than %d bits (MaxMemory): without their words, %s; no counterexample of %d cycles with few of them",
			strings.Join(names, ", "), q.limit(), why, cycles)
	}

	return q.verdict(p, r)
}

// proveWithout tries a proof without the words of the memories in names; models has their
// abstractions. Without a proof the result is nil, and why says the reason. The proof assumes equal
// contents at the start, so it is not for Unpaired.
func (q *question) proveWithout(models map[string]aig.Model, names []string) (proved *Result, why string, err error) {
	if q.paired && q.o.unpaired {
		return nil, "they need not start alike", nil
	}

	// Half of the time is left for the search.
	p, err := q.problem(models)
	if err != nil {
		return nil, "", err
	}
	r, err := p.ask(q.cycles, time.Until(q.end)/2)
	if err != nil {
		return nil, "", err
	}

	switch r.Outcome {
	case prover.Proved:
		r.By += withoutWords(names)
		proved, err = p.result(r)
		return proved, "", err
	case prover.Refuted:
		return nil, p.without(r.Trace), nil
	}
	return nil, r.Why, nil
}

// without returns the reason of a trace in which memories have no words.
func (p *problem) without(t *aig.Trace) string {
	if u := p.bads[t.Bad].memory; u != nil {
		return fmt.Sprintf("%s and %s may become different", u.A, u.B)
	}
	return "something may go wrong"
}

// limit returns the size in bits of the largest memory to be expanded.
func (q *question) limit() int {
	if q.o.memory > 0 {
		return q.o.memory
	}
	return aig.DefaultMaxMemory
}

// resets returns the most reset cycles there can be.
func (q *question) resets() int { return max(1, q.o.resets) }

// large is a memory of the flat design that is too large for something.
type large struct {
	name  string
	group int
	reads int // number of read ports
	depth int
	twin  bool // the other side has it too
}

// cells returns the number of words to keep, and whether no run of so many cycles reads more.
func (m large) cells(cycles int) (n int, all bool) {
	const least, most = 6, 32
	n = 2 * m.reads * cycles // a cycle may have two edges
	return min(max(min(n, most), least), m.depth), n <= most
}

// beyond returns the memories of more than limit bits, in groups of memories that correspond: by
// name, or else by shape in their order.
func (q *question) beyond(limit int) ([]large, error) {
	// The models go by the names of the flat design.
	flat := q.design.Clone()
	if _, err := passes.Flatten(flat); err != nil {
		return nil, err
	}

	top := flat.Top
	var list []large
	var mems []*ir.Memory
	for i := range top.Mems {
		m := &top.Mems[i]

		// The product of depth and width could overflow.
		if m.Depth > limit/m.Width && !aig.Constant(m) {
			reads := len(m.Reads)
			for id := ir.ID(1); int(id) < top.Len(); id++ {
				if n := top.Node(id); n.Op == ir.MemRead && int(n.Aux) == i {
					reads++
				}
			}
			list = append(list, large{name: m.Name, group: len(list), reads: reads, depth: m.Depth})
			mems = append(mems, m)
		}
	}

	if !q.paired {
		return list, nil
	}

	// Group memories of the two sides, by name first.
	taken := make([]bool, len(list))
	pair := func(sameName bool) {
		for i := range list {
			name, side := twin(list[i].name)
			for j := range list {
				other, its := twin(list[j].name)
				if side == 'a' && its == 'b' && !taken[i] && !taken[j] && (other == name || !sameName) && alike(mems[i], mems[j]) {
					list[j].group, taken[i], taken[j] = list[i].group, true, true
					list[i].twin, list[j].twin = true, true

					// Each side keeps words for the reads of both.
					list[i].reads, list[j].reads = list[i].reads+list[j].reads, list[i].reads+list[j].reads
				}
			}
		}
	}
	pair(true)
	pair(false)
	return list, nil
}

// alike reports whether two memories have the same shape and start.
func alike(x, y *ir.Memory) bool {
	return x.Depth == y.Depth && x.Width == y.Width && (x.Init == nil) == (y.Init == nil) &&
		slices.EqualFunc(x.Init, y.Init, func(a, b bits.Value) bool { return a.Equal(b) })
}
