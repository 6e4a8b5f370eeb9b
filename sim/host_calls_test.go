package sim_test

import (
	"io"
	"runtime"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/simtest"
	"etch/testbench/randcircuit"
)

// random designs: native against interpreter under all kinds of host calls.
func TestHostCalls(t *testing.T) {
	bad, parts := 0, 0
	for seed := uint64(1000); seed < 1000+max(24, uint64(*manySeeds)) && bad < 5; seed++ {
		var d *ir.Design
		switch seed % 3 {
		case 0:
			d = randcircuit.Design(seed, randcircuit.Config{Nodes: 80, Modules: int(seed % 4), State: true, Stmts: true, Falls: seed%2 == 0})
		case 1:
			d = simtest.RandomDesign(seed)
		default:
			d = randcircuit.Classes(seed, 120, 3)
		}
		var ss [2]*sim.Sim
		skip := false
		for i, e := range []sim.Engine{sim.Native, sim.Interpreter} {
			opts := []sim.Option{sim.WithEngine(e), sim.WithSeed(seed), sim.WithOutput(io.Discard)}
			if seed%4 < 2 { // parts with kept values, which last from call to call
				opts = append(opts, sim.WithPolicy(choose.EagerParts()))
			}
			s, err := sim.New(d, opts...)
			if err != nil {
				t.Log(seed, err)
				skip = true
				break
			}
			ss[i] = s
		}
		if skip {
			continue
		}
		g := &simtest.Gen{Rand: simtest.NewRand(seed ^ 0xabc)}
		var clks [2][]sim.Signal
		var ins [2][]sim.Signal
		var states [2][]sim.Signal
		for i, s := range ss {
			for _, p := range s.Top() {
				if p.IsClock() {
					clks[i] = append(clks[i], p)
				} else if p.IsInput() {
					ins[i] = append(ins[i], p)
				}
			}
			for sig := range s.Signals() {
				if sig.IsState() {
					states[i] = append(states[i], sig)
				}
			}
		}
		var snaps [2]*sim.Snapshot
		for op := 0; op < 60; op++ {
			what := g.IntN(9)
			a, b, n := g.IntN(1000), g.IntN(1000), g.IntN(90)
			v := g.Uint64()
			for i, s := range ss {
				switch what {
				case 0:
					if b%2 == 0 {
						s.Step(n)
						break
					}
					for range n {
						s.Step(1)
					}
				case 1:
					if len(clks[i]) > 0 {
						s.Tick(clks[i][a%len(clks[i])], n)
					}
				case 2:
					if len(clks[i]) > 0 {
						if err := s.SetPeriod(clks[i][a%len(clks[i])], uint64(1+b%7), uint64(b%5)); err != nil {
							t.Fatal(err)
						}
					}
				case 3:
					s.Advance(uint64(n))
				case 4:
					if len(ins[i]) > 0 {
						p := ins[i][a%len(ins[i])]
						gg := &simtest.Gen{Rand: simtest.NewRand(v)}
						if err := s.SetBits(p, gg.Value(p.Width())); err != nil {
							t.Fatal(err)
						}
					}
				case 5:
					if len(states[i]) > 0 {
						p := states[i][a%len(states[i])]
						gg := &simtest.Gen{Rand: simtest.NewRand(v)}
						if err := s.Poke(p, gg.Value(p.Width())); err != nil {
							t.Fatal(err)
						}
					}
				case 6:
					if b%2 == 0 || snaps[i] == nil {
						snaps[i], _ = s.Snapshot()
					} else if err := s.Restore(snaps[i]); err != nil {
						t.Fatal(err)
					}
				case 7:
					if b%10 == 0 {
						s.Restart()
					}
				}
			}
			if what == 8 || g.IntN(3) == 0 {
				if err := sameState(ss[0], ss[1]); err != nil {
					t.Errorf("seed %d op %d what %d: %v", seed, op, what, err)
					bad++
					break
				}
			}
		}
		for _, code := range ss[0].Report().Codes {
			parts += code.Parts
		}
		for _, s := range ss {
			s.Close()
		}
	}
	if parts == 0 && runsParts() {
		t.Error("no design had parts")
	}
	t.Logf("%d parts", parts)
}

// runsParts reports whether this machine runs code with parts.
func runsParts() bool { return runtime.GOARCH == "amd64" }
