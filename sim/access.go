package sim

import (
	"fmt"

	"etch/ir/bits"
	"etch/sim/internal/interp"
)

// Set drives an input of the top with the number v. Errors: sig is no input of the top, or is a
// clock; v does not fit its width.
func (s *Sim) Set(sig Signal, v uint64) error {
	// The common case without any call: a driven word that fits.
	if sig.s == s && sig.role == driven && sig.width <= 64 && v>>1>>uint(sig.width-1) == 0 {
		if s.m.St.V[sig.slot] != v {
			s.m.St.V[sig.slot] = v
			s.m.TouchInputs()
		}
		return nil
	}
	return s.setOther(sig, v)
}

// setOther is Set for wide inputs and for errors.
func (s *Sim) setOther(sig Signal, v uint64) error {
	if err := s.settable(sig); err != nil {
		return err
	}
	if sig.width < 64 && v>>uint(sig.width) != 0 {
		return fmt.Errorf("sim: %d does not fit in %s of %d bits", v, sig.Name(), sig.width)
	}
	s.store(sig, bits.New(int(sig.width), v))
	return nil
}

// SetInt is Set with a number that may be negative if the signal's type is
// signed; it must lie in the range of the type.
func (s *Sim) SetInt(sig Signal, v int64) error {
	if err := s.settable(sig); err != nil {
		return err
	}

	// From 63 bits on, an unsigned type takes every int64 that is not negative, and 1<<w would
	// overflow.
	w, signed := uint(sig.width), sig.Type().Kind.Signed()
	switch {
	case signed && w < 64 && (v >= 1<<(w-1) || v < -1<<(w-1)),
		!signed && v < 0,
		!signed && w < 63 && v >= 1<<w:
		return fmt.Errorf("sim: %d does not fit in %s of type %s and %d bits", v, sig.Name(), sig.Type(), w)
	}
	s.store(sig, bits.FromInt(int(w), v))
	return nil
}

// SetBits drives an input of the top. Errors: those of Set; v has another width.
func (s *Sim) SetBits(sig Signal, v bits.Value) error {
	if err := s.settable(sig); err != nil {
		return err
	}
	if v.Width() != int(sig.width) {
		return fmt.Errorf("sim: %v is not of %d bits as %s is", v, sig.width, sig.Name())
	}
	s.store(sig, v)
	return nil
}

// settable checks that Set may drive sig.
func (s *Sim) settable(sig Signal) error {
	s.own(sig)
	switch sig.role {
	case driven:
		return nil
	case clocking:
		return fmt.Errorf("sim: %s is a clock: Step and Tick make its edges", sig.Name())
	}
	if sig.IsPad() {
		return fmt.Errorf("sim: %s is a pad: Drive drives it, Release lets go", sig.Name())
	}
	return fmt.Errorf("sim: %s is not an input of the top %s: Set drives inputs, Poke changes registers", sig.Name(), s.m.P.Mod(0).Name)
}

// store writes a value of the signal's width to its slots.
func (s *Sim) store(sig Signal, v bits.Value) { s.m.Store(sig.place(), v) }

// Poke changes a register, or the data register of a synchronous read port, between steps. A
// register that an asynchronous reset holds returns to its reset value at once. Errors: sig is
// neither of the two; v has another width.
func (s *Sim) Poke(sig Signal, v bits.Value) error {
	s.own(sig)
	if !sig.IsState() {
		return fmt.Errorf("sim: %s is not a register: Poke changes registers, Set drives inputs, Mem(…).Write changes memories", sig.Name())
	}
	if v.Width() != int(sig.width) {
		return fmt.Errorf("sim: %v is not of %d bits as %s is", v, sig.width, sig.Name())
	}
	if s.recording != nil {
		s.recording.poke(sig, v)
	}
	s.store(sig, v)
	return nil
}

// refresh settles the values that sig depends on, if they are out of date.
func (s *Sim) refresh(sig Signal) {
	s.own(sig)
	s.m.Refresh(sig.place())
}

// Get returns the low 64 bits of a signal.
func (s *Sim) Get(sig Signal) uint64 {
	s.refresh(sig)
	return s.m.St.V[sig.slot]
}

// GetInt returns the low 64 bits of a signal as a signed number. A narrower signal of a signed
// type is sign-extended.
func (s *Sim) GetInt(sig Signal) int64 {
	v := s.Get(sig)
	if sig.width < 64 && sig.Type().Kind.Signed() {
		return interp.Signed(v, uint8(64-sig.width))
	}
	return int64(v)
}

// GetBits returns the present value of sig. Combinational logic is brought up to date first.
func (s *Sim) GetBits(sig Signal) bits.Value {
	s.refresh(sig)
	return s.m.St.Value(sig.slot, int(sig.width))
}

// AppendWords appends the value of a signal as little-endian words of 64 bits. It does not
// allocate if dst has room.
func (s *Sim) AppendWords(dst []uint64, sig Signal) []uint64 {
	s.refresh(sig)
	return append(dst, s.m.St.V[sig.slot:][:bits.WordCount(int(sig.width))]...)
}
