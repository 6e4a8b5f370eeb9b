package lower_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir/bits"
	"etch/sim"
)

// large is a circuit with a memory of 2^n bytes.
func large(n int) string {
	return fmt.Sprintf("circuit T :\n  module T :\n    input clock : Clock\n    input at : UInt<%d>\n    input d : UInt<8>\n    input we : UInt<1>\n    output q : UInt<8>\n"+
		"    cmem m : UInt<8>[%d]\n    infer mport r = m[at], clock\n    q <= r\n    when we :\n      infer mport w = m[at], clock\n      w <= d\n", n, 1<<n)
}

// TestLargeMemory: words of a memory may be more than elements of a vector, and only those
// that are touched take space.
func TestLargeMemory(t *testing.T) {
	for _, n := range []int{31, 33} {
		d, _, err := lowered(large(n))
		require.NoError(t, err)
		require.Equal(t, 1<<n, d.Top.Mems[0].Depth)
		s, err := sim.New(d)
		require.NoError(t, err)
		signal := func(name string) sim.Signal {
			g, err := s.Signal(name)
			require.NoError(t, err)
			return g
		}
		for at, v := range map[uint64]uint64{1<<n - 1: 3, 0: 5, 1 << (n - 1): 7} {
			for name, v := range map[string]uint64{"at": at, "d": v, "we": 1} {
				require.NoError(t, s.Set(signal(name), v))
			}
			s.Step(1)
			require.Equal(t, v, s.Get(signal("q")))
		}
	}

	// A vector of as many elements stays a mistake, in a memory too.
	for _, typ := range []string{"UInt<8>[2147483648][4]", "UInt<8>[99999999999]"} {
		_, _, err := lowered(body("cmem m : " + typ))
		require.ErrorContains(t, err, "is not the length of a vector")
	}
}

// TestLargeMemoryFile: the contents of a file take the space of its words, in a memory of
// 256 MiB too.
func TestLargeMemoryFile(t *testing.T) {
	text := annotated(large(28), `{"class":"firrtl.annotations.LoadMemoryAnnotation","target":"T.T.m","fileName":"w","hexOrBinary":"h"}`)
	c, err := syntax.Parse("t.fir", text)
	require.NoError(t, err)
	for file, want := range map[string]int{"11 22 33": 3, "@4 11": 5, "": 1} {
		d, _, err := lower.Lower(c, lower.Options{File: func(string) ([]byte, error) { return []byte(file), nil }})
		require.NoError(t, err)
		words := d.Top.Mems[0].Init
		require.Len(t, words, want)
		if file != "" {
			require.NotEqual(t, bits.Zero(8), words[want-1])
		}
	}
}
