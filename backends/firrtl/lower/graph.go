package lower

import (
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/ir/bits"
	"etch/ir/pads"
)

// op is the kind of a node.
type op uint8

const (
	opNone     op = iota
	opLeaf        // the value of leaf a
	opLit         // literal a
	opInvalid     // any value
	opPrim        // prim of a, b, numbers c and d; of Cat the d values args[c:c+d]
	opMux         // b if a, else c
	opPick        // element a of the d values args[c:c+d]; element 0 if a is past the end
	opCopy        // a, with a name of its own
	opLatch       // b while a is high, else the last value
	opProperty    // a property over several cycles, see property.go
)

// node is a value of a module: a FIRRTL operation or a leaf. Its arguments are
// nodes with smaller numbers.
type node struct {
	op         op
	prim       syntax.Op
	kind       kind
	partial    bool // of a Mux: on some path the signal has no driver
	width      int32
	a, b, c, d int32
	pos        ir.Pos
	name       int32 // index of module.names, 0 for none
}

// A width below 0 stands for variable -1-width of lowering.vars.
func varOf(width int32) int32 { return -1 - width }

// class is the kind of component that a leaf belongs to.
type class uint8

const (
	lfNode class = iota
	lfInput
	lfOutput
	lfWire
	lfReg
	lfChildIn
	lfChildOut
	lfMemIn  // an input field of a memory port
	lfMemOut // read data
)

// sink reports whether leaves of the class are driven inside the module.
func (c class) sink() bool { return c != lfNode && c != lfInput && c != lfChildOut && c != lfMemOut }

// leaf is a signal of ground type: a port, wire, register, node or their element.
type leaf struct {
	class class
	node  int32 // the node that reads it
	val   int32 // its driver at this point of the walk, 0 if none yet
	depth int32 // nesting of the block that declares it
	stamp int32 // number of the branch that last changed val
	line  int32
	of    int32 // its register, instance or memory port; of a port: its index in module.flat
}

// module is a module being lowered.
type module struct {
	l     *lowering
	src   *syntax.Module
	ports *typ // bundle of all ports, the type of an instance
	flat  []flatPort

	nodes  []node
	args   []int32
	leaves []leaf
	names  []string
	lits   []bits.Value
	regs   []register
	insts  []instance
	mems   []memory
	mports []mport
	cmds   []command

	// the state of the walk over the statements
	epoch  int32
	decls  []decl
	list   []int32 // values of aggregates in the current statement
	dyns   []dynamic
	conds  []int32 // conditions of the whens around the current statement
	paths  []int32 // their conjunctions, 0 until made
	branch int32   // number of the current branch
	stamps int32
	log    []change
	merged []merge
	others []int32 // by leaf: one more than its index in merged
	opened []branch
	scopes []int32 // branches that are open
	pos    ir.Pos
	line   int32
	addrs  map[syntax.Name]bool // names that are the whole address of a read port

	enable map[syntax.Name]int32
	unsure []unsure

	probes  map[string]probe // its probes by path
	readers map[string]int32 // by path of a probe: first leaf of the wire that carries it
	pending []probeRead
	carried map[string]place // by path of a probe: the output that carries it
	props   map[int32]property
	pasts   map[[3]int32]int32 // by clock, node and cycles
	checks  map[[3]int32]int32 // the same for properties

	attached map[int32]int32  // union-find parents of analog leaves
	netOf    map[int32]*wires // by root leaf of the net
	cell     *pads.CellKind   // set if the module is a cell of a net

	used  []use           // its instances
	taken map[string]bool // names of ports, set once ports are added

	ir      *ir.Module
	patched bool    // the wires have their drivers
	portAt  []int32 // by flat port: index in ir.Module.Ports, -1 if it has width 0
	out     emitter
}

// flatPort is a port of ground type.
type flatPort struct {
	name   string
	output bool
	t      *typ
	node   int32
	width  int32 // in bits, or a variable, as in node
	kind   kind  // known after the inference of resets
	same   int32 // of an analog port: one more than the flat port it was merged with, 0 if none
	pos    ir.Pos
}

type register struct {
	leaf, clock, reset, init int32
	full                     int32 // full reset to 0, 0 if none
	fromZero                 bool  // it is 0 at power-up
}

type instance struct {
	name string
	mod  *module
	base int32   // first leaf; the leaves are in the order of the child's flat ports
	own  int     // number of ports that the child's text declares
	more []int32 // leaves of ports that were added later
	pos  ir.Pos
	made bool
	at   int // index in ir.Module.Insts
}

type declKind uint8

const (
	dPlain declKind = iota // a port, wire, register or node
	dInst
	dMem
	dChirrtl // a cmem or smem
	dMPort
)

// decl is what a name of the text stands for: a wire, register, node or port, or a memory or one of
// its ports.
type decl struct {
	name syntax.Name
	kind declKind
	root syntax.StmtKind // of a dPlain: Wire, Reg, Node or 0 for a port
	t    *typ
	base int32 // first leaf
	of   int32 // memory or memory port
	line int32
	// scope of the declaration: the number of blocks around it, and the innermost one
	depth, branch int32
}

