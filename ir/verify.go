package ir

import (
	"errors"
	"fmt"
)

// Verify checks every invariant of doc.go and returns all violations joined, or nil. Tests
// run it between passes: a violation is a bug in etch.
func Verify(d *Design) error {
	var errs []error
	seen := map[*Module]bool{}
	names := map[string]bool{}
	paths := Paths{}
	for _, m := range d.Modules {
		// Names are unique, and modules come after the modules they contain.
		v := &verifier{m: m}
		if names[m.Name] {
			v.fail(0, "a second module of this name")
		}
		for _, inst := range m.Insts {
			if !seen[inst.Mod] {
				v.fail(inst.Pos, "instance %s: its module %s does not come before", inst.Name, inst.Mod.Name)
			}
		}
		seen[m], names[m.Name] = true, true
		v.module()

		// The order, and with it the search for loops, needs a module without other errors.
		if v.errs == nil {
			if _, err := m.Order(paths); err != nil {
				v.errs = append(v.errs, err)
			}
		}
		errs = append(errs, v.errs...)
	}

	if !seen[d.Top] {
		errs = append(errs, errors.New("the top is not among the modules"))
	}
	return errors.Join(errs...)
}

type verifier struct {
	m    *Module
	errs []error
}

func (v *verifier) fail(pos Pos, format string, args ...any) {
	at := ""
	if pos != 0 {
		at = v.m.Src.At(pos).String() + ": "
	}
	v.errs = append(v.errs, fmt.Errorf("module %s: %s%s", v.m.Name, at, fmt.Sprintf(format, args...)))
}

// module checks the tables of a module and every node in it.
func (v *verifier) module() {
	m := v.m
	names := make(map[string]bool, len(m.Ports))
	for i := range m.Ports {
		v.port(&m.Ports[i], names)
	}

	for id := ID(1); int(id) < m.Len(); id++ {
		v.node(id)
	}
	for i := range m.Regs {
		v.register(i, &m.Regs[i])
	}
	for i := range m.Mems {
		v.memory(i, &m.Mems[i])
	}
	for i := range m.Insts {
		v.instance(i, &m.Insts[i])
	}
	for i := range m.Nets {
		v.net(i, &m.Nets[i])
	}

	// Marks and statements come last, as they refer to all of the others.
	for _, id := range m.Unused {
		v.ref(m.Pos, "an unused value", id, 0, false)
	}
	for i := range m.Stmts {
		v.stmt(&m.Stmts[i])
	}
	v.attributes()
}

// attributes checks all attributes of the module. Attributes of a node belong to its name,
// so it must have one.
func (v *verifier) attributes() {
	m := v.m
	v.attrs(m.Pos, "the module", m.Attrs)
	for _, p := range m.Ports {
		v.attrs(p.Pos, "port "+p.Name, p.Attrs)
	}
	for i := range m.Mems {
		v.attrs(m.Mems[i].Pos, "memory "+m.Mems[i].Name, m.Mems[i].Attrs)
	}
	for i := range m.Insts {
		v.attrs(m.Insts[i].Pos, "instance "+m.Insts[i].Name, m.Insts[i].Attrs)
	}

	// Ports and constants keep theirs elsewhere, or have none.
	m.EachAttr(func(id ID, list []Attr) {
		switch {
		case id <= 0 || int(id) >= m.Len():
			v.fail(0, "attributes of %%%d, which does not exist", id)
		case m.NameOf(id) == "" || m.Op(id) == Input || m.Op(id) == Const:
			v.fail(m.Node(id).Pos, "%%%d has attributes and is no register or value with a name", id)
		default:
			v.attrs(m.Node(id).Pos, m.NameOf(id), list)
		}
	})
}

func (v *verifier) attrs(pos Pos, what string, list []Attr) {
	names := map[string]bool{}
	for _, a := range list {
		if !a.Valid() || names[a.Name] {
			v.fail(pos, "attribute %q of %s with value %q is malformed or a second one", a.Name, what, a.Value)
		}
		names[a.Name] = true
	}
}

