package record

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	require.Equal(t, []string{"a_b__", "a_b", "a_b_", "_", "__", "a_b___", "c"},
		words([]string{"a b", "a_b", "a_b_", "", "ä", "a\tb", "c"}))
}

func TestScale(t *testing.T) {
	for text, want := range map[string]int{"1ns": -9, "100 ps": -10, "10ms": -2, "1s": 0, "100s": 2, "1fs": -15, "10us": -5} {
		got, err := Scale(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "1", "ns", "2ns", "1000ns", "1 n s", "1xs", "-1ns", "1nss"} {
		_, err := Scale(text)
		require.ErrorContains(t, err, "is not 1, 10 or 100 of s, ms, us, ns, ps or fs", text)
	}
}
