package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
)

// counted is a simulator of six inputs, each of which goes to a register, and their signals.
func counted(t *testing.T) (s *Sim, ins, outs []Signal) {
	m := ir.NewModule("counted", ir.NewSources())
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	for i := range 6 {
		in := m.AddInput(fmt.Sprintf("in_%d", i), 8, 0, 0)
		reg := m.AddReg(fmt.Sprintf("reg_%d", i), 8, 0, clk, 0)
		m.Regs[i].Next = in
		m.AddOutput(fmt.Sprintf("out_%d", i), 8, 0, reg, 0)
	}
	s, err := New(&ir.Design{Top: m, Modules: []*ir.Module{m}})
	require.NoError(t, err)
	for i := range 6 {
		in, err := s.Signal(fmt.Sprintf("in_%d", i))
		require.NoError(t, err)
		out, err := s.Signal(fmt.Sprintf("out_%d", i))
		require.NoError(t, err)
		ins, outs = append(ins, in), append(outs, out)
	}
	return s, ins, outs
}

// A Step that makes no edge, as behind the limit of memory, moves nothing: the inputs that were set
// for it are named, and the run goes on from them.
func TestTakeBack(t *testing.T) {
	s, ins, outs := counted(t)
	r := s.Record(1 << 20)
	value := uint64(0)
	set := func() {
		for i, in := range ins {
			require.NoError(t, s.Set(in, (value+uint64(i))%256))
		}
		value += 3
	}
	for range 40 { // no value starts again from 0
		set()
		s.Step(1)
	}
	require.True(t, r.moves, "the inputs count")

	// What byHand does around an edge, without the edge.
	set()
	r.flushEdge(1)
	r.takeBack()
	require.False(t, r.moves)

	s.Step(1)
	p, err := r.Player()
	require.NoError(t, err)
	_, last := p.Cycles()
	require.Equal(t, uint64(41), last)
	require.NoError(t, p.Forward(last))
	for _, sig := range append(ins, outs...) {
		again, err := p.Sim().Signal(sig.Name())
		require.NoError(t, err)
		require.Equal(t, s.Get(sig), p.Sim().Get(again), sig.Name())
	}
}

// A limit of 0 ends a recording.
func TestRecordNothing(t *testing.T) {
	s, ins, _ := counted(t)
	r := s.Record(1 << 20)
	require.NoError(t, s.Set(ins[0], 1))
	s.Step(1)
	require.Nil(t, s.Record(0))
	bytes := r.Bytes()
	require.NoError(t, s.Set(ins[0], 2))
	s.Step(5)
	require.Equal(t, bytes, r.Bytes())
}
