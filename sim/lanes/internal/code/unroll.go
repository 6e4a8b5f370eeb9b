package code

import (
	"slices"

	"etch/sim/native/vector"
	"etch/sim/net"
)

// Several cycles at once cost less than single ones if a word is computed in one cycle only for
// the next: it need not be stored. Words that keep their value most of the time, such as
// weights, prevent that, because they might change in between. So the code for several cycles is
// for runs in which none of these words changes in any instance, after a test for that.

// several returns the net of several cycles of n in which the conditions of held words are never
// met, and the node that tells whether they are met; nil if that does not pay.
func several(n *net.Net, single *worder, t Target) (*net.Net, net.ID) {
	if n.Stop >= 0 || len(n.Writes) > 0 {
		return nil, net.None
	}
	// Assume that no held word changes.
	_, held := single.split(single.inOrder())
	var p net.Prop
	p.Bind(n)
	for _, h := range held {
		p.Force(h.sel, 0)
	}
	as := net.NewAssume(len(n.Regs))
	p.Run(as)

	// Unroll the remaining net; the conditions themselves come from the whole net.
	u, pol := newUnroller(n, p.Extract(as)), single.l.pol
	met := u.to.Const(0)
	for range pol.AtOnce {
		for _, h := range held {
			met = u.to.Or(met, u.to.Ne(u.node(u.all, h.sel), u.to.Const(0)))
		}
		u.advance()
	}

	u.finish(met)
	w := newWorder(u.to, single.l, t, vector.NewCode())
	w.quietly(u.met)
	// It must save some of the single cycles' instructions.
	if w.fail || 100*len(w.c.Insts) > pol.AtOncePercent*pol.AtOnce*single.busy() {
		return nil, net.None
	}
	return u.to, u.met
}

// busy is the number of instructions of a cycle outside of skipped blocks.
func (w *worder) busy() (n int) {
	skipping := false
	for i := range w.c.Insts {
		switch w.c.Insts[i].Op {
		case vector.Skip:
			skipping = true
		case vector.EndSkip:
			skipping = false
		}
		if !skipping {
			n++
		}
	}
	return n
}

// quietly makes the instructions of several cycles, for the case that met is 0.
func (w *worder) quietly(met net.ID) {
	// If a condition is met, the code of single cycles runs instead.
	w.c.Branch(w.truth(met, 16)[0], w.l.pol.AtOnce)
	for _, r := range w.inOrder() {
		w.store(r, w.state(w.n.Regs[r].Next, w.n.Regs[r].W))
	}
	w.c.Again(w.l.pol.AtOnce)
}

// unroller makes the net of several cycles. The words of a cycle follow from the quiet net,
// under the assumption; the conditions from the whole net.
type unroller struct {
	to         *net.Net
	all, quiet *net.Net
	now        []net.ID // by word: its value in the current cycle
	memo       map[*net.Net][]net.ID
	met        net.ID
}

func newUnroller(all, quiet *net.Net) *unroller {
	u := &unroller{to: net.New(), all: all, quiet: quiet}
	u.to.Mems = all.Mems
	for r := range all.Regs {
		u.to.Regs = append(u.to.Regs, net.Reg{Slot: all.Regs[r].Slot, W: all.Regs[r].W, Q: net.None, Next: net.None})
	}
	for r := range all.Regs {
		u.now = append(u.now, u.to.Leaf(r))
	}
	u.forget()
	return u
}

// forget drops the values of a cycle.
func (u *unroller) forget() {
	u.memo = map[*net.Net][]net.ID{}
	for _, n := range []*net.Net{u.all, u.quiet} {
		u.memo[n] = make([]net.ID, len(n.N))
		for i := range u.memo[n] {
			u.memo[n][i] = net.None
		}
	}
}

// node is node x of n in the current cycle. It copies x after its operands, by a stack of nodes
// on which one lies again, as its complement, below its operands.
func (u *unroller) node(n *net.Net, x net.ID) net.ID {
	if x < 0 {
		return x
	}
	memo := u.memo[n]
	had := func(y net.ID) net.ID {
		if y < 0 {
			return y
		}
		return memo[y]
	}

	// An explicit stack in place of recursion: a net's logic may be a chain of many thousands of nodes.
	// ^x below its operands is the return address, at which they are all copied.
	stack := []net.ID{x}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case at < 0:
			if memo[^at] < 0 {
				memo[^at] = u.to.Copy(n, ^at, had)
			}
		case memo[at] >= 0:
		case n.N[at].Op == net.Leaf:
			memo[at] = u.now[n.N[at].Imm]
		default:
			stack = append(stack, ^at)
			top := len(stack)
			n.Args(at, func(y net.ID) { stack = append(stack, y) })
			slices.Reverse(stack[top:])
		}
	}
	return memo[x]
}

// advance moves to the next cycle.
func (u *unroller) advance() {
	// All words change together, so the next values are complete before they become the present
	// ones.
	next := append([]net.ID(nil), u.now...)
	for r := range u.quiet.Regs {
		if d := u.quiet.Regs[r].Next; d >= 0 {
			next[r] = u.node(u.quiet, d)
		}
	}
	u.now = next
	u.forget()
}

// finish gives the words their final values, and compacts the net.
func (u *unroller) finish(met net.ID) {
	for r := range u.to.Regs {
		if u.now[r] != u.to.Regs[r].Q {
			u.to.Regs[r].Next = u.now[r]
		}
	}

	// As an output, met survives compaction.
	u.to.Outs = []net.Out{{Node: met}}
	u.to = u.to.Compact()
	u.met = u.to.Outs[0].Node
}
