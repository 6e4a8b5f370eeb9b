package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
)

// stopper counts from 0 in steps of by and stops: with code 3 at 10, well at 20.
func stopper() *ir.Design {
	b := simtest.NewBuild("stopper")
	by := b.AddInput("by", 8, 0, 0)
	q := b.Register("q", 8, 0)
	b.Feed(q, b.Put(ir.Add, 8, q, by))
	b.AddOutput("count", 8, 0, q, 0)
	is := func(n uint64) ir.ID { return b.Put(ir.Eq, 1, q, b.Number(8, n)) }
	b.Stmts = []ir.Stmt{
		{Kind: ir.Stop, Name: "bad", Clk: b.Clk, En: is(10), Code: 3, Pos: b.Src.Line("t/stop.go", 5)},
		{Kind: ir.Stop, Name: "good", Clk: b.Clk, En: is(20), Pos: b.Src.Line("t/stop.go", 6)},
	}
	return simtest.Design(b)
}

func TestStop(t *testing.T) {
	for _, e := range []sim.Engine{sim.Interpreter, sim.Native, sim.Lockstep} {
		t.Run(e.String(), func(t *testing.T) {
			s := start(t, stopper(), sim.WithEngine(e))
			var told []string
			s.OnStop(func(stop sim.Stop) { told = append(told, stop.String()); s.Halt() })
			set(t, s, "by", 1)
			s.Step(1000)
			require.EqualValues(t, 11, s.Cycles(), "the first stop ends the call after its cycle")
			require.EqualValues(t, 11, get(t, s, "count"))
			s.Step(1000)
			require.EqualValues(t, 21, s.Cycles())
			require.Equal(t, []string{"stop.go:5: stop bad in cycle 10 with code 3", "stop.go:6: stop good in cycle 20 with code 0"}, told)
			stop, ok := s.Stopped()
			require.True(t, ok)
			require.Equal(t, sim.Stop{Code: 3, Name: "bad", At: ir.Location{File: "t/stop.go", Line: 5}, Cycle: 10, Time: 105}, stop)
			require.Len(t, s.Failures(), 1, "only a stop with a code is a failure")
			require.EqualError(t, s.Failures()[0], "stop.go:5: stop bad failed in cycle 10: code 3")
			require.NoError(t, s.Err())

			s.OnStop(nil)
			s.Restart()
			_, ok = s.Stopped()
			require.False(t, ok)
			set(t, s, "by", 20)
			s.Step(5)
			require.EqualValues(t, 5, s.Cycles(), "nobody halts it")
			stop, ok = s.Stopped()
			require.True(t, ok)
			require.Zero(t, stop.Code)
			require.EqualValues(t, 1, stop.Cycle)
			require.Empty(t, s.Failures())
		})
	}
}

func TestLaneStops(t *testing.T) {
	for _, n := range []int{3, 300} {
		l, err := lanes.New(stopper(), n)
		require.NoError(t, err)
		defer l.Close()
		by, err := l.Signal("by")
		require.NoError(t, err)
		l.Set(by, 0, 20)
		l.Set(by, 2, 5)
		l.Step(300)
		var got []string
		for _, s := range l.Stops() {
			got = append(got, s.String())
		}
		require.Equal(t, []string{"lane 0: stop.go:6: stop good in cycle 1 with code 0", "lane 2: stop.go:5: stop bad in cycle 2 with code 3"}, got)
		require.Equal(t, 2, l.Failures()[0].Lane)
		for _, f := range l.Failures() {
			require.Equal(t, "bad", f.Name)
		}
		l.Restart()
		require.Empty(t, l.Stops())
	}
}
