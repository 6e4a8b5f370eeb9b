package ir

import "etch/ir/bits"

// ID names a node of a module. 0 is no node.
type ID int32

// None is the ID of no node.
const None ID = 0

// Node is one value of a module. Its arguments, name and constants live in the
// module's tables, so that a million nodes are one allocation.
type Node struct {
	Op    Op
	Type  TypeID
	Width int32
	Pos   Pos   // the user's line, 0 if none
	Aux   int32 // by op: Slice lowest bit; Input port; Reg, MemOut, MemRead, InstOut, NetOut index; Const, Lut, Case table
	Aux2  int32 // by op: MemOut read port, InstOut port of the child; Mux, Case, Wire see lines.go
	args  uint32
	nargs uint32
	name  int32
}

// Dir is the direction of a port seen from inside its module.
type Dir uint8

// The directions.
const (
	In Dir = iota
	Out
	InOut // a pad: the module's end of a net that it shares with its parent
)

// String is "input", "output" or "inout".
func (d Dir) String() string {
	return [...]string{"input", "output", "inout"}[d]
}

// Port is a port of a module.
type Port struct {
	Name  string
	Dir   Dir
	Type  TypeID
	Width int
	Node  ID // In: its Input node. Out: the node that drives it. InOut: the NetOut node of its net
	Attrs []Attr
	Pos   Pos
	SetAt Pos    // Out: where Node was given; 0 if the positions are on Node's own arms
	Path  string // of a scalar of a bundle or vector: its path there, in.at.x of in_at_x; else ""
}

// RegKind is the kind of a register. It says how the fields of [Register] are read. No pass changes
// it: a latch whose data become a constant is still a latch.
type RegKind uint8

// The kinds of registers.
const (
	// FlipFlop is a rising-edge register. At an edge of Clk it takes Next, or Reset while Rst is high.
	// With Async it holds Reset whenever Rst is high, also without an edge.
	FlipFlop RegKind = iota
	// Latch is a level-sensitive latch. It follows Reset, its data, while Rst, its enable, is high, and
	// holds the last value while Rst is low. Within the cycle it depends on both. It has no clock: Clk
	// is a constant that never rises, Next the latch itself, and Async is set.
	Latch
)

// String is "flip-flop" or "latch".
func (k RegKind) String() string { return [...]string{"flip-flop", "latch"}[k] }

// Register is one element of state, a flip-flop or a latch.
type Register struct {
	Node  ID // its Reg node, which carries name, width, type and position
	Kind  RegKind
	Next  ID // the next value; of a latch: Node
	Clk   ID // a node of type Clock; a Not of a clock, itself of type Clock, is its falling edge; of a latch: a constant
	Rst   ID // one bit, or None; of a latch: its enable, never None
	Reset ID // a Const node; of a latch: its data, any node; set exactly when Rst is
	Async bool
	Init  ID  // a Const node: the value at power-up; None: unspecified (0, or random when asked)
	SetAt Pos // where Next was given; 0 if the positions are on Next's own arms
}

// MakeLatch turns r, which has its Node, into a latch that follows data while open is high. The clock
// never is a constant of type Clock, maybe behind wires. Init and SetAt stay.
func (r *Register) MakeLatch(never, open, data ID) {
	r.Kind, r.Next, r.Clk, r.Async = Latch, r.Node, never, true
	r.Rst, r.Reset = open, data
}

// Under is the value that a synchronous read port gives when the word it reads is written
// at the same edge.
type Under uint8

// The read-under-write behaviours. Simulators and emitted Verilog give the old
// word for Undefined; synthesis may give anything.
const (
	Old Under = iota
	New
	Undefined
)

// String is "old", "new" or "undefined".
func (u Under) String() string { return [...]string{"old", "new", "undefined"}[u] }

// Memory is an array of Depth words of Width bits. Reads past the end give 0,
// writes past the end do nothing. At one edge, a later port of Writes wins.
type Memory struct {
	Name         string
	Depth, Width int
	Type         TypeID
	Init         []bits.Value // nil: unspecified at power-up (0, or random when asked); else the first words, the rest 0
	Reads        []ReadPort   // synchronous ones; asynchronous reads are MemRead nodes
	Writes       []WritePort
	Style        string // "", "block", "ultra" or "logic": which resource synthesis should take
	Attrs        []Attr
	Pos          Pos
}

// Word is word a at power-up: 0 past the words that Init gives.
func (m *Memory) Word(a int) bits.Value {
	if a < len(m.Init) {
		return m.Init[a]
	}
	return bits.Zero(m.Width)
}

// ReadPort is a synchronous read: at an edge of Clk with En high, Node takes the
// word at Addr.
type ReadPort struct {
	Name  string
	Node  ID // its MemOut node
	Clk   ID
	Addr  ID
	En    ID // one bit; None: always
	Under Under
	Pos   Pos
}

