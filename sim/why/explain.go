package why

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Kind is the sort of a cause.
type Kind uint8

// The kinds of causes.
const (
	Value     Kind = iota // of logic
	Condition             // by which a value was chosen, or by which state kept its value
	State                 // a register, or the data of a synchronous read
	Reset                 // a register that a reset has set
	Word                  // a word of a memory
	Input                 // of the top, or state that the test has set
	Start                 // state that has not changed since the begin of the run, or for longer than is looked at
	Box                   // an output of a black box that a Model runs, or of a pad
)

// names are the kinds in JSON.
var names = [...]string{"value", "condition", "state", "reset", "word", "input", "start", "box"}

// String is the kind in lower case.
func (k Kind) String() string { return names[k] }

// MarshalText is String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Cause is a value that a signal had at a cycle, with the reasons for it.
type Cause struct {
	Signal string      `json:"signal,omitempty"` // full name; empty for an expression without one
	Value  string      `json:"value"`            // in the signal's notation
	Cycle  uint64      `json:"cycle"`            // at which it has the value
	Since  uint64      `json:"since"`            // of state: the cycle from which on it has had it; else Cycle
	Kind   Kind        `json:"kind"`
	At     ir.Location `json:"-"` // the line that gave the value, or of the condition
	Why    []*Cause    `json:"-"` // in the order of the text; empty where the explanation ends

	Operands []*Operand `json:"operands,omitempty"` // of a condition or an expression: the signals in it

	// Of a register that came to its value by equal steps, as a counter does: the value before
	// the first of them, and its last cycle.
	From     string `json:"from,omitempty"`
	FromTill uint64 `json:"fromTill,omitempty"`
	Through  int    `json:"through,omitempty"` // registers before it that the value, or a sum, came through

	// Also is the lines of other operations on the way, in a text below the cause.
	Also []ir.Location `json:"-"`

	at     ref
	v      bits.Value
	addr   int    // of a word, from 1
	rank   uint64 // within a depth: causes of higher rank are expanded first
	order  int    // within a rank: by discovery
	depth  int    // the number of causes before it on a way from the root
	queued bool
	keeps  bool   // a condition by which state kept its value
	as     *Cause // the row that has the text of a condition without a row of its own
}

// Operand is a signal in a condition, with its value.
type Operand struct {
	Signal string `json:"signal"`
	Value  string `json:"value"`
}

// Explainer finds causes in one recorded run, which it moves back and forth.
type Explainer struct {
	// Depth bounds the explanation to causes that so many steps lead to; 0: no bound.
	Depth int

	run   Run
	sim   *sim.Sim
	roots map[string]*instance
	first uint64 // cycle of the run
	last  uint64

	cycle uint64              // of the values in nodes
	visit uint32              // of that cycle: the moves so far
	stack []ref               // scratch of value
	args  []bits.Value        // scratch of value
	known map[probe][]changes // of state

	causes     map[key]*Cause
	found      []*Cause // expanded, in order
	queue      queue
	pushed     int
	left       int  // rows
	whole      bool // no rows are joined
	conditions map[told]*Cause
	slice      map[key]bool // of a whole slice: every node that was passed, by cycle

	lines map[string][]string // of source files
}

// key is a node at a cycle, a condition at its line, or the word of a memory.
type key struct {
	at    ref // of a word, its id is that of no node
	cycle uint64
	line  ir.Location
	addr  int // of a word, from 1
}

// ref is a node of an instance.
type ref struct {
	inst *instance
	id   ir.ID
}

// instance is an instance of the design.
type instance struct {
	mod   *ir.Module
	scope sim.Scope
	up    *instance // nil for the top
	at    int       // index among the parent's instances
	kids  []*instance
	boxed bool   // a Model runs it
	nodes []node // nil: none was asked for
}

// node is the facts about a node of an instance that are found once.
type node struct {
	value  bits.Value // at the cycle of the visit
	visit  uint32     // that computed it, 0 if none did
	handle *sim.Signal
}

