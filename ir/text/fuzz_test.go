package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/testbench/randcircuit"
)

// FuzzParse: Parse never panics, what it accepts verifies, and the canonical form
// of what it accepts is read back to itself.
func FuzzParse(f *testing.F) {
	f.Add(String(small()))
	for seed := range uint64(8) {
		c := configs(seed)
		c.Nodes = 8
		f.Add(String(randcircuit.Design(seed, c)))
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(strings.NewReader(s), "fuzz")
		if err != nil {
			require.Nil(t, d)
			return
		}
		require.NoError(t, ir.Verify(d))
		first := String(d)
		back, err := Parse(strings.NewReader(first), "again")
		require.NoError(t, err)
		require.Equal(t, first, String(back))
	})
}
