package lanes

import (
	"fmt"

	"etch/sim"
	"etch/sim/internal/drive"
)

// slotOf is the first slot of a signal's value.
func slotOf(sig sim.Signal) uint32 { return uint32(sig.Net()) }

// placeOf is the position of a signal's value in any simulator of the design.
func placeOf(sig sim.Signal) drive.Place { return drive.Place{Slot: slotOf(sig), Width: sig.Width()} }

// word is the low 64 bits of a signal in a simulator of the design.
func word(m *drive.Stepper, sig sim.Signal) uint64 {
	m.Refresh(placeOf(sig))
	return m.St.V[slotOf(sig)]
}

// own panics unless sig is a signal of the shared simulator.
func (l *common) own(sig sim.Signal) {
	if !l.one.Has(sig) {
		panic(fmt.Sprintf("sim: signal %s belongs to another simulator", sig.Name()))
	}
}
