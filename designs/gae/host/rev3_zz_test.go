package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/model"
)

// begins that cannot be, overflow of boots, start with nothing, twice; settle while draining with two memories
func TestZZEdges(t *testing.T) {
	s := zsys()
	c, m := open(t, s), s.NewMachine()
	for _, x := range []Machine{c, m} {
		at, ok, err := x.Push(nil)
		t.Log("nothing:", at, ok, err)
		n, err := x.Drain()
		t.Log("drain of nothing:", n, err)
		_, ok, err = x.Push(zvec(33))
		t.Log("too long:", ok, err)
		at, ok, err = x.Push(zvec(2))
		t.Log("after it:", at, ok, err)
		n, err = x.Drain()
		t.Log(n, err)
		n, err = x.Drain()
		t.Log("again, nothing loaded:", n, err)
		r, err := x.Fetch(at, 2)
		t.Log("fetch of the drain before:", r, err)
	}
	b := c.bus
	b.Write(4*uint64(model.Begin), 1<<31)
	st, _ := b.Read(4 * uint64(model.Status))
	t.Logf("begin 2^31: status %b", st)
	b.Write(4*uint64(model.Begin), 64)
	st, _ = b.Read(4 * uint64(model.Status))
	t.Logf("begin 64: status %b", st)
}

func TestZZBootOverflow(t *testing.T) {
	s := zsys()
	s.Stack = 2
	c, m := open(t, s), s.NewMachine()
	for _, x := range []Machine{c, m} {
		v := zvec(6)
		for i := range v { v[i].Cut = true }
		_, ok, err := x.Push(v)
		t.Log(ok, err)
		n, err := x.Drain()
		t.Log("overflow:", n, err)
		require.NoError(t, x.Clear(3))
		_, ok, err = x.Push(zvec(4))
		n, err = x.Drain()
		t.Log("after it:", ok, n, err)
	}
}

func TestZZSettleWhileDraining(t *testing.T) {
	s := zsys()
	s.PingPong = true
	s.Rows, s.Depth = 1, 4096
	run := func(early bool) []model.Stored {
		c := open(t, s)
		v := zvec(4000)
		for i := range v { v[i].Value, v[i].Reward = int64(i%17)<<16, int64(i%5)<<16 }
		c.Measure(v)
		c.Settle()
		at, ok, err := c.Push(v)
		require.True(t, ok); require.NoError(t, err)
		w := zvec(20)
		for i := range w { w[i].Value = int64(i) << 20 }
		if early {
			require.NoError(t, c.bus.Write(4*uint64(model.Start), 0))
			c.Measure(w); c.Settle()
		}
		if early { c.drainWait2() } else { _, err = c.Drain(); require.NoError(t, err) }
		r, err := c.Fetch(at, 5)
		require.NoError(t, err)
		return r
	}
	t.Log(run(false))
	t.Log(run(true))
}
