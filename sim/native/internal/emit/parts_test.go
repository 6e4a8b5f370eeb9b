package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The regions of a layout do not overlap, whatever their sizes.
func TestRegionsOfPartsAreDisjoint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		z := Sizes{Listed: r.Int32N(5), Cells: r.Int32N(3000), Late: r.Int32N(3000)}
		first, groups := 1+r.Int32N(9), 1+r.Int32N(40)
		l := LayOut(first, groups, z)
		used := map[int32]string{}
		take := func(what string, at, bytes int32) {
			for i := range bytes {
				require.Empty(t, used[at+i], "%s over %s", what, used[at+i])
				used[at+i] = what
			}
			require.Less(t, at+bytes-1, -8*first, "%s over what is not the partition's", what)
			require.GreaterOrEqual(t, at, -8*l.Values, "%s below the partition's words", what)
		}

		// Flags, the list with one entry more than it needs, cells.
		for g := range groups {
			take("flags", l.At(l.Now, g), 4)
			take("next flags", l.At(l.Next, g), 4)
		}
		for g := range l.copied {
			take("blocks", l.At(l.blocks, g), 4)
		}
		take("list", -8*(l.list+1), 16*(z.Listed+1))
		take("cells", l.Cells, z.Cells)
		take("deferred cells", l.Late, z.Late)
		take("next cells", l.NextOf(l.Late), z.Late)
		require.Zero(t, l.Cells%8)
		require.Zero(t, l.Late%8)

		// Each cell of 8 bytes lies in one block, which has a flag.
		for at := int32(0); at+8 <= z.Late; at += 8 {
			b := l.BlockOf(l.Late + at)
			require.Less(t, b.Group, l.copied)
			require.Equal(t, b, l.BlockOf(l.Late+at+7))
		}
	}
}
