package aig

import (
	"strconv"
	"strings"

	"etch/ir"
)

// Circuit is a design as gates. All literals belong to Graph.
type Circuit struct {
	Graph   *Graph
	Inputs  []Signal // of the top, without clocks, in the order of ports; then outputs of black boxes
	Outputs []Signal // of the top, in the order of ports; then inputs of black boxes
	Clocks  []Clock  // clocks of the top, in the order of ports
	Events  []Signal // inputs that choose the clocks with an edge in a step
	Levels  []Level  // levels of clocks, if falling edges move something
	Outside []Signal // free words of [Shared] memories, new in each step
	Unlike  []Unlike // [Shared] memories that differ after a step
	Miss    Lit      // a word of a [Cells] memory is read that is not kept
	States  []State  // registers, then by memory its words and read data, as in the flat module
	Stmts   []Stmt   // asserts, assumes, covers and stops
}

// Signal is a named value.
type Signal struct {
	Name  string // of the port; of a black box: "instance.port"
	Bits  Word
	Type  ir.Type
	Box   string // instance path of the black box, "" for a port of the top
	Reset bool   // an input whose type is a reset
}

// State is a register, the data register of a synchronous read port, or a word of
// a memory.
type State struct {
	Name string // full name; of a memory's word: that of the memory; of read data: "memory.port"
	Row  int    // word of the memory, -1 for a register
	Kind StateKind
	Q    Word // leaves
	Next Word // what Q is after the step
	Init Word // at power-up: constants, or leaves of its own for unknown values
	Pos  string
}

// StateKind says which storage element a State comes from.
type StateKind uint8

// The kinds of state.
const (
	Register StateKind = iota
	ReadData
	MemoryWord
	CellAddress // address of a word of a [Cells] memory: constant and free; Row is its number
	Cell        // such a word; Init may depend on its CellAddress
)

// Stmt is an assertion, assumption, cover or stop.
type Stmt struct {
	Kind ir.StmtKind
	Name string // full name
	Text string // its format
	At   string // position
	Code int    // of a stop
	Hit  Lit    // it is evaluated in this step, and its condition is low (covers: high)
}

// Fails reports whether a hit of the statement is a failure of the design: an assertion, or
// a stop with an exit code other than 0.
func (s *Stmt) Fails() bool { return s.Kind == ir.Assert || s.Kind == ir.Stop && s.Code != 0 }

// System is the circuit as a transition system. Its inputs are the inputs and clock events;
// failures are bad, assumes are constraints. Bits are named after their ports and registers
// with [i], or [row][i] for a word of a memory.
func (c *Circuit) System() *System {
	s := &System{Graph: c.Graph}
	// Inputs; resets are mostly low in random runs.
	for _, in := range c.Inputs {
		for i, l := range in.Bits {
			if in.Reset {
				s.Rare = append(s.Rare, len(s.Inputs))
			}
			s.Inputs, s.InputNames = append(s.Inputs, l), append(s.InputNames, bitName(in.Name, i, in.Bits))
		}
	}

	for _, e := range c.Events {
		s.Inputs, s.InputNames = append(s.Inputs, e.Bits[0]), append(s.InputNames, e.Name)
	}

	// State: levels of clocks first.
	for i, l := range c.Levels {
		s.Latches, s.LatchNames = append(s.Latches, Latch{Q: l.Q, Next: l.Next}), append(s.LatchNames, bitName("level", i, make(Word, len(c.Levels))))
	}
	for i := range c.States {
		s.state(&c.States[i])
	}

	for _, out := range c.Outputs {
		for i, l := range out.Bits {
			s.Outputs, s.OutputNames = append(s.Outputs, l), append(s.OutputNames, bitName(out.Name, i, out.Bits))
		}
	}

	// Failures and assumptions.
	for i := range c.Stmts {
		st := &c.Stmts[i]
		switch {
		case st.Fails():
			s.Bad, s.BadNames = append(s.Bad, st.Hit), append(s.BadNames, st.Label())
		case st.Kind == ir.Assume:
			s.Constraints, s.ConstraintNames = append(s.Constraints, st.Hit.Not()), append(s.ConstraintNames, st.Label())
		}
	}
	return s
}

func (s *System) state(st *State) {
	// Bits with unknown start have a free leaf as Init.
	for i, q := range st.Q {
		name := st.Name
		if st.Row >= 0 {
			name += "[" + strconv.Itoa(st.Row) + "]"
		}
		s.Latches = append(s.Latches, Latch{Q: q, Next: st.Next[i], Init: st.Init[i]})
		s.LatchNames = append(s.LatchNames, bitName(name, i, st.Q))
		if init := st.Init[i]; !init.IsConst() {
			s.Free, s.FreeNames = append(s.Free, init), append(s.FreeNames, bitName(name, i, st.Q))
		}
	}
}

func bitName(name string, i int, all Word) string {
	if len(all) == 1 {
		return name
	}
	return name + "[" + strconv.Itoa(i) + "]"
}

// Label is the statement's name and text; its position if it has neither.
func (s *Stmt) Label() string {
	name := strings.TrimSuffix(s.Name, ".")
	switch {
	case name != "" && s.Text != "":
		return name + ": " + s.Text
	case name+s.Text != "":
		return name + s.Text
	}
	return s.At
}
