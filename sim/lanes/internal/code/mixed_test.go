package code_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/lanes/internal/code"
	"etch/sim/net"
	"etch/testbench/tools"
)

// Whatever nodes, words and memories are in which form, all instances are what the
// reference says.
func TestRandomMixed(t *testing.T) {
	seeds, stages := 80, 0
	if testing.Short() {
		seeds = 40
	}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 3))
		maxW := []int{1, 4, 16, 33, 64}[seed%5]
		n, tables := randomNet(r, 5+r.IntN(60), allOps, maxW)
		share := r.Float64()
		coin := func() bool { return r.Float64() < share }
		inWords := func(op net.Op) bool { return slices.Contains(wordOps, op) }
		for _, target := range targets() {
			name := fmt.Sprintf("seed %d, %s", seed, target.Name)
			l, p, err := code.RandomMixed(n, tables, target, coin, inWords)
			require.NoError(t, err, name)
			stages = max(stages, p.Stages())
			compareAll(t, name, n, tables, l, p, target, r, 4)
		}
	}
	require.Greater(t, stages, 6)
}

// The cheapest division does the same.
func TestDivision(t *testing.T) {
	seeds := 50
	if testing.Short() {
		seeds = tools.Trials(20, 10)
	}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 4))
		n, tables := randomNet(r, 10+r.IntN(60), allOps, []int{1, 4, 16, 33, 64}[seed%5])
		for _, target := range targets() {
			runBoth(t, fmt.Sprintf("seed %d, %s", seed, target.Name), n, tables, code.Mixed, target, r, 4)
		}
	}
}