// node checks one node. Each check relies on the ones before it: the width rule reads
// tables and arguments that must exist.
func (v *verifier) node(id ID) {
	m, n := v.m, v.m.Node(id)
	if n.Op == Invalid || n.Op >= NumOps {
		v.fail(n.Pos, "%%%d: no such op", id)
		return
	}

	info, args := n.Op.Info(), m.Args(id)
	if len(args) < info.MinArgs || info.MaxArgs >= 0 && len(args) > info.MaxArgs {
		v.fail(n.Pos, "%%%d: %s with %d arguments", id, n.Op, len(args))
		return
	}
	if n.Width < 1 {
		v.fail(n.Pos, "%%%d: %s of %d bits", id, n.Op, n.Width)
		return
	}

	// Arguments only have to exist: they may come after their user, and Order looks for loops.
	if !v.hasType(n.Pos, fmt.Sprintf("%%%d", id), n.Type) {
		return
	}
	for _, a := range args {
		if a <= 0 || int(a) >= m.Len() {
			v.fail(n.Pos, "%%%d: argument %%%d does not exist", id, a)
			return
		}
	}

	if !v.back(id, n) {
		return
	}
	if msg := info.width(m, n, args); msg != "" {
		v.fail(n.Pos, "%%%d = %s of %d bits: %s", id, n.Op, n.Width, msg)
	}
}

// back checks that a leaf and its entry of a table refer to each other.
func (v *verifier) back(id ID, n *Node) bool {
	m, ok := v.m, true

	// An index must lie in the table before the entry can be compared.
	in := func(at int32, n int) bool { return at >= 0 && int(at) < n }
	switch n.Op {
	case Input:
		ok = in(n.Aux, len(m.Ports)) && m.Ports[n.Aux].Node == id && m.Ports[n.Aux].Dir == In
	case Reg:
		ok = in(n.Aux, len(m.Regs)) && m.Regs[n.Aux].Node == id
	case MemRead:
		ok = in(n.Aux, len(m.Mems))
	case MemOut:
		ok = in(n.Aux, len(m.Mems)) && in(n.Aux2, len(m.Mems[n.Aux].Reads)) && m.Mems[n.Aux].Reads[n.Aux2].Node == id
	case InstOut:
		ok = in(n.Aux, len(m.Insts)) && in(n.Aux2, len(m.Insts[n.Aux].Conns)) && m.Insts[n.Aux].Conns[n.Aux2] == id
	case NetOut:
		ok = in(n.Aux, len(m.Nets)) && m.Nets[n.Aux].Node == id
	case Const, Lut:
		ok = in(n.Aux, len(m.consts))
	case Case:
		ok = in(n.Aux, len(m.keys))
	}
	if !ok {
		v.fail(n.Pos, "%%%d: %s refers to nothing that refers back", id, n.Op)
	}
	return ok
}

func (v *verifier) hasType(pos Pos, what string, t TypeID) bool {
	if int(t) < len(v.m.types) {
		return true
	}
	v.fail(pos, "%s: no type %d", what, t)
	return false
}

// ref checks a reference from a table. width 0 means any; an optional reference may be
// None.
func (v *verifier) ref(pos Pos, what string, id ID, width int, optional bool) bool {
	switch {
	case id == None && optional:
		return true
	case id <= 0 || int(id) >= v.m.Len():
		v.fail(pos, "%s is %%%d, which does not exist", what, id)
	case width > 0 && v.m.Width(id) != width:
		v.fail(pos, "%s has %d bits, want %d", what, v.m.Width(id), width)
	default:
		return true
	}
	return false
}

func (v *verifier) clock(pos Pos, what string, id ID) {
	if v.ref(pos, what+": clock", id, 1, false) && v.m.TypeOf(v.m.Node(id).Type).Kind != Clock {
		v.fail(pos, "%s: %%%d is not a clock", what, id)
	}
}

