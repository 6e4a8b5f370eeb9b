package lanes

import (
	"fmt"

	"etch/ir/bits"
	"etch/sim"
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

// Set drives an input of the top in one lane with the number v. Errors are as in
// [sim.Sim.Set]. It panics for a lane out of range.
func (l *Lanes) Set(sig sim.Signal, lane int, v uint64) error {
	l.check(lane)

	// The shared simulator checks the value.
	if err := l.one.Set(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, []uint64{v})
	return nil
}

// SetInt is Set with a number that may be negative if the signal's type is signed.
// Errors are as in [sim.Sim.SetInt].
func (l *Lanes) SetInt(sig sim.Signal, lane int, v int64) error {
	l.check(lane)

	// The shared simulator checks the value, and lays out its words.
	if err := l.one.SetInt(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, l.m.St.V[slotOf(sig):])
	return nil
}

// SetAll drives an input of the top with the number v in all lanes. Errors are as in
// [sim.Sim.Set].
func (l *Lanes) SetAll(sig sim.Signal, v uint64) error {
	l.open()
	if err := l.one.Set(sig, v); err != nil {
		return err
	}
	l.engine.fill(sig, []uint64{v})
	return nil
}

// SetSlice drives an input of the top, of at most 64 bits, with v[i] in lane i. Errors are as in
// [sim.Sim.Set], and: len(v) is not the number of lanes; the input is wider. After an error
// nothing has been set.
func (l *Lanes) SetSlice(sig sim.Signal, v []uint64) error {
	l.open()
	if err := l.slice(sig, len(v)); err != nil {
		return err
	}

	// Check all values before any is set: the first for everything, the others for their bits.
	for i, x := range v {
		if i > 0 && x>>1>>(sig.Width()-1) == 0 {
			continue
		}
		if err := l.one.Set(sig, x); err != nil {
			return err
		}
	}

	l.engine.putSlice(sig, v)
	return nil
}

// slice checks that a signal's values in all lanes go in a slice of length n.
func (l *Lanes) slice(sig sim.Signal, n int) error {
	l.own(sig)
	switch {
	case n != l.n:
		return fmt.Errorf("sim: %d values for %d lanes", n, l.n)
	case sig.Width() > 64:
		return fmt.Errorf("sim: %s has %d bits: values of more than 64 go lane by lane", sig.Name(), sig.Width())
	}
	return nil
}

// SetBits drives an input of the top in one lane. Errors are as in [sim.Sim.SetBits].
func (l *Lanes) SetBits(sig sim.Signal, lane int, v bits.Value) error {
	l.check(lane)
	if err := l.one.SetBits(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, l.m.St.V[slotOf(sig):])
	return nil
}

// Poke changes a register, or the data register of a synchronous read port, in one lane
// between steps. Errors are as in [sim.Sim.Poke].
func (l *Lanes) Poke(sig sim.Signal, lane int, v bits.Value) error {
	l.check(lane)
	if err := l.one.Poke(sig, v); err != nil {
		return err
	}
	l.engine.put(sig, lane, l.m.St.V[slotOf(sig):])
	return nil
}

// Get returns the low 64 bits of a signal in one lane. Inputs, registers and ports of the top
// are read directly; for other signals the lane is interpreted, which is slow.
func (l *Lanes) Get(sig sim.Signal, lane int) uint64 {
	l.check(lane)
	l.own(sig)
	return l.engine.get(sig, lane)
}

// GetInt returns the low 64 bits of a signal in one lane as a signed number, like Sim.GetInt.
func (l *Lanes) GetInt(sig sim.Signal, lane int) int64 {
	v := l.Get(sig, lane)
	if sig.Width() < 64 && sig.Type().Kind.Signed() {
		return interp.Signed(v, uint8(64-sig.Width()))
	}
	return int64(v)
}

// GetBits returns the value of sig in one lane. It panics for a lane out of range.
func (l *Lanes) GetBits(sig sim.Signal, lane int) bits.Value {
	l.check(lane)
	l.own(sig)
	return l.engine.getBits(sig, lane)
}

// GetSlice stores the value of a signal of at most 64 bits in lane i to dst[i]. Errors: len(dst)
// is not the number of lanes; the signal is wider.
func (l *Lanes) GetSlice(sig sim.Signal, dst []uint64) error {
	l.open()
	if err := l.slice(sig, len(dst)); err != nil {
		return err
	}
	l.engine.getSlice(sig, dst)
	return nil
}

// Copy copies the state of a lane into a simulator of the same design: inputs, registers and
// memories. Errors: the simulator has another design, or another WithPacking.
func (l *Lanes) Copy(to *sim.Sim, lane int) error {
	l.check(lane)
	return to.LoadState(l.engine.state(lane))
}
