package sim

import "etch/sim/native/cpu"

// Mask makes the native engine do without what f does not have, until restore is
// called.
func Mask(f func(*cpu.Features)) (restore func()) {
	host := features
	f(&features)
	return func() { features = host }
}
