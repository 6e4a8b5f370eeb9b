package testbench

import (
	"etch/hw"
)

// Put drives the scalars of a bundle of inputs with those of a bundle of
// literals; scalars left unset keep their value.
func Put[T any](b *Bench, dst, v T) {
	b.t.Helper()
	err := hw.LeafPairs(dst, v, func(d, l hw.Signal) {
		val, ok, err := hw.LiteralOf(l, d)
		if err != nil {
			b.t.Fatalf("Put: %v", err)
		}
		if ok {
			b.SetBits(d, val)
		}
	})
	if err != nil {
		b.t.Fatalf("Put: %v", err)
	}
}

// Check compares the scalars of a bundle of ports with those of a bundle of
// literals; scalars left unset are not compared.
func Check[T any](b *Bench, sig, want T) {
	b.t.Helper()
	err := hw.LeafPairs(sig, want, func(s, l hw.Signal) {
		val, ok, err := hw.LiteralOf(l, s)
		if err != nil {
			b.t.Fatalf("Check: %v", err)
		}
		if ok {
			b.ExpectBits(s, val)
		}
	})
	if err != nil {
		b.t.Fatalf("Check: %v", err)
	}
}
