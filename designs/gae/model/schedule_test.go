package model_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/model"
)

// With vectors of mixed lengths the fullest row has no more than the mean and one
// vector more; rows in turn break that bound nearly always.
func TestMakespan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	broken := 0
	const cases = 2000
	for range cases {
		least, turn := model.Paper(), model.Paper()
		least.Rows, least.Depth = 1+r.IntN(64), 1<<16
		turn.Rows, turn.Depth, turn.RoundRobin = least.Rows, 1<<16, true
		a, b := least.NewSchedule(), turn.NewSchedule()
		sum, longest := 0, 0
		for range r.IntN(300) {
			n := 1 + r.IntN(1024)
			sum, longest = sum+n, max(longest, n)
			_, ok := a.Place(n)
			_, also := b.Place(n)
			if !ok || !also {
				break
			}
		}
		bound := (sum+least.Rows-1)/least.Rows + longest
		require.LessOrEqual(t, a.Makespan(), bound)
		if b.Makespan() > bound {
			broken++
		}
	}
	t.Logf("rows in turn broke the bound in %d of %d cases", broken, cases)
	require.Greater(t, broken, cases/2)
}
