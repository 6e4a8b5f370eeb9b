package pages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable reads the kernel's table of pages; an emulator need not have one.
func TestTable(t *testing.T) {
	b, err := New(1 << 20)
	require.NoError(t, err)
	b.Bytes()[3*PageSize] = 1
	all := 0
	b.everyPage(0, func(int) { all++ })
	require.Equal(t, 1<<20/PageSize, all)
	touched := 0
	b.eachPage(func(int) { touched++ })
	if tableHolds() {
		require.Less(t, touched, all)
	}
	require.Equal(t, PageSize, b.Held())
}
