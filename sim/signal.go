package sim

import (
	"fmt"

	"etch/ir"
	"etch/sim/internal/drive"
	"etch/sim/internal/program"
)

// Signal is a handle of a node or port of one simulator: a small, comparable value. The zero
// value is no signal. Methods of Sim panic if given no signal, or one of another Sim.
type Signal struct {
	s     *Sim
	slot  uint32
	inst  int32
	id    ir.ID
	port  int32 // -1: a node
	width int32
	role  role
}

// role is the use of a signal to a test bench.
type role uint8

const (
	readOnly role = iota
	driven        // input of the top, no clock
	clocking      // clock of the top
	stateful      // register, or data register of a read port
)

// signal makes the handle of a port of an instance, or of a node if port is -1.
func (s *Sim) signal(inst int32, id ir.ID, port int32) Signal {
	r := program.Ref{Inst: inst, ID: id}
	m := s.m.P.Mod(inst)
	sig := Signal{s: s, inst: inst, id: id, port: port}

	if port < 0 {
		sig.width = int32(m.Width(id))
	} else {
		sig.width = int32(m.Ports[port].Width)

		// An instance's port is, in the parent, the node that is connected to it.
		if in := &s.m.P.Insts[inst]; in.Parent >= 0 {
			r = program.Ref{Inst: in.Parent, ID: s.m.P.Mod(in.Parent).Insts[in.At].Conns[port]}
		}
	}

	sig.slot = s.m.P.SlotOf(r)
	sig.role = s.role(sig)
	return sig
}

// role finds the role of a signal whose other fields are set.
func (s *Sim) role(sig Signal) role {
	switch {
	case s.m.P.State.Has(sig.slot):
		return stateful
	case !s.m.P.Inputs.Has(sig.slot):
		return readOnly
	case s.m.P.ClockAt(sig.slot) >= 0:
		return clocking
	case sig.inst > 0 || s.m.P.Mod(0).Op(sig.id) != ir.Input,
		sig.port >= 0 && s.m.P.Mod(0).Ports[sig.port].Dir == ir.Out:
		return readOnly // another name of an input
	}
	return driven
}

// Valid reports whether sig is a signal, not the zero value.
func (sig Signal) Valid() bool { return sig.s != nil }

// Node returns the instance that a signal belongs to, and its node in the instance's module.
func (sig Signal) Node() (Scope, ir.ID) { return Scope{sig.mustSim(), sig.inst}, sig.id }

// Name returns the full name: the names of the instances from the top down and the signal's own,
// separated by dots, as in "seconds.count". A node without name shows its ID, as in
// "seconds.%12".
func (sig Signal) Name() string { return program.Join(sig.mustSim().m.P.Path(sig.inst), sig.Base()) }

// Base returns the last part of Name.
func (sig Signal) Base() string {
	m := sig.mustSim().m.P.Mod(sig.inst)
	if sig.port >= 0 {
		return m.Ports[sig.port].Name
	}
	if name := m.NameOf(sig.id); name != "" {
		return name
	}
	return fmt.Sprintf("%%%d", sig.id)
}

// Width returns the width in bits.
func (sig Signal) Width() int { return int(sig.width) }

// Type returns the display type.
func (sig Signal) Type() ir.Type {
	m := sig.mustSim().m.P.Mod(sig.inst)
	if sig.port >= 0 {
		return m.TypeOf(m.Ports[sig.port].Type)
	}
	return m.TypeOf(m.Node(sig.id).Type)
}

// At returns the source line that declares the signal.
func (sig Signal) At() ir.Location {
	m := sig.mustSim().m.P.Mod(sig.inst)
	var pos ir.Pos
	if sig.port >= 0 {
		pos = m.Ports[sig.port].Pos
	}
	if pos == 0 && sig.id != ir.None {
		pos = m.Node(sig.id).Pos
	}
	return sig.s.m.P.Location(sig.inst, pos)
}

// IsInput reports whether the signal is an input of the top other than a clock, for Set.
func (sig Signal) IsInput() bool { return sig.role == driven }

// IsClock reports whether the signal is a clock of the top or another name of one, for Tick.
func (sig Signal) IsClock() bool { return sig.role == clocking }

// IsState reports whether the signal is a register or the data register of a synchronous read
// port, or another name of one, for Poke.
func (sig Signal) IsState() bool { return sig.role == stateful }

// Net returns a number such that signals of equal number always have equal values and widths.
func (sig Signal) Net() int { return int(sig.slot) }

// mustSim returns the simulator of a signal. It panics for the zero Signal.
func (sig Signal) mustSim() *Sim {
	if sig.s == nil {
		panic("sim: the zero Signal is no signal")
	}
	return sig.s
}

// Has reports whether sig was looked up in s. Signals of another simulation are not usable here.
func (s *Sim) Has(sig Signal) bool { return sig.s == s }

// own panics unless sig is a signal of s.
func (s *Sim) own(sig Signal) {
	if sig.s != s {
		alien(sig)
	}
}

// alien panics for a signal of another simulator, or for the zero Signal.
func alien(sig Signal) {
	panic(fmt.Sprintf("sim: signal %s belongs to another simulator", sig.Name()))
}

// Top returns the ports of the top, parallel to its Ports.
func (s *Sim) Top() []Signal { return append([]Signal(nil), s.top...) }

// Node returns node id of the top. It panics if there is no such node.
func (s *Sim) Node(id ir.ID) Signal {
	if m := s.m.P.Mod(0); id <= ir.None || int(id) >= m.Len() {
		panic(fmt.Sprintf("sim: module %s has no node %%%d", m.Name, id))
	}
	return s.signal(0, id, -1)
}

// place is the position of the signal's value.
func (sig Signal) place() drive.Place { return drive.Place{Slot: sig.slot, Width: int(sig.width)} }
