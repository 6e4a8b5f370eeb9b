package replay_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/host"
	"etch/designs/replay/model"
	"etch/hw"
	"etch/testbench"
	"etch/testbench/axi"
)

// Settings, commands and counters go through the host port, transitions and batches
// through the streams.
func TestAccelerator(t *testing.T) {
	a := replay.Accelerator{Config: replay.Config{Params: model.Params{Capacity: 16, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 16}, Data: 24, Flight: 4, Seed: 1}
	b, p := testbench.New(t, a)
	bus, err := axi.NewMaster(b.Sim, "s_axi")
	require.NoError(t, err)
	bus.StepBy(func() { b.Step(1) })
	d := host.New(bus, a)
	require.NoError(t, d.Set(host.Settings{Alpha: 1, Beta: 1, MinFill: 3}))
	require.NoError(t, d.Seed(1<<40+5))

	b.Set(p.Batch.Ready, 1)
	insert := func(n, delta int) {
		testbench.Send(b, p.Insert, replay.Insertion[hw.UInt]{Transition: hw.U(n), AtMax: hw.Low, Value: replay.Value{Code: hw.U(delta << 16), Raw: hw.Low}})
	}
	draws := func(n int) replay.Draws { return replay.Draws{Count: hw.U(n), Stratified: hw.High} }
	testbench.Send(b, p.Request, draws(4)) // waits for MinFill
	b.Step(200)
	require.False(t, b.High(p.Batch.Valid))
	insert(1001, 1)
	insert(1002, 2)
	insert(1003, 4)
	count := 0
	for range 400 {
		if b.High(p.Batch.Valid) {
			e := p.Batch.Data
			n := b.Get(e.Transition) - 1001
			require.Equal(t, n, b.Get(e.Index))
			require.Equal(t, 1<<(12+n), b.Get(e.Priority))
			count++
			require.Equal(t, count == 4, b.High(e.Last))
		}
		b.Step(1)
	}
	require.Equal(t, 4, count)

	testbench.Send(b, p.Request, draws(3)) // no power of two
	testbench.Send(b, p.Update, replay.Change{Index: hw.U(5), Generation: hw.U(0), Value: replay.Value{Code: hw.U(1), Raw: hw.High}})
	testbench.Send(b, p.Update, replay.Change{Index: hw.U(1), Generation: hw.U(7), Value: replay.Value{Code: hw.U(1), Raw: hw.High}})
	testbench.Send(b, p.Update, replay.Change{Index: hw.U(2), Generation: hw.U(0), Value: replay.Value{Code: hw.U(70000), Raw: hw.High}})
	b.Step(60)
	c, err := d.Counters()
	require.NoError(t, err)
	require.Equal(t, host.Counters{Inserted: 3, Sampled: 4, Stale: 1, Unfilled: 1, Refused: 1}, c)
	filled, sum, largest, err := d.Filling()
	require.NoError(t, err)
	require.Equal(t, 3, filled)
	require.Equal(t, uint64(1<<12+2<<12+65535), sum)
	require.Equal(t, uint64(65535), largest)

	require.NoError(t, d.Clear())
	require.NoError(t, d.ClearCounters())
	b.Step(60)
	filled, sum, largest, err = d.Filling()
	require.NoError(t, err)
	require.Equal(t, []uint64{0, 0, 1 << 12}, []uint64{uint64(filled), sum, largest})
}

// A memory of indexes has no transitions.
func TestBufferOfNothing(t *testing.T) {
	c := replay.Config{Params: model.Params{Capacity: 16, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Strata: 16}
	d, _, err := hw.Build(replay.Buffer[struct{}]{Config: c, Flight: 4, Seed: 1})
	require.NoError(t, err)
	require.Empty(t, hw.Warnings(d))
}
