package sim

import (
	"etch/sim/internal/drive"
	"etch/sim/native/cpu"
)

// Mask makes the native engine do without what f does not have, until restore is
// called.
func Mask(f func(*cpu.Features)) (restore func()) {
	host := drive.Features
	f(&drive.Features)
	return func() { drive.Features = host }
}

// Bodies is the number of specialised bodies that s runs at present.
func Bodies(s *Sim) (n int) {
	for _, c := range s.m.Codes() {
		n += c.Bodies
	}
	return n
}

// HasCode reports whether events of the clocks in mask have machine code.
func HasCode(s *Sim, clks []Signal, mask int) bool {
	on := make([]byte, len(s.m.On))
	for i, c := range clks {
		on[s.clockIndex(c)] = byte(mask >> i & 1)
	}
	_, ok := s.m.CycleEffort(on)
	return ok
}

// Twin makes another simulator that uses the machine code of s.
func Twin(s *Sim) (*Sim, error) {
	m, err := s.m.Twin(drive.Configure[Option](nil))
	if err != nil {
		return nil, err
	}
	return Of(m), nil
}

// BulkEvents is the number of events that tracers were told of in bulk.
func BulkEvents(s *Sim) int { return s.bulk.told }

// WorkBytes is the memory of the interpreter's lists of all clock sets, and their number.
func WorkBytes(s *Sim) (bytes, sets int) { return s.m.WorkBytes() }
