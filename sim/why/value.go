package why

import (
	"fmt"
	"math"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// driver follows ports of instances to the node that has their value.
func (e *Explainer) driver(r ref) ref {
	for {
		n := r.inst.mod.Node(r.id)
		switch {
		case n.Op == ir.Input && r.inst.up != nil:
			r = ref{r.inst.up, r.inst.up.mod.Insts[r.inst.at].Conns[n.Aux]}
		case n.Op == ir.InstOut && !r.inst.kids[n.Aux].boxed:
			kid := r.inst.kids[n.Aux]
			r = ref{kid, kid.mod.Ports[n.Aux2].Node}
		default:
			return r
		}
	}
}

// isLeaf reports whether the simulator holds a node's value, so that no operands are needed.
func (r ref) isLeaf() bool {
	switch r.inst.mod.Op(r.id) {
	case ir.Input, ir.Reg, ir.MemOut, ir.InstOut, ir.NetOut:
		return true
	}
	return false
}

// move goes to a cycle, if the run is not there.
func (e *Explainer) move(cycle uint64) error {
	if e.cycle == cycle {
		return nil
	}

	// An error leaves the run anywhere: no cycle is known until it has moved.
	e.cycle = ^uint64(0)
	if err := e.run.Go(cycle); err != nil {
		return err
	}
	e.cycle = cycle
	e.visit++
	return nil
}

// value computes a node's value at the present cycle from state and inputs, operands first, and of
// a choice only the arm that is taken. The simulator would compute all nodes for it.
func (e *Explainer) value(r ref) bits.Value {
	r = e.driver(r)
	if n := r.node(); n.visit == e.visit {
		return n.value
	}

	// A node stays on the stack until its operands have values.
	e.stack = append(e.stack[:0], r)
	for len(e.stack) > 0 {
		x := e.stack[len(e.stack)-1]
		if n := x.node(); n.visit != e.visit {
			v, ok := e.fromOperands(x)
			if !ok {
				continue
			}
			n.value, n.visit = v, e.visit
		}
		e.stack = e.stack[:len(e.stack)-1]
	}
	return r.node().value
}

// fromOperands computes a node's value if the operands that it needs are known. Operands that are
// not known go onto the stack instead.
func (e *Explainer) fromOperands(r ref) (v bits.Value, ok bool) {
	if r.isLeaf() {
		return e.sim.GetBits(e.signal(r)), true
	}

	// A choice needs its selector first, and then one arm.
	m := r.inst.mod
	args := m.Args(r.id)
	if op := m.Op(r.id); op == ir.Mux || op == ir.Case {
		sel, ok := e.operand(r, args[0])
		if !ok {
			return v, false
		}
		return e.operand(r, args[arm(m, r.id, sel)])
	}

	e.args = e.args[:0]
	ok = true
	for _, a := range args {
		v, has := e.operand(r, a)
		e.args = append(e.args, v)
		ok = ok && has
	}
	if !ok {
		return v, false
	}
	return e.compute(r, e.args), true
}

// operand returns the value of a node's operand, or puts the operand onto the stack.
func (e *Explainer) operand(r ref, id ir.ID) (v bits.Value, ok bool) {
	y := e.driver(ref{r.inst, id})
	n := y.node()
	if n.visit != e.visit {
		e.stack = append(e.stack, y)
		return v, false
	}
	return n.value, true
}

// compute is the value of an operation whose operands have the values args.
func (e *Explainer) compute(r ref, args []bits.Value) bits.Value {
	m := r.inst.mod
	switch m.Op(r.id) {
	case ir.Const:
		return m.ConstOf(r.id)
	case ir.MemRead:
		return e.word(r.inst, int(m.Node(r.id).Aux), args[0])
	}
	return ir.Eval(m, r.id, args)
}

// signal is the simulator's handle of a node.
func (e *Explainer) signal(r ref) sim.Signal {
	n := r.node()
	if n.handle != nil {
		return *n.handle
	}
	s, err := e.sim.NodeOf(r.inst.scope.Path(), r.id)
	if err != nil {
		panic("why: " + err.Error()) // the scope's own module has the node
	}
	n.handle = &s
	return s
}

// word is the word of a memory at an address, 0 past its end.
func (e *Explainer) word(in *instance, mem int, addr bits.Value) bits.Value {
	m := in.scope.Mems()[mem]
	if addr.Len() > 62 || int(addr.Uint64()) >= m.Depth() {
		return bits.New(m.Width(), 0)
	}
	return m.Read(int(addr.Uint64()))
}

// name is the full name of a node, "" if it has none.
func (r ref) name() string {
	base := r.inst.mod.NameOf(r.id)
	n := r.inst.mod.Node(r.id)
	switch {
	case base != "":
	case n.Op == ir.Input:
		base = r.inst.mod.Ports[n.Aux].Name
	case n.Op == ir.MemOut:
		base = r.inst.mod.Mems[n.Aux].Name + "." + r.inst.mod.Mems[n.Aux].Reads[n.Aux2].Name
	case n.Op == ir.InstOut:
		base = r.inst.mod.Insts[n.Aux].Name + "." + r.inst.mod.Insts[n.Aux].Mod.Ports[n.Aux2].Name
	default:
		return ""
	}

	if path := r.inst.scope.Path(); path != "" {
		return path + "." + base
	}
	return base
}

// line is the source line of a node.
func (r ref) line() ir.Location { return r.inst.mod.Src.At(r.inst.mod.Node(r.id).Pos) }

// show is a value in the notation of a node's type.
func (r ref) show(v bits.Value) string {
	t := r.inst.mod.TypeOf(r.inst.mod.Node(r.id).Type)
	return Show(t, v)
}

// Show is a value in the notation of a type: the names of an enum, a sign, the decimal of a fixed-point
// or floating-point number with its code; hexadecimal above 64 bits.
func Show(t ir.Type, v bits.Value) string {
	switch {
	case t.Kind == ir.EnumKind:
		if name := t.Enum.NameOf(v.Uint64()); name != "" {
			return name
		}
	case t.Kind == ir.Float:
		return fmt.Sprintf("%s (%#x)", t.TextOf(v), v.Uint64())
	case v.Width() > 64:
		return v.String()
	case t.Kind == ir.Fixed && t.Frac != 0:
		// The quotient is exact up to 53 bits; the code says the rest.
		return fmt.Sprintf("%v (%d)", math.Ldexp(float64(v.Int64()), -t.Frac), v.Int64())
	case t.Kind.Signed():
		return fmt.Sprint(v.Int64())
	}
	return v.Dec()
}
