package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// constantRegisters finds the registers that hold their initial value for ever.
// It supposes that all do whose reset value, if any, is their initial one, works
// out what is constant then, and takes back the supposition for registers that
// would take something else, with all that followed from it, until the rest bears
// itself out: they start so, and while they are so they stay so.
func constantRegisters(m *ir.Module) map[ir.ID]bits.Value {
	f := &constFinder{m: m, value: make([]bits.Value, m.Len())}
	any := false
	for i := range m.Regs {
		r := &m.Regs[i]
		if r.Init == ir.None || m.IsLatch(r) || r.Reset != ir.None && !m.ConstOf(r.Reset).Equal(m.ConstOf(r.Init)) {
			continue
		}
		f.value[r.Node] = m.ConstOf(r.Init)
		any = true
	}
	if !any {
		return nil
	}
	for _, id := range argumentOrder(m) {
		if m.Op(id) != ir.Reg {
			f.value[id] = f.eval(id)
		}
	}
	f.doubt()
	found := map[ir.ID]bits.Value{}
	for i := range m.Regs {
		if id := m.Regs[i].Node; f.constant(id) {
			found[id] = f.value[id]
		}
	}
	return found
}

// constFinder holds the value of each node that is supposed constant; one of no
// bits for the others.
type constFinder struct {
	m     *ir.Module
	value []bits.Value
	users []ir.ID // by node, between starts
	start []int32
	queue []ir.ID // nodes that were found to vary
}

func (f *constFinder) constant(id ir.ID) bool { return f.value[id].Width() > 0 }

// doubt takes back what does not bear itself out. Every node is taken back once at
// most, so the time is linear.
func (f *constFinder) doubt() {
	for i := range f.m.Regs {
		f.check(&f.m.Regs[i])
	}
	if len(f.queue) == 0 {
		return
	}
	f.findUsers()
	for len(f.queue) > 0 {
		id := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		for _, u := range f.users[f.start[id]:f.start[id+1]] {
			switch {
			case !f.constant(u):
			case f.m.Op(u) == ir.Reg:
				f.check(&f.m.Regs[f.m.Node(u).Aux])
			default:
				if f.value[u] = f.eval(u); !f.constant(u) {
					f.queue = append(f.queue, u)
				}
			}
		}
	}
}

// check takes a register back that would not keep its value.
func (f *constFinder) check(r *ir.Register) {
	if f.constant(r.Node) && !f.value[r.Next].Equal(f.value[r.Node]) {
		f.value[r.Node] = bits.Value{}
		f.queue = append(f.queue, r.Node)
	}
}

// findUsers lists for each node the nodes that it is an argument of and the
// registers that take it.
func (f *constFinder) findUsers() {
	f.start = make([]int32, f.m.Len()+1)
	each := func(do func(used, by ir.ID)) {
		for id := ir.ID(1); int(id) < f.m.Len(); id++ {
			for _, a := range f.m.Args(id) {
				do(a, id)
			}
		}
		for i := range f.m.Regs {
			do(f.m.Regs[i].Next, f.m.Regs[i].Node)
		}
	}
	total := int32(0)
	each(func(used, _ ir.ID) { f.start[used]++; total++ })
	sum := int32(0)
	for i, n := range f.start {
		sum += n
		f.start[i] = sum // where its users end; moved back to where they begin below
	}
	f.users = make([]ir.ID, total)
	each(func(used, by ir.ID) {
		f.start[used]--
		f.users[f.start[used]] = by
	})
}

// eval is the value of a node if it is constant.
func (f *constFinder) eval(id ir.ID) bits.Value {
	m, args := f.m, f.m.Args(id)
	switch op := m.Op(id); {
	case op == ir.Const:
		return m.ConstOf(id)
	case op.Info().Leaf, op == ir.MemRead:
		return bits.Value{}
	case op == ir.Mux:
		return f.choose(args[0], args[1:2], args[2], func(c bits.Value) int { return 1 - int(c.Bit(0)) })
	case op == ir.Case:
		return f.choose(args[0], args[2:], args[1], func(c bits.Value) int {
			for i, k := range m.KeysOf(id) {
				if k.Equal(c) {
					return i
				}
			}
			return len(args) - 2
		})
	}
	values := make([]bits.Value, 0, 4)
	for _, a := range args {
		v := f.value[a]
		if v.Width() == 0 {
			return f.forced(m.Op(id), int(m.Node(id).Width), args)
		}
		values = append(values, v)
	}
	return ir.Eval(m, id, values)
}

// choose is the value of an arm: the one that a constant condition picks, or that
// of all if they are equal.
func (f *constFinder) choose(cond ir.ID, arms []ir.ID, other ir.ID, pick func(c bits.Value) int) bits.Value {
	if f.constant(cond) {
		if i := pick(f.value[cond]); i < len(arms) {
			return f.value[arms[i]]
		}
		return f.value[other]
	}
	for _, a := range arms {
		if !f.constant(a) || !f.value[a].Equal(f.value[other]) {
			return bits.Value{}
		}
	}
	return f.value[other]
}

// forced is the value of an operation that one constant argument decides.
func (f *constFinder) forced(op ir.Op, w int, args []ir.ID) bits.Value {
	for _, a := range args {
		switch v := f.value[a]; {
		case v.Width() == 0:
		case op == ir.And && v.IsZero(), (op == ir.Mul || op == ir.MulS) && v.IsZero():
			return bits.Zero(w)
		case op == ir.Or && v.IsOnes():
			return v
		}
	}
	return bits.Value{}
}