// node makes the instance's table of nodes at the first use.
func (r ref) node() *node {
	if r.inst.nodes == nil {
		r.inst.nodes = make([]node, r.inst.mod.Len())
	}
	return &r.inst.nodes[r.id]
}

// Run is a run that can stand at any of its cycles, as a replay.Run.
type Run interface {
	Sim() *sim.Sim                // at the present cycle
	Cycles() (first, last uint64) // that the run has
	Go(cycle uint64) error
}

// New returns an Explainer of a run, which must not change.
func New(run Run) *Explainer {
	e := &Explainer{run: run, sim: run.Sim(), lines: map[string][]string{}, roots: map[string]*instance{}, visit: 1, known: map[probe][]changes{}}
	e.first, e.last = run.Cycles()
	e.instance(e.sim.Root(), nil, 0)
	e.cycle = ^uint64(0)
	return e
}

// instance notes an instance and all below it.
func (e *Explainer) instance(s sim.Scope, up *instance, at int) *instance {
	in := &instance{mod: s.Module(), scope: s, up: up, at: at}
	e.roots[s.Path()] = in
	kids := s.Children()

	// A module of nodes that the simulator does not know is run by a Model.
	if len(kids) == 0 && in.mod.Len() > 1 {
		_, err := e.sim.NodeOf(s.Path(), 1)
		in.boxed = err != nil
	}

	for i, k := range kids {
		in.kids = append(in.kids, e.instance(k, in, i))
	}
	return in
}

// Explain finds the causes of a signal's value at a cycle, nearest first: as many as are rows of
// a text, or the whole slice if rows is 0. sig is a signal of run.Sim(). Errors: the run does not
// have the cycle; the recording is damaged.
func (e *Explainer) Explain(sig sim.Signal, cycle uint64, rows int) (*Cause, error) {
	if cycle < e.first || cycle > e.last {
		return nil, fmt.Errorf("why: cycle %d is not in the run, which has cycles %d to %d", cycle, e.first, e.last)
	}

	scope, id := sig.Node()
	at := ref{e.roots[scope.Path()], id}

	// Each explanation begins with empty tables; ages that are known stay.
	e.causes, e.found, e.queue, e.slice, e.conditions = map[key]*Cause{}, nil, nil, map[key]bool{}, map[told]*Cause{}
	e.whole = rows == 0
	e.cycle = ^uint64(0) // the caller may have moved the run
	list, err := e.causesOf([]probe{{at: e.driver(at)}}, cycle)
	if err != nil {
		return nil, err
	}

	// A name that begins with % is the netlist's: such a signal is told by its value.
	root := list[0]
	if root.Signal = sig.Name(); strings.HasPrefix(sig.Base(), "%") {
		root.Signal = ""
	}
	root.Value = Show(sig.Type(), root.v) // a port may have another type than its driver
	e.push(root)

	// Best first: the fewest steps from the signal, then the latest.
	e.left = rows
	for len(e.queue) > 0 && (rows == 0 || e.left > 0) {
		c := heap.Pop(&e.queue).(*Cause)
		if err := e.expand(c); err != nil {
			return nil, err
		}

		// An input and a state that is a condition have no rows; a condition has one for all cycles.
		if c.hasRow(root) && (e.whole || !e.told(c)) {
			if !e.whole {
				c.Also = nil
			}
			e.found = append(e.found, c)
			if e.left -= 1 + len(c.Also); e.left < 0 && rows > 0 {
				c.Also = c.Also[:len(c.Also)+e.left]
			}
		}

		e.descend(c)
	}

	// The text goes from the latest cause to the first.
	slices.SortStableFunc(e.found, func(a, b *Cause) int { return cmp.Compare(b.Since, a.Since) })
	return root, nil
}

