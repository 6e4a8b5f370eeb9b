package verilog

import (
	"io"

	"etch/ir"
)

// State is the names of a module's state in the text, for test benches that access it by
// hierarchical names.
type State struct {
	Regs  []string    // of [ir.Module].Regs
	Mems  []string    // of [ir.Module].Mems
	Reads [][]ReadReg // of the synchronous reads, by memory
	Insts []string    // of [ir.Module].Insts
}

// ReadReg is the data register of a synchronous read. InRange is the flag without which the
// data counts as 0, "" if there is none.
type ReadReg struct{ Data, InRange string }

// StateOf returns the names of the state of every module that [Write] writes.
func StateOf(d *ir.Design) (map[*ir.Module]*State, error) {
	wr, err := newDesign(io.Discard, d, Options{})
	if err != nil {
		return nil, err
	}
	all := map[*ir.Module]*State{}
	p := newModule(wr)
	for _, m := range printed(d) {
		all[m] = p.stateOf(m)
	}
	return all, nil
}

// stateOf runs the steps of write up to the names of all state.
func (p *module) stateOf(m *ir.Module) *State {
	p.nameState(m)
	s := &State{Reads: make([][]ReadReg, len(m.Mems))}
	for i := range m.Regs {
		s.Regs = append(s.Regs, p.text(p.names[m.Regs[i].Node]))
	}

	for i := range m.Insts {
		s.Insts = append(s.Insts, p.text(p.insts[i]))
	}
	for i := range m.Mems {
		s.Mems = append(s.Mems, p.text(p.mems[i]))
		for j := range m.Mems[i].Reads {
			out := m.Mems[i].Reads[j].Node
			r := ReadReg{Data: p.text(p.names[out])}

			// A read that may be past the end has a flag beside its word.
			if flag := p.flags[out]; flag != 0 {
				r = ReadReg{Data: p.text(p.words[out]), InRange: p.text(flag)}
			}
			s.Reads[i] = append(s.Reads[i], r)
		}
	}
	return s
}