// WritePort writes Data to Addr at an edge of Clk with En high. A Mask of n bits divides the word
// into n lanes of Width/n bits; bit i enables lane i, lane 0 at the bottom.
type WritePort struct {
	Name string
	Clk  ID
	Addr ID
	Data ID
	En   ID // one bit; None: always
	Mask ID // None: the whole word
	Pos  Pos
}

// Instance is a use of a module in another. Conns is parallel to Mod.Ports: for
// an input the node that drives it, for an output its InstOut node, for a pad the
// NetOut node of the net that it joins.
type Instance struct {
	Name  string
	Mod   *Module
	Conns []ID
	Attrs []Attr
	Pos   Pos
	SetAt []Pos // parallel to Conns: where an input was given, 0 if the positions are on the driver's own arms; nil: all at Pos
}

// StmtKind is the kind of a statement.
type StmtKind uint8

// The kinds of statement.
const (
	Assert StmtKind = iota // fails when Cond is low
	Assume                 // as Assert; guaranteed by the environment
	Cover                  // counts when Cond is high
	Print                  // prints Format with Args
	Stop                   // ends the simulation: successfully with Code 0, else as a failure
)

// String is the kind's name in the text form.
func (k StmtKind) String() string {
	return [...]string{"assert", "assume", "cover", "print", "stop"}[k]
}

// HasCond reports whether statements of the kind have a condition.
func (k StmtKind) HasCond() bool { return k < Print }

// Stmt is a statement that is evaluated just before each edge of Clk at which En is high.
// Format has the verbs %d (decimal, signed if the argument's type is), %x (hexadecimal, all
// digits), %b (binary, all digits), %c (low byte), %s (see [Type.TextOf]), %%.
type Stmt struct {
	Kind   StmtKind
	Name   string
	Clk    ID
	En     ID  // None: always
	Cond   ID  // None for Print and Stop
	Code   int // of Stop: the exit code, at least 0
	Format string
	Args   []ID
	Pos    Pos
}

// Extern marks a module that stands for Verilog written elsewhere.
type Extern struct {
	Module string   // name of the Verilog module
	Files  []string // files that hold it, may be empty
	Params []Param
	Model  bool // the module's body is a model of it for simulation
}

// Param is a Verilog parameter, its value written as Verilog.
type Param struct{ Name, Value string }

// Module is a netlist with ports.
type Module struct {
	Name   string
	Origin string // the Go type it was built from, for comments
	Pos    Pos
	Src    *Sources
	Ports  []Port
	Regs   []Register
	Mems   []Memory
	Insts  []Instance
	Nets   []Net
	Stmts  []Stmt
	Extern *Extern // nil for an ordinary module
	Unused []ID    // values that are read nowhere on purpose: a mark, not a use, and not a reference for [EachRef]
	Attrs  []Attr

	nodes  []Node
	args   []ID
	lines  []Pos         // see lines.go
	paths  map[ID]string // of scalars of bundles
	names  []string
	consts []bits.Value
	keys   [][]bits.Value
	types  []Type
	attrs  map[ID][]Attr // of registers and of values with a name; most nodes have none
}

// Design is a top module and every module below it, each once, children first.
type Design struct {
	Top     *Module
	Modules []*Module
	Src     *Sources
}

// NewModule returns an empty module.
func NewModule(name string, src *Sources) *Module {
	return &Module{Name: name, Src: src, nodes: make([]Node, 1), names: []string{""}, types: append([]Type(nil), basicTypes[:]...)}
}

// Len is the number of nodes plus one: IDs run from 1 to Len-1.
func (m *Module) Len() int { return len(m.nodes) }

// Node returns node id, which may be changed in place. The pointer is valid until the next
// node is added.
func (m *Module) Node(id ID) *Node { return &m.nodes[id] }

// Op returns the op of node id.
func (m *Module) Op(id ID) Op { return m.nodes[id].Op }

// Width returns the width of node id in bits.
func (m *Module) Width(id ID) int { return int(m.nodes[id].Width) }

// Args returns the arguments of node id. They may be changed through the slice, until the
// next node is added.
func (m *Module) Args(id ID) []ID {
	n := &m.nodes[id]
	return m.args[n.args : n.args+n.nargs : n.args+n.nargs]
}

// Add appends a node and returns its ID. It checks nothing; [Verify] does.
func (m *Module) Add(n Node, args ...ID) ID {
	n.args, n.nargs = uint32(len(m.args)), uint32(len(args))
	m.args = append(m.args, args...)
	m.nodes = append(m.nodes, n)
	return ID(len(m.nodes) - 1)
}

