package scan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A table is read as the writers have it; any other text gives none.
func TestEnumOf(t *testing.T) {
	require.Equal(t, &Enum{"phase", map[string]string{"00": "idle", "01": "a b", "10": `c\?`}}, enumOf(`phase 3 idle a\040b c\\\? 00 01 10`))
	for _, text := range []string{"x", "x 1", "x 1 a", "x 2 a 0", "x -1 a 0", "x 99999999999999999999 a 0", "x y a 0", "x 1 a 0 1"} {
		require.Nil(t, enumOf(text), text)
	}
	for word, want := range map[string]string{`\`: `\`, `a\`: `a\`, `\0`: `0`, `\777`: `777`, `\101`: `A`, `\1011`: `A1`} {
		require.Equal(t, want, unescape(word), word)
	}
}

// The variable behind the attribute has the table, and no other.
func TestEnums(t *testing.T) {
	var e enums
	e.attribute("phase 1 idle 0", 4)
	require.Nil(t, e.taken())
	e.attribute("", 4)
	require.Equal(t, "phase", e.taken().Name)
	require.Nil(t, e.taken())
	e.attribute("", 5)
	require.Nil(t, e.taken())
}
