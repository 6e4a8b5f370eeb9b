package sim_test

import (
	"math/big"

	"etch/ir"
	"etch/ir/bits"
)

// naive is a second simulator, as plain as can be: it walks the netlist itself,
// node by node with ir.Eval, and knows nothing of slots, order or words.
type naive struct {
	top    *naiveInst
	all    []*naiveInst // breadth first
	inputs []bits.Value // by port of the top
}

type naiveInst struct {
	n      *naive
	m      *ir.Module
	path   string
	up     *naiveInst
	conns  []ir.ID
	kids   []*naiveInst
	regs   []bits.Value
	mems   [][]bits.Value
	reads  [][]bits.Value
	memo   []bits.Value // width 0: not known
	covers []uint64
	fails  []uint64
}

func newNaive(d *ir.Design) *naive {
	n := &naive{}
	n.top = n.instance(d.Top, "", nil, nil)
	for _, p := range d.Top.Ports {
		n.inputs = append(n.inputs, bits.Zero(p.Width))
	}
	for i := 0; i < len(n.all); i++ {
		c := n.all[i]
		for _, in := range c.m.Insts {
			path := in.Name
			if c.path != "" {
				path = c.path + "." + path
			}
			c.kids = append(c.kids, n.instance(in.Mod, path, c, in.Conns))
		}
	}
	return n
}

func (n *naive) instance(m *ir.Module, path string, up *naiveInst, conns []ir.ID) *naiveInst {
	c := &naiveInst{n: n, m: m, path: path, up: up, conns: conns, memo: make([]bits.Value, m.Len()),
		covers: make([]uint64, len(m.Stmts)), fails: make([]uint64, len(m.Stmts))}
	for _, r := range m.Regs {
		v := bits.Zero(m.Width(r.Node))
		if r.Init != ir.None {
			v = m.ConstOf(r.Init)
		}
		c.regs = append(c.regs, v)
	}
	for _, mem := range m.Mems {
		words := append([]bits.Value(nil), mem.Init...)
		for len(words) < mem.Depth {
			words = append(words, bits.Zero(mem.Width))
		}
		c.mems = append(c.mems, words)
		reads := make([]bits.Value, len(mem.Reads))
		for i := range reads {
			reads[i] = bits.Zero(mem.Width)
		}
		c.reads = append(c.reads, reads)
	}
	n.all = append(n.all, c)
	return c
}

func (n *naive) forget() {
	for _, c := range n.all {
		clear(c.memo)
	}
}

func (c *naiveInst) eval(id ir.ID) bits.Value {
	if c.memo[id].Width() == 0 {
		c.memo[id] = c.compute(id)
	}
	return c.memo[id]
}

func (c *naiveInst) compute(id ir.ID) bits.Value {
	node := c.m.Node(id)
	switch node.Op {
	case ir.Const:
		return c.m.ConstOf(id)
	case ir.Input:
		if c.up == nil {
			return c.n.inputs[node.Aux]
		}
		return c.up.eval(c.conns[node.Aux])
	case ir.Reg:
		return c.regs[node.Aux]
	case ir.MemOut:
		return c.reads[node.Aux][node.Aux2]
	case ir.InstOut:
		kid := c.kids[node.Aux]
		return kid.eval(kid.m.Ports[node.Aux2].Node)
	case ir.MemRead:
		return c.load(int(node.Aux), c.eval(c.m.Args(id)[0]))
	}
	var args []bits.Value
	for _, a := range c.m.Args(id) {
		args = append(args, c.eval(a))
	}
	return ir.Eval(c.m, id, args)
}

// index is an address as a number, false past the end.
func index(depth int, addr bits.Value) (int, bool) {
	if addr.Big().Cmp(big.NewInt(int64(depth))) >= 0 {
		return 0, false
	}
	return int(addr.Uint64()), true
}

func (c *naiveInst) load(mem int, addr bits.Value) bits.Value {
	if at, ok := index(len(c.mems[mem]), addr); ok {
		return c.mems[mem][at]
	}
	return bits.Zero(c.m.Mems[mem].Width)
}

func (c *naiveInst) high(id ir.ID) bool { return id == ir.None || !c.eval(id).IsZero() }

// clock is the port of the top that a clock node is, its complement for the
// falling edge.
func (c *naiveInst) clock(id ir.ID) int {
	node := c.m.Node(id)
	switch {
	case node.Op == ir.Wire:
		return c.clock(c.m.Args(id)[0])
	case node.Op == ir.Not:
		return ^c.clock(c.m.Args(id)[0])
	case c.up != nil:
		return c.up.clock(c.conns[node.Aux])
	}
	return int(node.Aux)
}

// settle lets asynchronous resets act until nothing changes.
func (n *naive) settle() {
	for again := true; again; {
		again = false
		n.forget()
		var act []func()
		for _, c := range n.all {
			for i, r := range c.m.Regs {
				if r.Async && c.high(r.Rst) && !c.regs[i].Equal(c.m.ConstOf(r.Reset)) {
					act = append(act, func() { c.regs[i] = c.m.ConstOf(r.Reset) })
				}
			}
		}
		for _, f := range act {
			f()
			again = true
		}
	}
}

// edge is one event of the edges for which on is true.
func (n *naive) edge(on func(port int) bool) {
	n.settle()
	var commit []func()
	for _, c := range n.all {
		for i, st := range c.m.Stmts {
			if on(c.clock(st.Clk)) && c.high(st.En) {
				if c.high(st.Cond) {
					c.covers[i]++
				} else {
					c.fails[i]++
				}
			}
		}
		for i, r := range c.m.Regs {
			if !on(c.clock(r.Clk)) {
				continue
			}
			v := c.eval(r.Next)
			if r.Rst != ir.None && c.high(r.Rst) {
				v = c.m.ConstOf(r.Reset)
			}
			commit = append(commit, func() { c.regs[i] = v })
		}
		for i := range c.m.Mems {
			commit = append(commit, c.memEdge(i, on)...)
		}
	}
	for _, f := range commit {
		f()
	}
	n.forget()
}

func (c *naiveInst) memEdge(i int, on func(port int) bool) (commit []func()) {
	mem := &c.m.Mems[i]
	for k, r := range mem.Reads {
		if !on(c.clock(r.Clk)) || !c.high(r.En) {
			continue
		}
		v := c.load(i, c.eval(r.Addr))
		for _, w := range mem.Writes {
			if r.Under == ir.New && c.clock(w.Clk) == c.clock(r.Clk) && c.high(w.En) &&
				c.eval(w.Addr).Big().Cmp(c.eval(r.Addr).Big()) == 0 {
				if _, ok := index(mem.Depth, c.eval(w.Addr)); ok {
					v = c.merged(&w, v)
				}
			}
		}
		commit = append(commit, func() { c.reads[i][k] = v })
	}
	words := append([]bits.Value(nil), c.mems[i]...)
	for _, w := range mem.Writes {
		if at, ok := index(mem.Depth, c.eval(w.Addr)); ok && on(c.clock(w.Clk)) && c.high(w.En) {
			words[at] = c.merged(&w, words[at])
		}
	}
	return append(commit, func() { c.mems[i] = words })
}

// merged is an old word with the data of a write port, bit by bit.
func (c *naiveInst) merged(w *ir.WritePort, old bits.Value) bits.Value {
	data := c.eval(w.Data)
	if w.Mask == ir.None {
		return data
	}
	mask := c.eval(w.Mask)
	lane := data.Width() / mask.Width()
	for k := range data.Width() {
		if mask.Bit(k/lane) == 1 {
			old = old.SetBit(k, data.Bit(k))
		}
	}
	return old
}
