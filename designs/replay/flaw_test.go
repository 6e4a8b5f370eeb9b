package replay_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/replay"
	"etch/designs/replay/host"
	"etch/designs/replay/model"
	"etch/sim"
)

// foundIn is the first mix of operations in which a tree with a mistake gives a wrong
// response, "" for none.
func foundIn(t *testing.T, flaw string, c replay.Config) string {
	for _, x := range mixes {
		tree, err := host.Simulate(replay.Flawed(replay.Tree{Config: c, Seed: 3}, flaw), sim.WithSeed(1))
		require.NoError(t, err)
		err = inOrder(c, x, 1500, tree, 3)
		tree.Close()
		if err != nil {
			return x.name
		}
	}
	return ""
}

func requireFound(t *testing.T, flaw string) {
	for _, read := range []int{1, 2} {
		for _, k := range []int{2, 4} {
			c := replay.Config{Params: model.Params{Capacity: 23, Leaf: 6, Fraction: 3}, K: k, Read: read, Strata: 8}
			at := foundIn(t, flaw, c)
			require.NotEmpty(t, at, "%s: not found with K = %d, Read = %d", flaw, k, read)
			t.Log(fmt.Sprintf("K = %d, Read = %d: found by operations of mix %q", k, read, at))
		}
	}
	c := replay.Config{Params: model.Params{Capacity: 23, Leaf: 6, Fraction: 3}, K: 4, Read: 2, Strata: 8}
	require.Empty(t, foundIn(t, "", c), "the tree without a mistake")
}

// Rows and leaves forwarded to one operation fewer than are on their way.
func TestFindsShallowForwarding(t *testing.T) {
	requireFound(t, "shallow head")
	requireFound(t, "shallow level")
}

// A batch of draws from the sum that the first of them saw.
func TestFindsLatchedSum(t *testing.T) { requireFound(t, "latched sum") }

// The slot whose running sum equals x, in place of the next.
func TestFindsInclusiveStep(t *testing.T) { requireFound(t, "inclusive step") }

// Rows that keep the sums of before a clear, or of power-up.
func TestFindsStaleRows(t *testing.T) { requireFound(t, "stale rows") }

// The priority of a draw from the memory that operations behind it have written.
func TestFindsSharedLeaf(t *testing.T) { requireFound(t, "shared leaf") }
