package hexfile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
	"etch/ir/hexfile"
)

func TestRaw(t *testing.T) {
	var got []string
	put := func(addr int, v bits.Value) error {
		require.Equal(t, len(got), addr)
		got = append(got, v.Hex())
		return nil
	}
	require.NoError(t, hexfile.Raw([]byte{1, 2, 3, 4, 5}, hexfile.Memory{Width: 24, Depth: 2}, put))
	require.Equal(t, []string{"30201", "504"}, got)

	got = nil
	long := []byte("0123456789abcdef")
	require.NoError(t, hexfile.Raw(long, hexfile.Memory{Width: 128, Depth: 1}, put))
	require.Equal(t, []string{"66656463626139383736353433323130"}, got)

	require.EqualError(t, hexfile.Raw(long, hexfile.Memory{Width: 12, Depth: 9}, put), "raw bytes need words of whole bytes, not of 12 bits")
	require.EqualError(t, hexfile.Raw(long, hexfile.Memory{Width: 32, Depth: 3}, put), "16 bytes are more than 3 words of 4 bytes")
}
