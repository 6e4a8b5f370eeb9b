package firrtl_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"etch/backends/firrtl"
	"etch/designs/catalog"
	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/randcircuit"
)

var rounds = flag.Int("rounds", 100, "random circuits to write and read back")

// readBack writes a design and reads it.
func readBack(t *testing.T, d *ir.Design) (*ir.Design, string) {
	t.Helper()
	text, err := firrtl.Text(d, firrtl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range firrtl.DataFiles(d, firrtl.Options{}) {
		files[f.Name] = f.Data
	}
	back, _, err := firrtl.ReadText(string(text), "back.fir", firrtl.ReadOptions{File: func(name string) ([]byte, error) {
		if data, ok := files[name]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("there is no %s", name)
	}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := ir.Verify(back); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return back, string(text)
}

// equal runs a design and what was read back on the same inputs, with clocks that
// rise alone and together, and compares all outputs before and after every event.
func equal(t *testing.T, d, back *ir.Design, text string, seed uint64, events int) {
	t.Helper()
	a, err := sim.New(d, sim.WithOutput(io.Discard), sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	b, err := sim.New(back, sim.WithOutput(io.Discard), sim.WithEngine(sim.Interpreter))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Top()) != len(b.Top()) {
		t.Fatalf("%d ports became %d", len(a.Top()), len(b.Top()))
	}
	names := firrtl.PortNames(d.Top)
	rng := rand.New(rand.NewPCG(seed, 9))
	together := (&run{d: d}).mayRise() == 3
	for event := range events {
		var clksA, clksB, padsA, padsB []sim.Signal
		for i, p := range a.Top() {
			q := b.Top()[i]
			switch {
			case i >= len(names): // the outside of a pad
			case q.Base() != names[i]:
				t.Fatalf("port %s became %s", names[i], q.Base())
			case p.IsPad():
				padsA, padsB = append(padsA, p), append(padsB, q)
			case p.IsClock():
				if rng.IntN(3) > 0 && (together || len(clksA) == 0) {
					clksA, clksB = append(clksA, p), append(clksB, q)
				}
			case p.IsInput():
				v := randcircuit.Value(rng, p.Width())
				if p.Type().Kind == ir.Reset || p.Type().Kind == ir.AsyncReset {
					v = bits.New(1, uint64(rng.IntN(8)/7))
				}
				if err := a.SetBits(p, v); err != nil {
					t.Fatal(err)
				}
				if err := b.SetBits(q, v); err != nil {
					t.Fatal(err)
				}
			}
		}
		look := func(when string) {
			t.Helper()
			for i, p := range a.Top() {
				if x, y := a.GetBits(p), b.GetBits(b.Top()[i]); !x.Equal(y) {
					t.Fatalf("seed %d event %d, %s: %s is %v, read back %v\n%s", seed, event, when, p.Base(), x, y, text)
				}
			}
		}
		for i, p := range padsA {
			if v := outside(t, a, p, rng); v != nil {
				if err := b.Drive(padsB[i], *v); err != nil {
					t.Fatal(err)
				}
			}
		}
		look("before")
		if len(clksA) > 0 {
			a.TickAll(clksA...)
			b.TickAll(clksB...)
		}
		for i, p := range padsA {
			if err := errors.Join(a.Release(p), b.Release(padsB[i])); err != nil {
				t.Fatal(err)
			}
		}
		look("after")
	}
	if x, y := a.FailureCount(), b.FailureCount(); x != y {
		t.Fatalf("seed %d: %d assertions fail, read back %d\n%s", seed, x, y, text)
	}
}

// What is written for random circuits reads back as an equal design.
func TestRoundTripRandom(t *testing.T) {
	n := *rounds
	if testing.Short() {
		n = min(n, 60)
	}
	for seed := uint64(1); seed <= uint64(n); seed++ {
		c := randcircuit.Config{Nodes: 20 + int(seed%5)*20, Modules: int(seed % 4), State: seed%7 != 0}
		d := randcircuit.Design(seed, c)
		startAtZero(d)
		for _, m := range d.Modules {
			separateClocks(m)
		}
		back, text := readBack(t, d)
		equal(t, d, back, text, seed, 20)
	}
}

// So do all designs of the catalogue.
func TestRoundTripCatalogue(t *testing.T) {
	for _, design := range catalog.Designs() {
		t.Run(design.Name, func(t *testing.T) {
			d, err := design.Build(nil)
			if err != nil {
				t.Fatal(err)
			}
			startAtZero(d)
			back, text := readBack(t, d)
			if len(text) > 4000 {
				text = text[:4000]
			}
			equal(t, d, back, text, 1, 200)
		})
	}
}