func (v *verifier) port(p *Port, names map[string]bool) {
	if names[p.Name] {
		v.fail(p.Pos, "a second port %s", p.Name)
	}
	names[p.Name] = true
	v.hasType(p.Pos, "port "+p.Name, p.Type)
	if v.m.Extern != nil && !v.m.Extern.Model && p.Dir == Out {
		return // a black box without a model drives nothing
		// A pad has a net of its own, which leads to no other port.
	}

	if !v.ref(p.Pos, p.Dir.String()+" "+p.Name, p.Node, p.Width, false) || p.Dir != InOut {
		return
	}
	if v.m.Op(p.Node) != NetOut || v.m.PadOf(p.Node) != v.m.PortIndex(p.Name) {
		v.fail(p.Pos, "inout %s: %%%d is not the node of a net of its own", p.Name, p.Node)
	}
}

// register checks a register and its node.
func (v *verifier) register(i int, r *Register) {
	m := v.m
	if !v.ref(0, "register", r.Node, 0, false) {
		return
	}

	pos, what, w := m.Node(r.Node).Pos, "register "+m.NameOf(r.Node), m.Width(r.Node)
	if m.Op(r.Node) != Reg || int(m.Node(r.Node).Aux) != i {
		v.fail(pos, "%s: %%%d is not its node", what, r.Node)
	}
	v.ref(pos, what+": next value", r.Next, w, false)
	v.clock(pos, what, r.Clk)
	v.ref(pos, what+": reset", r.Rst, 1, true)

	// A reset value is a constant, except of a latch, where it is the data.
	for i, c := range []ID{r.Reset, r.Init} {
		data := i == 0 && r.Kind == Latch
		if v.ref(pos, what+": constant", c, w, true) && c != None && m.Op(c) != Const && !data {
			v.fail(pos, "%s: reset or initial value %%%d is not a constant", what, c)
		}
	}
	if (r.Rst == None) != (r.Reset == None) || r.Async && r.Rst == None {
		v.fail(pos, "%s: reset signal and reset value go together", what)
	}

	// The rest of a latch's fields have one value each, so that code for asynchronous resets, which
	// act at once too, need not ask for the kind.
	switch {
	case r.Kind > Latch:
		v.fail(pos, "%s: there is no kind %d of registers", what, r.Kind)
	case r.Kind == FlipFlop || v.errs != nil:
	case r.Rst == None || !r.Async:
		v.fail(pos, "%s: a latch has an enable and data, and follows them without an edge", what)
	case m.Op(m.Unwired(r.Clk)) != Const:
		v.fail(pos, "%s: a latch has no clock, but this one has %%%d", what, r.Clk)
	case r.Next != r.Node:
		v.fail(pos, "%s: a latch holds its own value, but this one has the next value %%%d", what, r.Next)
	}
}

func (v *verifier) memory(i int, mem *Memory) {
	m, what := v.m, "memory "+mem.Name

	// The contents.
	if mem.Depth < 1 || mem.Width < 1 || len(mem.Init) > mem.Depth {
		v.fail(mem.Pos, "%s: %d words of %d bits, %d of them given", what, mem.Depth, mem.Width, len(mem.Init))
	}
	for _, w := range mem.Init {
		if w.Width() != mem.Width {
			v.fail(mem.Pos, "%s: initial word of %d bits", what, w.Width())
			break
		}
	}

	// The ports. An address may have any width: past the end a read gives 0.
	for j := range mem.Reads {
		r := &mem.Reads[j]
		if v.ref(r.Pos, what+": read data", r.Node, mem.Width, false) {
			if n := m.Node(r.Node); n.Op != MemOut || int(n.Aux) != i || int(n.Aux2) != j {
				v.fail(r.Pos, "%s: %%%d is not the node of read port %d", what, r.Node, j)
			}
		}
		v.clock(r.Pos, what, r.Clk)
		v.ref(r.Pos, what+": read address", r.Addr, 0, false)
		v.ref(r.Pos, what+": read enable", r.En, 1, true)
	}

	for j := range mem.Writes {
		w := &mem.Writes[j]
		v.clock(w.Pos, what, w.Clk)
		v.ref(w.Pos, what+": write address", w.Addr, 0, false)
		v.ref(w.Pos, what+": write data", w.Data, mem.Width, false)
		v.ref(w.Pos, what+": write enable", w.En, 1, true)
		if v.ref(w.Pos, what+": write mask", w.Mask, 0, true) && w.Mask != None && mem.Width%m.Width(w.Mask) != 0 {
			v.fail(w.Pos, "%s: a mask of %d bits for words of %d", what, m.Width(w.Mask), mem.Width)
		}
	}
}

