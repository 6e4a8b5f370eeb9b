package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCSV(t *testing.T) {
	for _, text := range []string{"a,b\n1,2\n", "\ufeffa,b\n1,2\n"} {
		in, err := CSV(strings.NewReader(text))
		require.NoError(t, err)
		rows, err := in.ReadAll()
		require.NoError(t, err)
		require.Equal(t, [][]string{{"a", "b"}, {"1", "2"}}, rows)
	}
	_, err := CSV(strings.NewReader("\xff\xfea\x00,\x00"))
	require.EqualError(t, err, "the text is UTF-16; want UTF-8")
	in, err := CSV(strings.NewReader(""))
	require.NoError(t, err)
	_, err = in.Read()
	require.Error(t, err)
}
