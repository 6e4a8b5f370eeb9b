package sim

import (
	"fmt"

	"etch/ir/bits"
	"etch/sim/internal/interp"
)

// open panics if the Lanes are closed.
func (l *Lanes) open() {
	if l.closed {
		panic("sim: the Lanes are closed")
	}
}

// check panics if there is no such lane.
func (l *Lanes) check(lane int) {
	l.open()
	if lane < 0 || lane >= l.n {
		panic(fmt.Sprintf("sim: there is no lane %d: there are 0 to %d", lane, l.n-1))
	}
}

// fits checks that v fits in an input of at most 64 bits.
func (l *Lanes) fits(sig Signal, v uint64) error {
	if sig.width < 64 && v>>uint(sig.width) != 0 {
		return fmt.Errorf("sim: %d does not fit in %s of %d bits", v, sig.Name(), sig.width)
	}
	return nil
}

// Set drives an input of the top in one lane with the number v. Errors: those of Sim.Set. It
// panics for a lane out of range.
func (l *Lanes) Set(sig Signal, lane int, v uint64) error {
	l.check(lane)
	if err := l.one.settable(sig); err != nil {
		return err
	}
	if err := l.fits(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, []uint64{v})
	return nil
}

// SetInt is Set with a number that may be negative if the signal's type is signed.
// Errors: those of Sim.SetInt.
func (l *Lanes) SetInt(sig Signal, lane int, v int64) error {
	l.check(lane)

	// The shared simulator checks the value, and lays out its words.
	if err := l.one.SetInt(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, l.one.st.V[sig.slot:])
	return nil
}

// SetAll drives an input of the top with the number v in all lanes. Errors: those
// of Sim.Set.
func (l *Lanes) SetAll(sig Signal, v uint64) error {
	l.open()
	if err := l.one.settable(sig); err != nil {
		return err
	}
	if err := l.fits(sig, v); err != nil {
		return err
	}
	l.engine.fill(sig, []uint64{v})
	return nil
}

// SetSlice drives an input of the top, of at most 64 bits, with v[i] in lane i. Errors: those of
// Sim.Set; len(v) is not the number of lanes; the input is wider. After an error nothing has
// been set.
func (l *Lanes) SetSlice(sig Signal, v []uint64) error {
	l.open()
	if err := l.slice(sig, len(v)); err != nil {
		return err
	}
	if err := l.one.settable(sig); err != nil {
		return err
	}

	// Check all values before any is set.
	for _, x := range v {
		if err := l.fits(sig, x); err != nil {
			return err
		}
	}

	l.engine.putSlice(sig, v)
	return nil
}

// slice checks that a signal's values in all lanes go in a slice of length n.
func (l *Lanes) slice(sig Signal, n int) error {
	l.one.own(sig)
	switch {
	case n != l.n:
		return fmt.Errorf("sim: %d values for %d lanes", n, l.n)
	case sig.width > 64:
		return fmt.Errorf("sim: %s has %d bits: values of more than 64 go lane by lane", sig.Name(), sig.width)
	}
	return nil
}

// SetBits drives an input of the top in one lane. Errors: those of Sim.SetBits.
func (l *Lanes) SetBits(sig Signal, lane int, v bits.Value) error {
	l.check(lane)
	if err := l.one.SetBits(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, l.one.st.V[sig.slot:])
	return nil
}

// Poke changes a register, or the data register of a synchronous read port, in one
// lane between steps. Errors: those of Sim.Poke.
func (l *Lanes) Poke(sig Signal, lane int, v bits.Value) error {
	l.check(lane)
	if err := l.one.Poke(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, l.one.st.V[sig.slot:])
	return nil
}

// Get returns the low 64 bits of a signal in one lane. Inputs, registers and ports of the top
// are read directly; for other signals the lane is interpreted, which is slow.
func (l *Lanes) Get(sig Signal, lane int) uint64 {
	l.check(lane)
	return l.engine.get(sig, lane)
}

// GetInt returns the low 64 bits of a signal in one lane as a signed number, like Sim.GetInt.
func (l *Lanes) GetInt(sig Signal, lane int) int64 {
	v := l.Get(sig, lane)
	if sig.width < 64 && sig.Type().Kind.Signed() {
		return interp.Signed(v, uint8(64-sig.width))
	}
	return int64(v)
}

// GetBits returns the value of a signal in one lane.
func (l *Lanes) GetBits(sig Signal, lane int) bits.Value {
	l.check(lane)
	return l.engine.getBits(sig, lane)
}

// GetSlice stores the value of a signal of at most 64 bits in lane i to dst[i]. Errors: len(dst)
// is not the number of lanes; the signal is wider.
func (l *Lanes) GetSlice(sig Signal, dst []uint64) error {
	l.open()
	if err := l.slice(sig, len(dst)); err != nil {
		return err
	}
	l.engine.getSlice(sig, dst)
	return nil
}

// Copy copies the state of a lane into a simulator of the same design: inputs, registers and
// memories. Errors: the simulator has another design, or another WithPacking.
func (l *Lanes) Copy(to *Sim, lane int) error {
	l.check(lane)
	if to.p.Source != l.one.p.Source || to.p.Leaves != l.one.p.Leaves {
		return fmt.Errorf("sim: the simulator is of another design")
	}
	if to.p.Pack != l.one.p.Pack {
		return fmt.Errorf("sim: the simulator has another WithPacking")
	}

	// Combinational values follow from the leaves and need no copy.
	from := l.engine.state(lane)
	copy(to.st.V[:to.p.Leaves], from.st.V)
	for i, m := range from.st.Mems {
		copy(to.st.Mems[i], m)
	}
	to.st.Large.Load(from.st.Large.Copy())
	to.touch()

	// A recording of the target cannot replay a state that came from outside, so it begins again.
	if to.recording != nil {
		to.recording.begin(nil)
	}
	return nil
}
