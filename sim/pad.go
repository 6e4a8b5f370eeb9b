package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/pads"
)

// A pad of the top reads as the value of its net. The outside is one more driver of the net,
// controlled by Drive and Release. The signals sda$value, sda$enable and sda$driven of a pad sda
// tell who drives it. See package ir/pads.

// Drive lets the outside drive a pad of the top until [Sim.Release]. If the design drives it
// too, with another value, an assertion fails at the next edge. Errors: sig is not a pad of the
// top; v has another width.
func (s *Sim) Drive(sig Signal, v bits.Value) error {
	value, enable, err := s.outside(sig)
	if err != nil {
		return err
	}
	if v.Width() != sig.Width() {
		return fmt.Errorf("sim: %v is not of %d bits as %s is", v, sig.width, sig.Name())
	}
	s.store(value, v)
	s.store(enable, bits.New(1, 1))
	return nil
}

// Release ends the outside's drive of a pad of the top, as at power-up. Error: sig is no pad.
func (s *Sim) Release(sig Signal) error {
	value, enable, err := s.outside(sig)
	if err == nil {
		s.store(value, bits.Zero(value.Width()))
		s.store(enable, bits.Zero(1))
	}
	return err
}

// IsPad reports whether sig is a pad of the top, for Drive and Release.
func (sig Signal) IsPad() bool {
	_, _, err := sig.mustSim().outside(sig)
	return err == nil
}

// outside returns the inputs that stand for the outside of a pad.
func (s *Sim) outside(sig Signal) (value, enable Signal, err error) {
	s.own(sig)
	top, given := s.m.P.Design.Top, s.m.P.Source.Top
	name, is := sig.Base(), false

	// Only the pad itself qualifies, not another signal of its name.
	if sig.inst == 0 {
		if i := given.PortIndex(name); i >= 0 && given.Ports[i].Dir == ir.InOut {
			is = top.Ports[i].Node == sig.id
		}
	}
	if !is {
		return value, enable, fmt.Errorf("sim: %s is not a pad of the top %s", sig.Name(), top.Name)
	}

	// In the lowered design the outside of a pad is two inputs: its value and its enable.
	return s.top[top.PortIndex(pads.Value(name))], s.top[top.PortIndex(pads.Enable(name))], nil
}