// descend queues the causes of a cause, up to the greatest depth. A whole slice is searched by
// cycle, in which order the run moves less, unless its depth is bounded.
func (e *Explainer) descend(c *Cause) {
	if e.Depth > 0 && c.depth == e.Depth {
		return
	}
	for _, k := range c.Why {
		if !k.queued && !c.isState() && (!e.whole || e.Depth > 0) {
			k.depth = c.depth + 1
		} else if !k.queued {
			k.depth = c.depth
		}
		e.push(k)
	}
}

// isState reports whether a condition is the value of a register, whose own row tells it too.
func (c *Cause) isState() bool {
	return c.Kind == Condition && c.at.inst.mod.Op(c.at.id) == ir.Reg
}

// told reports whether a condition stands in an earlier row with the same text, of any cycle. It
// notes the condition, or the row that has its text.
func (e *Explainer) told(c *Cause) bool {
	if c.Kind != Condition {
		return false
	}
	k := told{c.At, c.String()}
	c.as = e.conditions[k]
	if c.as == nil {
		e.conditions[k] = c
	}
	return c.as != nil
}

// told is a condition of any cycle.
type told struct {
	line ir.Location
	text string
}

// causesOf returns the causes for values at a cycle, each of which is made and queued once.
func (e *Explainer) causesOf(probes []probe, cycle uint64) ([]*Cause, error) {
	var fresh []probe
	for _, p := range probes {
		if e.causes[p.key(cycle)] == nil {
			fresh = append(fresh, p)
		}
	}

	// All values are read before the ages, whose search moves the run.
	if err := e.move(cycle); err != nil {
		return nil, err
	}
	values := make([]bits.Value, len(fresh))
	for i, p := range fresh {
		values[i] = e.read(p)
	}
	ages, err := e.ages(fresh, cycle)
	if err != nil {
		return nil, err
	}

	// State has one cause for all cycles of one age.
	for i, p := range fresh {
		c := e.causes[p.key(ages[i])]
		if c == nil {
			c = &Cause{Signal: p.name(), Value: p.show(values[i]), v: values[i], Cycle: cycle, Since: ages[i], Kind: p.kind(), at: p.at, addr: p.addr, At: p.line()}
			e.causes[p.key(ages[i])] = c
		}
		e.causes[p.key(cycle)] = c
	}

	// Every probe now has a cause, made here or before.
	list := make([]*Cause, len(probes))
	for i, p := range probes {
		list[i] = e.causes[p.key(cycle)]
	}
	return list, nil
}

// push queues a cause once.
func (e *Explainer) push(c *Cause) {
	if c.queued {
		return
	}
	c.queued = true
	if c.rank == 0 {
		c.rank = c.Since
	}

	e.pushed++
	c.order = e.pushed
	heap.Push(&e.queue, c)
}

// expand adds the direct causes of c.
func (e *Explainer) expand(c *Cause) error {
	switch c.Kind {
	case State:
		if err := e.state(c); err != nil || c.Kind != State || e.whole {
			return err
		}
		return e.fold(c)
	case Word:
		return e.wordCause(c)
	case Input, Box:
		e.pass(c.at, c.Cycle)
		return nil
	}
	return e.walk(c, c.at, c.Cycle, false)
}

// pass notes that a node was passed at a cycle. Only a whole slice lists its nodes.
func (e *Explainer) pass(r ref, cycle uint64) {
	if e.whole {
		e.slice[key{at: r, cycle: cycle}] = true
	}
}

// queue is a heap by number of steps, then by time, the latest first, then by discovery.
type queue []*Cause

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if a, b := q[i].depth, q[j].depth; a != b {
		return a < b
	}
	if a, b := q[i].rank, q[j].rank; a != b {
		return a > b
	}
	return q[i].order < q[j].order
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push is heap.Interface's.
func (q *queue) Push(x any) { *q = append(*q, x.(*Cause)) }

// Pop is heap.Interface's.
func (q *queue) Pop() any {
	old := *q
	c := old[len(old)-1]
	*q = old[:len(old)-1]
	return c
}
