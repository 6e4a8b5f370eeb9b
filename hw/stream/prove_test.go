package stream_test

import (
	"testing"

	"etch/hw"
	"etch/hw/stream"
	"etch/ir"
	"etch/testbench/equiv"
)

// The assertions of every part hold in every run.
func TestProved(t *testing.T) {
	e := hw.Unsigned(4)
	pair := hw.VecOf(2, e)
	for _, c := range []struct {
		name string
		d    *ir.Design
	}{
		{"queue of 4", made(t, stream.Queue[hw.UInt]{Elem: e, Depth: 4})},
		{"queue of 5", made(t, stream.Queue[hw.UInt]{Elem: e, Depth: 5})},
		{"queue of 1", made(t, stream.Queue[hw.UInt]{Elem: e, Depth: 1})},
		{"forward", made(t, stream.RegisterSlice[hw.UInt]{Elem: e, Cut: stream.Forward})},
		{"backward", made(t, stream.RegisterSlice[hw.UInt]{Elem: e, Cut: stream.Backward})},
		{"both", made(t, stream.RegisterSlice[hw.UInt]{Elem: e, Cut: stream.Both})},
		{"fork", made(t, stream.Fork[hw.UInt]{Elem: e, N: 3})},
		{"arbiter", made(t, stream.Arbiter[hw.UInt]{Elem: e, N: 3})},
		{"arbiter of 4", made(t, stream.Arbiter[hw.UInt]{Elem: e, N: 4, Priority: true})},
		{"widen", made(t, stream.Widen[hw.UInt]{Elem: e, N: 3})},
		{"narrow", made(t, stream.Narrow[hw.Vec[hw.UInt]]{Elem: pair, N: 3})},
		{"async queue", made(t, stream.AsyncQueue[hw.UInt]{Elem: e, Depth: 4})},
	} {
		t.Run(c.name, func(t *testing.T) { t.Log(equiv.ProveDesign(t, c.d, "", equiv.Together())) })
	}
}

func made[P any](t *testing.T, c hw.Component[P]) *ir.Design {
	t.Helper()
	d, _, err := hw.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