// symbol is the declaration of a name. It is valid if its epoch is that of the current
// module, which saves clearing the table between modules.
type symbol struct{ epoch, decl int32 }

// add appends a node. An unknown width (below 0) becomes a variable of its own for
// inference, except for leaves and copies, which come with theirs.
func (m *module) add(n node) int32 {
	n.pos = m.pos
	if n.width < 0 && n.op != opLeaf && n.op != opCopy {
		n.width = m.l.unknown(m, int32(len(m.nodes)))
	}
	m.nodes = append(m.nodes, n)
	return int32(len(m.nodes) - 1)
}

func (m *module) fail(format string, args ...any) { m.l.fail(m.line, format, args...) }

// lit makes a literal of type UInt.
func (m *module) lit(width int32, v uint64) int32 {
	m.lits = append(m.lits, bits.New(int(width), v))
	return m.add(node{op: opLit, width: width, a: int32(len(m.lits) - 1)})
}

// bit returns the literal 0 or 1, made once per module.
func (m *module) bit(v uint64) int32 {
	if m.out.bits[v] == 0 {
		m.out.bits[v] = m.lit(1, v)
	}
	return m.out.bits[v]
}

func (m *module) prim(o syntax.Op, k kind, width int32, a, b int32) int32 {
	return m.add(node{op: opPrim, prim: o, kind: k, width: width, a: a, b: b})
}

func (m *module) and(a, b int32) int32 {
	one := m.out.bits[1]
	switch {
	case a == one && one != 0:
		return b
	case b == one && one != 0 || a == b:
		return a
	}
	return m.prim(syntax.And, kUInt, 1, a, b)
}

func (m *module) or(a, b int32) int32 {
	one := m.out.bits[1]
	switch {
	case one != 0 && (a == one || b == one):
		return one
	case a == 0 || a == b:
		return b
	}
	return m.prim(syntax.Or, kUInt, 1, a, b)
}

func (m *module) not(a int32) int32 { return m.prim(syntax.Not, kUInt, 1, a, 0) }

// invalid makes a node of op opInvalid. Unlike add it makes no width variable, since an
// invalid value adapts to any width.
func (m *module) invalid(k kind, width int32) int32 {
	n := node{op: opInvalid, kind: k, width: width, pos: m.pos}
	m.nodes = append(m.nodes, n)
	return int32(len(m.nodes) - 1)
}

// setName names a node that has no name yet. Leaves have theirs from newLeaf.
func (m *module) setName(n int32, name string) {
	m.names = append(m.names, name)
	m.nodes[n].name = int32(len(m.names) - 1)
}

// newLeaf adds a leaf and its node. width is a number of bits, or a variable below 0.
func (m *module) newLeaf(c class, name string, k kind, width, of int32) int32 {
	at := int32(len(m.leaves))
	n := m.add(node{op: opLeaf, kind: k, width: width, a: at})
	if k == kReset {
		m.nodes[n].d = m.l.newReset(m.line)
	}
	if name != "" {
		m.setName(n, name)
	}

	// The depth tells whether a change under a when must be logged.
	m.leaves = append(m.leaves, leaf{class: c, node: n, depth: int32(len(m.conds)), line: m.line, of: of})

	if m.l.budget--; m.l.budget == 0 {
		m.fail("the circuit has more than %d signals", maxSignals)
	}
	return at
}

// maxSignals bounds the leaves of all modules together.
const maxSignals = 1 << 25

// newLeaves adds the leaves of a component of type t and returns the first.
func (m *module) newLeaves(c class, name string, t *typ, of int32) int32 {
	base := int32(len(m.leaves))
	m.l.eachLeaf(t, name, false, func(name string, t *typ, _ bool) {
		if m.l.budget > 0 {
			m.newLeaf(c, name, t.kind, m.l.widthOf(t), of)
		}
	})
	return base
}

// declareName adds a declaration to the current module.
func (m *module) declareName(n syntax.Name, d decl) {
	// A symbol of an older epoch belongs to another module.
	s := &m.l.syms[n]
	if s.epoch == m.epoch {
		m.fail("a second %s; the first is in line %d", m.l.name(n), m.decls[s.decl].line)
		return
	}
	d.name = n
	d.line, d.depth, d.branch = m.line, int32(len(m.scopes)), m.branch
	*s = symbol{m.epoch, int32(len(m.decls))}
	m.decls = append(m.decls, d)
}

// find looks a name up, with an error and nil if it is not declared.
func (m *module) find(n syntax.Name) *decl {
	s := m.l.syms[n]
	if s.epoch != m.epoch {
		m.fail("there is no %s", m.l.name(n))
		return nil
	}
	d := &m.decls[s.decl]

	// The declaring block must still be open. The ports of CHIRRTL memories are visible to
	// the end of the module.
	if d.depth > 0 && d.kind != dMPort && (int(d.depth) > len(m.scopes) || m.scopes[d.depth-1] != d.branch) {
		m.fail("%s is declared inside a block that has ended", m.l.name(n))
		return nil
	}
	return d
}
