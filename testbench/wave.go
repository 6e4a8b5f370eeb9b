package testbench

import (
	"etch/hw"
	"etch/sim"
	"etch/sim/wave"
)

// Wave records signals of the top, all ports if none are given, from now on. Printed, it draws
// them with a column for each edge.
//
//	w := s.Wave(p.En, p.Count)
//	s.Step(6)
//	fmt.Print(w)
func (b *Bench) Wave(signals ...hw.Signal) *wave.Wave {
	// Handles are looked up before anything is traced, so that a wrong one leaves no tracer behind.
	var sigs []sim.Signal
	for _, h := range signals {
		p := b.port(h)
		if p == nil {
			b.t.Helper()
			b.t.Fatal(b.noPort("Wave", h))
		}
		sigs = append(sigs, p.sig)
	}

	if len(signals) == 0 {
		sigs = b.Sim.Top()
	}

	w := wave.New(sigs...)
	if err := b.Sim.Trace(w); err != nil {
		b.t.Helper()
		b.t.Fatal(err)
	}
	return w
}
