package verilog

import (
	"io"

	"etch/backends/verilog/internal/timing"
	"etch/ir"
)

// Period is the period of a clock in nanoseconds, by the name of its input port.
type Period = timing.Period

// Constraints writes the timing constraints for the clocks of a design that synthesis needs
// beside the text of [Write]: as XDC for Vivado and as SDC for other tools. Both are nil if
// there is nothing to constrain: no period is given and no path crosses clocks.
//
//   - Clocks with a period are created. A period for a port that is no clock is an error.
//   - The first register of a synchroniser, of one bit and with ASYNC_REG, may sample a
//     changing value: paths from other clocks and from ports to it are false.
//   - Other paths between clocks (Gray codes, held values, words of a queue) may take
//     one period of the faster of their clocks, without regard to skew. SDC cannot
//     express that: there it is a maximum delay, or a false path if a period is not
//     given.
//   - Clocks with only synchronisers between them are asynchronous groups.
//
// Cells are named after their registers and arrays, as Vivado and Synopsys' tools do
// (lane/count_reg[*]), below the hierarchy of the text.
func Constraints(d *ir.Design, periods []Period) (xdc, sdc []byte, err error) {
	w, err := newDesign(io.Discard, d, Options{})
	if err != nil {
		return nil, nil, err
	}
	return timing.Constraints(d, &textNames{newModule(w), map[*ir.Module]*timing.State{}}, periods)
}

// textNames finds the names of a design in its text for package timing.
type textNames struct {
	p     *module
	state map[*ir.Module]*timing.State
}

// Module is the name in the Verilog text, which may differ from the design's.
func (n *textNames) Module(m *ir.Module) string { return n.p.modName(m) }

// Port is the name in the Verilog text of port number at.
func (n *textNames) Port(m *ir.Module, at int32) string { return n.p.portNames(m)[at] }

// State runs the first steps of the writer on a module, which name its state.
func (n *textNames) State(m *ir.Module) *timing.State {
	if s := n.state[m]; s != nil {
		return s
	}
	s := n.p.stateOf(m)
	n.state[m] = &timing.State{Regs: s.Regs, Mems: s.Mems, Insts: s.Insts}
	return n.state[m]
}
