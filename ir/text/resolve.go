package text

import (
	"github.com/alecthomas/participle/v2/lexer"

	"etch/ir"
)

// endModule resolves the labels of the module and adds it to the design.
func (p *parser) endModule() error {
	b := p.body
	// Every label needs a line.
	for at, id := range b.nodeOf[1:] {
		if id == ir.None {
			t := b.first[at+1]
			return p.fail(t, "node %s has no line in module %s", t.Value, b.m.Name)
		}
	}

	// From here on tables and arguments hold nodes.
	b.tables()
	for id := ir.ID(1); int(id) < b.m.Len(); id++ {
		for i, label := range b.m.Args(id) {
			b.m.Args(id)[i] = b.nodeOf[label]
		}
	}

	if err := b.backReferences(); err != nil {
		return err
	}
	if err := b.attributes(); err != nil {
		return err
	}

	// Children come before their parents, so a module is complete for those that follow.
	p.design.Modules = append(p.design.Modules, b.m)
	p.modules[b.m.Name] = b.m
	p.body = nil
	return nil
}

// tables replaces the labels in the tables of the module by nodes. Label 0 stands for None
// and maps to it.
func (b *body) tables() {
	to := func(ids ...*ir.ID) {
		for _, id := range ids {
			*id = b.nodeOf[*id]
		}
	}

	// Every field of type ir.ID in the tables has to stand below: a label that is left over would be
	// taken for a node. Labels may be used before their line, so this comes after the last line.
	m := b.m
	for i := range m.Ports {
		to(&m.Ports[i].Node)
	}
	for i := range m.Regs {
		r := &m.Regs[i]
		to(&r.Node, &r.Next, &r.Clk, &r.Rst, &r.Reset, &r.Init)

		// A flip-flop is reset to a constant: async to anything else is a latch.
		if r.Async && r.Reset != ir.None && m.Op(r.Reset) != ir.Const {
			r.Kind = ir.Latch
		}
	}

	// Memories, by port.
	for i := range m.Mems {
		for j := range m.Mems[i].Reads {
			r := &m.Mems[i].Reads[j]
			to(&r.Node, &r.Clk, &r.Addr, &r.En)
		}
		for j := range m.Mems[i].Writes {
			w := &m.Mems[i].Writes[j]
			to(&w.Clk, &w.Addr, &w.Data, &w.En, &w.Mask)
		}
	}

	// Hierarchy and pads.
	for i := range m.Insts {
		for j := range m.Insts[i].Conns {
			to(&m.Insts[i].Conns[j])
		}
	}

	for i := range m.Nets {
		n := &m.Nets[i]
		to(&n.Node)
		for j := range n.Drivers {
			to(&n.Drivers[j].Value, &n.Drivers[j].En)
		}
	}

	// Readers that are no logic: marks of unused values, and statements.
	for i := range m.Unused {
		to(&m.Unused[i])
	}

	for i := range m.Stmts {
		s := &m.Stmts[i]
		to(&s.Clk, &s.En, &s.Cond)
		for j := range s.Args {
			to(&s.Args[j])
		}
	}
}

// backReferences sets the indices in the leaves to their entries of the tables.
func (b *body) backReferences() error {
	// Registers and nets name their nodes;
	for i, r := range b.m.Regs {
		if n := b.m.Node(r.Node); n.Op == ir.Reg {
			n.Aux = int32(i)
		}
	}
	for i, net := range b.m.Nets {
		if n := b.m.Node(net.Node); n.Op == ir.NetOut {
			n.Aux = int32(i)
		}
	}

	// the other leaves name their entries.
	f := newFinder(b)
	for _, l := range b.leaves {
		if err := f.leaf(l); err != nil {
			return err
		}
	}
	return nil
}

// finder finds entries of the module's tables by name.
type finder struct {
	*body
	ports map[string]int
	mems  map[string][]int
	insts map[string][]int
	reads map[memPort][]int
	outs  map[*ir.Module]map[string]int
}

type memPort struct {
	mem  int
	name string
}

