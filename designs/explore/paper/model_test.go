package paper

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// oneDie is what the paper allows the learner of DQN, twoDies that of DDPG, on an
// Alveo U200 (§4.2).
var (
	oneDie  = Limits{DSP: 2280, MaxUnit: 32}
	twoDies = Limits{DSP: 2 * 2280, MaxUnit: 32}
)

// Table 2 of the paper: PI = BS/2, DP = 2, units of 32 multipliers, 1,600 and 2,560 DSP.
func TestTable2(t *testing.T) {
	for _, c := range []struct {
		a         Algorithm
		l         Limits
		beat, dsp int
	}{
		{DQN(Net{8, 64, 4}), oneDie, 16, 1600},
		{DDPG(Net{8, 64, 2}), twoDies, 20, 2560},
	} {
		for _, batch := range []int{32, 64} {
			p, err := c.a.Best(batch, c.l)
			require.NoError(t, err)
			require.Equal(t, []int{2, batch / 2, 32, c.beat, c.dsp}, []int{p.DP, p.PI, p.Unit, p.Beat, p.DSP}, "%s, batch %d", c.a.Name, batch)
		}
	}
}

// From a batch of 128 the model's own optimum has four pipelines, not two; without the
// bound on a unit, one.
func TestBeyondTable2(t *testing.T) {
	a := DQN(Net{8, 64, 4})
	for batch, cycles := range map[int]int{32: 512, 64: 768, 128: 1280} {
		require.Equal(t, cycles, a.At(batch, 2, 32).Cycles)
	}
	p, err := a.Best(128, oneDie)
	require.NoError(t, err)
	require.Equal(t, Point{Batch: 128, DP: 4, PI: 32, Unit: 22, Beat: 24, Multipliers: 440, DSP: 2200, Cycles: 1248}, p)
	for _, batch := range []int{32, 64, 128} {
		p, err := a.Best(batch, Limits{DSP: 2280})
		require.NoError(t, err)
		require.Equal(t, []int{1, 6}, []int{p.DP, p.Beat}, "batch %d", batch)
	}
}

// Explore leaves nothing out that fits, and Best is the best of all: against every DP and
// P, by a plain loop.
func TestBestIsBest(t *testing.T) {
	for _, a := range []Algorithm{DQN(Net{4, 16, 2}), DDPG(Net{3, 16, 1})} {
		for _, l := range []Limits{{300, 0}, {300, 5}, {2000, 8}} {
			for _, batch := range []int{1, 6, 32} {
				least, n := 1<<60, 0
				for dp := 1; dp <= batch; dp++ {
					for p := 1; p <= 80; p++ {
						x := a.At(batch, dp, p)
						if batch%dp == 0 && x.DSP <= l.DSP && (l.MaxUnit == 0 || p <= l.MaxUnit) {
							least, n = min(least, x.Cycles), n+1
						}
					}
				}
				best, err := a.Best(batch, l)
				require.NoError(t, err)
				require.Equal(t, least, best.Cycles)
				if l.MaxUnit > 0 {
					require.Len(t, a.Explore(batch, l), n)
				}
			}
		}
	}
}

func TestNothingFits(t *testing.T) {
	_, err := DQN(Net{8, 64, 4}).Best(32, Limits{DSP: 20})
	require.EqualError(t, err, "dqn 8-64-4: needs 25 DSP at least, the device has 20 (5 too many)")
	for _, bad := range []string{"", "8-64", "8-0-4", "8-64-4-2", "8-99999-4", "a-b-c"} {
		_, err := ParseNet(bad)
		require.Error(t, err, bad)
	}
}
