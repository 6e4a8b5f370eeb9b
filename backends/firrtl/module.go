package firrtl

import (
	"etch/ir"
)

// mark is a property of a node.
type mark uint8

const (
	live    mark = 1 << iota // reached from the printed text
	net                      // printed under a name of its own
	several                  // some user writes it several times: it needs a name
	early                    // a wire, declared before the state that it clocks or resets
	done                     // printed, or nothing is to be printed for it
	ported                   // it has the name of the output that it drives
)

// module writes one module in these steps: reach (which nodes are live), size (which values
// get a name), name, print.
type module struct {
	*writer
	m     *ir.Module
	marks []mark
	uses  []uint8  // how often the text has a node, up to 255
	cost  []uint8  // estimated length of its inlined text, in bytes
	names []string // of nets, of ports, of state
	owner []int32  // the owner that names an unnamed node: a node, or -1-i for sinks[i]
	order []ir.ID  // live nodes, arguments first
	first []ir.ID  // early wires
	sinks []sink
	table nameTable

	ports []string
	nets  []netPlan
	mems  []memory
	insts []string
	stmts []string
	reads map[ir.ID]*readPort // by the node that takes the word
	wires map[ir.ID]string    // early wires that repeat state
	parts []part              // the parts that prepare has printed for the next value
	stack []ir.ID
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// start prepares the tables for m.
func (p *module) start(m *ir.Module) {
	n := m.Len()
	p.m = m
	p.marks, p.uses, p.cost = grown(p.marks, n), grown(p.uses, n), grown(p.cost, n)
	p.names, p.owner = grown(p.names, n), grown(p.owner, n)
	p.order, p.first, p.sinks = p.order[:0], p.first[:0], p.sinks[:0]
	p.mems, p.insts, p.stmts = make([]memory, len(m.Mems)), make([]string, len(m.Insts)), make([]string, len(m.Stmts))
	p.reads, p.wires = map[ir.ID]*readPort{}, map[ir.ID]string{}
	p.table.reset(len(m.Ports) + len(m.Regs))
}

func (p *module) write(m *ir.Module) {
	p.plan(m)
	p.head()
	p.declare()
	p.connections()
}

// plan decides which values are printed, and under which names.
func (p *module) plan(m *ir.Module) {
	p.start(m)
	p.markPorted()
	p.planMemories()
	p.reach()
	p.size()
	p.bind()
	p.bindNets()
	p.label()
}

func (p *module) is(n ir.ID, k mark) bool { return p.marks[n]&k != 0 }

// isState reports whether a node is a leaf with a name of its own: a port, state, or an
// output of an instance.
func (p *module) isState(n ir.ID) bool {
	op := p.m.Op(n)
	return op.Info().Leaf && op != ir.Const
}

// userName is the name that the user gave to a value; "" if it is that of the output that
// the value drives.
func (p *module) userName(n ir.ID) string {
	if p.is(n, ported) {
		return ""
	}
	return p.m.NameOf(n)
}

// root follows unnamed wires to the value that they stand for.
func (p *module) root(n ir.ID) ir.ID {
	for n != ir.None && p.m.Op(n) == ir.Wire && p.userName(n) == "" {
		n = p.m.Args(n)[0]
	}
	return n
}
