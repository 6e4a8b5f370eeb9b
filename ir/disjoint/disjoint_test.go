package disjoint

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForest joins at random and compares with labels that are written anew at every join.
func TestForest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(40)
		f, label := New[int32](n), make([]int, n)
		for i := range label {
			label[i] = i
		}

		for range r.IntN(2 * n) {
			a, b := r.IntN(n), r.IntN(n)
			f.Join(int32(a), int32(b))
			least, other := min(label[a], label[b]), max(label[a], label[b])
			for i := range label {
				if label[i] == other {
					label[i] = least
				}
			}
			for i := range label {
				require.EqualValues(t, label[i], f.Find(int32(i)))
			}
		}

		f.Reset()
		for i := range f {
			require.EqualValues(t, i, f.Find(int32(i)))
		}
	}
}
