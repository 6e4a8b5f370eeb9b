package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// constantRegisters finds the registers that keep their initial value for ever, by
// induction over time as a greatest fixpoint. It assumes this of all registers whose reset
// value, if any, is their initial one, and computes the constants that follow. Then it
// retracts the assumption for registers that would take another value, with everything that
// followed from it, until the rest is consistent: these registers start with their value,
// and keep it as long as all of them do.
func constantRegisters(m *ir.Module) map[ir.ID]bits.Value {
	f := &constFinder{m: m, value: make([]bits.Value, m.Len())}
	// The assumption.
	any := false
	for i := range m.Regs {
		r := &m.Regs[i]
		if r.Init == ir.None || r.Reset != ir.None && !isConst(m, r.Reset, m.ConstOf(r.Init)) {
			continue
		}
		f.value[r.Node] = m.ConstOf(r.Init)
		any = true
	}

	if !any {
		return nil
	}

	// Its consequences, in one pass over the logic. Nodes whose value is not constant are
	// Values of width 0.
	for _, id := range argumentOrder(m) {
		if m.Op(id) != ir.Reg {
			f.value[id] = f.eval(id)
		}
	}

	// Retract until it is consistent.
	f.doubt()
	found := map[ir.ID]bits.Value{}
	for i := range m.Regs {
		if id := m.Regs[i].Node; f.constant(id) {
			found[id] = f.value[id]
		}
	}
	return found
}

// isConst reports whether a node is the constant v. The data of a latch may be any node.
func isConst(m *ir.Module, id ir.ID, v bits.Value) bool {
	return m.Op(id) == ir.Const && m.ConstOf(id).Equal(v)
}

// constFinder holds the value of each node under the assumption; a value of width 0 for
// nodes that are not constant.
type constFinder struct {
	m     *ir.Module
	value []bits.Value
	users []ir.ID // by node, between starts
	start []int32
	queue []ir.ID // nodes that were found to vary
}

func (f *constFinder) constant(id ir.ID) bool { return f.value[id].Width() > 0 }

// doubt retracts inconsistent assumptions with a work list. Every node is retracted at most
// once, so the time is linear.
func (f *constFinder) doubt() {
	// Usually the first check retracts nothing, and the lists of users are not needed.
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

// check retracts a register that would not keep its value.
func (f *constFinder) check(r *ir.Register) {
	if f.constant(r.Node) && !f.value[r.Next].Equal(f.value[r.Node]) {
		f.value[r.Node] = bits.Value{}
		f.queue = append(f.queue, r.Node)
	}
}

// findUsers lists, for each node, the nodes that have it as argument and the registers that
// have it as next value. The lists lie in one array, by counting sort.
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

	// Count, add up, fill.
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

// eval is the value of a node if it is constant. A choice may be constant although not all
// its operands are.
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

	// Other operations need all operands, or one that decides.
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

// choose is the value of a choice: the arm that a constant condition picks, or the common
// value if all arms are equal.
func (f *constFinder) choose(cond ir.ID, arms []ir.ID, other ir.ID, pick func(c bits.Value) int) bits.Value {
	if f.constant(cond) {
		if i := pick(f.value[cond]); i < len(arms) {
			return f.value[arms[i]]
		}
		return f.value[other]
	}

	// Without a constant condition, all values must be equal.
	for _, a := range arms {
		if !f.constant(a) || !f.value[a].Equal(f.value[other]) {
			return bits.Value{}
		}
	}
	return f.value[other]
}

// forced is the value of an operation that a single constant argument determines.
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
