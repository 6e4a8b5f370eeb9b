package testbench

import (
	"etch/hw"
	"etch/hw/stream"
	"etch/sim"
)

// Put drives the scalars of a bundle of inputs with those of a bundle of
// literals; scalars left unset keep their value.
func Put[T any](b *Bench, dst, v T) {
	b.t.Helper()
	b.put("Put", func(f func(port, lit hw.Signal)) error { return hw.LeafPairs(dst, v, f) })
}

// Check compares the scalars of a bundle of ports with those of a bundle of
// literals; scalars left unset are not compared.
func Check[T any](b *Bench, sig, want T) {
	b.t.Helper()
	b.check("Check", func(f func(port, lit hw.Signal)) error { return hw.LeafPairs(sig, want, f) })
}

// pairs visits the scalars of a bundle of ports with the scalars of a bundle of literals. It
// frees put and check from the type parameter of Put and Check.
type pairs func(f func(port, lit hw.Signal)) error

// put sets every port of the pairs that has a literal. The first error ends the visit's work: no
// t.Fatal inside f, whose line would be another.
func (b *Bench) put(what string, each pairs) {
	b.t.Helper()
	why := ""
	err := each(func(p, lit hw.Signal) {
		v, given, err := hw.LiteralOf(lit, p)
		// After a mistake the rest of the visit does nothing.
		switch {
		case why != "":
		case err != nil:
			why = what + ": " + err.Error()
		case given:
			why = b.setBits(what, p, v)
		}
	})

	// A difference in form is an error of the visit as a whole.
	if err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
	if why != "" {
		b.t.Fatal(why)
	}
}

// check compares every port of the pairs that has a literal, and reports all differences before
// an error ends the test.
func (b *Bench) check(what string, each pairs) {
	b.t.Helper()

	fatal := ""
	var wrong []string
	var first sim.Signal // that is wrong

	// Inside the visit nothing ends the test: only the caller's line helps.
	err := each(func(p, lit hw.Signal) {
		v, given, err := hw.LiteralOf(lit, p)
		switch {
		case fatal != "":
		case err != nil:
			fatal = what + ": " + err.Error()
		case given:
			var differs string
			if fatal, differs = b.expectBits(what, p, v); differs != "" {
				if wrong = append(wrong, differs); len(wrong) == 1 {
					first = b.port(p).sig
				}
			}
		}
	})

	for _, w := range wrong {
		b.t.Error(w)
	}
	b.why(first)
	if err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
	if fatal != "" {
		b.t.Fatal(fatal)
	}
}

const patience = 10000 // cycles that Send and Take wait for one element

// Send offers each value, a literal of the stream's form, until it is taken. It
// ends the test if that takes more than 10000 cycles.
func Send[T any](b *Bench, to stream.Stream[T], values ...T) {
	b.t.Helper()
	for i, v := range values {
		Put(b, to.Data, v)
		b.Set(to.Valid, 1)
		b.await("Send", to.Ready, i)
		b.Step(1)
	}

	// Between elements valid has stayed high.
	b.Set(to.Valid, 0)
}

// Take accepts as many elements as there are values, literals of the stream's
// form, and compares them. It ends the test if one takes more than 10000 cycles.
func Take[T any](b *Bench, from stream.Stream[T], want ...T) {
	b.t.Helper()
	b.Set(from.Ready, 1)
	for i, w := range want {
		b.await("Take", from.Valid, i)
		Check(b, from.Data, w)
		b.Step(1)
	}

	// Between elements ready has stayed high.
	b.Set(from.Ready, 0)
}

// await steps until a signal is high. It ends the test after patience cycles.
func (b *Bench) await(what string, sig hw.Bit, element int) {
	b.t.Helper()
	for range patience {
		if b.High(sig) {
			return
		}
		b.Step(1)
	}
	b.t.Fatalf("%s: element %d: %s did not rise in %d cycles", what, element, b.port(sig).sig.Name(), patience)
}
