package aig

import (
	"errors"
	"fmt"

	"etch/ir"
	"etch/ir/pads"
	"etch/passes"
)

// Options are the options of [Blast]; the zero value is the default.
type Options struct {
	MaxMemory int  // bits of one memory that become registers; 0: 1<<14
	MaxNodes  int  // nodes of the graph; 0: DefaultMaxNodes
	Together  bool // all clocks rise in every step
	// Memory, if not nil, chooses the model of each memory; its argument is the memory in
	// the flat design.
	Memory func(mem *ir.Memory) Model
	// Late, if not nil, reports that the time is over: then Blast returns [ErrLate].
	Late func() bool
}

// ErrLate is the error of [Blast] when [Options].Late ended it.
var ErrLate = errors.New("aig: the time was over")

// DefaultMaxMemory is the size of the largest memory that is expanded by default, in bits.
const DefaultMaxMemory = 1 << 14

// Blast converts a design to gates. The design must pass [ir.Verify] and is not changed.
// Errors: the top is a black box without a model; a memory or the whole is too large; a clock is not
// a clock input of the top; an asynchronous reset depends on the register that it resets, or may
// come with a clock edge beside [Shared] or [Cells] memories; [ErrLate].
func Blast(d *ir.Design, o Options) (*Circuit, error) {
	if o.MaxMemory == 0 {
		o.MaxMemory = DefaultMaxMemory
	}
	if o.MaxNodes == 0 {
		o.MaxNodes = DefaultMaxNodes
	}

	// A black box without a model has no gates.
	if d.Top.Extern != nil && !d.Top.Extern.Model {
		return nil, fmt.Errorf("aig: %s is a black box", d.Top.Name)
	}

	// A flat design without nets,
	flat := pads.Lower(d).Clone()
	if _, err := passes.Flatten(flat); err != nil {
		return nil, err
	}

	// then sources, state and logic in dependency order, and last next states and results.
	b := &blaster{m: flat.Top, g: New(), o: o, c: &Circuit{}}
	b.g.Limit(o.MaxNodes)
	b.g.Until(o.Late)
	b.c.Graph = b.g
	b.word = make([]Word, b.m.Len())

	// Each step may end the work: an error, the end of the time, too many gates.
	for _, step := range []func() error{b.sources, b.states, b.all, b.nexts, b.afterEdge, b.results} {
		if err := step(); err != nil {
			return nil, err
		}
		if o.Late != nil && o.Late() {
			return nil, ErrLate
		}
		if b.g.Full() {
			return nil, fmt.Errorf("aig: %s has more than %d gates", d.Top.Name, o.MaxNodes)
		}
	}
	return b.c, nil
}

// blaster converts one flat module to gates.
type blaster struct {
	m    *ir.Module
	g    *Graph
	o    Options
	c    *Circuit
	word []Word // by node, nil until made

	regs  []int   // by register: its State
	reads [][]int // by memory and read port: its State
	rows  []int   // by memory: the State of word 0, -1 for a memory that never changes
	fixed [][]Word
	views []*view // by memory, nil for an expanded one
	group []*contentsOf
}

// sources makes the inputs of the top and the outputs of black boxes. A clock that is read
// as a value is 0, as in the simulator.
func (b *blaster) sources() error {
	m := b.m
	var clocks []ir.Port
	for _, p := range m.Ports {
		if p.Dir == ir.In && m.TypeOf(p.Type).Kind == ir.Clock {
			clocks = append(clocks, p)
		}
	}

	b.clocks(clocks)
	for _, p := range m.Ports {
		t := m.TypeOf(p.Type)
		if p.Dir != ir.In || t.Kind == ir.Clock {
			continue
		}

		// A reset is marked, since random runs keep it low most of the time.
		b.word[p.Node] = b.leaves(p.Width)
		reset := t.Kind == ir.Reset || t.Kind == ir.AsyncReset
		b.c.Inputs = append(b.c.Inputs, Signal{Name: p.Name, Bits: b.word[p.Node], Type: t, Reset: reset})
	}

	// A black box may do anything: its outputs are free.
	for _, inst := range m.Insts {
		for j, p := range inst.Mod.Ports {
			if p.Dir == ir.Out {
				b.word[inst.Conns[j]] = b.leaves(p.Width)
				b.c.Inputs = append(b.c.Inputs, Signal{Name: inst.Name + "." + p.Name, Bits: b.word[inst.Conns[j]], Type: inst.Mod.TypeOf(p.Type), Box: inst.Name})
			}
		}
	}
	return nil
}

func (b *blaster) leaves(w int) Word {
	x := make(Word, w)
	for i := range x {
		x[i] = b.g.Leaf()
	}
	return x
}

