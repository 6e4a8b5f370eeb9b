package aig

import (
	"errors"
	"fmt"

	"etch/ir"
)

// states makes the leaves of registers and memories. Without an initial value, a register
// starts with free leaves.
func (b *blaster) states() error {
	m := b.m
	for i := range m.Regs {
		r := &m.Regs[i]
		w := m.Width(r.Node)
		s := State{Name: m.NameOf(r.Node), Row: -1, Q: b.leaves(w), Pos: b.at(m.Node(r.Node).Pos)}
		if r.Init != ir.None {
			s.Init = wordOf(m.ConstOf(r.Init))
		} else {
			s.Init = b.leaves(w)
		}
		b.regs = append(b.regs, b.add(s))
	}
	for i := range m.Mems {
		if err := b.memory(&m.Mems[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *blaster) add(s State) int {
	b.c.States = append(b.c.States, s)
	return len(b.c.States) - 1
}

// nexts makes the next value of all state at the edge.
func (b *blaster) nexts() error {
	for i := range b.m.Regs {
		if err := b.register(i); err != nil {
			return err
		}
	}
	for i := range b.m.Mems {
		if err := b.edge(i); err != nil {
			return err
		}
	}
	return b.obligations()
}

// register makes the next value of a register: synchronous reset, then the clock, then
// asynchronous reset, which also acts without an edge.
func (b *blaster) register(i int) error {
	r := &b.m.Regs[i]
	s := &b.c.States[b.regs[i]]

	// A latch has no edge: its value in this step is its state.
	if r.Kind == ir.Latch {
		s.Next = b.word[r.Node]
		return nil
	}
	tick, err := b.clock(r.Clk, "register "+s.Name)
	if err != nil {
		return err
	}

	// A synchronous reset waits for the edge, so it comes below it.
	next := b.word[r.Next]
	if r.Rst != ir.None && !r.Async {
		next = b.g.MuxWord(b.word[r.Rst][0], b.resetOf(r), next)
	}

	// Without an edge the state stays.
	next = b.g.MuxWord(tick, next, s.Q)
	if r.Async {
		next = b.g.MuxWord(b.word[r.Rst][0], b.resetOf(r), next)
	}
	s.Next = next
	return nil
}

// resetOf is the value of a register while its reset is high.
func (b *blaster) resetOf(r *ir.Register) Word {
	if r.Kind == ir.Latch {
		return b.word[r.Reset]
	}
	return wordOf(b.m.ConstOf(r.Reset))
}

// on is a one-bit signal, True when there is none.
func (b *blaster) on(id ir.ID) Lit {
	if id == ir.None {
		return True
	}
	return b.word[id][0]
}

// afterEdge handles asynchronous resets that depend on both state and inputs. Such a reset
// may rise with the edge, before inputs change. It then resets its register although it may
// be low again when the next step is evaluated.
func (b *blaster) afterEdge() error {
	late := map[int]bool{} // states of such registers
	owner := map[int]int{} // by node of the graph: the state whose leaf it is

	// The registers whose reset is of this kind.
	for i := range b.c.States {
		for _, q := range b.c.States[i].Q {
			owner[q.Node()] = i
		}
	}
	for i := range b.m.Regs {
		if r := &b.m.Regs[i]; r.Async && b.mixed(r, owner) {
			late[b.regs[i]] = true
		}
	}
	if len(late) == 0 {
		return nil
	}
	if len(b.c.Outside) > 0 {
		return errors.New("aig: an asynchronous reset comes with the edge of a clock, beside memories that are not expanded")
	}

	// Each takes its reset as it is after the edge.
	a := &edgeReset{b: b, late: late, owner: owner, open: map[int]bool{}}
	for i := range b.m.Regs {
		if late[b.regs[i]] {
			if err := a.fix(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// mixed reports whether the reset of a register depends on inputs, and reset or reset value
// on state.
func (b *blaster) mixed(r *ir.Register, owner map[int]int) bool {
	states, inputs := false, false
	look := func(l Lit, ofReset bool) {
		b.g.Cone(l, func(leaf int) {
			if _, ok := owner[leaf]; ok {
				states = true
			} else if ofReset {
				inputs = true
			}
		})
	}
	look(b.word[r.Rst][0], true)
	for _, l := range b.resetOf(r) {
		look(l, false)
	}
	return states && inputs
}

// edgeReset computes resets as they are after the edge, with the old inputs and the new
// state.
type edgeReset struct {
	b     *blaster
	late  map[int]bool
	owner map[int]int
	open  map[int]bool
}

// fix replaces the next state of register i by its state after the edge. Registers on which
// its reset depends are fixed first; a cycle is an error.
func (a *edgeReset) fix(i int) error {
	b := a.b
	at := b.regs[i]

	// No such register, or fixed already.
	if !a.late[at] {
		return nil
	}

	if a.open[at] {
		return fmt.Errorf("aig: the asynchronous reset of %s follows from itself", b.c.States[at].Name)
	}

	a.open[at] = true

	// Substitute the new states for the old ones in the cone of reset and reset value.
	r := &b.m.Regs[i]
	rst, reset := b.word[r.Rst][0], b.resetOf(r)
	after := NewRebuilder(b.g, b.g)
	var err error
	each := func(f func(leaf int)) {
		b.g.Cone(rst, f)
		for _, l := range reset {
			b.g.Cone(l, f)
		}
	}

	each(func(leaf int) {
		s, ok := a.owner[leaf]
		if !ok || err != nil {
			return
		}
		for k := range b.m.Regs {
			if b.regs[k] == s && a.late[s] {
				err = a.fix(k)
			}
		}
		for k, q := range b.c.States[s].Q {
			if q.Node() == leaf {
				after.Set(q, b.c.States[s].Next[k])
			}
		}
	})

	if err != nil {
		return err
	}

	// The reset acts last, so it chooses last.
	s := &b.c.States[at]
	to := make(Word, len(reset))
	for k, l := range reset {
		to[k] = after.Lit(l)
	}

	s.Next = b.g.MuxWord(after.Lit(rst), to, s.Next)
	delete(a.late, at)
	return nil
}
