package sim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
)

func TestSnapshot(t *testing.T) {
	for seed := range uint64(20) {
		d := simtest.RandomDesign(1000 + seed)
		s := start(t, d, sim.WithSeed(seed))
		g := &simtest.Gen{Rand: simtest.NewRand(seed)}
		drive := func() {
			for _, p := range s.Top() {
				if p.IsInput() {
					require.NoError(t, s.SetBits(p, g.Value(p.Width())))
				}
			}
			s.Step(1)
		}
		look := func(s *sim.Sim) (all []string) {
			for x := range s.Signals() {
				all = append(all, x.Name()+" = "+s.GetBits(x).String())
			}
			return append(all, fmt.Sprint(s.Time(), s.Cycles()))
		}
		power := look(s)
		for range 3 {
			drive()
		}
		snap, err := s.Snapshot()
		require.NoError(t, err)
		kept := look(s)
		s.Step(2)
		later := look(s)
		other := start(t, d)
		for _, at := range []*sim.Sim{s, other, s} {
			require.NoError(t, at.Restore(snap))
			require.Equal(t, kept, look(at))
			at.Step(2)
			require.Equal(t, later, look(at))
		}
		s.Restart()
		require.Equal(t, power, look(s))
	}
	s := start(t, simtest.Design(simtest.TwoClocks()))
	require.NoError(t, s.SetPeriod(simtest.Sig(t, s, "clk"), 4, 1))
	s.Run(6)
	s.Restart()
	s.Run(6) // clocks keep their periods
	require.EqualValues(t, 2, get(t, s, "a"))
	snap, err := start(t, house()).Snapshot()
	require.NoError(t, err)
	require.EqualError(t, start(t, house()).Restore(snap), "sim: the snapshot is of another design or of other Models")
}

// TestParallel is for the race detector: one design, several simulators.
func TestParallel(t *testing.T) {
	d := talker()
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := start(t, d)
			s.Step(50)
			require.Len(t, s.Failures(), 50)
			_ = s.Coverage()
		})
	}
	sys := systolic(4)
	sums := make(chan uint64, 2)
	for range 2 {
		go func() {
			s, err := sim.New(sys)
			if err != nil {
				sums <- 0
				return
			}
			s.Step(300)
			sums <- s.Get(s.Top()[1])
		}()
	}
	one := <-sums
	require.NotZero(t, one)
	require.Equal(t, one, <-sums)
}

func TestNoAllocation(t *testing.T) {
	for _, d := range benchDesigns[:2] {
		s := start(t, d.make())
		check := s.Top()[1]
		require.Zero(t, testing.AllocsPerRun(20, func() {
			s.Step(2)
			s.Get(check)
		}), d.name)
	}
	s := start(t, ram(64, 4))
	we, clk, other := simtest.Sig(t, s, "we"), simtest.Sig(t, s, "clk"), simtest.Sig(t, s, "other")
	require.NoError(t, s.SetPeriod(clk, 3, 0))
	require.NoError(t, s.SetPeriod(other, 5, 0))
	s.Run(20)
	require.Zero(t, testing.AllocsPerRun(20, func() {
		_ = s.Set(we, s.Cycles()&1)
		s.Step(1)
		s.Tick(clk, 1)
		s.Advance(30)
	}))
}

// teller writes down the moments that it sees.
type teller struct {
	s    *sim.Sim
	x    sim.Signal
	text strings.Builder
	fail bool
}

func (l *teller) Start(s *sim.Sim) error {
	l.s = s
	if l.fail {
		return errors.New("no")
	}
	fmt.Fprintf(&l.text, "start %d\n", s.Time())
	return nil
}

func (l *teller) Sample(m sim.Moment) error {
	fmt.Fprintf(&l.text, "%s %d x=%d", [...]string{"before", "after", "fall", "idle"}[m.Phase], m.Time, l.s.Get(l.x))
	for _, c := range m.Clocks {
		fmt.Fprint(&l.text, " ", c.Name())
	}
	l.text.WriteByte('\n')
	if l.fail {
		return errors.New("enough")
	}
	return nil
}

func TestTrace(t *testing.T) {
	s := start(t, simtest.Design(simtest.TwoClocks()))
	l := &teller{x: simtest.Sig(t, s, "a")}
	require.NoError(t, s.Trace(l))
	s.Step(1)
	s.Tick(simtest.Sig(t, s, "slow"), 1)
	require.NoError(t, s.SetPeriod(simtest.Sig(t, s, "clk"), 4, 21))
	require.NoError(t, s.SetPeriod(simtest.Sig(t, s, "slow"), 8, 21))
	s.Run(26)
	require.NoError(t, s.Poke(l.x, bits.New(8, 50)))
	s.Run(27)
	require.Equal(t, `start 0
before 0 x=0 clk slow
after 5 x=1 clk slow
fall 10 x=1 clk slow
before 10 x=1 slow
after 15 x=1 slow
fall 20 x=1 slow
before 20 x=1 clk slow
after 21 x=2 clk slow
before 21 x=2 clk
fall 23 x=2 clk
fall 25 x=2 slow
after 25 x=3 clk
idle 26 x=50
fall 27 x=50 clk
`, l.text.String())
	l.fail = true
	require.NoError(t, s.Err())
	s.Step(2)
	require.EqualError(t, s.Err(), "enough")
	require.Equal(t, 1, strings.Count(l.text.String(), "before 27"), "it is told no more")
	require.EqualError(t, s.Trace(l), "no")
}