// SetArgs replaces the op and all arguments of node id, keeping the rest.
func (m *Module) SetArgs(id ID, op Op, args ...ID) {
	n := &m.nodes[id]

	// The positions belonged to other arms.
	if n.arms() > 0 && (op != n.Op || len(args) != int(n.nargs)) {
		n.Aux2 = 0 // the arms are others now
	}
	n.Op = op
	// Fewer arguments fit in the old place; more go to the end of the table.
	if len(args) > int(n.nargs) {
		n.args = uint32(len(m.args))
		m.args = append(m.args, args...)
	} else {
		copy(m.args[n.args:], args)
	}
	n.nargs = uint32(len(args))
}

// NameOf returns the name of node id, "" if it has none.
func (m *Module) NameOf(id ID) string { return m.names[m.nodes[id].name] }

// SetName names node id.
func (m *Module) SetName(id ID, name string) {
	if name == "" {
		m.nodes[id].name = 0
		return
	}
	m.names = append(m.names, name)
	m.nodes[id].name = int32(len(m.names) - 1)
}

// SetPath records that a named node is a scalar of a bundle or vector: its name in
// the user's structure, in.at.x of in_at_x or lane.3 of lane_3.
func (m *Module) SetPath(id ID, path string) {
	if m.paths == nil {
		m.paths = map[ID]string{}
	}
	m.paths[id] = path
}

// PathOf returns the name of a node in the user's structure, "" for a node that is
// not part of one.
func (m *Module) PathOf(id ID) string { return m.paths[id] }

// Const adds a constant.
func (m *Module) Const(v bits.Value, pos Pos) ID {
	return m.Add(Node{Op: Const, Width: int32(v.Width()), Pos: pos, Aux: m.addConst(v)})
}

// ConstOf returns the value of a Const node.
func (m *Module) ConstOf(id ID) bits.Value { return m.consts[m.nodes[id].Aux] }

func (m *Module) addConst(v bits.Value) int32 {
	m.consts = append(m.consts, v)
	return int32(len(m.consts) - 1)
}

// AddLut adds a Lut: table has 2^len(in) bits, in[0] is address bit 0.
func (m *Module) AddLut(table bits.Value, pos Pos, in ...ID) ID {
	return m.Add(Node{Op: Lut, Width: 1, Pos: pos, Aux: m.addConst(table)}, in...)
}

// TableOf returns the table of a Lut node.
func (m *Module) TableOf(id ID) bits.Value { return m.consts[m.nodes[id].Aux] }

// AddCase adds a Case; keys must rise. args are selector, default, values.
func (m *Module) AddCase(width int, pos Pos, keys []bits.Value, args ...ID) ID {
	m.keys = append(m.keys, keys)
	return m.Add(Node{Op: Case, Width: int32(width), Pos: pos, Aux: int32(len(m.keys) - 1)}, args...)
}

// KeysOf returns the keys of a Case node, in rising order.
func (m *Module) KeysOf(id ID) []bits.Value { return m.keys[m.nodes[id].Aux] }

// PortIndex returns the index of the port called name, -1 if there is none.
func (m *Module) PortIndex(name string) int {
	for i := range m.Ports {
		if m.Ports[i].Name == name {
			return i
		}
	}
	return -1
}

// AddInput adds an input port with its node.
func (m *Module) AddInput(name string, width int, typ TypeID, pos Pos) ID {
	id := m.Add(Node{Op: Input, Type: typ, Width: int32(width), Pos: pos, Aux: int32(len(m.Ports))})
	m.SetName(id, name)
	m.Ports = append(m.Ports, Port{Name: name, Dir: In, Type: typ, Width: width, Node: id, Pos: pos})
	return id
}

// AddOutput adds an output port driven by node id, or by none yet.
func (m *Module) AddOutput(name string, width int, typ TypeID, id ID, pos Pos) {
	m.Ports = append(m.Ports, Port{Name: name, Dir: Out, Type: typ, Width: width, Node: id, Pos: pos})
}

// AddReg adds a flip-flop with its node. The caller sets Next, or calls [Register.MakeLatch].
func (m *Module) AddReg(name string, width int, typ TypeID, clk ID, pos Pos) ID {
	id := m.Add(Node{Op: Reg, Type: typ, Width: int32(width), Pos: pos, Aux: int32(len(m.Regs))})
	m.SetName(id, name)
	m.Regs = append(m.Regs, Register{Node: id, Clk: clk})
	return id
}

// AddInst adds an instance with an InstOut node per output of child, and returns its index.
// The caller connects the inputs.
func (m *Module) AddInst(name string, child *Module, pos Pos) int {
	at := len(m.Insts)
	inst := Instance{Name: name, Mod: child, Conns: make([]ID, len(child.Ports)), Pos: pos}

	// Types are numbered per module: the child's are translated.
	for i, p := range child.Ports {
		if p.Dir == Out {
			t := m.AddType(child.TypeOf(p.Type))
			inst.Conns[i] = m.Add(Node{Op: InstOut, Type: t, Width: int32(p.Width), Pos: pos, Aux: int32(at), Aux2: int32(i)})
		}
	}
	m.Insts = append(m.Insts, inst)
	return at
}