// instance checks the connections against the ports of the module: an output's is the
// InstOut node of this very port, a pad's is the node of a net.
func (v *verifier) instance(i int, inst *Instance) {
	if len(inst.Conns) != len(inst.Mod.Ports) {
		v.fail(inst.Pos, "instance %s: %d connections for %d ports", inst.Name, len(inst.Conns), len(inst.Mod.Ports))
		return
	}
	if inst.SetAt != nil && len(inst.SetAt) != len(inst.Conns) {
		v.fail(inst.Pos, "instance %s: %d positions for %d connections", inst.Name, len(inst.SetAt), len(inst.Conns))
	}

	// Inputs may be any value of the width. The other directions name a node that belongs to the
	// connection alone.
	for j, p := range inst.Mod.Ports {
		what := fmt.Sprintf("instance %s: port %s", inst.Name, p.Name)
		if !v.ref(inst.Pos, what, inst.Conns[j], p.Width, false) || p.Dir == In {
			continue
		}

		if p.Dir == InOut {
			if v.m.Op(inst.Conns[j]) != NetOut {
				v.fail(inst.Pos, "%s: %%%d is not the node of a net", what, inst.Conns[j])
			}
			continue
		}
		if n := v.m.Node(inst.Conns[j]); n.Op != InstOut || int(n.Aux) != i || int(n.Aux2) != j {
			v.fail(inst.Pos, "%s: %%%d is not its node", what, inst.Conns[j])
		}
	}
}

func (v *verifier) net(i int, n *Net) {
	if !v.ref(0, "net", n.Node, 0, false) {
		return
	}

	pos, what, w := v.m.Node(n.Node).Pos, "net "+v.m.NameOf(n.Node), v.m.Width(n.Node)
	if v.m.Op(n.Node) != NetOut || int(v.m.Node(n.Node).Aux) != i {
		v.fail(pos, "%s: %%%d is not its node", what, n.Node)
	}
	if n.Pull > PullDown {
		v.fail(pos, "%s: no such pull", what)
	}

	for _, d := range n.Drivers {
		v.ref(d.Pos, what+": driver", d.Value, w, false)
		v.ref(d.Pos, what+": enable of a driver", d.En, 1, false)
	}
}

func (v *verifier) stmt(s *Stmt) {
	what := s.Kind.String() + " " + s.Name
	v.clock(s.Pos, what, s.Clk)
	v.ref(s.Pos, what+": enable", s.En, 1, true)
	v.ref(s.Pos, what+": condition", s.Cond, 1, !s.Kind.HasCond())
	if s.Kind == Stop && s.Format != "" {
		v.fail(s.Pos, "%s: a message, which stops do not have", what)
	}
	if s.Code < 0 || s.Code != 0 && s.Kind != Stop {
		v.fail(s.Pos, "%s: exit code %d", what, s.Code)
	}

	for _, a := range s.Args {
		v.ref(s.Pos, what+": argument", a, 0, false)
	}
	if n := Verbs(s.Format); n != len(s.Args) {
		v.fail(s.Pos, "%s: %d verbs for %d arguments", what, n, len(s.Args))
	}
}
