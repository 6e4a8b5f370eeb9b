// Package timing finds the paths of a design between clocks and writes the constraints that
// they need. It works on the netlist alone; the text gives only the names ([Names]). It imports
// ir and the standard library.
package timing

import "etch/ir"

// Names is the names of a design in its text.
type Names interface {
	Module(m *ir.Module) string
	Port(m *ir.Module, at int32) string
	State(m *ir.Module) *State
}

// State is the names of a module's state.
type State struct {
	Regs, Mems, Insts []string // as in ir.Module
}