func newFinder(b *body) *finder {
	f := &finder{
		body: b, ports: portsOf(b.m), mems: map[string][]int{}, insts: map[string][]int{},
		reads: map[memPort][]int{}, outs: map[*ir.Module]map[string]int{},
	}
	// Names need not be unique: ram#2 is the second entry called ram.
	for i := range b.m.Mems {
		mem := &b.m.Mems[i]
		f.mems[mem.Name] = append(f.mems[mem.Name], i)
		for j := range mem.Reads {
			k := memPort{i, mem.Reads[j].Name}
			f.reads[k] = append(f.reads[k], j)
		}
	}
	for i := range b.m.Insts {
		name := b.m.Insts[i].Name
		f.insts[name] = append(f.insts[name], i)
	}
	return f
}

func portsOf(m *ir.Module) map[string]int {
	at := make(map[string]int, len(m.Ports))
	for i := range m.Ports {
		at[m.Ports[i].Name] = i
	}
	return at
}

// leaf resolves the operands of a leaf: a port, a memory with its read port, or an instance
// with its output.
func (f *finder) leaf(l leaf) error {
	n := f.m.Node(l.node)
	rest := l.operands
	var at int
	var err error
	switch n.Op {
	case ir.Input:
		at, rest, err = f.port(l.op, rest, f.ports, f.m)
		n.Aux = int32(at)
	// The instance first: its module has the ports.
	case ir.InstOut:
		if at, rest, err = f.ref(l.op, rest, "instance", f.insts); err != nil {
			return err
		}
		n.Aux = int32(at)
		at, rest, err = f.port(l.op, rest, f.outsOf(f.m.Insts[at].Mod), f.m.Insts[at].Mod)
		n.Aux2 = int32(at)
	default:
		if at, rest, err = f.ref(l.op, rest, "memory", f.mems); err != nil {
			return err
		}
		n.Aux = int32(at)
		if n.Op == ir.MemOut {
			at, rest, err = f.ref(l.op, rest, "read port", f.readsOf(at, rest))
			n.Aux2 = int32(at)
		}
	}

	// A leaf with more operands than it takes.
	if err == nil && len(rest) > 0 {
		err = f.fail(rest[0], "unexpected %s after %s", rest[0].Value, n.Op)
	}
	return err
}

func (f *finder) outsOf(m *ir.Module) map[string]int {
	if f.outs[m] == nil {
		f.outs[m] = portsOf(m)
	}
	return f.outs[m]
}

// readsOf is a table with the single read port that the operands name.
func (f *finder) readsOf(mem int, rest []lexer.Token) map[string][]int {
	if len(rest) == 0 {
		return nil
	}
	name := f.name(rest[0])
	return map[string][]int{name: f.reads[memPort{mem, name}]}
}

// port takes the name of a port off the operands and returns its index and the rest.
func (f *finder) port(op lexer.Token, ops []lexer.Token, at map[string]int, m *ir.Module) (int, []lexer.Token, error) {
	if len(ops) == 0 || ops[0].Type != tokName && ops[0].Type != tokText {
		return 0, nil, f.fail(op, "expected the name of a port after %s", op.Value)
	}
	name := f.name(ops[0])
	i, ok := at[name]
	if !ok {
		return 0, nil, f.fail(ops[0], "module %s has no port %s", m.Name, name)
	}
	return i, ops[1:], nil
}

// ref takes a reference like ram or ram#2 off the operands and returns the index and the
// rest.
func (f *finder) ref(op lexer.Token, ops []lexer.Token, what string, at map[string][]int) (int, []lexer.Token, error) {
	if len(ops) == 0 || ops[0].Type != tokName && ops[0].Type != tokText {
		return 0, nil, f.fail(op, "expected the name of a %s after %s", what, op.Value)
	}
	name := f.name(ops[0])
	list := at[name]
	if len(list) == 0 {
		return 0, nil, f.fail(ops[0], "there is no %s %s", what, name)
	}

	var nth lexer.Token

	// A number behind the name selects among equal names.
	rest := ops[1:]
	if len(rest) > 0 && rest[0].Value == "#" {
		if len(rest) < 2 || rest[1].Type != tokInt {
			return 0, nil, f.fail(rest[0], "expected a number after #")
		}
		nth, rest = rest[1], rest[2:]
	}

	k, err := f.nth(nth, what, name, len(list))
	if err != nil {
		return 0, nil, err
	}
	return list[k], rest, nil
}
