package names

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each name is given once; a taken stem gets the lowest free number.
func TestClaim(t *testing.T) {
	var table Table
	for range 2 { // a second time after Reset
		table.Reset(0)
		var got []string
		for _, stem := range []string{"x", "x", "x_3", "x", "module", "module", "a.b[2]", "2x", ""} {
			got = append(got, string(table.Get(table.Claim(stem))))
		}
		require.Equal(t, []string{"x", "x_2", "x_3", "x_4", "module_", "module__2", "a_b_2", "_2x", "_"}, got)
		require.True(t, table.Has([]byte("x_4")))
		require.False(t, table.Has([]byte("x_5")))
	}
}

// Legal names are bound in the first round, so that they stay as they are.
func TestBind(t *testing.T) {
	var table Table
	table.Reset(2)
	users, ids := []string{"a.b", "a_b", "begin", ""}, make([]ID, 4)
	for _, legal := range []bool{true, false} {
		for i, user := range users {
			table.Bind(&ids[i], user, legal)
		}
	}
	require.Equal(t, "a_b_2", string(table.Get(ids[0])))
	require.Equal(t, "a_b", string(table.Get(ids[1])))
	require.Equal(t, "begin_", string(table.Get(ids[2])))
	require.Zero(t, ids[3])
}

// A table that grows keeps its names.
func TestGrow(t *testing.T) {
	var table Table
	table.Reset(0)
	for range 1000 {
		table.Claim("n")
	}
	require.Equal(t, "n_1000", string(table.Get(1000)))
	require.True(t, table.Has([]byte("n_7")))
}
