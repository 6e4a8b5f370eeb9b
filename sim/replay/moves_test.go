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

// TestMoves replays inputs that count up and down with different steps, most of them through a range
// after which they begin again, stop, jump and change their steps and ranges, between steps of
// several edges, pokes, and looks at the recording.
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
		in := make([]counting, len(widths))
		for i, width := range widths {
			in[i] = counting{width: width, size: 1 << width}
		}
		for range 1500 {
			w.move(t, in)
		}
		w.values[s.Cycles()] = state(s, w.nodes)
		require.NoError(t, w.check(d), "seed %d", seed)
	}
}

// counting is an input that counts by step through size values, from low on; modulo its width.
type counting struct {
	width               int
	at, step, low, size uint64
}

// move sets the inputs and makes an edge, mostly.
func (w *walk) move(t *testing.T, inputs []counting) {
	s, rng := w.s, w.rng
	for i := range inputs {
		c := &inputs[i]
		switch rng.IntN(200) {
		case 0, 1:
			c.step = rng.Uint64N(c.size)
		case 2:
			c.step = 0
		case 3:
			c.at = rng.Uint64N(c.size) // the step stays
		case 4:
			c.size = 1 + rng.Uint64N(1<<(1+rng.IntN(c.width)))
			c.low, c.at, c.step = rng.Uint64()&rng.Uint64(), 0, rng.Uint64N(c.size)
		}
		c.at = (c.at + c.step) % c.size
		v := bits.New(c.width, (c.low+c.at)&(1<<c.width-1))
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

// TestMovesAreShort: 20 counters, up and down through ranges that begin at a round number, take next
// to nothing behind their first turn.
func TestMovesAreShort(t *testing.T) {
	widths := make([]int, 20)
	for i := range widths {
		widths[i] = 8 + i%8
	}
	s, err := sim.New(moving(widths))
	require.NoError(t, err)
	r := s.Record(1 << 20)
	for cycle := range 10_000 {
		for i := range widths {
			in, err := s.Signal(fmt.Sprintf("in_%d", i))
			require.NoError(t, err)
			size := 100 + 10*i
			at := uint64((cycle*(1+i%3) + i) % size)
			if i%2 == 0 {
				at = uint64(size-1) - at
			}
			require.NoError(t, s.Set(in, at%(1<<widths[i])))
		}
		s.Step(1)
	}
	require.Less(t, r.Bytes(), 2_000)
}