// all makes every node, arguments first, by a depth-first search with an explicit stack. An
// asynchronous reset is a dependency of the registers that it holds, and may close a loop.
func (b *blaster) all() error {
	open := make([]bool, b.m.Len())
	var stack []ir.ID
	for root := ir.ID(1); int(root) < b.m.Len(); root++ {
		stack = append(stack[:0], root)
		for len(stack) > 0 {
			id := stack[len(stack)-1]
			if b.word[id] != nil {
				stack = stack[:len(stack)-1]
				continue
			}
			// A node stays on the stack, open, until all it needs is made.
			ready := true
			for _, a := range b.needs(id) {
				if b.word[a] == nil {
					ready = false
					if open[a] {
						return b.loop(a)
					}
					stack = append(stack, a)
				}
			}
			if !ready {
				open[id] = true
				continue
			}
			open[id] = false
			b.word[id] = b.node(id)
			stack = stack[:len(stack)-1]

			// The literals are wrong once the graph is full; Blast gives the error.
			if b.g.Full() {
				return nil
			}
		}
	}
	return nil
}

func (b *blaster) loop(id ir.ID) error {
	name := b.m.NameOf(id)
	if name == "" {
		name = fmt.Sprintf("node %%%d", id)
	}
	return fmt.Errorf("aig: %s follows from itself within a step, by way of an asynchronous reset", name)
}

// needs is the nodes on which node id depends within a step.
func (b *blaster) needs(id ir.ID) []ir.ID {
	if n := b.m.Node(id); n.Op == ir.Reg {
		switch r := &b.m.Regs[n.Aux]; {
		case r.Kind == ir.Latch:
			return []ir.ID{r.Rst, r.Reset}
		case r.Async:
			return []ir.ID{r.Rst}
		}
		return nil
	}
	return b.m.Args(id)
}

// node makes the bits of a node whose needs are made.
func (b *blaster) node(id ir.ID) Word {
	m, n := b.m, b.m.Node(id)
	switch n.Op {
	case ir.Const:
		return wordOf(m.ConstOf(id))
	// An asynchronous reset acts within the step.
	case ir.Reg:
		q, r := b.c.States[b.regs[n.Aux]].Q, &m.Regs[n.Aux]
		if r.Async {
			return b.g.MuxWord(b.word[r.Rst][0], b.resetOf(r), q)
		}
		return q
	case ir.MemOut:
		return b.c.States[b.reads[n.Aux][n.Aux2]].Q
	case ir.MemRead:
		return b.read(int(n.Aux), b.word[m.Args(id)[0]])
	}

	// Anything else is logic of its operands.
	var x []Word
	for _, a := range m.Args(id) {
		x = append(x, b.word[a])
	}
	return b.g.op(m, id, x)
}

// results makes the outputs of the top, the inputs of black boxes and the statements.
func (b *blaster) results() error {
	m := b.m
	for _, p := range m.Ports {
		if p.Dir == ir.Out {
			b.c.Outputs = append(b.c.Outputs, Signal{Name: p.Name, Bits: b.word[p.Node], Type: m.TypeOf(p.Type)})
		}
	}

	// The inputs of a black box leave the circuit, as its outputs enter it.
	for _, inst := range m.Insts {
		for j, p := range inst.Mod.Ports {
			if t := inst.Mod.TypeOf(p.Type); p.Dir == ir.In && t.Kind != ir.Clock {
				b.c.Outputs = append(b.c.Outputs, Signal{Name: inst.Name + "." + p.Name, Bits: b.word[inst.Conns[j]], Type: t, Box: inst.Name})
			}
		}
	}
	for i := range m.Stmts {
		if err := b.stmt(&m.Stmts[i]); err != nil {
			return err
		}
	}
	return nil
}

// stmt makes the condition under which a statement is hit: its edge, its enable, and a
// false condition (for covers a true one).
func (b *blaster) stmt(s *ir.Stmt) error {
	// A print changes nothing that a proof could be about.
	if s.Kind == ir.Print {
		return nil
	}

	tick, err := b.clock(s.Clk, s.Kind.String()+" "+s.Name)
	if err != nil {
		return err
	}

	// A cover is hit when its condition holds, anything else when it fails.
	hit := tick
	if s.Kind.HasCond() {
		hit = b.g.And(tick, b.word[s.Cond][0].NotIf(s.Kind != ir.Cover))
	}
	if s.En != ir.None {
		hit = b.g.And(hit, b.word[s.En][0])
	}
	b.c.Stmts = append(b.c.Stmts, Stmt{Kind: s.Kind, Name: s.Name, Text: s.Format, At: b.at(s.Pos), Code: s.Code, Hit: hit})
	return nil
}

// at is a position for messages, "" if unknown.
func (b *blaster) at(pos ir.Pos) string {
	if pos == 0 || b.m.Src == nil {
		return ""
	}
	return b.m.Src.At(pos).String()
}
