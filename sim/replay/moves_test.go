package replay_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
)

// moving is a design of inputs of many widths, each of which goes to a register.
func moving(widths []int) *ir.Design {
	m := ir.NewModule("moving", ir.NewSources())
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	for i, w := range widths {
		in := m.AddInput(fmt.Sprintf("in_%d", i), w, 0, 0)
		reg := m.AddReg(fmt.Sprintf("reg_%d", i), w, 0, clk, 0)
		m.Regs[i].Next = in
		m.AddOutput(fmt.Sprintf("out_%d", i), w, 0, reg, 0)
	}
	return &ir.Design{Top: m, Modules: []*ir.Module{m}}
}

// TestMoves replays inputs that count up and down with different steps, stop, jump and change
// their steps, between steps of several edges, pokes, and looks at the recording.
func TestMoves(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		widths := make([]int, 1+rng.IntN(14))
		for i := range widths {
			widths[i] = 1 + rng.IntN(20)
		}
		d := moving(widths)
		s, err := sim.New(d, sim.WithOutput(nil))
		require.NoError(t, err)
		w := newWalk(s, seed, 0)
		w.limit = []int{1 << 20, 1 << 9}[seed%2]
		w.rec = s.Record(w.limit)
		values, steps := make([]uint64, len(widths)), make([]uint64, len(widths))
		for range 1500 {
			w.move(t, widths, values, steps)
		}
		w.values[s.Cycles()] = state(s, w.nodes)
		require.NoError(t, w.check(d), "seed %d", seed)
	}
}

// move sets the inputs and makes an edge, mostly.
func (w *walk) move(t *testing.T, widths []int, values, steps []uint64) {
	s, rng := w.s, w.rng
	for i, width := range widths {
		switch rng.IntN(100) {
		case 0:
			steps[i] = rng.Uint64()
		case 1:
			steps[i] = 0
		case 2:
			values[i] = rng.Uint64() // the step stays
		}
		values[i] += steps[i]
		v := bits.New(width, values[i]&(1<<width-1))
		in, err := s.Signal(fmt.Sprintf("in_%d", i))
		require.NoError(t, err)
		require.NoError(t, s.SetBits(in, v))
	}
	w.values[s.Cycles()] = state(s, w.nodes)
	switch rng.IntN(60) {
	case 0:
		s.Step(rng.IntN(4))
	case 1:
		_, err := replay.Of(w.rec)
		require.NoError(t, err)
		s.Step(1)
	case 2: // no edge: the inputs are set again
	default:
		s.Step(1)
	}
}

// TestMovesAreShort: 20 counters, of which some start again now and then, take less than a byte an
// edge each.
func TestMovesAreShort(t *testing.T) {
	widths := make([]int, 20)
	for i := range widths {
		widths[i] = 8
	}
	s, err := sim.New(moving(widths))
	require.NoError(t, err)
	r := s.Record(1 << 20)
	for cycle := range 10_000 {
		for i := range widths {
			in, err := s.Signal(fmt.Sprintf("in_%d", i))
			require.NoError(t, err)
			require.NoError(t, s.Set(in, uint64(cycle+i)%256))
		}
		s.Step(1)
	}
	require.Less(t, r.Bytes(), 6_000) // 7 bytes for each of 800 new starts
}
