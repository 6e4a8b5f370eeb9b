package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/native/cpu"
)

// TestViewFails: when no code can be made for what is looked at, the interpreter
// answers.
func TestViewFails(t *testing.T) {
	d := classDesign(1, false)
	s, err := sim.New(d, sim.WithEngine(sim.Native))
	require.NoError(t, err)
	s.Step(10)
	restore := sim.Mask(func(f *cpu.Features) { *f = cpu.Features{} })
	defer restore()
	o, err := s.Signal("u0.acc")
	require.NoError(t, err)
	_ = o
	for _, p := range s.Top() {
		fmt.Println(p.Name(), s.Get(p))
	}
	var comb sim.Signal
	for id := ir.ID(1); int(id) < d.Top.Len(); id++ {
		if d.Top.Op(id) == ir.Add {
			comb = s.Node(id)
		}
	}
	for range 5 {
		s.Step(1)
		fmt.Println(s.Get(comb))
	}
}
