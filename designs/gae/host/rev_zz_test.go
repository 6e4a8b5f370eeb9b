package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/model"
)

func zsys() model.System {
	s := model.Paper()
	s.Rows, s.Depth = 2, 32
	return s
}

func zvec(n int) (v []model.Sample) {
	for i := range n {
		v = append(v, model.Sample{Reward: int64(i+1) << 20, Value: int64(i+2) << 22, Boot: 1 << 28})
	}
	v[n-1].Cut = true
	return v
}

func open(t *testing.T, s model.System) *Simulated {
	c, err := Simulate(s)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func TestZZCountersAfterPush(t *testing.T) {
	s := zsys()
	c, m := open(t, s), s.NewMachine()
	_, _, err := c.Push(zvec(9))
	require.NoError(t, err)
	m.Push(zvec(9))
	l, _, _ := c.Counters()
	w, _, _ := m.Counters()
	t.Logf("circuit %+v model %+v", l, w)
	if l != w {
		t.Error("differ")
	}
}

func TestZZMeasureClear(t *testing.T) {
	s := zsys()
	c, m := open(t, s), s.NewMachine()
	a, b := zvec(9), zvec(5)
	for _, x := range []Machine{c, m} {
		x.Measure(a)
		x.Clear(model.ClearStatistics)
		x.Measure(b)
		x.Settle()
	}
	l1, s1, _ := c.Settings()
	l2, s2, _ := m.Settings()
	if l1 != l2 || s1 != s2 {
		t.Errorf("%+v %+v\nmodel %+v %+v", l1, s1, l2, s2)
	}
}

func TestZZCount(t *testing.T) {
	s := zsys()
	bus := open(t, s)
	bus.Measure(zvec(9))
	// Count by the bus directly
	n, err := bus.bus.Read(4 * uint64(model.Count))
	require.NoError(t, err)
	if n != 9 {
		t.Error("count", n)
	}
}

func TestZZPushThenLoad(t *testing.T) {
	s := zsys()
	c, m := open(t, s), s.NewMachine()
	var got [2][]model.Stored
	for i, x := range []Machine{c, m} {
		v := zvec(3)
		for j := range v { v[j].Reward, v[j].Value = int64(j)<<14, int64(j)<<14 }
		at, ok, err := x.Push(v)
		require.NoError(t, err)
		require.True(t, ok)
		l, set := s.Defaults()
		_ = set
		l.Reward.Mean = 1 << 17
		l.Value.Mean = 1 << 17
		require.NoError(t, x.Load(l))
		_, err = x.Drain()
		require.NoError(t, err)
		got[i], err = x.Fetch(at, 3)
		require.NoError(t, err)
		for j := range got[i] { got[i][j].Clipped = model.Clips{} }
	}
	require.Equal(t, got[1], got[0])
}

func TestZZFetchWhileDraining(t *testing.T) {
	s := zsys()
	for _, pp := range []bool{false, true} {
		s.PingPong = pp
		c := open(t, s)
		v := zvec(30)
		for j := range v { v[j].Reward, v[j].Value = int64(j)<<14, int64(j)<<14 }
		at, _, err := c.Push(v)
		require.NoError(t, err)
		require.NoError(t, c.bus.Write(4*uint64(model.Start), 0))
		early, err := c.Fetch(at, 5)
		require.NoError(t, err)
		_, err = c.drainWait2()
		require.NoError(t, err)
		late, err := c.Fetch(at, 5)
		require.NoError(t, err)
		if early[0] != late[0] { t.Errorf("pingpong %v: early %v late %v", pp, early, late) }
	}
}

func TestZZStartInside(t *testing.T) {
	s := zsys()
	c := open(t, s)
	b := c.bus
	b.Write(4*uint64(model.Begin), 4)
	for range 2 { b.Write(4*uint64(model.PushStep), 0) }
	n, err := c.Drain()
	t.Log("drain in the middle of a vector:", n, err)
	b.Write(4*uint64(model.Clear), 3)
	_, ok, err := c.Push(zvec(3))
	t.Log("push after it:", ok, err)
	n, err = c.Drain()
	t.Log(n, err)
	b.Write(4*uint64(model.Clear), 3)
	_, ok, err = c.Push(zvec(3))
	t.Log("push after it:", ok, err)
}

func (d *Driver) drainWait2() (int, error) {
	for {
		if d.read(model.Status)&model.Done != 0 {
			return 0, d.done()
		}
	}
}
