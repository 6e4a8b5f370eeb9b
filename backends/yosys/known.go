package yosys

import "etch/ir"

// known is what is known of a bit.
type known uint8

const (
	no known = iota
	yes
	held // one of both, whatever inputs do
	wild // inputs may change it
)

func truthOf(one bool) known {
	if one {
		return yes
	}
	return no
}

// resting works out what bits are while clocks are low and, when rst is given, that
// asynchronous reset is high.
type resting struct {
	l     *lowering
	rst   ir.ID
	state map[nodeBit]known // bits of registers that are tried
	found []nodeBit         // those that were met
	steps int
}

type nodeBit struct {
	id ir.ID
	i  int
}

const (
	maxSteps = 10000 // of a look at a clock's logic: what lies behind is not known
	maxTried = 8     // bits of registers of which all values are tried
)

// always reports whether a bit is one of those that ok accepts, whatever registers
// hold.
func (r *resting) always(id ir.ID, ok func(known) bool) bool {
	r.state = map[nodeBit]known{}
	if ok(r.bit(id, 0)) {
		return true
	}
	tried := r.found
	if len(tried) > maxTried {
		return false
	}
	for set := range 1 << len(tried) {
		for k, b := range tried {
			r.state[b] = truthOf(set>>k&1 == 1)
		}
		r.steps = 0
		if !ok(r.bit(id, 0)) {
			return false
		}
	}
	return len(tried) > 0
}

// bit is what is known of bit i of a node.
func (r *resting) bit(id ir.ID, i int) known {
	l := r.l
	m := l.m
	if l.levelOf(id) != nil {
		return no
	}
	if r.steps++; r.steps > maxSteps {
		return wild
	}
	args := m.Args(id)
	switch m.Op(id) {
	case ir.Const:
		return truthOf(m.ConstOf(id).Bit(i) == 1)
	case ir.Reg:
		return r.register(id, i)
	case ir.Wire:
		return r.bit(args[0], i)
	case ir.Slice:
		return r.bit(args[0], i+int(m.Node(id).Aux))
	case ir.Cat:
		for k := len(args) - 1; k >= 0; k-- {
			if n := l.width(args[k]); i >= n {
				i -= n
			} else {
				return r.bit(args[k], i)
			}
		}
	case ir.Not:
		return [...]known{yes, no, held, wild}[r.bit(args[0], i)]
	case ir.And, ir.Or, ir.Xor:
		return gateOf(m.Op(id), r.bit(args[0], i), r.bit(args[1], i))
	case ir.Mux:
		return muxOf(r.bit(args[0], 0), r.bit(args[1], i), r.bit(args[2], i))
	case ir.MemOut:
		return held
	case ir.Input, ir.InstOut, ir.MemRead:
		return wild
	}
	return r.all(args)
}

// all is what is known of a result of whole operands.
func (r *resting) all(args []ir.ID) known {
	for _, a := range args {
		for i := range r.l.width(a) {
			if r.bit(a, i) == wild {
				return wild
			}
		}
	}
	return held
}

func (r *resting) register(id ir.ID, i int) known {
	l := r.l
	g := l.regOf(id)
	if l.m.IsLatch(g) {
		switch open := r.bit(g.Rst, 0); open {
		case no:
			return held
		case yes:
			return r.bit(g.Reset, i)
		}
		return wild
	}
	if r.rst != ir.None && g.Async && l.m.SameBit(g.Rst, r.rst) {
		return truthOf(l.m.ConstOf(g.Reset).Bit(i) == 1)
	}
	b := nodeBit{id, i}
	if t, ok := r.state[b]; ok {
		return t
	}
	if len(r.found) <= maxTried {
		r.found = append(r.found, b)
		r.state[b] = held
	}
	return held
}

func gateOf(op ir.Op, x, y known) known {
	switch {
	case op == ir.And && (x == no || y == no):
		return no
	case op == ir.Or && (x == yes || y == yes):
		return yes
	case x >= held || y >= held:
		if op != ir.Xor && min(x, y) < held { // with 1 an and is the other one, and so on
			return max(x, y)
		}
		return max(x, y, held)
	case op == ir.Xor:
		return truthOf(x != y)
	}
	return x // both are the same
}

func muxOf(sel, one, zero known) known {
	switch {
	case sel == yes:
		return one
	case sel == no:
		return zero
	case one == zero && one < held:
		return one
	}
	return max(sel, one, zero)
}
